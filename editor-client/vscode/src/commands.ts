/** The commands people run, and the server's own when a code action or a menu runs them. */

import * as vscode from 'vscode';
import type { ApiKey } from './apiKey';
import { selectionChip, takeUris } from './asking/attaching';
import { reportFailure, withProgress } from './reporting';
import type { Server } from './server/server';
import type {
  CheckResult,
  RebuildResult,
  ReportedProblem,
  StatsResult,
  Target,
} from './shared/protocol';
import type { PanelCommand } from './shared/messages';
import { showMachineSettings } from './settings';
import type { SetUp } from './setup/setUp';
import { countProblems } from './statusBar';
import { showStatusMenu } from './statusMenu';
import { currentEditor, readTarget } from './target';
import type { CallTree } from './code/callTree';
import type { AnswerDocuments } from './views/answerDocuments';
import type { AnswerPanel } from './views/answerPanel';
import type { Applying } from './views/applying';
import type { ChatView } from './views/chatView';
import type { FiguresPage } from './views/figuresPage';
import { showWhy } from './why';

export interface Parts {
  server: Server;
  chat: ChatView;
  answers: AnswerPanel;
  calls: CallTree;
  figures: FiguresPage;
  documents: AnswerDocuments;
  applying: Applying;
  apiKey: ApiKey;
  log: vscode.LogOutputChannel;
}

export function registerCommands(parts: Parts): vscode.Disposable[] {
  const { server, chat, answers, calls, figures, documents, applying, apiKey, log } = parts;
  const commands: Record<string, (...args: never[]) => unknown> = {
    'glossator.explainFunction': () => withTarget((target) => answers.explain(target)),
    'glossator.showCallChain': () => withTarget((target) => showChain(parts, target)),
    'glossator.showCallTree': () => withTarget((target) => calls.show(target)),
    'glossator.explainPackage': (folder?: unknown) => explainPackage(chat, folder),
    'glossator.reviewChanges': () =>
      chat.analyze({ task: 'change' }, vscode.l10n.t('Review changes')),
    'glossator.openChat': (question?: unknown) =>
      chat.open(typeof question === 'string' ? question : ''),
    'glossator.startSession': () => {
      chat.startSession();
      return chat.open();
    },
    'glossator.showSessions': () => chat.showSessions(),
    'glossator.attachToChat': (...uris: unknown[]) => attachToChat(chat, uris),
    'glossator.checkFile': () => checkFile(server),
    'glossator.readIndexAgain': () => rebuildIndex(server),
    'glossator.showFigures': () => showFigures(server, figures),
    'glossator.showWhy': (uri?: unknown) => showWhy(server, documents, uri),
    'glossator.acceptChange': () => applying.accept(),
    'glossator.discardChange': () => applying.discard(),
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
      return showChain(parts, argument);
    }
    if (command === 'glossator.explainProblem' && isProblem(argument)) {
      return parts.answers.explainProblem(argument);
    }
    if (command === 'glossator.dismiss' && isWrongFinding(argument)) {
      return dismissAsWrong(parts.server, argument);
    }
    return withProgress(titleOf(command), (token, onProgress) =>
      parts.server.execute(command, argument, { token, onProgress }),
    );
  };
}

/** What the editor says while one of the server's commands runs. */
function titleOf(command: string): string {
  switch (command) {
    case 'glossator.compileRule':
      return vscode.l10n.t('Writing a check');
    default:
      return vscode.l10n.t('Working');
  }
}

/** Show a call chain beside the code, and as a tree for those who want to walk along it. */
async function showChain(parts: Parts, target: Target): Promise<unknown> {
  const chain = await parts.answers.showChain(target);
  if (chain) {
    parts.calls.put(target, chain);
  }
  return chain;
}

