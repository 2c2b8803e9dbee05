/** Opening what an answer names: a line of the workspace, or after a click a page in the browser. */

import path from 'node:path';
import * as vscode from 'vscode';
import type { Place } from '../shared/messages';

type IsNamed = (uri: string) => boolean;

export async function openPlace(place: Place, isNamed: IsNamed): Promise<void> {
  const uri = await findPlace(place, isNamed);
  if (!uri) {
    const name = place.path === '' ? (place.uri ?? '') : place.path;
    void vscode.window.showWarningMessage(
      vscode.l10n.t('`{0}` is not a file of this workspace.', name),
    );
    return;
  }
  const document = await vscode.workspace.openTextDocument(uri);
  const first = Math.min(Math.max(place.firstLine, 1), document.lineCount) - 1;
  const last = Math.min(Math.max(place.lastLine, first + 1), document.lineCount) - 1;
  const editor = await vscode.window.showTextDocument(document, {
    viewColumn: codeColumn(),
    preserveFocus: false,
  });
  const range = new vscode.Range(first, 0, last, document.lineAt(last).text.length);
  editor.selection = new vscode.Selection(range.start, range.start);
  editor.revealRange(range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  flash(editor, range);
}

export async function openLink(url: string): Promise<void> {
  // The panel's word is not enough: the text came from a model.
  if (/^https?:\/\//i.test(url)) {
    await vscode.env.openExternal(vscode.Uri.parse(url, true));
  }
}

/** Only files of the workspace, open ones, and those the server itself named are opened. */
export async function findPlace(place: Place, isNamed: IsNamed): Promise<vscode.Uri | null> {
  const candidates = place.uri ? [vscode.Uri.parse(place.uri, true)] : candidatesFor(place.path);
  for (const uri of candidates) {
    const isAllowed =
      vscode.workspace.getWorkspaceFolder(uri) !== undefined ||
      (place.uri !== null && isNamed(place.uri));
    if (isOpen(uri) || (isAllowed && (await isFile(uri)))) {
      return uri;
    }
  }
  return null;
}

function candidatesFor(text: string): vscode.Uri[] {
  const relative = text.replaceAll('\\', '/');
  const folders = vscode.workspace.workspaceFolders ?? [];
  if (path.posix.isAbsolute(relative)) {
    return [vscode.Uri.file(relative)];
  }
  const below = folders.map((folder) => vscode.Uri.joinPath(folder.uri, relative));
  // With several roots the server writes `folder-name/src/a.py`.
  const named = folders
    .filter((folder) => relative.startsWith(`${folder.name}/`))
    .map((folder) => vscode.Uri.joinPath(folder.uri, relative.slice(folder.name.length + 1)));
  return [...below, ...named];
}

function isOpen(uri: vscode.Uri): boolean {
  return vscode.workspace.textDocuments.some((each) => each.uri.toString() === uri.toString());
}

async function isFile(uri: vscode.Uri): Promise<boolean> {
  try {
    return ((await vscode.workspace.fs.stat(uri)).type & vscode.FileType.File) !== 0;
  } catch {
    return false;
  }
}

/** A line opens where the code is, never over the answer. */
function codeColumn(): vscode.ViewColumn {
  return vscode.window.visibleTextEditors[0]?.viewColumn ?? vscode.ViewColumn.One;
}

const FLASH_MS = 1200;

function flash(editor: vscode.TextEditor, range: vscode.Range): void {
  const decoration = vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    backgroundColor: new vscode.ThemeColor('editor.rangeHighlightBackground'),
  });
  editor.setDecorations(decoration, [range]);
  setTimeout(() => {
    decoration.dispose();
  }, FLASH_MS);
}
