/** The HTML of a panel. Its policy lets nothing in but our own script and style sheet. */

import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { PANEL_STRINGS, type PanelStrings } from '../shared/strings';
import { renderPage } from './pageText';

export function makePage(
  webview: vscode.Webview,
  extensionUri: vscode.Uri,
  mode: 'chat' | 'answer',
): string {
  const file = (...parts: string[]) =>
    webview.asWebviewUri(vscode.Uri.joinPath(extensionUri, ...parts)).toString();
  return renderPage({
    language: vscode.env.language,
    mode,
    nonce: randomBytes(16).toString('base64'),
    script: file('dist', 'panel.js'),
    style: file('media', 'panel.css'),
    styleSource: webview.cspSource,
    strings: translateStrings(),
  });
}

/** Nothing outside `dist` and `media` can be named by a panel. */
export function webviewOptions(extensionUri: vscode.Uri): vscode.WebviewOptions {
  return {
    enableScripts: true,
    enableForms: false,
    enableCommandUris: false,
    localResourceRoots: [
      vscode.Uri.joinPath(extensionUri, 'dist'),
      vscode.Uri.joinPath(extensionUri, 'media'),
    ],
  };
}

function translateStrings(): PanelStrings {
  const entries = Object.entries(PANEL_STRINGS).map(([key, text]) => [key, vscode.l10n.t(text)]);
  return Object.fromEntries(entries) as PanelStrings;
}
