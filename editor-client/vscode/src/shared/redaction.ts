/** Taking secrets out of text before it is written or shown, as the server does. */

import { SECRET_PATTERNS } from './secretPatterns';

const PATTERNS = SECRET_PATTERNS.map(([source, flags]) => new RegExp(source, flags));
const MARK = '[redacted]';
/** A shorter key is a word of a local server (`none`, `local`) that stands in ordinary text. */
const SHORTEST_KNOWN = 6;

/** `known` are secrets that are replaced whatever they look like. */
export function redact(text: string, known: readonly string[] = []): string {
  const without = known
    .filter((secret) => secret.length >= SHORTEST_KNOWN)
    .reduce((rest, secret) => rest.replaceAll(secret, MARK), text);
  const padded = PATTERNS.reduce((rest, pattern) => rest.replace(pattern, MARK), ` ${without}`);
  return padded.slice(1);
}

/** Replace what tells who the user is: the home folder in paths, and the user's name. */
export function hidePerson(text: string, home: string, user: string): string {
  const folders = [home, home.replaceAll('\\', '/'), home.replaceAll('\\', '\\\\')];
  const withoutHome = [...new Set(folders)]
    .filter((folder) => folder.length > 1)
    .reduce((rest, folder) => rest.replaceAll(folder, '~'), text);
  // A short or common name (`root`, `user`) stands in many words and names nobody.
  const names =
    /^(root|user|admin|node|coder|vscode)$/i.test(user) || user.length < 3 ? [] : [user];
  return names.reduce(
    (rest, name) =>
      rest.replace(new RegExp(`(?<![\\w-])${escape(name)}(?![\\w-])`, 'gi'), '<user>'),
    withoutHome,
  );
}

function escape(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
