/** What can be attached to a question: found by letters, the editor's selection, dropped files. */

import * as vscode from 'vscode';
import type { Sign } from '../shared/asking';
import { chipKey, lastName, type Chip } from '../shared/attachments';
import type { Attachable, AttachableResult, Range } from '../shared/protocol';
import type { Server } from '../server/server';
import { currentEditor, nameFile } from '../target';

const MAX_FOUND = 40;
/** The editor's other servers may be slow, and ours has an answer meanwhile. */
const EDITOR_TIMEOUT_MS = 1500;

const SELECTION_NAMES = ['selection', '选中', '选区'];
const FILE_NAMES = /^(?:file|文件)(?:$|[:：])/i;

/** Whether attachments can be looked for, and what is found for `#…` or `@…`. */
export async function findChips(
  server: Server,
  sign: Sign,
  query: string,
): Promise<{ chips: Chip[]; hint: string }> {
  try {
    const chips = sign === '#' ? await findFiles(server, query) : await findSymbols(server, query);
    return {
      chips: unique(chips).slice(0, MAX_FOUND),
      hint: chips.length ? '' : sayNothing(sign, query),
    };
  } catch (error) {
    return { chips: [], hint: error instanceof Error ? error.message : String(error) };
  }
}

function sayNothing(sign: Sign, query: string): string {
  const { l10n } = vscode;
  if (sign === '@') {
    return query
      ? l10n.t('No function or type is called “{0}”.', query)
      : l10n.t('Type the beginning of a function or type.');
  }
  return query && isSelection(query)
    ? l10n.t('Nothing is selected in the editor.')
    : l10n.t('No file is called “{0}”.', query);
}

function isSelection(query: string): boolean {
  return SELECTION_NAMES.some((name) => name.startsWith(query.toLowerCase()));
}

async function findFiles(server: Server, typed: string): Promise<Chip[]> {
  const query = typed.replace(FILE_NAMES, '');
  const selection = isSelection(typed) ? selectionChip() : null;
  const open = query ? [] : listOpenFiles();
  const found = await server.execute<AttachableResult>('glossator.listAttachable', {
    kind: 'file',
    query,
    limit: MAX_FOUND,
  });
  return [...(selection ? [selection] : []), ...open, ...found.items.map(fromAttachable)];
}

async function findSymbols(server: Server, query: string): Promise<Chip[]> {
  if (!query) {
    return listSymbolsNearby(server);
  }
  const [ours, editors] = await Promise.all([
    server.execute<AttachableResult>('glossator.listAttachable', {
      kind: 'symbol',
      query,
      limit: MAX_FOUND,
    }),
    askEditor(query),
  ]);
  const chips = ours.items.map(fromAttachable);
  // Both know most of them; ours have the qualified name.
  const known = new Set(chips.map((chip) => lineOf(chip)));
  return [...chips, ...editors.filter((chip) => !known.has(lineOf(chip)))];
}

/** Before anything is typed: what the current file defines. */
async function listSymbolsNearby(server: Server): Promise<Chip[]> {
  const editor = currentEditor();
  const word = editor?.document.getText(
    editor.document.getWordRangeAtPosition(editor.selection.active) ?? new vscode.Range(0, 0, 0, 0),
  );
  return word ? findSymbols(server, word) : [];
}

async function askEditor(query: string): Promise<Chip[]> {
  const found = vscode.commands.executeCommand<vscode.SymbolInformation[] | undefined>(
    'vscode.executeWorkspaceSymbolProvider',
    query,
  );
  const late = new Promise<undefined>((resolve) => {
    setTimeout(resolve, EDITOR_TIMEOUT_MS, undefined);
  });
  const symbols = (await Promise.race([found, late])) ?? [];
  return symbols
    .filter(({ location }) => vscode.workspace.getWorkspaceFolder(location.uri))
    .slice(0, MAX_FOUND)
    .map(({ name, location }) => symbolChip(name, location.uri, location.range.start.line));
}

