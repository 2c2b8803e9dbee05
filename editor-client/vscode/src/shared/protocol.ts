/** What the server's commands take and give, and the events of a turn: see the server's README. */

export interface Position {
  line: number;
  character: number;
}

export interface Range {
  start: Position;
  end: Position;
}

/** A place in a document, as every command takes it. */
export interface Target {
  uri: string;
  position: Position;
  range?: Range;
}

export type Verdict = 'exact' | 'moved' | 'missing';

/** A place an answer names, read again by the server. Lines are 1-based and inclusive. */
export interface Citation {
  text: string;
  path: string;
  uri: string | null;
  firstLine: number;
  lastLine: number;
  verdict: Verdict;
}

/** A section of knowledge an answer rests on. */
export interface Source {
  title: string;
  path: string;
  uri: string | null;
  firstLine: number;
  lastLine: number;
  score: number;
}

export interface Usage {
  promptTokens: number;
  completionTokens: number;
  cachedTokens: number;
}

export interface ExplainResult {
  markdown: string;
  title: string;
  uri: string;
  version: number | null;
  function: { name: string; range: Range } | null;
  byModel: boolean;
  notice: string;
  stopReason: string;
  citations: Citation[];
  usage: Usage | null;
}

/** One function of a call chain; `line` is 1-based. */
export interface CallNode {
  name: string;
  path: string;
  uri: string | null;
  line: number;
  range: Range | null;
  cycle: boolean;
  resolved: boolean;
  children: CallNode[];
}

export interface CallChainResult {
  markdown: string;
  mermaid: string;
  title: string;
  root: CallNode;
  callers: CallNode[];
  callees: CallNode[];
}

export interface Refusal {
  reason: string;
  message: string;
  nearest: Source[];
}

export interface AskResult {
  sessionId: string;
  markdown: string;
  refused: Refusal | null;
  byModel: boolean;
  notice: string;
  citations: Citation[];
  sources: Source[];
  stopReason: string;
  usage: Usage | null;
}

export interface CheckResult {
  documents: {
    uri: string;
    path: string;
    outcome: 'clean' | 'findings' | 'not-checked';
    reason: string;
    nFindings: number;
    nRules: number;
  }[];
  nFindings: number;
}

export interface RebuildResult {
  nDocuments: number;
  nSections: number;
  nSkills: number;
  nRules: number;
  problems: { path: string; line: number; message: string }[];
  durationMs: number;
}

export interface ModelStatus {
  configured: boolean;
  name: string;
  endpoint: string;
  source: string;
  message: string;
}

export interface IndexStatus {
  nDocuments: number;
  nSections: number;
  nSkills: number;
  nRules: number;
  ready: boolean;
}

export interface StatusResult {
  version: string;
  model: ModelStatus;
  index: IndexStatus;
  workspace: { roots: string[]; trusted: boolean };
  problems: string[];
}

/** What happens during a turn, in order; the server may send more types than these. */
export type TurnEvent =
  | { type: 'turnStarted'; kind: string; sessionId: string }
  | { type: 'stepStarted'; text: string; done: number; total: number }
  | { type: 'briefingReady'; markdown: string }
  | { type: 'knowledgeFound'; hits: Source[] }
  | { type: 'roundStarted'; number: number; remaining: number }
  | { type: 'textArrived'; text: string }
  | { type: 'reasoningArrived'; text: string }
  | { type: 'waitingForModel'; seconds: number; reason: string }
  | { type: 'toolStarted'; callId: string; name: string; arguments: string }
  | {
      type: 'toolFinished';
      callId: string;
      name: string;
      isError: boolean;
      summary: string;
      result: string;
      durationMs: number;
    }
  | {
      type: 'roundEnded';
      number: number;
      finish: string;
      nToolCalls: number;
      usage: Usage | null;
      durationMs: number;
      firstTokenMs: number | null;
    }
  | { type: 'answerVerified'; citations: Citation[] }
  | { type: 'turnEnded'; stopReason: string; usage: Usage; durationMs: number; error: string };
