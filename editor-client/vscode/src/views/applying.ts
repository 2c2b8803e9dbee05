/** What a model wrote into a file: shown as a difference first, written when it is accepted. */

import * as vscode from 'vscode';
import { SHOW_CHANGE, type Change } from '../code/consent';
import type { Place } from '../shared/messages';
import { placeCode, type Replacement } from '../shared/placing';
import { currentEditor } from '../target';
import { findPlace } from './opening';

const SCHEME = 'glossator-change';

/** A change that is shown and waits for its answer. */
interface Proposal {
  shown: vscode.Uri;
  document: vscode.TextDocument;
  version: number;
  edits: vscode.TextEdit[];
  text: string;
  /** Where the file is shown, and the change in its place. */
  viewColumn: vscode.ViewColumn | undefined;
  /** Tell who proposed it whether it was made. */
  answer: (isMade: boolean) => void;
}

export class Applying implements vscode.TextDocumentContentProvider {
  private proposal: Proposal | null = null;
  private nShown = 0;

  register(): vscode.Disposable {
    return vscode.Disposable.from(
      vscode.workspace.registerTextDocumentContentProvider(SCHEME, this),
      vscode.commands.registerCommand(SHOW_CHANGE, (change: Change) => this.showChange(change)),
      vscode.window.tabGroups.onDidChangeTabs(({ closed }) => {
        if (this.proposal && closed.some((tab) => shows(tab, this.proposal))) {
          void this.discard();
        }
      }),
    );
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    const { proposal } = this;
    return proposal?.shown.toString() === uri.toString() ? proposal.text : '';
  }

  /** Put code in the place of the selection, or where the cursor is. */
  async insert(text: string): Promise<void> {
    const editor = currentEditor();
    if (mayWrite() && editor) {
      await editor.edit((edit) => {
        edit.replace(editor.selection, text);
      });
      await vscode.window.showTextDocument(editor.document, editor.viewColumn);
    } else if (!editor) {
      warn(vscode.l10n.t('Open a file and put the cursor where the code is to go.'));
    }
  }

  /** Show what would become of the file; nothing is written before that is accepted. */
  async show(text: string, target: Place | null): Promise<void> {
    if (!mayWrite()) {
      return;
    }
    const document = await openTarget(target);
    if (!document) {
      return;
    }
    const replacements = locate(document, text, target);
    const name = vscode.workspace.asRelativePath(document.uri, false);
    if (!replacements) {
      await offerInsertion(name, () => this.insert(text));
      return;
    }
    await this.propose(
      document,
      replacements.map((each) => toEdit(document, each)),
    );
  }

  /** Show edits of the server that want consent; true when they were made. */
  async showChange({ uri, version, edits, about }: Change): Promise<boolean> {
    if (!mayWrite()) {
      return false;
    }
    const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(uri));
    if (version !== null && version !== document.version) {
      warnOfChange();
      return false;
    }
    const plain = edits.map(({ range: { start, end }, newText }) => {
      const range = new vscode.Range(start.line, start.character, end.line, end.character);
      return new vscode.TextEdit(range, newText);
    });
    return this.propose(document, plain, about);
  }

  private async propose(
    document: vscode.TextDocument,
    edits: vscode.TextEdit[],
    about = '',
  ): Promise<boolean> {
    await this.discard();
    this.nShown += 1;
    const shown = document.uri.with({ scheme: SCHEME, query: String(this.nShown) });
    const { version } = document;
    const name = vscode.workspace.asRelativePath(document.uri, false);
    const { viewColumn } = findEditor(document) ?? {};
    const text = preview(document, edits);
    const isMade = new Promise<boolean>((answer) => {
      this.proposal = { shown, document, version, edits, text, viewColumn, answer };
    });
    const title = vscode.l10n.t('{0}: proposed change', name);
    const options = { viewColumn, preview: true };
    await vscode.commands.executeCommand('vscode.diff', document.uri, shown, title, options);
    void this.ask(shown, name, about);
    return isMade;
  }

  private async ask(shown: vscode.Uri, name: string, about: string): Promise<void> {
    const { l10n, window } = vscode;
    const apply = l10n.t('Apply');
    const discard = l10n.t('Discard');
    const question = l10n.t('Apply this change to {0}?', name);
    const text = `${question} ${about}`.trim();
    const answer = await window.showInformationMessage(text, apply, discard);
    // The buttons of the editor may have answered meanwhile.
    if (this.proposal?.shown === shown && answer) {
      await (answer === apply ? this.accept() : this.discard());
    }
  }

  /** Write the change that is shown, if the file is still as it was then. */
  async accept(): Promise<void> {
    const { proposal } = this;
    if (!proposal) {
      return;
    }
    this.proposal = null;
    const { document, edits, version, viewColumn, answer } = proposal;
    // The editor may close a file that was shown nowhere else.
    const isAsShown = !document.isClosed && document.version === version;
    await close(proposal);
    if (!isAsShown) {
      warnOfChange();
      answer(false);
      return;
    }
    const edit = new vscode.WorkspaceEdit();
    edit.set(document.uri, edits);
    answer(await vscode.workspace.applyEdit(edit));
    await vscode.window.showTextDocument(document, viewColumn);
  }

  /** Forget what is shown, and close it. */
  async discard(): Promise<void> {
    const { proposal } = this;
    this.proposal = null;
    if (proposal) {
      await close(proposal);
      proposal.answer(false);
    }
  }
}

