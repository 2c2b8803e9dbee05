/** The answer beside the code as text: opened as a document, or saved as a copy. */

import * as vscode from 'vscode';
import { answerText, type Turn } from '../shared/turns';
import { reportFailure } from '../reporting';
import type { AnswerDocuments } from '../views/answerDocuments';
import type { AnswerPanel } from '../views/answerPanel';

export function registerAnswerCopies(
  answers: AnswerPanel,
  documents: AnswerDocuments,
): vscode.Disposable {
  const withAnswer = async (run: (turn: Turn) => Promise<void>) => {
    const turn = answers.feed.all.at(-1);
    if (turn && answerText(turn)) {
      await run(turn);
    } else {
      void vscode.window.showInformationMessage(
        vscode.l10n.t('There is no answer yet. Explain a function first.'),
      );
    }
  };
  const open = (turn: Turn) => documents.show(turn.question, answerText(turn), filesOf(turn));
  const commands: Record<string, () => Promise<void>> = {
    'glossator.openAnswerAsText': () => withAnswer(open),
    'glossator.saveAnswer': () => withAnswer(save),
  };
  return vscode.Disposable.from(
    ...Object.entries(commands).map(([id, run]) => vscode.commands.registerCommand(id, run)),
  );
}

/** The files that an answer names, as it names them. */
export function filesOf(turn: Turn): { path: string; uri: string | null }[] {
  const chain = turn.chain ? [turn.chain.root, ...turn.chain.callers, ...turn.chain.callees] : [];
  return [...turn.citations, ...turn.sources, ...chain].map(({ path, uri }) => ({ path, uri }));
}

async function save(turn: Turn): Promise<void> {
  const name = turn.question.replaceAll(/[\\/:*?"<>|\s]+/g, '-').slice(0, 60) || 'answer';
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const chosen = await vscode.window.showSaveDialog({
    filters: { Markdown: ['md'] },
    ...(folder ? { defaultUri: vscode.Uri.joinPath(folder, `${name}.md`) } : {}),
  });
  if (chosen) {
    const bytes = new TextEncoder().encode(`${answerText(turn)}\n`);
    await reportFailure(() => vscode.workspace.fs.writeFile(chosen, bytes));
  }
}
