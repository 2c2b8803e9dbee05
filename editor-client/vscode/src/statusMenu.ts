/** What stands behind the status bar item: the state, and what can be done about it. */

import * as vscode from 'vscode';
import type { ServerStatus } from './server/server';
import { describeStatus } from './statusBar';

type Item = vscode.QuickPickItem & { run?: () => unknown };

export async function showStatusMenu(status: ServerStatus): Promise<void> {
  const [title = 'Glossator', ...facts] = describeStatus(status);
  const picked = await vscode.window.showQuickPick(makeItems(status, facts), {
    title,
    placeHolder: vscode.l10n.t('Choose what to do'),
    matchOnDescription: true,
  });
  await picked?.run?.();
}

function makeItems(status: ServerStatus, facts: string[]): Item[] {
  const { l10n } = vscode;
  const separator = (label: string): Item => ({ label, kind: vscode.QuickPickItemKind.Separator });
  const command = (icon: string, label: string, id: string, ...args: unknown[]): Item => ({
    label: `$(${icon}) ${label}`,
    run: () => vscode.commands.executeCommand(id, ...args),
  });
  const isRunning = status.state === 'running';
  const problems = status.report?.problems ?? [];
  return [
    ...(isRunning
      ? [
          command('comment-discussion', l10n.t('Ask a question'), 'glossator.openChat'),
          command('refresh', l10n.t('Rebuild index'), 'glossator.readIndexAgain'),
          command('graph', l10n.t('Show figures'), 'glossator.showFigures'),
        ]
      : []),
    ...(status.state === 'missing' || status.state === 'failed'
      ? [command('cloud-download', l10n.t('Install the server'), 'glossator.installServer')]
      : []),
    command('sparkle', l10n.t('Set up a model'), 'glossator.setUpModel'),
    command('key', l10n.t('Set API key'), 'glossator.setApiKey'),
    command(
      'settings-gear',
      l10n.t('Settings'),
      'workbench.action.openSettings',
      '@ext:glossator.glossator',
    ),
    command('debug-restart', l10n.t('Restart server'), 'glossator.restartServer'),
    command('output', l10n.t('Show log'), 'glossator.showLog'),
    command('pulse', l10n.t('Doctor: report for an issue'), 'glossator.runDoctor'),
    command('mortar-board', l10n.t('Get started'), 'glossator.openWalkthrough'),
    ...(facts.length ? [separator(l10n.t('State'))] : []),
    ...facts
      .filter((fact) => !problems.includes(fact))
      .map((fact): Item => ({ label: `$(info) ${fact}` })),
    ...(problems.length ? [separator(l10n.t('Problems'))] : []),
    ...problems.map((problem): Item => ({ label: `$(warning) ${problem}` })),
  ];
}
