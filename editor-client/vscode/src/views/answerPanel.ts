/** The answer beside the code: explanations and call chains, streamed into one panel. */

import * as vscode from 'vscode';
import type { Server } from '../server/server';
import type { CallChainResult, ExplainResult, ReportedProblem, Target } from '../shared/protocol';
import { finishChain, finishTurn } from '../shared/turns';
import { renderTarget } from '../target';
import type { AnswerDocuments } from './answerDocuments';
import { makePage, webviewOptions } from './page';
import { joinPanel, type PanelActions } from './panelHost';
import { TurnFeed } from './turnFeed';
import { TurnRunner } from './turnRunner';

type Shared = Pick<PanelActions, 'applying' | 'runCommand' | 'surroundings' | 'onSurroundings'>;

export class AnswerPanel implements vscode.Disposable {
  readonly feed = new TurnFeed();
  private readonly runner: TurnRunner;
  private panel: vscode.WebviewPanel | null = null;

  constructor(
    server: Server,
    private readonly extensionUri: vscode.Uri,
    private readonly documents: AnswerDocuments,
    private readonly shared: Shared,
  ) {
    this.runner = new TurnRunner(server, this.feed);
  }

  async explain(target: Target): Promise<ExplainResult | undefined> {
    this.show(vscode.l10n.t('Explanation'));
    const result = await this.runner.run<ExplainResult>({
      kind: 'explain',
      question: vscode.l10n.t('Explain this function'),
      context: renderTarget(target),
      command: 'glossator.explain',
      argument: target,
      finish: finishTurn,
    });
    this.setTitle(result?.title);
    return result;
  }

  async explainProblem(problem: ReportedProblem): Promise<ExplainResult | undefined> {
    this.show(vscode.l10n.t('Problem'));
    const { uri, diagnostic } = problem;
    const result = await this.runner.run<ExplainResult>({
      kind: 'explain',
      question: vscode.l10n.t('Explain this problem'),
      context: renderTarget({ uri, position: diagnostic.range.start }),
      command: 'glossator.explainProblem',
      argument: problem,
      finish: finishTurn,
    });
    this.setTitle(result?.title);
    return result;
  }

  async showChain(target: Target): Promise<CallChainResult | undefined> {
    this.show(vscode.l10n.t('Call chain'));
    const result = await this.runner.run<CallChainResult>({
      kind: 'callChain',
      question: vscode.l10n.t('Call chain'),
      context: renderTarget(target),
      command: 'glossator.callChain',
      argument: target,
      finish: (turn, chain) => finishChain(turn, chain, titleOf(chain)),
    });
    this.setTitle(result && titleOf(result));
    return result;
  }

  stop(): void {
    this.runner.stopAll();
  }

  dispose(): void {
    this.runner.stopAll();
    this.panel?.dispose();
    this.feed.dispose();
  }

  /** One panel shows the latest answer: ten tabs of explanations help nobody. */
  private show(title: string): void {
    this.runner.stopAll();
    this.feed.replaceAll([]);
    if (!this.panel) {
      this.panel = this.makePanel(title);
    } else if (!this.panel.visible) {
      this.panel.reveal(undefined, true);
    }
    this.panel.title = title;
  }

  private setTitle(title: string | undefined): void {
    if (this.panel && title) {
      this.panel.title = title;
    }
  }

  private makePanel(title: string): vscode.WebviewPanel {
    const panel = vscode.window.createWebviewPanel(
      'glossator.answer',
      title,
      { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true },
      { ...webviewOptions(this.extensionUri), enableFindWidget: true },
    );
    panel.iconPath = vscode.Uri.joinPath(this.extensionUri, 'media', 'icon.png');
    const joined = joinPanel(panel.webview, this.feed, this.documents, {
      ...this.shared,
      hear: () => undefined,
      stop: (turnId) => {
        this.runner.stop(turnId);
      },
      newSession: () => undefined,
    });
    panel.onDidDispose(() => {
      joined.dispose();
      this.panel = null;
      this.runner.stopAll();
    });
    panel.webview.html = makePage(panel.webview, this.extensionUri, 'answer');
    return panel;
  }
}

function titleOf(chain: CallChainResult): string {
  return vscode.l10n.t('Calls of {0}', chain.root.name);
}
