/** The commands people run, and the server's own when a code action or a menu runs them. */

import * as vscode from 'vscode';
import type { ApiKey } from './apiKey';
import { reportFailure, withProgress } from './reporting';
import type { Server } from './server/server';
import type { CheckResult, RebuildResult, StatsResult, Target } from './shared/protocol';
import type { PanelCommand } from './shared/messages';
import { showSessions } from './sessions';
import { countProblems } from './statusBar';
import { showStatusMenu } from './statusMenu';
import { currentEditor, readTarget } from './target';
import type { AnswerDocuments } from './views/answerDocuments';
import type { AnswerPanel } from './views/answerPanel';
import type { ChatView } from './views/chatView';
import type { FiguresPage } from './views/figuresPage';
import { showWhy } from './why';

export interface Parts {
  server: Server;
  chat: ChatView;
  answers: AnswerPanel;
  figures: FiguresPage;
  documents: AnswerDocuments;
  apiKey: ApiKey;
  log: vscode.LogOutputChannel;
}

export function registerCommands(parts: Parts): vscode.Disposable[] {
  const { server, chat, answers, figures, documents, apiKey, log } = parts;
  const commands: Record<string, (...args: never[]) => unknown> = {
    'glossator.explainFunction': () => withTarget((target) => answers.explain(target)),
    'glossator.showCallChain': () => withTarget((target) => answers.showChain(target)),
    'glossator.explainPackage': (folder?: unknown) => explainPackage(chat, folder),
    'glossator.reviewChanges': () =>
      chat.analyze({ task: 'change' }, vscode.l10n.t('Review changes')),
    'glossator.openChat': (question?: unknown) =>
      chat.open(typeof question === 'string' ? question : ''),
    'glossator.startSession': () => {
      chat.startSession();
      return chat.open();
    },
    'glossator.showSessions': () => reportFailure(() => showSessions(server, chat)),
    'glossator.checkFile': () => checkFile(server),
    'glossator.readIndexAgain': () => rebuildIndex(server),
    'glossator.showFigures': () => showFigures(server, figures),
    'glossator.showWhy': (uri?: unknown) => showWhy(server, documents, uri),
    'glossator.showStatus': () => showStatusMenu(server.status),
    'glossator.setApiKey': () => setApiKey(server, apiKey),
    'glossator.removeApiKey': () => apiKey.remove(),
    'glossator.restartServer': () => server.restart(),
    'glossator.showLog': () => {
      log.show();
    },
  };
  return Object.entries(commands).map(([id, run]) => vscode.commands.registerCommand(id, run));
}

/** Run one of the server's commands for a code action, a code lens or another extension. */
export function makeCommandRunner(parts: Parts) {
  return async (command: string, args: unknown[]): Promise<unknown> => {
    const argument = typeof args[0] === 'object' && args[0] !== null ? args[0] : {};
    if (command === 'glossator.explain' && isTarget(argument)) {
      return parts.answers.explain(argument);
    }
    if (command === 'glossator.callChain' && isTarget(argument)) {
      return parts.answers.showChain(argument);
    }
    if (command === 'glossator.dismiss' && isWrongFinding(argument)) {
      return dismissAsWrong(parts.server, argument);
    }
    return withProgress(command, (token, onProgress) =>
      parts.server.execute(command, argument, { token, onProgress }),
    );
  };
}

function isWrongFinding(argument: object): boolean {
  return 'kind' in argument && argument.kind === 'wrong' && !('reason' in argument);
}

/** Ask why a finding is wrong, which may be left open, and put it into the baseline. */
async function dismissAsWrong(server: Server, argument: object): Promise<unknown> {
  const title = vscode.l10n.t('Wrong finding');
  const reason = await vscode.window.showInputBox({
    title,
    prompt: vscode.l10n.t('Why is it wrong? The reason is kept in the baseline.'),
  });
  if (reason === undefined) return undefined;
  return withProgress(title, (token, onProgress) =>
    server.execute('glossator.dismiss', { ...argument, reason }, { token, onProgress }),
  );
}

const SETTINGS = 'workbench.action.openSettings';

/** What the buttons of a panel do. */
export function runPanelCommand(command: PanelCommand, server: Server): void {
  const { executeCommand } = vscode.commands;
  switch (command) {
    case 'copyInstallCommand':
      void vscode.env.clipboard.writeText(server.status.installCommand);
      break;
    case 'openFolder':
      void executeCommand('vscode.openFolder');
      break;
    case 'openServerSettings':
      void executeCommand(SETTINGS, 'glossator.server');
      break;
    case 'openModelSettings':
      void executeCommand(SETTINGS, 'glossator.model');
      break;
    default:
      void executeCommand(`glossator.${command}`);
  }
}

/** Say once that the server is missing, with what to do about it. */
export async function offerInstallation(server: Server): Promise<void> {
  const { l10n, window } = vscode;
  const copy = l10n.t('Copy command');
  const settings = l10n.t('Open settings');
  const retry = l10n.t('Retry');
  const { message, installCommand } = server.status;
  const plain = message.replaceAll('`', '');
  const text = l10n.t('The Glossator server is not installed. {0} ({1})', plain, installCommand);
  const choice = await window.showWarningMessage(text, copy, settings, retry);
  if (choice === copy) {
    runPanelCommand('copyInstallCommand', server);
  } else if (choice === settings) {
    runPanelCommand('openServerSettings', server);
  } else if (choice === retry) {
    await server.restart();
  }
}

