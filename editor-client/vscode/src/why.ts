/** *Why Is This (Not) Used?*: what applies to a file, as a document. */

import * as vscode from 'vscode';
import { reportFailure, withProgress } from './reporting';
import type { Server } from './server/server';
import type { WhyResult } from './shared/protocol';
import { currentEditor } from './target';
import type { AnswerDocuments } from './views/answerDocuments';

/** Ask about the file of a menu, else the current one, else the workspace. */
export async function showWhy(
  server: Server,
  documents: AnswerDocuments,
  chosen: unknown,
): Promise<void> {
  const uri = chosen instanceof vscode.Uri ? chosen : currentEditor()?.document.uri;
  const question = await vscode.window.showInputBox({
    title: vscode.l10n.t('Why is this (not) used?'),
    prompt: vscode.l10n.t('What would be asked? Empty: what applies whatever is asked.'),
  });
  if (question === undefined) {
    return;
  }
  const argument = { uri: uri?.toString(), question };
  const result = await reportFailure(() =>
    withProgress(vscode.l10n.t('Looking at what applies'), (token, onProgress) =>
      server.execute<WhyResult>('glossator.why', argument, { token, onProgress }),
    ),
  );
  if (result) {
    await documents.show(result.title, result.markdown, result.files);
  }
}
