/** `@glossator` in the editor's own chat, where there is one. */

import * as vscode from 'vscode';
import { hasChat, modelOf } from './backend/newerApi';
import type { Server } from './server/server';
import type {
  AskResult,
  CallChainResult,
  CheckResult,
  Citation,
  ExplainResult,
  TurnEvent,
  WhyResult,
} from './shared/protocol';
import { readTarget, renderTarget } from './target';

export const PARTICIPANT_ID = 'glossator.chat';

const COMMANDS = ['explain', 'chain', 'check', 'why'] as const;
type Command = (typeof COMMANDS)[number];

/** What a turn leaves behind for the next one and for its follow-ups. */
export interface TurnMetadata {
  command: Command | 'ask';
  sessionId?: string;
}

/** Return the participant, or nothing where the editor has no chat or it is switched off. */
export function registerParticipant(
  server: Server,
  extensionUri: vscode.Uri,
): { dispose: () => unknown } | undefined {
  if (!hasChat()) {
    return undefined;
  }
  const participant = vscode.chat.createChatParticipant(PARTICIPANT_ID, makeHandler(server));
  participant.iconPath = vscode.Uri.joinPath(extensionUri, 'media', 'icon.png');
  participant.followupProvider = { provideFollowups };
  return participant;
}

/** Answer one request of the chat; what goes wrong is told in its result. */
export function makeHandler(server: Server) {
  return async (
    request: vscode.ChatRequest,
    context: vscode.ChatContext,
    stream: vscode.ChatResponseStream,
    token: vscode.CancellationToken,
  ): Promise<vscode.ChatResult> => {
    const lent = lendModel(server, request);
    try {
      return await answer(server, request, context, stream, token, lent?.name);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      return token.isCancellationRequested ? {} : { errorDetails: { message } };
    } finally {
      lent?.dispose();
    }
  };
}

export function provideFollowups(result: vscode.ChatResult): vscode.ChatFollowup[] {
  const { command } = (result.metadata ?? {}) as Partial<TurnMetadata>;
  const followups = {
    explain: { prompt: '', command: 'explain', label: vscode.l10n.t('Explain this function') },
    chain: { prompt: '', command: 'chain', label: vscode.l10n.t('Show its call chain') },
    check: { prompt: '', command: 'check', label: vscode.l10n.t('Check the conventions') },
  };
  switch (command) {
    case 'explain':
      return [followups.chain, followups.check];
    case 'chain':
      return [followups.explain];
    case 'check':
    case 'why':
      return [followups.explain];
    default:
      return [];
  }
}

/** The chat's own model answers in a workspace that is trusted; else the configured one, or none. */
function lendModel(
  server: Server,
  request: vscode.ChatRequest,
): { name: string; dispose: () => void } | undefined {
  const model = modelOf(request);
  return model && vscode.workspace.isTrusted ? server.lentModels.lend(model) : undefined;
}

async function answer(
  server: Server,
  request: vscode.ChatRequest,
  context: vscode.ChatContext,
  stream: vscode.ChatResponseStream,
  token: vscode.CancellationToken,
  editorModel: string | undefined,
): Promise<vscode.ChatResult> {
  const command = COMMANDS.find((each) => each === request.command) ?? 'ask';
  const target = readTarget();
  if (!target && command !== 'ask') {
    const message = vscode.l10n.t('Open a file and put the cursor where the question is about.');
    return { errorDetails: { message } };
  }
  if (target && command !== 'ask') {
    stream.progress(renderTarget(target));
  }
  const shown = new Shown(stream);
  const progress = { token, onEvent: shown.hear };
  const place = { ...target, ...(editorModel ? { editorModel } : {}) };
  const metadata: TurnMetadata = { command };
  switch (command) {
    case 'explain': {
      const result = await server.execute<ExplainResult>('glossator.explain', place, progress);
      shown.finish(result.markdown, result.notice, result.citations);
      break;
    }
    case 'chain': {
      const result = await server.execute<CallChainResult>('glossator.callChain', place, progress);
      shown.finish(result.markdown, '', []);
      break;
    }
    case 'check': {
      const uri = { uri: target?.uri };
      const result = await server.execute<CheckResult>('glossator.check', uri, progress);
      shown.finish(renderCheck(result), '', []);
      break;
    }
    case 'why': {
      const asked = { uri: target?.uri, question: request.prompt };
      const result = await server.execute<WhyResult>('glossator.why', asked, progress);
      shown.finish(result.markdown, '', []);
      break;
    }
    case 'ask': {
      const sessionId = findSession(context);
      const asked = { ...place, question: request.prompt, ...(sessionId ? { sessionId } : {}) };
      const result = await server.execute<AskResult>('glossator.ask', asked, progress);
      shown.finish(result.markdown, result.notice, result.citations);
      metadata.sessionId = result.sessionId;
    }
  }
  return { metadata };
}

