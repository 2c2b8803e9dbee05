/** The item in the status bar: is the server there, what does it know, which model answers. */

import * as vscode from 'vscode';
import type { ServerStatus } from './server/server';

export class StatusBar implements vscode.Disposable {
  private readonly item: vscode.StatusBarItem;

  constructor() {
    this.item = vscode.window.createStatusBarItem('glossator', vscode.StatusBarAlignment.Right, 50);
    this.item.name = 'Glossator';
    this.item.command = 'glossator.showStatus';
    this.item.show();
  }

  update(status: ServerStatus): void {
    const { text, isTrouble } = describe(status);
    this.item.text = text;
    this.item.backgroundColor = isTrouble
      ? new vscode.ThemeColor('statusBarItem.warningBackground')
      : undefined;
    this.item.tooltip = makeTooltip(status);
    this.item.accessibilityInformation = { label: text.replace(/\$\([^)]*\)\s*/g, '') };
  }

  dispose(): void {
    this.item.dispose();
  }
}

function describe(status: ServerStatus): { text: string; isTrouble: boolean } {
  const { report } = status;
  switch (status.state) {
    case 'starting':
      return { text: '$(loading~spin) Glossator', isTrouble: false };
    case 'missing':
      return { text: `$(warning) Glossator: ${vscode.l10n.t('not installed')}`, isTrouble: true };
    case 'failed':
      return { text: `$(warning) Glossator: ${vscode.l10n.t('not running')}`, isTrouble: true };
    case 'stopped':
      return { text: '$(circle-slash) Glossator', isTrouble: false };
    case 'running':
      if (report && !report.index.ready) {
        return {
          text: `$(loading~spin) Glossator: ${vscode.l10n.t('reading knowledge')}`,
          isTrouble: false,
        };
      }
      return { text: `$(book) Glossator: ${modelName(status)}`, isTrouble: false };
  }
}

function modelName(status: ServerStatus): string {
  const model = status.report?.model;
  return model?.configured ? model.name : vscode.l10n.t('no model');
}

function makeTooltip(status: ServerStatus): vscode.MarkdownString {
  const lines = describeStatus(status);
  // Plain text: names of models and problems come from files, and must not become links.
  const tooltip = new vscode.MarkdownString();
  lines.forEach((line, index) => {
    tooltip.appendText(index ? `\n\n${line}` : line);
  });
  return tooltip;
}

/** The state in sentences, for the tooltip and the list behind it. */
export function describeStatus(status: ServerStatus): string[] {
  const { report } = status;
  if (!report) {
    return [status.message || 'Glossator'];
  }
  const { nDocuments, nSections, nSkills, nRules } = report.index;
  const { l10n } = vscode;
  const model = report.model.configured
    ? l10n.t(
        'Model: {0} at {1} ({2})',
        report.model.name,
        report.model.endpoint,
        report.model.source,
      )
    : l10n.t('No model is set up: explain, call chains and checks work without one.');
  const lines = [
    `Glossator ${report.version}`,
    model,
    l10n.t(
      '{0} documents, {1} sections, {2} skills, {3} rules',
      nDocuments,
      nSections,
      nSkills,
      nRules,
    ),
  ];
  if (!report.workspace.trusted) {
    lines.push(l10n.t('Restricted: this workspace is not trusted, so it cannot choose the model.'));
  }
  if (report.problems.length) {
    lines.push(countProblems(report.problems.length), ...report.problems.slice(0, 5));
  }
  return lines;
}

export function countProblems(count: number): string {
  return count === 1 ? vscode.l10n.t('1 problem') : vscode.l10n.t('{0} problems', count);
}
