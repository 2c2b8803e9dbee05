/** `Glossator: Doctor`: gathers what a bug report needs and opens it as a document. */

import { open, readdir } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import type { ApiKey } from '../apiKey';
import type { Server } from '../server/server';
import { findSelectedPython } from '../server/selectedPython';
import { PRESETS } from './presets';
import { findPython } from './pythons';
import { renderDoctorReport, type DoctorFacts, type Person } from './doctorReport';

const LOG_LINES = 20;
/** As much of the end of the log is read: older lines are of older troubles. */
const LOG_BYTES = 256 * 1024;

export async function runDoctor(
  context: vscode.ExtensionContext,
  server: Server,
  apiKey: ApiKey,
): Promise<string> {
  const facts = await gatherFacts(context, server, apiKey);
  const report = renderDoctorReport(facts, await describePerson(server, apiKey));
  const document = await vscode.workspace.openTextDocument({
    language: 'markdown',
    content: report,
  });
  await vscode.window.showTextDocument(document);
  const copy = vscode.l10n.t('Copy report');
  const text = vscode.l10n.t(
    'The report holds no keys, names or paths of yours. Look it over, then paste it into an issue.',
  );
  void vscode.window.showInformationMessage(text, copy).then(async (chosen) => {
    if (chosen === copy) {
      await vscode.env.clipboard.writeText(report);
    }
  });
  return report;
}

async function gatherFacts(
  context: vscode.ExtensionContext,
  server: Server,
  apiKey: ApiKey,
): Promise<DoctorFacts> {
  const { status } = server;
  const { report } = status;
  const manifest = context.extension.packageJSON as { version: string };
  const { nDocuments = 0, nSections = 0, nSkills = 0, nRules = 0 } = report?.index ?? {};
  return {
    extension: manifest.version,
    editor: `${vscode.env.appName} ${vscode.version} (${vscode.env.appHost})`,
    system: `${os.type()} ${os.release()} ${os.arch()}`,
    node: process.version,
    language: vscode.env.language,
    remote: vscode.env.remoteName ?? '',
    server: {
      state: status.state,
      origin: status.origin ?? '',
      version: report?.version ?? status.version,
      python: report?.python ?? '',
      message: status.message,
    },
    model: {
      isConfigured: report?.model.configured ?? false,
      name: report?.model.name ?? '',
      endpoint: report?.model.endpoint ?? '',
      source: report?.model.source ?? '',
      hasKey: Boolean(await apiKey.read()),
    },
    index: report?.index.ready
      ? `${nDocuments} documents, ${nSections} sections, ${nSkills} skills, ${nRules} rules`
      : 'not read',
    trust: `editor: ${vscode.workspace.isTrusted ? 'trusted' : 'not trusted'}, server: ${report?.workspace.trust ?? 'not known'}`,
    nFolders: vscode.workspace.workspaceFolders?.length ?? 0,
    settings: listChangedSettings(context.extension.packageJSON),
    problems: report?.problems ?? [],
    log: await readLog(context.logUri.fsPath),
    pythons: await describePython(context),
  };
}

async function describePython(context: vscode.ExtensionContext): Promise<string> {
  const search = await findPython({
    selectedPython: findSelectedPython,
    environment: process.env,
    platform: process.platform,
    folder: context.extensionPath,
  });
  switch (search.kind) {
    case 'found':
      return `${search.python.version} (${search.python.command})`;
    case 'no-venv':
      return `${search.python.version} without ${search.packageName}`;
    case 'too-old':
      return `too old: ${search.versions.join(', ')}`;
    case 'none':
      return 'none';
  }
}

async function describePerson(server: Server, apiKey: ApiKey): Promise<Person> {
  const urls = [
    ...PRESETS.map((each) => each.baseUrl).filter(Boolean),
    server.status.report?.model.endpoint ?? '',
  ];
  const keys = await Promise.all([...urls.map((url) => apiKey.readOf(url)), apiKey.read()]);
  return {
    home: os.homedir(),
    user: os.userInfo().username,
    folders: (vscode.workspace.workspaceFolders ?? []).map((each) => each.uri.fsPath),
    keys: keys.filter((each) => each !== undefined),
  };
}

function listChangedSettings(manifest: unknown): DoctorFacts['settings'] {
  const { contributes } = manifest as {
    contributes: { configuration: { properties: Record<string, unknown> }[] };
  };
  const configuration = vscode.workspace.getConfiguration();
  const names = contributes.configuration.flatMap(({ properties }) => Object.keys(properties));
  return names.flatMap((name) => {
    const found = configuration.inspect(name);
    const levels = [
      ['user', found?.globalValue],
      ['workspace', found?.workspaceValue],
      ['folder', found?.workspaceFolderValue],
    ] as const;
    return levels
      .filter(([, value]) => value !== undefined)
      .map(([level, value]) => ({ name, value, level }));
  });
}

/** The last errors and warnings, of the server too: what it says goes into the same log. */
async function readLog(folder: string): Promise<string[]> {
  try {
    const names = (await readdir(folder)).filter((name) => name.endsWith('.log'));
    const texts = await Promise.all(names.map((name) => readEnd(path.join(folder, name))));
    return texts
      .flatMap((text) => text.split('\n'))
      .filter((line) => /\[(error|warning)\]/.test(line))
      .slice(-LOG_LINES);
  } catch {
    return [];
  }
}

async function readEnd(file: string): Promise<string> {
  const handle = await open(file);
  try {
    const { size } = await handle.stat();
    const start = Math.max(0, size - LOG_BYTES);
    const { buffer, bytesRead } = await handle.read(
      Buffer.alloc(Math.min(size, LOG_BYTES)),
      0,
      Math.min(size, LOG_BYTES),
      start,
    );
    return buffer.subarray(0, bytesRead).toString('utf8');
  } finally {
    await handle.close();
  }
}
