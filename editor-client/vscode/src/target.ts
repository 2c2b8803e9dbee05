/** The place in the code that a command is about. */

import * as vscode from 'vscode';
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

/** `src/sample.py:12`, as people write it. */
export function renderTarget(target: Target): string {
  const uri = vscode.Uri.parse(target.uri);
  const name = vscode.workspace.asRelativePath(uri, false);
  const first = (target.range?.start.line ?? target.position.line) + 1;
  const last = (target.range?.end.line ?? target.position.line) + 1;
  return last > first ? `${name}:${first}-${last}` : `${name}:${first}`;
}

function toPlain(position: vscode.Position): { line: number; character: number } {
  return { line: position.line, character: position.character };
}
