/** What the extension host and a panel tell each other. */

import type { AskingFromPanel, AskingToPanel } from './asking';
import type { IndexStatus, ModelStatus, TurnEvent } from './protocol';
import type { Turn } from './turns';

export type ServerState = 'starting' | 'running' | 'missing' | 'failed' | 'stopped';

/** What the panel has to know besides the conversation. */
export interface Surroundings {
  server: { state: ServerState; message: string; installCommand: string; isNamed?: boolean };
  model: ModelStatus | null;
  index: IndexStatus | null;
  hasFolder: boolean;
  /** Whether the editor trusts the workspace. */
  isTrusted?: boolean;
  /** Whether the workspace has knowledge of its own; null while nobody knows. */
  hasKnowledge?: boolean | null;
  /** What is being installed at present, in words; null when nothing is. */
  installing?: string | null;
  /** Why the last installation failed, in Markdown. */
  installTrouble?: string | null;
  /** The place that is sent along with a question, for people; empty when there is none. */
  context: string;
}

export type ToPanel =
  | { type: 'conversation'; turns: readonly Turn[] }
  | { type: 'turn'; turn: Turn }
  | { type: 'events'; turnId: string; events: readonly TurnEvent[] }
  | { type: 'surroundings'; surroundings: Surroundings }
  | { type: 'focus'; question: string }
  | AskingToPanel;

/** A place to open. `uri` counts when it is there; `path` is as an answer wrote it. */
export interface Place {
  uri: string | null;
  path: string;
  firstLine: number;
  lastLine: number;
}

/** The only commands a panel may ask for; the host checks the name again. */
export const PANEL_COMMANDS = [
  'cancelInstallation',
  'copyInstallCommand',
  'createKnowledge',
  'installServer',
  'manageTrust',
  'openWalkthrough',
  'runDoctor',
  'setUpModel',
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
  | { type: 'stop'; turnId: string }
  | { type: 'newSession' }
  | { type: 'openPlace'; place: Place }
  | { type: 'openLink'; url: string }
  | { type: 'openAsText'; turnId: string }
  | { type: 'copy'; text: string }
  | { type: 'insertCode'; text: string }
  /** `target` is the file that the answer names; null: none. Its lines are 0 when not said. */
  | { type: 'applyCode'; text: string; target: Place | null }
  | { type: 'command'; command: PanelCommand }
  | AskingFromPanel;
