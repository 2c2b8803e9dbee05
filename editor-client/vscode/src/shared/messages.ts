/** What the extension host and a panel tell each other. */

import type { IndexStatus, ModelStatus, TurnEvent } from './protocol';
import type { Turn } from './turns';

export type ServerState = 'starting' | 'running' | 'missing' | 'failed' | 'stopped';

/** What the panel has to know besides the conversation. */
export interface Surroundings {
  server: { state: ServerState; message: string; installCommand: string };
  model: ModelStatus | null;
  index: IndexStatus | null;
  hasFolder: boolean;
  /** The place that is sent along with a question, for people; empty when there is none. */
  context: string;
}

export type ToPanel =
  | { type: 'conversation'; turns: readonly Turn[] }
  | { type: 'turn'; turn: Turn }
  | { type: 'events'; turnId: string; events: readonly TurnEvent[] }
  | { type: 'surroundings'; surroundings: Surroundings }
  | { type: 'focus'; question: string };

/** A place to open. `uri` counts when it is there; `path` is as an answer wrote it. */
export interface Place {
  uri: string | null;
  path: string;
  firstLine: number;
  lastLine: number;
}

/** The only commands a panel may ask for; the host checks the name again. */
export const PANEL_COMMANDS = [
  'copyInstallCommand',
  'openFolder',
  'openServerSettings',
  'openModelSettings',
  'restartServer',
  'setApiKey',
  'showLog',
  'showStatus',
] as const;

export type PanelCommand = (typeof PANEL_COMMANDS)[number];

export type FromPanel =
  | { type: 'ready' }
  | { type: 'ask'; question: string; withContext: boolean }
  | { type: 'stop'; turnId: string }
  | { type: 'newSession' }
  | { type: 'openPlace'; place: Place }
  | { type: 'openLink'; url: string }
  | { type: 'openAsText'; turnId: string }
  | { type: 'copy'; text: string }
  | { type: 'command'; command: PanelCommand };