function findEditor(document: vscode.TextDocument): vscode.TextEditor | undefined {
  const { activeTextEditor, visibleTextEditors } = vscode.window;
  return [activeTextEditor, ...visibleTextEditors].find((editor) => editor?.document === document);
}

function shows({ input }: vscode.Tab, proposal: Proposal | null): boolean {
  return (
    input instanceof vscode.TabInputTextDiff &&
    input.modified.toString() === proposal?.shown.toString()
  );
}

async function close(proposal: Proposal): Promise<void> {
  const { tabGroups } = vscode.window;
  const tabs = tabGroups.all.flatMap((group) => group.tabs);
  await tabGroups.close(tabs.filter((tab) => shows(tab, proposal)));
  // The question may still stand there, and nothing else takes it away.
  await vscode.commands.executeCommand('notifications.hideToasts');
}

/** What may not be trusted is read only. */
function mayWrite(): boolean {
  if (vscode.workspace.isTrusted) {
    return true;
  }
  const manage = vscode.l10n.t('Manage workspace trust');
  const text = vscode.l10n.t(
    'Glossator writes nothing in a workspace that is not trusted. The code can be copied.',
  );
  void vscode.window.showWarningMessage(text, manage).then((choice) => {
    if (choice === manage) {
      void vscode.commands.executeCommand('workbench.trust.manage');
    }
  });
  return false;
}

/** The file that the code is for: the one it names, or else the one that is open. */
async function openTarget(target: Place | null): Promise<vscode.TextDocument | null> {
  const uri = target && (await findPlace(target, () => false));
  if (uri) {
    return vscode.workspace.openTextDocument(uri);
  }
  const { l10n } = vscode;
  const editor = target ? null : currentEditor();
  if (!editor) {
    const text = target
      ? l10n.t('`{0}` is not a file of this workspace.', target.path)
      : l10n.t('The answer does not say which file the code is for. Open the file and try again.');
    warn(text);
  }
  return editor?.document ?? null;
}

/** The selection, if the file has one; else the definitions that the code holds. */
function locate(
  document: vscode.TextDocument,
  text: string,
  target: Place | null,
): Replacement[] | null {
  const editor = currentEditor();
  const isHere = editor?.document === document;
  const cursor = isHere ? editor.selection.active.line + 1 : 0;
  const named = target?.firstLine ?? 0;
  const placed = placeCode(document.getText(), text, named > 0 ? named : cursor);
  if (placed || !isHere || editor.selection.isEmpty) {
    return placed;
  }
  const { start, end } = editor.selection;
  const last = end.character === 0 && end.line > start.line ? end.line - 1 : end.line;
  return [{ first: start.line, last, lines: text.split(/\r\n|\r|\n/) }];
}

function toEdit(document: vscode.TextDocument, { first, last, lines }: Replacement) {
  const range = new vscode.Range(first, 0, last, document.lineAt(last).text.length);
  return new vscode.TextEdit(range, lines.join(newline(document)));
}

function preview(document: vscode.TextDocument, edits: readonly vscode.TextEdit[]): string {
  const offset = (position: vscode.Position) => document.offsetAt(position);
  // From the end, so that the places of those before stay what they are.
  return edits
    .toReversed()
    .sort((one, other) => offset(other.range.start) - offset(one.range.start))
    .reduce(
      (text, { range: { start, end }, newText }) =>
        text.slice(0, offset(start)) + newText + text.slice(offset(end)),
      document.getText(),
    );
}

function newline(document: vscode.TextDocument): string {
  return document.eol === vscode.EndOfLine.CRLF ? '\r\n' : '\n';
}

async function offerInsertion(name: string, insert: () => Promise<void>): Promise<void> {
  const { l10n, window } = vscode;
  const here = l10n.t('Insert at the cursor');
  const text = l10n.t('Where this code belongs in {0} cannot be told from it.', name);
  if ((await window.showWarningMessage(text, here)) === here) {
    await insert();
  }
}

function warnOfChange(): void {
  warn(vscode.l10n.t('The file has changed meanwhile. Ask for the change again.'));
}

function warn(text: string): void {
  void vscode.window.showWarningMessage(text);
}
