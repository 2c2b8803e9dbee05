/**
 * A turn as people see it, built from the server's events.
 *
 * The extension host holds the truth and the panel a copy; both apply the same events with the same
 * function, so a panel that was hidden and comes back shows what it would have shown.
 */

import { fromAttached, noteAttached, type Chip } from './attachments';
import type {
  AnalyzeResult,
  AskResult,
  CallChainResult,
  Citation,
  ExplainResult,
  PlanStep,
  Refusal,
  SessionTurn,
  Source,
  TurnEvent,
  Usage,
} from './protocol';

export type TurnKind = 'ask' | 'explain' | 'callChain' | 'analyze' | 'check' | 'why' | 'help';

export interface TextPart {
  kind: 'text';
  text: string;
}

export interface ToolPart {
  kind: 'tool';
  callId: string;
  name: string;
  arguments: string;
  state: 'running' | 'done' | 'failed';
  summary: string;
  result: string;
  durationMs: number | null;
}

/** An agent that works on a part of the task, with the calls it makes and what it reports. */
export interface HelperPart {
  kind: 'helper';
  helperId: string;
  /** The call that started it; empty when the server did. */
  callId: string;
  task: string;
  state: 'running' | 'done' | 'failed';
  /** Why the model makes it wait, when it does. */
  waiting: string;
  tools: readonly ToolPart[];
  report: string;
  durationMs: number | null;
}

export type Part = TextPart | ToolPart | HelperPart;

export interface Step {
  text: string;
  done: number;
  total: number;
}

export interface Turn {
  readonly id: string;
  readonly kind: TurnKind;
  /** The question, or the function that is explained. */
  readonly question: string;
  /** The place that was sent with the question, for people: `sample.py:12`. */
  readonly context: string;
  /** What was attached to the question. */
  readonly chips: readonly Chip[];
  /** Its number in the session, from 1; null when the session does not have it. */
  readonly number: number | null;
  readonly status: 'running' | 'done' | 'cancelled' | 'failed';
  readonly step: Step | null;
  /** Why the model makes us wait, when it does. */
  readonly waiting: string;
  readonly round: number;
  readonly briefing: string;
  readonly reasoning: string;
  readonly plan: readonly PlanStep[];
  readonly parts: readonly Part[];
  readonly citations: readonly Citation[];
  /** Those of the helpers' reports. */
  readonly reported: readonly Citation[];
  readonly sources: readonly Source[];
  readonly refusal: Refusal | null;
  readonly chain: CallChainResult | null;
  readonly byModel: boolean;
  /** The model that was asked; empty for a turn of an earlier day, which does not keep it. */
  readonly modelName: string;
  readonly notice: string;
  readonly stopReason: string;
  readonly usage: Usage | null;
  readonly durationMs: number | null;
  readonly error: string;
}

export function startTurn(id: string, kind: TurnKind, question: string, context = ''): Turn {
  return {
    id,
    kind,
    question,
    context,
    chips: [],
    number: null,
    status: 'running',
    step: null,
    waiting: '',
    round: 0,
    briefing: '',
    reasoning: '',
    plan: [],
    parts: [],
    citations: [],
    reported: [],
    sources: [],
    refusal: null,
    chain: null,
    byModel: false,
    modelName: '',
    notice: '',
    stopReason: '',
    usage: null,
    durationMs: null,
    error: '',
  };
}

export function applyEvent(turn: Turn, event: TurnEvent): Turn {
  switch (event.type) {
    case 'stepStarted':
      return { ...turn, step: { text: event.text, done: event.done, total: event.total } };
    case 'briefingReady':
      return { ...turn, briefing: event.markdown, step: null };
    case 'knowledgeFound':
      return { ...turn, sources: event.hits };
    case 'roundStarted':
      return { ...turn, round: event.number, step: null, waiting: '' };
    case 'textArrived':
      return { ...turn, waiting: '', step: null, parts: addText(turn.parts, event.text) };
    case 'reasoningArrived':
      return { ...turn, waiting: '', reasoning: turn.reasoning + event.text };
    case 'waitingForModel':
      return { ...turn, waiting: describeWait(event.seconds, event.reason) };
    case 'toolStarted':
    case 'toolFinished':
      return { ...turn, parts: applyToolEvent(turn.parts, event) };
    case 'planChanged':
      return { ...turn, plan: event.steps };
    case 'helperStarted':
      return { ...turn, step: null, parts: startHelper(turn.parts, event) };
    case 'helperActed':
    case 'helperEnded':
      return { ...turn, parts: changeHelper(turn.parts, event) };
    case 'answerVerified':
      return { ...turn, citations: event.citations };
    case 'turnEnded':
      return {
        ...turn,
        stopReason: event.stopReason,
        usage: event.usage,
        durationMs: event.durationMs,
        error: event.error,
      };
    default:
      // A newer server may send events this client does not know; they are not ours to judge.
      return turn;
  }
}

