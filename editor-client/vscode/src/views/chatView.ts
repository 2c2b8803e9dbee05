/** The chat panel in the side bar: what is asked there becomes turns of its conversation. */

import * as vscode from 'vscode';
import type { Server } from '../server/server';
import { findChips, takeUris } from '../asking/attaching';
import { runSlash } from '../asking/slash';
import { serveSessions } from '../sessions';
import type { AskingFromPanel, Draft, Edit } from '../shared/asking';
import { asNew, toAttachment, type Chip } from '../shared/attachments';
import type { AnalyzeArgument, AnalyzeResult, AskResult } from '../shared/protocol';
import { finishTurn } from '../shared/turns';
import type { ToPanel } from '../shared/messages';
import { readTarget, renderTarget } from '../target';
import type { AnswerDocuments } from './answerDocuments';
import type { TurnFeed } from './turnFeed';
import { Conversation, type SessionWork } from './conversation';
import { makePage, webviewOptions } from './page';
import { joinPanel, type PanelActions } from './panelHost';

type Shared = Pick<PanelActions, 'applying' | 'runCommand' | 'surroundings' | 'onSurroundings'>;

/** Where what is being written is kept over a reload of the window. */
const DRAFT = 'glossator.draft';

export class ChatView implements vscode.WebviewViewProvider, vscode.Disposable {
  static readonly id = 'glossator.chat';
  private readonly conversation: Conversation;
  private send: ((message: ToPanel) => void) | null = null;
  /** A question to put into the panel once it is there. */
  private pendingFocus: string | null = null;

  constructor(
    private readonly server: Server,
    private readonly extensionUri: vscode.Uri,
    private readonly documents: AnswerDocuments,
    private readonly shared: Shared,
    private readonly memory: vscode.Memento,
  ) {
    this.conversation = new Conversation(server, memory);
  }

  /** The turns that are shown. */
  get feed(): TurnFeed {
    return this.conversation.feed;
  }

  resolveWebviewView(view: vscode.WebviewView): void {
    view.webview.options = webviewOptions(this.extensionUri);
    const panel = joinPanel(view.webview, this.feed, this.documents, {
      ...this.shared,
      hear: (message) => void this.hear(message),
      draft: () => this.memory.get<Draft>(DRAFT),
      stop: (turnId) => {
        this.conversation.stop(turnId);
      },
      newSession: () => {
        this.startSession();
      },
    });
    this.send = panel.send;
    void panel.ready.then(() => {
      this.focusPending();
      this.conversation.restore();
    });
    view.onDidDispose(() => {
      panel.dispose();
      this.send = null;
    });
    view.webview.html = makePage(view.webview, this.extensionUri, 'chat');
  }

  /** Show the panel with the cursor where a question is written. */
  async open(question = ''): Promise<void> {
    this.pendingFocus = question;
    await vscode.commands.executeCommand(`${ChatView.id}.focus`);
    if (this.send) {
      this.focusPending();
    }
  }

  /** The session that is shown; empty until its first question is answered. */
  get sessionId(): string {
    return this.conversation.sessionId;
  }

  async ask(
    question: string,
    withContext: boolean,
    chips: readonly Chip[] = [],
    edit: Edit | null = null,
  ): Promise<AskResult | undefined> {
    await this.conversation.restoredIfAny();
    if (this.conversation.isRunning) {
      // The panel did not know yet that a turn has begun: what was typed is not lost.
      this.send?.({ type: 'compose', question, chips, edit });
      return undefined;
    }
    const target = withContext ? readTarget() : null;
    const work: SessionWork<AskResult> = {
      kind: 'ask',
      question,
      context: target ? renderTarget(target) : '',
      chips,
      command: 'glossator.ask',
      argument: {
        question,
        ...(target ?? {}),
        ...(chips.length ? { attachments: chips.map(toAttachment) } : {}),
      },
      finish: finishTurn,
    };
    return this.conversation.begin(work, edit);
  }

  /** Ask the last question again, as it was asked. */
  async retry(turnId: string): Promise<void> {
    const turn = this.feed.find(turnId);
    if (!turn || this.conversation.isRunning || (await this.conversation.beginAgain(turnId))) {
      return;
    }
    await this.ask(turn.question, false, turn.chips, this.conversation.editOf(turnId));
  }

