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
  const configuration = vscode.workspace.getConfiguration('glossator');
  const settings: ServerSettings = {};
  for (const key of listKeys(manifest)) {
    const [group, name] = key.split('.');
    const value = chosenValue(configuration.inspect(key));
    if (group && name && !OWN_GROUPS.has(group) && value !== undefined) {
      (settings[group] ??= {})[name] = value;
    }
  }
  if (apiKey) {
    (settings['model'] ??= {})['apiKey'] = apiKey;
  }
  return settings;
}

type Inspected = ReturnType<vscode.WorkspaceConfiguration['inspect']>;

function chosenValue(inspected: Inspected): unknown {
  return inspected?.workspaceFolderValue ?? inspected?.workspaceValue ?? inspected?.globalValue;
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
