/** A new user's first minutes: the parts that help, joined to the server and to each other. */

import * as vscode from 'vscode';
import type { ApiKey } from '../apiKey';
import type { Server, ServerStatus } from '../server/server';
import { showMachineSettings } from '../settings';
import { runDoctor } from './doctor';
import { Installer } from './installer';
import { createKnowledge, findKnowledge } from './knowledge';
import { Milestones, openWalkthrough } from './milestones';
import { ModelPage } from './modelPage';
import { compareVersions } from './versions';

export class SetUp implements vscode.Disposable {
  readonly installer: Installer;
  readonly milestones: Milestones;
  readonly modelPage: ModelPage;
  /** Whether the workspace has knowledge of its own; null while nobody knows. */
  hasKnowledge: boolean | null = null;
  /** Whether the walkthrough was opened just now: it offers what else would be asked. */
  readonly welcomed: Promise<boolean>;
  private readonly changes = new vscode.EventEmitter<void>();
  /** Something that the panel shows is another. */
  readonly onDidChange = this.changes.event;
  private readonly listeners: vscode.Disposable[] = [];
  private lastRead: number | null = null;
  private warnedOf = '';

  constructor(
    private readonly context: vscode.ExtensionContext,
    private readonly server: Server,
    private readonly apiKey: ApiKey,
    log: vscode.LogOutputChannel,
  ) {
    this.installer = new Installer(context, server, log);
    this.milestones = new Milestones(context.globalState);
    this.modelPage = new ModelPage(server, apiKey, context.extensionUri);
    this.listeners.push(
      this.installer.onDidChange(() => {
        this.changes.fire();
      }),
      server.onDidChange((status) => {
        this.follow(status);
      }),
      server.onDidRun((command) => {
        this.noteCommand(command);
      }),
      ...Object.entries(this.listCommands()).map(([id, run]) =>
        vscode.commands.registerCommand(id, run),
      ),
    );
    this.welcomed = this.milestones.welcome();
  }

  dispose(): void {
    for (const each of [...this.listeners, this.installer, this.modelPage, this.changes]) {
      each.dispose();
    }
  }

  private listCommands(): Record<string, () => unknown> {
    const { context, server, apiKey, installer } = this;
    return makeCommands({
      showModelPage: () => {
        this.modelPage.show();
      },
      install: () => this.install(),
      installer,
      runDoctor: () => runDoctor(context, server, apiKey),
    });
  }

  /** Install the server; where one runs already, only when that is wanted all the same. */
  private async install(): Promise<void> {
    const { state, version } = this.server.status;
    if (state === 'running') {
      const again = vscode.l10n.t('Install again');
      const text = vscode.l10n.t('The Glossator server {0} is installed and runs.', version);
      if ((await vscode.window.showInformationMessage(text, again)) !== again) {
        return;
      }
    }
    await this.installer.install();
  }

  private noteCommand(command: string): void {
    if (command === 'glossator.explain') {
      this.milestones.reach('explained');
    } else if (command === 'glossator.ask') {
      this.milestones.reach('asked');
    } else if (command === 'glossator.check') {
      this.milestones.reach('checked');
    }
  }

  private follow(status: ServerStatus): void {
    if (status.state !== 'running') {
      return;
    }
    this.milestones.reach('serverRan');
    if (status.report?.model.configured) {
      this.milestones.reach('modelReady');
    }
    if (vscode.languages.getDiagnostics().some(([, found]) => found.some(isOurs))) {
      this.milestones.reach('checked');
    }
    if (status.version && status.version !== this.warnedOf) {
      this.warnedOf = status.version;
      void this.checkVersions(status);
    }
    const readAt = status.report?.index.updatedAt ?? null;
    if (readAt !== this.lastRead || this.hasKnowledge === null) {
      this.lastRead = readAt;
      void this.lookForKnowledge();
    }
  }

  private async lookForKnowledge(): Promise<void> {
    const found = await findKnowledge();
    if (found !== this.hasKnowledge) {
      this.hasKnowledge = found;
      this.changes.fire();
    }
  }

  /** Extension and server of different versions: say which one to update, with a button. */
  private async checkVersions(status: ServerStatus): Promise<void> {
    const mine = (this.context.extension.packageJSON as { version: string }).version;
    const agreement = compareVersions(mine, status.version);
    if (agreement === 'agree') {
      await this.installer.offerUpdate();
    } else if (agreement === 'server-older') {
      await this.offerServer(mine, status.version);
    } else {
      await offerExtension(mine, status.version);
    }
  }

  private async offerServer(mine: string, other: string): Promise<void> {
    const install = vscode.l10n.t('Install the server');
    const settings = vscode.l10n.t('Open settings');
    const text = vscode.l10n.t(
      'The Glossator server is {0}, the extension {1}. Update the server: with the other, new parts of the extension do not work.',
      other,
      mine,
    );
    const chosen = await vscode.window.showWarningMessage(text, install, settings);
    if (chosen === install) {
      await this.installer.install();
    } else if (chosen === settings) {
      await showMachineSettings('server');
    }
  }
}

function makeCommands(parts: {
  showModelPage: () => void;
  install: () => unknown;
  installer: Installer;
  runDoctor: () => unknown;
}): Record<string, () => unknown> {
  return {
    'glossator.setUpModel': () => {
      parts.showModelPage();
    },
    'glossator.installServer': () => parts.install(),
    'glossator.uninstallServer': () => parts.installer.uninstall(),
    'glossator.openWalkthrough': () => openWalkthrough(),
    'glossator.createKnowledge': () => createKnowledge(),
    'glossator.runDoctor': () => parts.runDoctor(),
  };
}

async function offerExtension(mine: string, other: string): Promise<void> {
  const show = vscode.l10n.t('Show the extension');
  const text = vscode.l10n.t(
    'The Glossator server is {0}, the extension {1}. Update the extension.',
    other,
    mine,
  );
  if ((await vscode.window.showWarningMessage(text, show)) === show) {
    await vscode.commands.executeCommand('extension.open', 'glossator.glossator');
  }
}

function isOurs(diagnostic: vscode.Diagnostic): boolean {
  return diagnostic.source === 'glossator';
}
