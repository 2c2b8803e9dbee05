/** Answers as read-only Markdown documents, for those who want the text itself. */

import * as vscode from 'vscode';
import { findPaths, type LinkedFile } from './pathLinks';

const SCHEME = 'glossator-answer';
/** Older answers can be asked for again; keeping all would only grow. */
const N_KEPT = 50;

interface Answer {
  text: string;
  files: readonly LinkedFile[];
}

export class AnswerDocuments
  implements vscode.TextDocumentContentProvider, vscode.DocumentLinkProvider
{
  private readonly answers = new Map<string, Answer>();
  private nShown = 0;

  register(): vscode.Disposable {
    return vscode.Disposable.from(
      vscode.workspace.registerTextDocumentContentProvider(SCHEME, this),
      vscode.languages.registerDocumentLinkProvider({ scheme: SCHEME }, this),
    );
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.answers.get(uri.toString())?.text ?? '';
  }

  provideDocumentLinks(document: vscode.TextDocument): vscode.DocumentLink[] {
    const { text, files } = this.answers.get(document.uri.toString()) ?? { text: '', files: [] };
    return findPaths(text, files).map(({ start, end, uri, line }) => {
      const range = new vscode.Range(document.positionAt(start), document.positionAt(end));
      const target = vscode.Uri.parse(uri);
      return new vscode.DocumentLink(range, line ? target.with({ fragment: `L${line}` }) : target);
    });
  }

  /** Open a text; where it names one of `files`, that is a link. */
  async show(title: string, markdown: string, files: readonly LinkedFile[] = []): Promise<void> {
    this.nShown += 1;
    const name =
      title
        .replaceAll(/[\\/:*?"<>|\s]+/g, ' ')
        .trim()
        .slice(0, 60) || 'answer';
    const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${this.nShown}/${name}.md` });
    this.answers.set(uri.toString(), { text: markdown, files });
    for (const key of [...this.answers.keys()].slice(0, -N_KEPT)) {
      this.answers.delete(key);
    }
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document, { preview: true });
  }
}
