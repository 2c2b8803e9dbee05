/** How a command shows that it is under way, and that it failed. */

import * as vscode from 'vscode';

export type Report = (value: { message?: string; increment?: number }) => void;

export async function reportFailure<T>(run: () => Thenable<T>): Promise<T | undefined> {
  try {
    return await run();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    void vscode.window.showErrorMessage(`Glossator: ${message}`);
    return undefined;
  }
}

export function withProgress<T>(
  title: string,
  run: (token: vscode.CancellationToken, report: Report) => Promise<T>,
): Thenable<T> {
  const options = {
    location: vscode.ProgressLocation.Window,
    title: `Glossator: ${title}`,
    cancellable: true,
  };
  return vscode.window.withProgress(options, (progress, token) =>
    run(token, (value) => {
      progress.report(value);
    }),
  );
}
