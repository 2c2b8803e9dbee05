/** What choosing a suggestion does to the text of the field, and where the cursor stands then. */

import type { Sign } from '../shared/asking';
import type { Chip } from '../shared/attachments';
import type { SlashCommand } from '../shared/slashCommands';
import type { Trigger } from './completion';

export interface FieldText {
  text: string;
  cursor: number;
}

/** Take the letters away that looked for a chip; in the middle of a sentence its name stays. */
export function withChosen(text: string, chip: Chip, { start, query }: Trigger): FieldText {
  const before = text.slice(0, start);
  const after = text.slice(start + 1 + query.length);
  const isInSentence = before.trim() !== '' && !before.trimStart().startsWith('/');
  const name = isInSentence && chip.kind !== 'selection' ? chip.label : '';
  return {
    text: before + name + (name && !after.startsWith(' ') ? ' ' : '') + after,
    cursor: before.length + name.length + (name ? 1 : 0),
  };
}

export function withCommand({ name }: SlashCommand): FieldText {
  return atEnd(`/${name} `);
}

/** Begin to look for something: a command stands at the beginning, all else at the end. */
export function withSign(text: string, sign: Sign | '/'): FieldText {
  if (sign === '/') {
    return { text: `/${text.trimStart()}`, cursor: 1 };
  }
  return atEnd(`${text}${text.trim() === '' ? '' : ' '}${sign}`);
}

export function atEnd(text: string): FieldText {
  return { text, cursor: text.length };
}