  /** Put a question back into the field; sent again, it replaces what came after it. */
  edit(turnId: string): void {
    const turn = this.feed.find(turnId);
    if (!turn || this.conversation.isRunning) {
      return;
    }
    // The session has no commands: one that is written anew replaces nothing.
    const isInSession = turn.kind === 'ask' || turn.kind === 'analyze';
    const edit = isInSession ? this.conversation.editOf(turnId) : null;
    const { question, chips } = turn;
    this.send?.({ type: 'compose', question, chips: chips.map(asNew), edit });
  }

  /** Show the list of sessions in the panel. */
  async showSessions(): Promise<void> {
    await this.open();
    this.send?.({ type: 'showSessions' });
  }

  /** Put files into the field, as if they had been dropped there. */
  async attach(chips: readonly Chip[], problems: readonly string[] = []): Promise<void> {
    await this.open();
    this.send?.({ type: 'attach', chips, problems });
  }

  /** Analyse a package or a change as a turn of the conversation, so that one can ask on. */
  async analyze(argument: AnalyzeArgument, question: string): Promise<AnalyzeResult | undefined> {
    if (this.conversation.isRunning) {
      void vscode.window.showInformationMessage(
        vscode.l10n.t('Glossator is answering. Stop that first, or wait for it.'),
      );
      return undefined;
    }
    await this.open();
    await this.conversation.restoredIfAny();
    const work: SessionWork<AnalyzeResult> = {
      kind: 'analyze',
      question,
      context: '',
      command: 'glossator.analyze',
      argument,
      finish: finishTurn,
    };
    return this.conversation.begin(work, null);
  }

  stop(): void {
    this.conversation.stopAll();
  }

  startSession(): void {
    this.conversation.clear();
    this.send?.({ type: 'focus', question: '' });
  }

  /** Show what was said in a session and go on with it. */
  async resume(sessionId: string): Promise<void> {
    await this.conversation.resume(sessionId);
    await this.open();
  }

  /** Begin anew if this session was shown: it has been deleted. A list that is open stays so. */
  forget(sessionId: string): void {
    if (this.sessionId === sessionId) {
      this.conversation.clear();
    }
  }

  dispose(): void {
    this.conversation.dispose();
  }

  private async hear(message: AskingFromPanel): Promise<void> {
    switch (message.type) {
      case 'ask':
        await this.ask(message.question, message.withContext, message.chips, message.edit);
        break;
      case 'draft':
        await this.memory.update(DRAFT, message.draft);
        break;
      case 'slash':
        await this.runCommand(message);
        break;
      case 'complete': {
        const { sign, query } = message;
        const found = await findChips(this.server, sign, query);
        this.send?.({ type: 'completions', sign, query, ...found });
        break;
      }
      case 'attach':
        this.send?.({ type: 'attach', ...(await takeUris(message.uris)) });
        break;
      case 'retry':
        await this.retry(message.turnId);
        break;
      case 'edit':
        this.edit(message.turnId);
        break;
      default:
        await serveSessions(message, this.server, this, (answer) => this.send?.(answer));
    }
  }

  private async runCommand(message: Extract<AskingFromPanel, { type: 'slash' }>): Promise<void> {
    await this.conversation.restoredIfAny();
    const outcome = await runSlash(this.server, message).catch((error: unknown) => ({
      kind: 'missing' as const,
      text: error instanceof Error ? error.message : String(error),
    }));
    switch (outcome.kind) {
      case 'question':
        await this.ask(outcome.question, outcome.withContext, outcome.chips);
        break;
      case 'work':
        await this.conversation.begin(outcome.work, null);
        break;
      case 'turn':
        this.feed.put(outcome.turn);
        break;
      case 'new':
        this.startSession();
        if (outcome.question) {
          await this.ask(outcome.question, message.withContext, message.chips);
        }
        break;
      case 'missing': {
        // What was typed stays, with what is missing beside it.
        const question = `/${message.name} ${message.text}`.trim();
        this.send?.({ type: 'compose', question, chips: message.chips, edit: null });
        this.send?.({ type: 'hint', text: outcome.text });
      }
    }
  }

  private focusPending(): void {
    if (this.pendingFocus !== null) {
      this.send?.({ type: 'focus', question: this.pendingFocus });
      this.pendingFocus = null;
    }
  }
}
