/** The chat panel in the side bar and its conversation. */

import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import type { Server } from '../server/server';
import type { AnalyzeArgument, AnalyzeResult, AskResult, SessionResult } from '../shared/protocol';
import { finishTurn, restoreTurn } from '../shared/turns';
import type { ToPanel } from '../shared/messages';
import { readTarget, renderTarget } from '../target';
import type { AnswerDocuments } from './answerDocuments';
import { makePage, webviewOptions } from './page';
import { joinPanel, type PanelActions } from './panelHost';
import { TurnFeed } from './turnFeed';
import { TurnRunner, type Work } from './turnRunner';

type Shared = Pick<PanelActions, 'runCommand' | 'surroundings' | 'onSurroundings'>;

export class ChatView implements vscode.WebviewViewProvider, vscode.Disposable {
  static readonly id = 'glossator.chat';
  readonly feed = new TurnFeed();
  private readonly runner: TurnRunner;
  /** The session that is shown; its id is empty until its first question is answered. */
  private session = { id: '' };
  private send: ((message: ToPanel) => void) | null = null;
  /** A question to put into the panel once it is there. */
  private pendingFocus: string | null = null;

  constructor(
    private readonly server: Server,
    private readonly extensionUri: vscode.Uri,
    private readonly documents: AnswerDocuments,
    private readonly shared: Shared,
  ) {
    this.runner = new TurnRunner(server, this.feed);
  }

  resolveWebviewView(view: vscode.WebviewView): void {
    view.webview.options = webviewOptions(this.extensionUri);
    const panel = joinPanel(view.webview, this.feed, this.documents, {
      ...this.shared,
      ask: (question, withContext) => void this.ask(question, withContext),
      stop: (turnId) => {
        this.runner.stop(turnId);
      },
      newSession: () => {
        this.startSession();
      },
    });
    this.send = panel.send;
    void panel.ready.then(() => {
      this.focusPending();
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

  async ask(question: string, withContext: boolean): Promise<AskResult | undefined> {
    if (this.runner.isRunning) {
      // The panel did not know yet that a turn has begun: what was typed is not lost.
      this.send?.({ type: 'focus', question });
      return undefined;
    }
    const target = withContext ? readTarget() : null;
    return this.continueWith<AskResult>({
      kind: 'ask',
      question,
      context: target ? renderTarget(target) : '',
      command: 'glossator.ask',
      argument: { question, ...(target ?? {}) },
    });
  }

  /** Analyse a package or a change as a turn of the conversation, so that one can ask on. */
  async analyze(argument: AnalyzeArgument, question: string): Promise<AnalyzeResult | undefined> {
    if (this.runner.isRunning) {
      void vscode.window.showInformationMessage(
        vscode.l10n.t('Glossator is answering. Stop that first, or wait for it.'),
      );
      return undefined;
    }
    await this.open();
    return this.continueWith<AnalyzeResult>({
      kind: 'analyze',
      question,
      context: '',
      command: 'glossator.analyze',
      argument,
    });
  }

  stop(): void {
    this.runner.stopAll();
  }

  startSession(): void {
    this.runner.stopAll();
    // The server makes the session with its first question; an empty one would only be kept.
    this.session = { id: '' };
    this.feed.replaceAll([]);
    this.send?.({ type: 'focus', question: '' });
  }

  /** Show what was said in a session and go on with it. */
  async resume(sessionId: string): Promise<void> {
    this.runner.stopAll();
    const session = await this.server.execute<SessionResult>('glossator.readSession', {
      sessionId,
    });
    this.session = { id: sessionId };
    this.feed.replaceAll(session.turns.map((turn) => restoreTurn(randomUUID(), turn)));
    await this.open();
  }

  /** Begin anew if this session was shown: it has been deleted. */
  forget(sessionId: string): void {
    if (this.session.id === sessionId) {
      this.startSession();
    }
  }

  dispose(): void {
    this.runner.stopAll();
    this.feed.dispose();
  }

  /** Run a turn of the session that is shown; one begun meanwhile keeps its own id. */
  private async continueWith<Result extends AskResult | AnalyzeResult>(
    turn: Omit<Work<Result>, 'sessionId' | 'finish'>,
  ): Promise<Result | undefined> {
    const session = this.session;
    const result = await this.runner.run<Result>({
      ...turn,
      sessionId: session.id,
      finish: finishTurn,
    });
    if (result) {
      session.id = result.sessionId;
    }
    return result;
  }

  private focusPending(): void {
    if (this.pendingFocus !== null) {
      this.send?.({ type: 'focus', question: this.pendingFocus });
      this.pendingFocus = null;
    }
  }
}