/** Put the command's result over what the events told: the result is the answer. */
export function finishTurn(turn: Turn, result: AskResult | ExplainResult | AnalyzeResult): Turn {
  const wasCancelled = result.stopReason === 'cancelled';
  const refusal = 'refused' in result ? result.refused : null;
  return {
    ...settle(turn),
    question: 'function' in result && result.title ? result.title : turn.question,
    status: wasCancelled ? 'cancelled' : 'done',
    parts: putAnswer(settleParts(turn.parts), refusal ? '' : result.markdown),
    // The briefing is the answer when no model spoke; shown twice it would only be noise.
    briefing: result.byModel ? turn.briefing : '',
    citations: result.citations,
    reported: 'parts' in result ? result.parts.flatMap((part) => part.citations) : [],
    sources: 'sources' in result ? result.sources : turn.sources,
    refusal,
    number: 'number' in result ? (result.number ?? null) : null,
    chips: 'attachments' in result ? noteAttached(turn.chips, result.attachments) : turn.chips,
    byModel: result.byModel,
    notice: result.notice,
    stopReason: result.stopReason,
    usage: result.usage ?? turn.usage,
  };
}

/** A turn of an earlier day, as it was shown then. */
export function restoreTurn(id: string, kept: SessionTurn, number: number | null = null): Turn {
  return {
    ...startTurn(id, 'ask', kept.question),
    status: 'done',
    number,
    chips: (kept.attachments ?? []).map(fromAttached),
    parts: putAnswer([], kept.markdown),
    citations: kept.citations,
    byModel: kept.byModel,
    stopReason: kept.stopReason,
    usage: kept.usage,
  };
}

export function finishChain(turn: Turn, chain: CallChainResult, title: string): Turn {
  return { ...settle(turn), status: 'done', question: title, chain };
}

export function failTurn(turn: Turn, error: string): Turn {
  return { ...settle(turn), status: 'failed', error, parts: settleParts(turn.parts) };
}

export function cancelTurn(turn: Turn): Turn {
  return {
    ...settle(turn),
    status: 'cancelled',
    stopReason: 'cancelled',
    parts: settleParts(turn.parts),
  };
}

/** The answer as Markdown text, for copying. */
export function answerText(turn: Turn): string {
  if (turn.chain) {
    return turn.chain.markdown;
  }
  return turn.parts
    .filter((part): part is TextPart => part.kind === 'text')
    .map((part) => part.text)
    .join('\n\n')
    .trim();
}

/** Whether the server named this file in a turn: only then may it lie outside the workspace. */
export function namesFile(turn: Turn, uri: string): boolean {
  const named = [
    ...turn.citations,
    ...turn.reported,
    ...turn.sources,
    ...(turn.refusal?.nearest ?? []),
  ];
  return named.some((each) => each.uri === uri);
}

/** The server tells a pause again each second, with what is left of it. */
function describeWait(seconds: number, reason: string): string {
  return `${reason} · ${Math.ceil(seconds)} s`;
}

function settle(turn: Turn): Turn {
  return { ...turn, step: null, waiting: '' };
}

function settleParts(parts: readonly Part[]): Part[] {
  return parts.map((part) => {
    if (part.kind === 'text' || part.state !== 'running') {
      return part;
    }
    const state = 'failed' as const;
    return part.kind === 'tool'
      ? { ...part, state }
      : { ...part, state, waiting: '', tools: settleTools(part.tools) };
  });
}

function settleTools(tools: readonly ToolPart[]): ToolPart[] {
  return tools.map((tool) => (tool.state === 'running' ? { ...tool, state: 'failed' } : tool));
}

function addText(parts: readonly Part[], text: string): Part[] {
  const last = parts.at(-1);
  if (last?.kind === 'text') {
    return [...parts.slice(0, -1), { kind: 'text', text: last.text + text }];
  }
  return [...parts, { kind: 'text', text }];
}

