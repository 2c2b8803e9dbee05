/** Telling links apart: what opens a line, what opens the browser, and what is only text. */

import type { Place } from '../shared/messages';

export type Target =
  { kind: 'place'; place: Place } | { kind: 'web'; url: string } | { kind: 'none' };

const WITH_LINE = /^(.+?)(?::(\d+)(?:[-–](\d+))?|#L(\d+)(?:-L?(\d+))?)$/u;
const LOOKS_LIKE_PATH =
  /^(?:[\p{L}\p{N}_.@+~-][\p{L}\p{N}_.@+~ -]*\/)*[\p{L}\p{N}_.@+~-]*\.?[\p{L}\p{N}_+-]+$/u;

/** `127.0.0.1:8080` names a server. */
const IS_ADDRESS = /^\d+(?:\.\d+){3}$/;

/** `src/a.py:12`, `src/a.py:12-20` or `src/a.py#L12` in running text; a bare name is not a place. */
export function parsePlace(text: string): Place | null {
  const match = WITH_LINE.exec(text.trim());
  const path = match?.[1] ?? '';
  const isPath = LOOKS_LIKE_PATH.test(path) && /[./]/.test(path) && !IS_ADDRESS.test(path);
  return match && isPath ? { uri: null, path, ...linesOf(match) } : null;
}

const IN_TEXT =
  /(?<![A-Za-z0-9_./@-])((?:[A-Za-z0-9_.@+~-]+\/(?:[\p{L}\p{N}_.@+~-]+\/)*)?[A-Za-z0-9_@+~-][A-Za-z0-9_.@+~-]*\.[A-Za-z]\w{0,9}):(\d+)(?:[-–](\d+))?/u;

/** The first `src/a.py:12` in a sentence. */
export function findPlace(text: string): { index: number; text: string; place: Place } | null {
  const match = IN_TEXT.exec(text);
  if (!match?.[1]) {
    return null;
  }
  const firstLine = Number(match[2]);
  const lastLine = Number(match[3] ?? firstLine);
  const place = { uri: null, path: match[1], firstLine, lastLine };
  return { index: match.index, text: match[0], place };
}

/** What the address of a Markdown link may open. Everything that is not known is only text. */
export function parseTarget(href: string): Target {
  if (/^https?:\/\/[^/]/i.test(href)) {
    return { kind: 'web', url: href };
  }
  if (/^file:\/\/\//i.test(href)) {
    const [address = '', fragment = ''] = href.split('#', 2);
    const match = /^L(\d+)(?:-L?(\d+))?$/.exec(fragment);
    const firstLine = Number(match?.[1] ?? 1);
    const lastLine = Number(match?.[2] ?? firstLine);
    return { kind: 'place', place: { uri: address, path: '', firstLine, lastLine } };
  }
  // `//host/share` would leave the machine, a scheme would run something.
  if (/^[a-z][a-z0-9+.-]*:(?!\d+(?:[-–]\d+)?$)/i.test(href) || href.startsWith('//')) {
    return { kind: 'none' };
  }
  const path = decode(href).replace(/^\.\//, '');
  const match = WITH_LINE.exec(path);
  const place: Place = match?.[1]
    ? { uri: null, path: match[1], ...linesOf(match) }
    : { uri: null, path, firstLine: 1, lastLine: 1 };
  return LOOKS_LIKE_PATH.test(place.path) ? { kind: 'place', place } : { kind: 'none' };
}

export function renderPlace(place: Place): string {
  const lines =
    place.lastLine > place.firstLine
      ? `${place.firstLine}–${place.lastLine}`
      : String(place.firstLine);
  return `${writeOut(place.path || decode(place.uri?.split('/').at(-1) ?? ''))}:${lines}`;
}

const INVISIBLE =
  // eslint-disable-next-line no-control-regex -- these are what must not reach the page unseen
  /[\u0000-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;

/** A name can hold characters that hide a part of it or turn its order around. */
function writeOut(text: string): string {
  return text.replace(
    INVISIBLE,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}

function linesOf(match: RegExpExecArray): { firstLine: number; lastLine: number } {
  const firstLine = Number(match[2] ?? match[4]);
  return { firstLine, lastLine: Number(match[3] ?? match[5] ?? firstLine) };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
