/** The item in the status bar: is the server there, what does it know, which model answers. */

import * as vscode from 'vscode';
import type { ServerStatus } from './server/server';
import { describeCheck, nameOutcome } from './checks';
import { IndexNews, describeAge } from './indexNews';
import type { DocumentCheck } from './shared/protocol';
import { currentEditor } from './target';

/** So long the status bar says that knowledge was read again. */
const NEWS_MS = 5_000;

export class StatusBar implements vscode.Disposable {
  private readonly item: vscode.StatusBarItem;
  private readonly news = new IndexNews();
  private newsUntil = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    this.item = vscode.window.createStatusBarItem('glossator', vscode.StatusBarAlignment.Right, 50);
    this.item.name = 'Glossator';
    this.item.command = 'glossator.showStatus';
    this.item.show();
  }

  /** `installing` is what the installation of the server does now; null when there is none. */
  update(status: ServerStatus, installing: string | null): void {
    const now = Date.now();
    if (this.news.hear(status.report?.index.updatedAt ?? null)) {
      this.newsUntil = now + NEWS_MS;
    }
    const isNews = status.state === 'running' && now < this.newsUntil;
    this.show(status, isNews, installing);
    clearTimeout(this.timer);
    if (isNews) {
      this.timer = setTimeout(() => {
        this.show(status, false, installing);
      }, this.newsUntil - now);
    }
  }

  private show(status: ServerStatus, isNews: boolean, installing: string | null): void {
    const { text, isTrouble } = describe(status, isNews, installing);
    this.item.text = text;
    this.item.backgroundColor = isTrouble
      ? new vscode.ThemeColor('statusBarItem.warningBackground')
      : undefined;
    this.item.tooltip = makeTooltip(status);
    this.item.accessibilityInformation = { label: text.replace(/\$\([^)]*\)\s*/g, '') };
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.item.dispose();
  }
}

interface Description {
  text: string;
  isTrouble: boolean;
}

/** What is done now goes before what is new, and that before the state. */
function describe(status: ServerStatus, isNews: boolean, installing: string | null): Description {
  if (installing !== null) {
    return { text: `$(loading~spin) Glossator: ${installing}`, isTrouble: false };
  }
  return isNews ? describeNews(status) : describeState(status);
}

function describeNews(status: ServerStatus): Description {
  const { nDocuments = 0, nSections = 0 } = status.report?.index ?? {};
  return {
    text: `$(check) ${vscode.l10n.t('{0} documents, {1} sections, updated just now', nDocuments, nSections)}`,
    isTrouble: false,
  };
}

function describeState(status: ServerStatus): Description {
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
      return { text: describeRunning(status), isTrouble: false };
  }
}

function describeRunning(status: ServerStatus): string {
  const check = currentCheck(status);
  const outcome = check ? ` · ${nameOutcome(check, vscode.l10n)}` : '';
  const icon = check?.isJudging ? '$(sync~spin)' : '$(book)';
  return `${icon} Glossator: ${modelName(status)}${outcome}`;
}

function currentCheck(status: ServerStatus): DocumentCheck | null {
  return status.checks.of(currentEditor()?.document.uri.toString());
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
  const { nDocuments, nSections, nSkills, nRules, updatedAt } = report.index;
  const { l10n } = vscode;
  const model = report.model.configured
    ? l10n.t(
        'Model: {0} at {1} ({2})',
        report.model.name,
        report.model.endpoint,
        report.model.source,
      )
    : l10n.t('No model is set up: explain, call chains and checks work without one.');
  const check = currentCheck(status);
  const lines = [
    `Glossator ${report.version}`,
    ...(check ? describeCheck(check, l10n) : []),
    model,
    l10n.t(
      '{0} documents, {1} sections, {2} skills, {3} rules',
      nDocuments,
      nSections,
      nSkills,
      nRules,
    ),
  ];
  if (updatedAt) {
    lines.push(l10n.t('Knowledge: {0}', describeAge(updatedAt, Date.now(), l10n)));
  }
  if (report.meaning) {
    const { nReady, nSections: n } = report.meaning;
    lines.push(l10n.t('Meaning: {0} of {1} sections ready', nReady, n));
  }
  if (report.shared) {
    const { collection, address, problem } = report.shared;
    lines.push(
      problem
        ? l10n.t('Shared index {0}: away, the local one answers', collection)
        : l10n.t('Shared index {0} at {1}', collection, address),
    );
  }
  if (!report.workspace.trusted) {
    lines.push(
      l10n.t(
        'Restricted: this workspace is not trusted, so it cannot choose the model, and its instructions and skills are not used.',
      ),
    );
  }
  if (report.problems.length) {
    lines.push(countProblems(report.problems.length), ...report.problems.slice(0, 5));
  }
  return lines;
}

export function countProblems(count: number): string {
  return count === 1 ? vscode.l10n.t('1 problem') : vscode.l10n.t('{0} problems', count);
}