function startTool(event: Extract<TurnEvent, { type: 'toolStarted' }>): ToolPart {
  return {
    kind: 'tool',
    callId: event.callId,
    name: event.name,
    arguments: event.arguments,
    state: 'running',
    summary: '',
    result: '',
    durationMs: null,
  };
}

type ToolEvent = Extract<TurnEvent, { type: 'toolStarted' | 'toolFinished' }>;

function applyToolEvent(parts: readonly Part[], event: ToolEvent): readonly Part[] {
  const failed = event.type === 'toolFinished' && event.isError;
  // The plan has a place of its own; so has a helper, which stands for the call that started it.
  if (event.name === 'plan' && !failed) {
    return parts;
  }
  if (event.type === 'toolStarted') {
    return [...parts, startTool(event)];
  }
  const isRunning = parts.some((part) => part.kind === 'tool' && isCall(part, event.callId));
  const isHelper = parts.some((part) => part.kind === 'helper' && part.callId === event.callId);
  return isHelper && !isRunning ? parts : finishTool(parts, event);
}

function isCall(part: ToolPart, callId: string): boolean {
  return part.callId === callId && part.state === 'running';
}

/** Put a helper in the place of the call that started it, which has the same task. */
function startHelper(
  parts: readonly Part[],
  event: Extract<TurnEvent, { type: 'helperStarted' }>,
): Part[] {
  const index = parts.findIndex(
    (part) =>
      part.kind === 'tool' &&
      part.state === 'running' &&
      part.name === 'delegate' &&
      readTask(part.arguments) === event.task,
  );
  const call = parts[index];
  const helper: HelperPart = {
    kind: 'helper',
    helperId: event.helperId,
    callId: call?.kind === 'tool' ? call.callId : '',
    task: event.task,
    state: 'running',
    waiting: '',
    tools: [],
    report: '',
    durationMs: null,
  };
  return index < 0 ? [...parts, helper] : parts.map((part, i) => (i === index ? helper : part));
}

function readTask(json: string): string {
  try {
    return String((JSON.parse(json) as { task?: unknown }).task).trim();
  } catch {
    return '';
  }
}

function changeHelper(
  parts: readonly Part[],
  event: Extract<TurnEvent, { type: 'helperActed' | 'helperEnded' }>,
): Part[] {
  return parts.map((part) => {
    if (part.kind !== 'helper' || part.helperId !== event.helperId) {
      return part;
    }
    return event.type === 'helperActed' ? act(part, event.event) : endHelper(part, event);
  });
}

function act(helper: HelperPart, event: TurnEvent): HelperPart {
  switch (event.type) {
    case 'waitingForModel':
      return { ...helper, waiting: describeWait(event.seconds, event.reason) };
    case 'roundStarted':
      return { ...helper, waiting: '' };
    case 'toolStarted':
    case 'toolFinished': {
      const tools = applyToolEvent(helper.tools, event).filter((part) => part.kind === 'tool');
      return { ...helper, waiting: '', tools };
    }
    default:
      return helper;
  }
}

function endHelper(
  helper: HelperPart,
  event: Extract<TurnEvent, { type: 'helperEnded' }>,
): HelperPart {
  return {
    ...helper,
    state: ['failed', 'cancelled'].includes(event.stopReason) ? 'failed' : 'done',
    waiting: '',
    tools: settleTools(helper.tools),
    report: event.result,
    durationMs: event.durationMs,
  };
}

function finishTool(
  parts: readonly Part[],
  event: Extract<TurnEvent, { type: 'toolFinished' }>,
): Part[] {
  // Some models reuse call ids between rounds, so the call that is still running is meant.
  const index = parts.findIndex((part) => part.kind === 'tool' && isCall(part, event.callId));
  const started = index < 0 ? undefined : parts[index];
  const finished: ToolPart = {
    kind: 'tool',
    callId: event.callId,
    name: event.name,
    arguments: started?.kind === 'tool' ? started.arguments : '',
    state: event.isError ? 'failed' : 'done',
    summary: event.summary,
    result: event.result,
    durationMs: event.durationMs,
  };
  return index < 0 ? [...parts, finished] : parts.map((part, i) => (i === index ? finished : part));
}

function putAnswer(parts: readonly Part[], markdown: string): Part[] {
  if (!markdown) {
    return [...parts];
  }
  const last = parts.at(-1);
  const before = last?.kind === 'text' ? parts.slice(0, -1) : parts;
  return [...before, { kind: 'text', text: markdown }];
}