function isProblem(argument: object): argument is ReportedProblem {
  return 'uri' in argument && 'diagnostic' in argument;
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

/** What the buttons of a panel do. */
export function runPanelCommand(command: PanelCommand, server: Server, setUp?: SetUp): void {
  const { executeCommand } = vscode.commands;
  switch (command) {
    case 'copyInstallCommand':
      void vscode.env.clipboard.writeText(server.status.installCommand);
      break;
    case 'cancelInstallation':
      setUp?.installer.cancel();
      break;
    case 'manageTrust':
      void executeCommand('workbench.trust.manage');
      break;
    case 'openFolder':
      void executeCommand('vscode.openFolder');
      break;
    case 'openServerSettings':
      void showMachineSettings('server');
      break;
    case 'openModelSettings':
      void showMachineSettings('model');
      break;
    default:
      void executeCommand(`glossator.${command}`);
  }
}

/** Say once that the server is missing, with what to do about it. */
export async function offerInstallation(server: Server, setUp: SetUp): Promise<void> {
  if (server.status.isNamed) {
    await tellWrongSetting(server);
    return;
  }
  if (await setUp.welcomed) {
    return;
  }
  const { l10n, window } = vscode;
  const install = l10n.t('Install the server');
  const started = l10n.t('Get started');
  const again = l10n.t('Look again');
  const text = l10n.t(
    'The Glossator server is not installed. One click puts it into an environment of its own.',
  );
  const choice = await window.showInformationMessage(text, install, started, again);
  if (choice === install) {
    await setUp.installer.install();
  } else if (choice === started) {
    runPanelCommand('openWalkthrough', server, setUp);
  } else if (choice === again) {
    await server.restart();
  }
}

/** The settings name a server that cannot be used: nothing else is tried in its place. */
async function tellWrongSetting(server: Server): Promise<void> {
  const { l10n, window } = vscode;
  const settings = l10n.t('Open settings');
  const again = l10n.t('Look again');
  const message = server.status.message.replaceAll('`', '');
  const choice = await window.showWarningMessage(`Glossator: ${message}`, settings, again);
  if (choice === settings) {
    runPanelCommand('openServerSettings', server);
  } else if (choice === again) {
    await server.restart();
  }
}

function isTarget(argument: object): argument is Target {
  return 'uri' in argument && 'position' in argument;
}

async function withTarget<T>(run: (target: Target) => Promise<T>): Promise<T | undefined> {
  const target = readTarget();
  if (!target) {
    void askForFile(vscode.l10n.t('Open a file and put the cursor into a function first.'));
    return undefined;
  }
  return run(target);
}

/** Say that a file has to be open first, and help to open one. */
async function askForFile(text: string): Promise<void> {
  const open = vscode.l10n.t('Open a file…');
  if ((await vscode.window.showInformationMessage(text, open)) === open) {
    await vscode.commands.executeCommand('workbench.action.quickOpen');
  }
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

/** Attach what a menu of the Explorer is about; from the editor the selection, or the file. */
async function attachToChat(chat: ChatView, chosen: readonly unknown[]): Promise<void> {
  const several: unknown = chosen[1];
  const uris = (Array.isArray(several) ? several : [chosen[0]]).filter(
    (each) => each instanceof vscode.Uri,
  );
  const selection = uris.length > 1 ? null : selectionChip();
  const isSelected = selection && (!uris[0] || uris[0].toString() === selection.uri);
  if (isSelected && !Array.isArray(several)) {
    return chat.attach([selection]);
  }
  const current = currentEditor()?.document.uri;
  const wanted = uris.length ? uris : current ? [current] : [];
  const { chips, problems } = await takeUris(wanted.map((uri) => uri.toString()));
  return chat.attach(chips, problems);
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
    await askForFile(vscode.l10n.t('Open the file that is to be checked first.'));
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
  const setUpModel = vscode.l10n.t('Set up a model');
  const text = vscode.l10n.t('Key kept. Choose the model it is for.');
  if ((await vscode.window.showInformationMessage(text, setUpModel)) === setUpModel) {
    runPanelCommand('setUpModel', server);
  }
}