/** The session that the last answer of ours in this chat belongs to. */
function findSession(context: vscode.ChatContext): string | undefined {
  const earlier = context.history.findLast(
    (turn) => turn instanceof vscode.ChatResponseTurn && turn.participant === PARTICIPANT_ID,
  ) as vscode.ChatResponseTurn | undefined;
  return (earlier?.result.metadata as TurnMetadata | undefined)?.sessionId;
}

/** What of an answer stands in the chat already. */
class Shown {
  private text = '';

  constructor(private readonly stream: vscode.ChatResponseStream) {}

  readonly hear = (event: TurnEvent): void => {
    switch (event.type) {
      case 'textArrived':
        this.text += event.text;
        this.stream.markdown(event.text);
        break;
      case 'stepStarted':
        this.stream.progress(event.text);
        break;
      case 'toolStarted':
        this.text = this.text && `${this.text}\n\n`;
        this.stream.progress(`${event.name} ${event.arguments}`.slice(0, 120));
        break;
      case 'waitingForModel':
        this.stream.progress(event.reason);
        break;
    }
  };

  /** Show what did not come piece by piece, then what the answer rests on. */
  finish(markdown: string, notice: string, citations: readonly Citation[]): void {
    if (!this.text.trim()) {
      this.stream.markdown(markdown);
    }
    if (notice) {
      this.stream.markdown(`\n\n*${notice}*\n`);
    }
    this.showPlaces(citations);
    const missing = citations.filter((each) => each.verdict === 'missing');
    if (missing.length) {
      const names = missing.map((each) => `\`${each.text}\``).join(', ');
      this.stream.markdown(`\n\n⚠ ${vscode.l10n.t('Not found: {0}', names)}\n`);
    }
  }

  /** Links below the answer: a place that is named in text leads nowhere in the editor's chat. */
  private showPlaces(citations: readonly Citation[]): void {
    let separator = '\n\n✓ ';
    for (const [name, place] of findPlaces(citations)) {
      this.stream.reference(place);
      this.stream.markdown(separator);
      this.stream.anchor(place, name);
      separator = ' · ';
    }
  }
}

/** The places that hold, once each, by what they are called. */
function findPlaces(citations: readonly Citation[]): Map<string, vscode.Location> {
  const places = new Map<string, vscode.Location>();
  for (const { path, uri, firstLine, verdict } of citations) {
    if (uri && verdict !== 'missing') {
      const start = new vscode.Position(Math.max(firstLine - 1, 0), 0);
      places.set(`${path}:${firstLine}`, new vscode.Location(vscode.Uri.parse(uri), start));
    }
  }
  return places;
}

function renderCheck(result: CheckResult): string {
  const lines = result.documents.map((document) => {
    const { path, outcome, reason, nFindings } = document;
    const outcomes = {
      clean: vscode.l10n.t('clean'),
      findings:
        nFindings === 1 ? vscode.l10n.t('1 finding') : vscode.l10n.t('{0} findings', nFindings),
      'not-checked': `${vscode.l10n.t('not checked')}: ${reason}`,
    };
    return `- \`${path}\`: ${outcomes[outcome]}`;
  });
  return `${lines.join('\n')}\n`;
}
