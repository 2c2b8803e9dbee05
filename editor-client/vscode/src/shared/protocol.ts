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

/** What any server says about a place, as `glossator.explainProblem` takes it. */
export interface ReportedProblem {
  uri: string;
  diagnostic: { range: Range; message: string; source?: string };
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
  /** Why the place is missing, or that it moved because the file changed, if there is more to say. */
  reason?: string;
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
  /** In whatever currency the prices are; not there when it is not known of every request. */
  cost?: number;
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
  /** Who says that it calls or is called: Glossator, the editor, or Glossator alone. */
  origin?: 'own' | 'editor' | 'unconfirmed';
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

export type AttachmentKind = 'file' | 'selection' | 'symbol';

/** What is attached to a question. `path` counts when there is no `uri`. */
export interface Attachment {
  kind: AttachmentKind;
  uri?: string;
  path?: string;
  range?: Range;
  symbol?: string;
}

/** What came of an attachment; lines are 1-based, and 0 when none were given. */
export interface Attached {
  kind: AttachmentKind;
  path: string;
  uri: string | null;
  firstLine: number;
  lastLine: number;
  symbol: string;
  nLinesLeftOut: number;
  problem: string;
}

/** A file or a symbol that can be attached; `line` is 1-based, 0 for a file. */
export interface Attachable {
  kind: 'file' | 'symbol';
  name: string;
  path: string;
  uri: string | null;
  line: number;
}

export interface AttachableResult {
  items: Attachable[];
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
  /** The turn's number in its session, from 1; null when it was not kept. */
  number?: number | null;
  attachments?: Attached[];
}

/** What a helper found out about its part of an analysis. */
export interface AnalysisPart {
  title: string;
  paths: string[];
  markdown: string;
  stopReason: string;
  citations: Citation[];
  usage: Usage | null;
}

/** What is analysed: the folder at `path`, or what changed since `revision`. */
export interface AnalyzeArgument {
  task: 'package' | 'change';
  path?: string;
  revision?: string;
  question?: string;
}

export interface AnalyzeResult {
  sessionId: string;
  title: string;
  markdown: string;
  byModel: boolean;
  notice: string;
  parts: AnalysisPart[];
  citations: Citation[];
  stopReason: string;
  usage: Usage | null;
  number?: number | null;
}

/** A step of the model's plan. */
export interface PlanStep {
  text: string;
  state: 'pending' | 'active' | 'done' | 'dropped';
}

/** A session in the list; `updatedAt` is in ISO 8601. */
export interface SessionEntry {
  sessionId: string;
  title: string;
  nTurns: number;
  updatedAt: string;
  lastQuestion: string;
}

export interface SessionsResult {
  sessions: SessionEntry[];
}

/** A turn of a session that was kept. */
export interface SessionTurn {
  question: string;
  markdown: string;
  byModel: boolean;
  stopReason: string;
  citations: Citation[];
  usage: Usage | null;
  finishedAt: string;
  attachments?: Attached[];
}

export interface SessionResult {
  sessionId: string;
  title: string;
  turns: SessionTurn[];
}

export interface ExportResult {
  text: string;
}

/** What came of the check of a document; `skipped` are rules that apply and were not checked. */
export interface CheckedDocument {
  uri: string;
  path: string;
  outcome: 'clean' | 'findings' | 'not-checked';
  reason: string;
  reasonCode: string;
  nFindings: number;
  nRules: number;
  nJudged: number;
  skipped: { ruleIds: string[]; reason: string; reasonCode: string }[];
}

export interface CheckResult {
  documents: CheckedDocument[];
  nFindings: number;
}

/** The same of an open document, and whether a model looks at it at this moment. */
export interface DocumentCheck extends CheckedDocument {
  isJudging: boolean;
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
  /** When it was read last, in milliseconds since 1970; null before that. */
  updatedAt: number | null;
}

export interface StatusResult {
  version: string;
  /** The version of Python that the server runs on. */
  python?: string;
  model: ModelStatus;
  index: IndexStatus;
  workspace: {
    roots: string[];
    trusted: boolean;
    trust: 'trusted' | 'untrusted' | 'unknown';
    /** Files for other assistants that are used, and those that are not while nobody trusts. */
    instructions: string[];
    withheld: string[];
  };
  /** How far the vectors are by which sections are found by their meaning; null without. */
  meaning?: { encoder: string; nReady: number; nSections: number } | null;
  /** The index that a team shares; `problem` says why it is away. */
  shared?: { collection: string; address: string; problem: string } | null;
  /** Of the document that was asked about or all open ones; when told unasked, of changed ones. */
  checks?: DocumentCheck[];
  problems: string[];
}

/** What came of asking a model whether and how it answers. */
export interface ModelTestResult {
  passed: boolean;
  endpoint: string;
  name: string;
  checks: {
    stage: 'reachable' | 'key' | 'model' | 'answer' | 'tools';
    outcome: 'ok' | 'failed' | 'unknown';
    text: string;
    remedy: string;
  }[];
  models: string[];
  firstTokenMs: number | null;
}

/** What was recorded, added up; `html` is a page without scripts that shows it. */
export interface StatsResult {
  html: string;
  turns: { n: number; nUnfinished: number; nRefused: number };
  notices: string[];
}

/** What is used for a file and a question, what is not, and why; `markdown` says it in words. */
export interface WhyResult {
  title: string;
  markdown: string;
  path: string;
  place: 'file' | 'unsaved' | 'missing' | 'protected' | 'folder' | 'workspace';
  question: string;
  refused: { reason: string; message: string } | null;
  files: {
    path: string;
    uri: string | null;
    use: 'used' | 'by-question' | 'unused';
    nTokens: number;
    nTokensGiven: number;
  }[];
}

/** What happens during a turn, in order; the server may send more types than these. */
export type TurnEvent =
  | { type: 'turnStarted'; kind: string; sessionId: string }
  | { type: 'stepStarted'; text: string; done: number; total: number }
  | { type: 'briefingReady'; markdown: string }
  | { type: 'knowledgeFound'; hits: Source[] }
  | { type: 'roundStarted'; number: number; remaining: number; model?: string }
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
      model?: string;
    }
  | { type: 'planChanged'; steps: PlanStep[] }
  | { type: 'skillActivated'; name: string; by: 'trigger' | 'user' | 'model'; nTokens: number }
  | { type: 'helperStarted'; helperId: string; task: string }
  | { type: 'helperActed'; helperId: string; event: TurnEvent }
  | {
      type: 'helperEnded';
      helperId: string;
      stopReason: string;
      result: string;
      usage: Usage;
      durationMs: number;
    }
  | {
      type: 'contextTrimmed';
      nResultsShortened: number;
      nTurnsLeftOut: number;
      isSummarized: boolean;
      budgetTokens: number;
      nSectionsLeftOut: number;
    }
  | { type: 'answerVerified'; citations: Citation[] }
  | { type: 'answerRepaired'; nMissing: number; nLeft: number; isUsed: boolean }
  | { type: 'turnEnded'; stopReason: string; usage: Usage; durationMs: number; error: string };