function fromAttachable(item: Attachable): Chip {
  const uri = item.uri ? vscode.Uri.parse(item.uri, true) : null;
  if (item.kind === 'file') {
    return uri
      ? fileChip(uri)
      : { kind: 'file', path: item.path, label: item.name, place: item.path };
  }
  return uri
    ? symbolChip(item.name, uri, item.line - 1)
    : { kind: 'symbol', symbol: item.name, path: item.path, label: item.name, place: item.path };
}

export function fileChip(uri: vscode.Uri): Chip {
  const place = nameFile(uri);
  return { kind: 'file', uri: uri.toString(), label: lastName(place), place };
}

function symbolChip(symbol: string, uri: vscode.Uri, line: number): Chip {
  const position = { line, character: 0 };
  return {
    kind: 'symbol',
    uri: uri.toString(),
    symbol,
    range: { start: position, end: position },
    label: symbol,
    place: `${nameFile(uri)}:${line + 1}`,
  };
}

/** What is selected in the editor that has or had the focus. */
export function selectionChip(): Chip | null {
  const editor = currentEditor();
  if (!editor || editor.selection.isEmpty) {
    return null;
  }
  const { start, end } = editor.selection;
  const last = end.character === 0 && end.line > start.line ? end.line : end.line + 1;
  const place = `${nameFile(editor.document.uri)}:${start.line + 1}-${last}`;
  const range: Range = {
    start: { line: start.line, character: start.character },
    end: { line: end.line, character: end.character },
  };
  const uri = editor.document.uri.toString();
  return { kind: 'selection', uri, range, label: lastName(place), place };
}

/** The file that is looked at first, then the other open ones. */
function listOpenFiles(): Chip[] {
  const current = currentEditor()?.document.uri;
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  const open = tabs
    .map((tab) => (tab.input instanceof vscode.TabInputText ? tab.input.uri : null))
    .filter((uri): uri is vscode.Uri => uri !== null && uri.scheme === 'file');
  const inside = open.filter((uri) => vscode.workspace.getWorkspaceFolder(uri));
  return [...(current?.scheme === 'file' ? [current] : []), ...inside].map(fileChip);
}

function unique(chips: readonly Chip[]): Chip[] {
  return [...new Map(chips.map((chip) => [chipKey(chip), chip])).values()];
}

function lineOf(chip: Chip): string {
  return `${chip.uri ?? ''}:${chip.range?.start.line ?? 0}`;
}

/** Take dropped or pasted files; say of each other one why it cannot be attached. */
export async function takeUris(
  uris: readonly string[],
): Promise<{ chips: Chip[]; problems: string[] }> {
  const chips: Chip[] = [];
  const problems: string[] = [];
  for (const text of uris) {
    const uri = asLocal(vscode.Uri.parse(text));
    const problem = await findProblem(uri);
    if (problem) {
      problems.push(problem);
    } else {
      chips.push(fileChip(uri));
    }
  }
  return { chips, problems };
}

/** A window that works on another machine names its files so; here they are files as any. */
function asLocal(uri: vscode.Uri): vscode.Uri {
  return uri.scheme === 'vscode-remote' ? vscode.Uri.file(uri.path) : uri;
}

async function findProblem(uri: vscode.Uri): Promise<string> {
  const { l10n, workspace } = vscode;
  const name = nameFile(uri);
  const isOpen = workspace.textDocuments.some((each) => each.uri.toString() === uri.toString());
  if (uri.scheme === 'untitled' && isOpen) {
    return '';
  }
  if (uri.scheme !== 'file' || !workspace.getWorkspaceFolder(uri)) {
    return l10n.t('{0} is outside the workspace and cannot be attached.', name);
  }
  try {
    const { type } = await workspace.fs.stat(uri);
    return type & vscode.FileType.Directory
      ? l10n.t('{0} is a folder; attach its files.', name)
      : '';
  } catch {
    return isOpen ? '' : l10n.t('{0} does not exist any more.', name);
  }
}
