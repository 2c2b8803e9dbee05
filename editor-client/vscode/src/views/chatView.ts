/** The chat panel in the side bar and its conversation. */

import * as vscode from 'vscode';
import type { Server } from '../server/server';
import type { AskResult } from '../shared/protocol';
import { finishTurn } from '../shared/turns';
import type { ToPanel } from '../shared/messages';
import { readTarget, renderTarget } from '../target';
import type { AnswerDocuments } from './answerDocuments';
import { makePage, webviewOptions } from './page';
import { joinPanel, type PanelActions } from './panelHost';
import { TurnFeed } from './turnFeed';
import { TurnRunner } from './turnRunner';

type Shared = Pick<PanelActions, 'runCommand' | 'surroundings' | 'onSurroundings'>;

export class ChatView implements vscode.WebviewViewProvider, vscode.Disposable {
  static readonly id = 'glossator.chat';
  readonly feed = new TurnFeed();
  private readonly runner: TurnRunner;
  private readonly listening: vscode.Disposable;
  private sessionId = '';
  private send: ((message: ToPanel) => void) | null = null;
  /** A question to put into the panel once it is there. */
  private pendingFocus: string | null = null;

  constructor(
    server: Server,
    private readonly extensionUri: vscode.Uri,
    private readonly documents: AnswerDocuments,
    private readonly shared: Shared,
  ) {
    this.runner = new TurnRunner(server, this.feed);
    this.listening = server.onDidChange((status) => {
      // Sessions live in the server's memory and end with it.
      if (status.state !== 'running') {
        this.sessionId = '';
      }
    });
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
      return undefined;
    }
    const target = withContext ? readTarget() : null;
    const result = await this.runner.run<AskResult>({
      kind: 'ask',
      question,
      context: target ? renderTarget(target) : '',
      command: 'glossator.ask',
      argument: {
        question,
        ...(this.sessionId ? { sessionId: this.sessionId } : {}),
        ...(target ?? {}),
      },
      finish: finishTurn,
    });
    if (result) {
      this.sessionId = result.sessionId;
    }
    return result;
  }

  stop(): void {
    this.runner.stopAll();
  }

  startSession(): void {
    this.runner.stopAll();
    // The server makes the session with its first question; an empty one would only be kept.
    this.sessionId = '';
    this.feed.replaceAll([]);
    this.send?.({ type: 'focus', question: '' });
  }

  dispose(): void {
    this.listening.dispose();
    this.runner.stopAll();
    this.feed.dispose();
  }

  private focusPending(): void {
    if (this.pendingFocus !== null) {
      this.send?.({ type: 'focus', question: this.pendingFocus });
      this.pendingFocus = null;
    }
  }
}
