/** The page of figures in a tab: whole from the server, without scripts, links or files. */

import * as vscode from 'vscode';
import type { StatsResult } from '../shared/protocol';

export class FiguresPage implements vscode.Disposable {
  private panel: vscode.WebviewPanel | null = null;

  constructor(private readonly extensionUri: vscode.Uri) {}

  /** Show new figures, in the tab that shows some already if there is one. */
  show(result: StatsResult): void {
    this.panel ??= this.makePanel();
    this.panel.webview.html = result.html;
    this.panel.reveal();
  }

  dispose(): void {
    this.panel?.dispose();
  }

  private makePanel(): vscode.WebviewPanel {
    const panel = vscode.window.createWebviewPanel(
      'glossator.figures',
      vscode.l10n.t('Figures'),
      vscode.ViewColumn.Active,
      {
        enableScripts: false,
        enableForms: false,
        enableCommandUris: false,
        enableFindWidget: true,
        localResourceRoots: [],
      },
    );
    panel.iconPath = vscode.Uri.joinPath(this.extensionUri, 'media', 'icon.png');
    panel.onDidDispose(() => {
      this.panel = null;
    });
    return panel;
  }
}
