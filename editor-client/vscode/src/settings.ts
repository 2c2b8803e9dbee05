/**
 * The settings the server is given.
 *
 * Only what somebody set is sent: a default sent along would stand above the environment, `.env`
 * and `glossator.toml`, which the server reads itself.
 */

import * as vscode from 'vscode';

export type ServerSettings = Record<string, Record<string, unknown>>;

/** Settings of the extension itself, which mean nothing to the server. */
const OWN_GROUPS = new Set(['server', 'trace']);

export function readServerSettings(manifest: unknown, apiKey: string | undefined): ServerSettings {
  const levels = listLevels();
  const settings: ServerSettings = {};
  for (const key of listKeys(manifest)) {
    const [group, name] = key.split('.');
    const value = chosenValue(levels.map((level) => level.inspect(key)));
    if (group && name && !OWN_GROUPS.has(group) && value !== undefined) {
      (settings[group] ??= {})[name] = value;
    }
  }
  if (apiKey) {
    (settings['model'] ??= {})['apiKey'] = apiKey;
  }
  return settings;
}

/**
 * Show the settings of a group that belong to the machine where the server runs. In a remote window
 * they stand on a page of their own, and the user's page would find nothing.
 */
export async function showMachineSettings(group: 'model' | 'server'): Promise<void> {
  const page = vscode.env.remoteName === undefined ? 'openSettings' : 'openRemoteSettings';
  await vscode.commands.executeCommand(`workbench.action.${page}`, {
    query: `glossator.${group}`,
  });
}

/** The window's settings, and those of each folder. */
function listLevels(): vscode.WorkspaceConfiguration[] {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const scopes = folders.length ? folders.map((folder) => folder.uri) : [undefined];
  return scopes.map((scope) => vscode.workspace.getConfiguration('glossator', scope));
}

type Inspected = ReturnType<vscode.WorkspaceConfiguration['inspect']>;

/**
 * Of several folders the first that sets a value has the last word: there is one server for all.
 * Then comes the workspace, then the user.
 */
function chosenValue(inspected: Inspected[]): unknown {
  const ofFolders = inspected.map((each) => each?.workspaceFolderValue);
  const [first] = inspected;
  return (
    ofFolders.find((value) => value !== undefined) ?? first?.workspaceValue ?? first?.globalValue
  );
}

/** The keys of the manifest's settings, without the leading `glossator.`. */
function listKeys(manifest: unknown): string[] {
  const { contributes } = manifest as {
    contributes: { configuration: { properties: Record<string, unknown> }[] };
  };
  return contributes.configuration.flatMap((section) =>
    Object.keys(section.properties).map((key) => key.replace(/^glossator\./, '')),
  );
}

/** Put the first workspace folder and the home folder where a path names them. */
export function replaceVariables(text: string, home: string): string {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
  const expanded = folder ? text.replaceAll('${workspaceFolder}', folder) : text;
  return expanded.replace(/^~(?=\/|\\|$)/, home).replaceAll('${userHome}', home);
}
