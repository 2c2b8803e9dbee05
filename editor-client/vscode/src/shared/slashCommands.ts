/** The commands that a question may begin with: `/check`, or `/检查`. */

import type { PanelString } from './strings';

export const SLASH_NAMES = ['explain', 'chain', 'check', 'why', 'new', 'help'] as const;

export type SlashName = (typeof SLASH_NAMES)[number];

export interface SlashCommand {
  name: SlashName;
  chinese: string;
  description: PanelString;
}

export const SLASH_COMMANDS: readonly SlashCommand[] = [
  { name: 'explain', chinese: '解释', description: 'slashExplain' },
  { name: 'chain', chinese: '调用链', description: 'slashChain' },
  { name: 'check', chinese: '检查', description: 'slashCheck' },
  { name: 'why', chinese: '为什么', description: 'slashWhy' },
  { name: 'new', chinese: '新会话', description: 'slashNew' },
  { name: 'help', chinese: '帮助', description: 'slashHelp' },
];

export type Parsed =
  | { kind: 'question' }
  | { kind: 'command'; name: SlashName; text: string }
  | { kind: 'unknown'; name: string };

/** A path, `/etc/hosts`, and `// why?` are questions; one word after a slash is meant as a command. */
export function parseSlash(question: string): Parsed {
  const match = /^\/([\p{L}\p{N}_-]+)(?:\s+([^]*))?$/u.exec(question.trim());
  const name = match?.[1]?.toLowerCase();
  if (!name) {
    return { kind: 'question' };
  }
  const command = SLASH_COMMANDS.find((each) => each.name === name || each.chinese === name);
  return command
    ? { kind: 'command', name: command.name, text: match?.[2]?.trim() ?? '' }
    : { kind: 'unknown', name };
}

/** The commands that begin with what was typed after the slash. */
export function matchSlash(typed: string): readonly SlashCommand[] {
  const wanted = typed.toLowerCase();
  return SLASH_COMMANDS.filter(
    (each) => each.name.startsWith(wanted) || each.chinese.startsWith(wanted),
  );
}
