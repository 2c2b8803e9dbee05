/** The place in the code that a command is about. */

import * as vscode from 'vscode';
import { lastName } from './shared/attachments';
import type { Target } from './shared/protocol';

const SCHEMES = new Set(['file', 'untitled']);

/** The cursor of the editor that has or had the focus, and its selection if there is one. */
export function readTarget(): Target | null {
  const editor = currentEditor();
  if (!editor) {
    return null;
  }
  const { active, start, end, isEmpty } = editor.selection;
  return {
    uri: editor.document.uri.toString(),
    position: { line: active.line, character: active.character },
    ...(isEmpty ? {} : { range: { start: toPlain(start), end: toPlain(end) } }),
  };
}

export function currentEditor(): vscode.TextEditor | null {
  const editors = [vscode.window.activeTextEditor, ...vscode.window.visibleTextEditors];
  return editors.find((editor) => editor && SCHEMES.has(editor.document.uri.scheme)) ?? null;
}

/** The path below its workspace folder, with that folder's name when there are several. */
export function nameFile(named: vscode.Uri): string {
  const { workspace } = vscode;
  const uri = isPlaced(named) ? vscode.Uri.file(named.path) : named;
  const below = workspace.asRelativePath(uri, false);
  const folder = workspace.getWorkspaceFolder(uri);
  const folders = workspace.workspaceFolders ?? [];
  if (!folder || folders.length < 2) {
    return below;
  }
  // As the server names them: two folders of one name are told apart by a number.
  const name = lastName(folder.uri.path);
  const alike = folders.filter((each) => lastName(each.uri.path) === name);
  const number = alike.findIndex((each) => each.index === folder.index) + 1;
  return `${number > 1 ? `${name}-${number}` : name}/${below}`;
}

/** Whether it is a file that is not there yet, but whose place is known. */
function isPlaced(uri: vscode.Uri): boolean {
  return uri.scheme === 'untitled' && uri.path.startsWith('/');
}

/** `src/sample.py:12`, as people write it. */
export function renderTarget(target: Target): string {
  const uri = vscode.Uri.parse(target.uri);
  const name = nameFile(uri);
  const first = (target.range?.start.line ?? target.position.line) + 1;
  const { end } = target.range ?? { end: target.position };
  // A selection that ends before the first letter of a line has nothing of that line.
  const last = target.range && end.character === 0 ? end.line : end.line + 1;
  return last > first ? `${name}:${first}-${last}` : `${name}:${first}`;
}

function toPlain(position: vscode.Position): { line: number; character: number } {
  return { line: position.line, character: position.character };
}
