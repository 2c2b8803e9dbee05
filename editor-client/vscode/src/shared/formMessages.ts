/** What the page on which a model is set up and the extension host tell each other. */

import type { ModelTestResult } from './protocol';

export interface Choice {
  baseUrl: string;
  name: string;
}

/** A server that can be chosen, and whether a key for it is kept. */
export interface OfferedServer {
  id: string;
  name: string;
  baseUrl: string;
  model: string;
  needsKey: 'yes' | 'no' | 'maybe';
  keyPage: string;
  hasKey: boolean;
}

export type ToForm =
  | { type: 'show'; servers: OfferedServer[]; chosen: string; choice: Choice; isRunning: boolean }
  | { type: 'running'; isRunning: boolean }
  | { type: 'keyKept'; baseUrl: string; hasKey: boolean }
  | { type: 'testing'; text: string }
  | { type: 'tested'; result: ModelTestResult; listOnly: boolean }
  | { type: 'failed'; message: string }
  /** The models that other extensions offer in this editor. */
  | { type: 'offered'; names: string[] }
  | { type: 'saved'; isOffered: boolean };

export type FromForm =
  | { type: 'ready' }
  | { type: 'test'; choice: Choice; key: string; listOnly: boolean }
  | { type: 'cancel' }
  | { type: 'save'; server: string; choice: Choice; key: string }
  | { type: 'askKey'; baseUrl: string }
  | { type: 'askOffered' }
  | { type: 'openChat' }
  | { type: 'removeKey'; baseUrl: string }
  | { type: 'openKeyPage'; server: string };
