/** The interpreter chosen in the Python extension, when that is installed. */

import * as vscode from 'vscode';

/** The part of the Python extension's public interface that is used here. */
interface PythonApi {
  environments: {
    getActiveEnvironmentPath: (resource?: vscode.Uri) => { path: string };
    resolveEnvironment: (
      environment: { path: string } | string,
    ) => Promise<{ executable: { uri?: vscode.Uri } } | undefined>;
    onDidChangeActiveEnvironmentPath: vscode.Event<unknown>;
  };
}

async function openApi(): Promise<PythonApi | null> {
  const extension = vscode.extensions.getExtension<PythonApi>('ms-python.python');
  if (!extension) {
    return null;
  }
  const api = await extension.activate();
  // Old versions of the extension, and forks, have no `environments`.
  return 'environments' in api ? api : null;
}

export async function findSelectedPython(): Promise<string | null> {
  const api = await openApi();
  if (!api) {
    return null;
  }
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const active = api.environments.getActiveEnvironmentPath(folder);
  const environment = await api.environments.resolveEnvironment(active);
  const python = environment?.executable.uri?.fsPath ?? null;
  // One that a workspace brings along is the workspace's program.
  const isForeign = python !== null && !vscode.workspace.isTrusted && isInWorkspace(python);
  return isForeign ? null : python;
}

function isInWorkspace(file: string): boolean {
  return vscode.workspace.getWorkspaceFolder(vscode.Uri.file(file)) !== undefined;
}

/** Call `listener` when another interpreter is chosen. Does not start the Python extension. */
export function onSelectedPythonChange(listener: () => void): vscode.Disposable {
  const extension = vscode.extensions.getExtension<PythonApi>('ms-python.python');
  if (!extension?.isActive || !('environments' in extension.exports)) {
    return new vscode.Disposable(() => undefined);
  }
  return extension.exports.environments.onDidChangeActiveEnvironmentPath(listener);
}
