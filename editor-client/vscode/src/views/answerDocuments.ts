/** Answers as read-only Markdown documents, for those who want the text itself. */

import * as vscode from 'vscode';

const SCHEME = 'glossator-answer';
/** Older answers can be asked for again; keeping all would only grow. */
const N_KEPT = 50;

export class AnswerDocuments implements vscode.TextDocumentContentProvider {
  private readonly texts = new Map<string, string>();
  private nShown = 0;

  register(): vscode.Disposable {
    return vscode.workspace.registerTextDocumentContentProvider(SCHEME, this);
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.texts.get(uri.toString()) ?? '';
  }

  async show(title: string, markdown: string): Promise<void> {
    this.nShown += 1;
    const name =
      title
        .replaceAll(/[\\/:*?"<>|\s]+/g, ' ')
        .trim()
        .slice(0, 60) || 'answer';
    const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${this.nShown}/${name}.md` });
    this.texts.set(uri.toString(), markdown);
    for (const key of [...this.texts.keys()].slice(0, -N_KEPT)) {
      this.texts.delete(key);
    }
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document, { preview: true });
  }
}
