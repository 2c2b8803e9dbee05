/** The HTML of a panel. Its policy lets nothing in but our own script and style sheet. */

import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { FORM_STRINGS } from '../shared/formStrings';
import { PANEL_STRINGS } from '../shared/strings';
import { renderPage, type Page } from './pageText';

export function makePage(
  webview: vscode.Webview,
  extensionUri: vscode.Uri,
  mode: Page['mode'],
): string {
  const isForm = mode === 'model';
  const file = (...parts: string[]) =>
    webview.asWebviewUri(vscode.Uri.joinPath(extensionUri, ...parts)).toString();
  return renderPage({
    language: vscode.env.language,
    mode,
    nonce: randomBytes(16).toString('base64'),
    diagram: file('dist', 'diagram.js'),
    script: file('dist', isForm ? 'modelForm.js' : 'panel.js'),
    style: file('media', isForm ? 'modelForm.css' : 'panel.css'),
    styleSource: webview.cspSource,
    strings: translateStrings(isForm ? FORM_STRINGS : PANEL_STRINGS),
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

function translateStrings(strings: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(strings).map(([key, text]) => [key, vscode.l10n.t(text)]),
  );
}
