/** Complains about every bare `except:` and knows how to repair it, as a linter does. */

const vscode = require('vscode');

const TITLE = 'Other: name the error';

exports.activate = (context) => {
  const shown = vscode.languages.createDiagnosticCollection('other');
  const check = (document) => {
    if (document.languageId !== 'python') {
      return;
    }
    const found = [...document.getText().matchAll(/except:/g)].map((match) => {
      const start = document.positionAt(match.index);
      const range = new vscode.Range(start, start.translate(0, match[0].length));
      const problem = new vscode.Diagnostic(range, 'Do not use bare `except` <b>now</b>');
      problem.source = 'other-linter';
      problem.code = 'E722';
      return problem;
    });
    shown.set(document.uri, found);
  };
  vscode.workspace.textDocuments.forEach(check);
  context.subscriptions.push(
    shown,
    vscode.workspace.onDidOpenTextDocument(check),
    vscode.workspace.onDidChangeTextDocument(({ document }) => check(document)),
    vscode.languages.registerCodeActionsProvider('python', {
      provideCodeActions: (document, range, { diagnostics }) =>
        diagnostics
          .filter((each) => each.source === 'other-linter')
          .map((problem) => {
            const action = new vscode.CodeAction(TITLE, vscode.CodeActionKind.QuickFix);
            action.edit = new vscode.WorkspaceEdit();
            action.edit.replace(document.uri, problem.range, 'except ValueError:');
            action.diagnostics = [problem];
            action.isPreferred = true;
            return action;
          }),
    }),
  );
};