function isTarget(argument: object): argument is Target {
  return 'uri' in argument && 'position' in argument;
}

async function withTarget<T>(run: (target: Target) => Promise<T>): Promise<T | undefined> {
  const target = readTarget();
  if (!target) {
    void vscode.window.showInformationMessage(
      vscode.l10n.t('Open a file and put the cursor into a function first.'),
    );
    return undefined;
  }
  return run(target);
}

/** Explain the folder of a menu; from elsewhere the one that holds the current file. */
async function explainPackage(chat: ChatView, chosen: unknown): Promise<unknown> {
  const folder = chosen instanceof vscode.Uri ? chosen : findCurrentFolder();
  if (!folder) {
    void vscode.window.showInformationMessage(
      vscode.l10n.t('Open a folder first: Glossator explains what is in it.'),
    );
    return undefined;
  }
  const below = vscode.workspace.asRelativePath(folder, false);
  const whole = vscode.workspace.getWorkspaceFolder(folder);
  const name = whole?.uri.toString() === folder.toString() ? whole.name : below;
  const question = vscode.l10n.t('Explain package {0}', name);
  return chat.analyze({ task: 'package', path: folder.fsPath }, question);
}

function findCurrentFolder(): vscode.Uri | undefined {
  const uri = currentEditor()?.document.uri;
  return uri?.scheme === 'file'
    ? vscode.Uri.joinPath(uri, '..')
    : vscode.workspace.workspaceFolders?.[0]?.uri;
}

async function checkFile(server: Server): Promise<void> {
  const editor = currentEditor();
  if (!editor) {
    return;
  }
  const uri = editor.document.uri.toString();
  const result = await reportFailure(() =>
    withProgress(vscode.l10n.t('Checking'), (token, onProgress) =>
      server.execute<CheckResult>('glossator.check', { uri }, { token, onProgress }),
    ),
  );
  const checked = result?.documents[0];
  if (checked) {
    await tellOutcome(checked);
  }
}

async function tellOutcome(checked: CheckResult['documents'][number]): Promise<void> {
  const { l10n, window } = vscode;
  if (checked.outcome === 'not-checked') {
    void window.showWarningMessage(
      l10n.t('{0} was not checked: {1}', checked.path, checked.reason),
    );
  } else if (checked.outcome === 'clean') {
    void window.showInformationMessage(
      l10n.t('{0} is clean: {1} rules were checked.', checked.path, checked.nRules),
    );
  } else {
    const show = l10n.t('Show problems');
    const text =
      checked.nFindings === 1
        ? l10n.t('{0}: 1 finding', checked.path)
        : l10n.t('{0}: {1} findings', checked.path, checked.nFindings);
    if ((await window.showInformationMessage(text, show)) === show) {
      await vscode.commands.executeCommand('workbench.actions.view.problems');
    }
  }
}

async function rebuildIndex(server: Server): Promise<void> {
  const result = await reportFailure(() =>
    withProgress(vscode.l10n.t('Reading knowledge, skills and rules'), (token, onProgress) =>
      server.execute<RebuildResult>('glossator.rebuildIndex', {}, { token, onProgress }),
    ),
  );
  if (!result) {
    return;
  }
  await server.refreshStatus();
  const text = vscode.l10n.t(
    'Read again: {0} documents, {1} skills and {2} rules.',
    result.nDocuments,
    result.nSkills,
    result.nRules,
  );
  if (!result.problems.length) {
    void vscode.window.showInformationMessage(text);
    return;
  }
  const details = vscode.l10n.t('Show problems');
  const problems = countProblems(result.problems.length);
  if ((await vscode.window.showWarningMessage(`${text} ${problems}`, details)) === details) {
    await showStatusMenu(server.status);
  }
}

async function showFigures(server: Server, figures: FiguresPage): Promise<void> {
  const result = await reportFailure(() =>
    withProgress(vscode.l10n.t('Adding up'), (token, onProgress) =>
      server.execute<StatsResult>('glossator.stats', { open: false }, { token, onProgress }),
    ),
  );
  if (result) {
    figures.show(result);
  }
}

/** A key that changes nothing makes no new report. */
const REPORT_TIMEOUT_MS = 3000;

async function setApiKey(server: Server, apiKey: ApiKey): Promise<void> {
  if (!(await apiKey.ask())) {
    return;
  }
  await server.waitForReport(REPORT_TIMEOUT_MS);
  const model = server.status.report?.model;
  if (model?.configured) {
    void vscode.window.showInformationMessage(
      vscode.l10n.t('Key kept. {0} answers at {1}.', model.name, model.endpoint),
    );
    return;
  }
  const settings = vscode.l10n.t('Open settings');
  const text = vscode.l10n.t('Key kept. Name the model and its server in the settings.');
  if ((await vscode.window.showInformationMessage(text, settings)) === settings) {
    runPanelCommand('openModelSettings', server);
  }
}
