/** What the extension host and the chat panel tell each other about asking and about sessions. */

import type { Chip } from './attachments';
import type { SessionEntry } from './protocol';
import type { SlashName } from './slashCommands';

/** `#` attaches files and the selection, `@` symbols. */
export type Sign = '#' | '@';

/** The earlier question that is edited: those after its first `keep` turns are replaced. */
export interface Edit {
  turnId: string;
  keep: number;
  nLater: number;
}

export interface Composed {
  question: string;
  chips: readonly Chip[];
  edit: Edit | null;
}

/** What is being written, kept while the panel is hidden and over a reload of the window. */
export interface Draft {
  draft: string;
  chips?: readonly Chip[];
  edit?: Edit | null;
  /** What stood here before an earlier question was put in its place. */
  aside?: Composed | null;
}

export type ExportFormat = 'markdown' | 'json';

export type AskingFromPanel =
  | ({ type: 'ask'; withContext: boolean } & Composed)
  | { type: 'slash'; name: SlashName; text: string; withContext: boolean; chips: readonly Chip[] }
  | { type: 'draft'; draft: Draft }
  | { type: 'complete'; sign: Sign; query: string }
  | { type: 'attach'; uris: readonly string[] }
  | { type: 'retry'; turnId: string }
  | { type: 'edit'; turnId: string }
  | { type: 'listSessions'; query: string }
  | { type: 'resumeSession'; sessionId: string }
  | { type: 'renameSession'; sessionId: string; title: string }
  | { type: 'deleteSession'; sessionId: string }
  | { type: 'exportSession'; sessionId: string; format: ExportFormat };

export type AskingToPanel =
  | { type: 'draft'; draft: Draft }
  | { type: 'completions'; sign: Sign; query: string; chips: readonly Chip[]; hint: string }
  | { type: 'attach'; chips: readonly Chip[]; problems: readonly string[] }
  | ({ type: 'compose' } & Composed)
  | { type: 'hint'; text: string }
  | { type: 'showSessions' }
  | { type: 'sessions'; query: string; sessions: readonly SessionEntry[]; shown: string }
  | { type: 'sessionsChanged' }
  | { type: 'sessionsFailed'; message: string };
