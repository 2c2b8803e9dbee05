/** Installing the server by one click: what is asked, shown, cancelled and said when it fails. */

import { readdir } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import type { Server } from '../server/server';
import { findSelectedPython } from '../server/selectedPython';
import {
  installServer,
  readOwnServer,
  removeOwnServer,
  type Installed,
  type Step,
} from './installation';
import type { InstallFailure } from './installFailure';
import { describeFailure } from './installWording';
import { isNewer } from './versions';

export class Installer implements vscode.Disposable {
  private running: AbortController | null = null;
  private step = '';
  private failure: string | null = null;
  private readonly changes = new vscode.EventEmitter<void>();
  readonly onDidChange = this.changes.event;

  constructor(
    private readonly context: vscode.ExtensionContext,
    private readonly server: Server,
    private readonly log: vscode.LogOutputChannel,
  ) {}

  /** What is being done, for people; null when nothing is installed at present. */
  get doing(): string | null {
    return this.running ? this.step : null;
  }

  /** Why the last installation failed, for people. */
  get trouble(): string | null {
    return this.failure;
  }

  dispose(): void {
    this.running?.abort();
    this.changes.dispose();
  }

  cancel(): void {
    this.running?.abort();
  }

  /** Install the server, or the newer one of this extension, and start it. */
  async install(): Promise<void> {
    if (this.running) {
      return;
    }
    const wheel = await this.findWheel();
    if (!wheel) {
      this.fail({ kind: 'no-wheel', output: '' });
      return;
    }
    const controller = (this.running = new AbortController());
    this.failure = null;
    const options = {
      location: vscode.ProgressLocation.Notification,
      title: vscode.l10n.t('Installing the Glossator server'),
      cancellable: true,
    };
    const installed = await vscode.window.withProgress(options, async (progress, token) => {
      token.onCancellationRequested(() => {
        controller.abort();
      });
      return this.run(wheel, controller.signal, (message) => {
        progress.report({ message });
      });
    });
    this.running = null;
    await this.conclude(installed);
    this.changes.fire();
  }

  /** Take the extension's own installation away. */
  async uninstall(): Promise<void> {
    const storage = this.context.globalStorageUri.fsPath;
    if (!(await readOwnServer(storage))) {
      void vscode.window.showInformationMessage(
        vscode.l10n.t('Glossator has installed no server of its own; there is nothing to remove.'),
      );
      return;
    }
    await this.server.stop();
    await removeOwnServer(storage);
    await this.server.start();
  }

  /** Say that this extension brings a newer server than the one it has installed. */
  async offerUpdate(): Promise<void> {
    const own = await readOwnServer(this.context.globalStorageUri.fsPath);
    const version = (this.context.extension.packageJSON as { version: string }).version;
    if (!own || this.server.status.origin !== 'own' || !isNewer(version, own.version)) {
      return;
    }
    const update = vscode.l10n.t('Update the server');
    const text = vscode.l10n.t(
      'Glossator {0} brings a newer server than the installed {1}.',
      version,
      own.version,
    );
    if ((await vscode.window.showInformationMessage(text, update)) === update) {
      await this.install();
    }
  }

  private async run(
    wheel: string,
    signal: AbortSignal,
    report: (message: string) => void,
  ): Promise<Installed> {
    const storage = this.context.globalStorageUri.fsPath;
    this.log.info(`installing ${wheel} below ${storage}`);
    return installServer({
      storage,
      wheel,
      signal,
      machine: {
        selectedPython: findSelectedPython,
        environment: process.env,
        platform: process.platform,
        folder: this.context.extensionPath,
      },
      onStep: (step) => {
        this.tell(nameStep(step), report);
      },
      onLine: (line) => {
        this.log.info(line);
        const fetched = /^Collecting ([\w.-]+)|^Processing .*?([\w.]+)-\d[^/\\]*$/.exec(line);
        if (fetched) {
          this.tell(vscode.l10n.t('Fetching {0}', fetched[1] ?? fetched[2] ?? ''), report);
        } else if (line.startsWith('Installing collected packages')) {
          this.tell(vscode.l10n.t('Putting the packages in place'), report);
        }
      },
    });
  }

  private tell(text: string, report: (message: string) => void): void {
    this.step = text;
    report(text);
    this.changes.fire();
  }

  private async conclude(installed: Installed): Promise<void> {
    switch (installed.kind) {
      case 'installed':
        this.log.info(`installed ${installed.server.version}: ${installed.server.python}`);
        await this.server.restart();
        void vscode.window.showInformationMessage(
          vscode.l10n.t('Glossator {0} is installed and runs.', installed.server.version),
        );
        break;
      case 'cancelled':
        this.log.info('the installation was cancelled; nothing of it is used');
        break;
      case 'failed':
        this.fail(installed.failure);
    }
  }

  private fail(failure: InstallFailure): void {
    const text = describeFailure(failure);
    this.log.error(`the installation failed (${failure.kind}): ${failure.output}`);
    this.failure = text;
    this.changes.fire();
    const again = vscode.l10n.t('Try again');
    const log = vscode.l10n.t('Show log');
    void vscode.window
      .showErrorMessage(text.replaceAll('`', '').replaceAll(/\s*\n+\s*/g, ' '), again, log)
      .then((chosen) => {
        if (chosen === again) {
          void this.install();
        } else if (chosen === log) {
          this.log.show();
        }
      });
  }

  private async findWheel(): Promise<string | null> {
    const folder = path.join(this.context.extensionPath, 'server');
    const names = await readdir(folder).catch(() => []);
    const name = names.find((each) => /^glossator-.*\.whl$/.test(each));
    return name ? path.join(folder, name) : null;
  }
}

function nameStep(step: Step): string {
  switch (step) {
    case 'finding-python':
      return vscode.l10n.t('Looking for Python 3.11 or newer');
    case 'making-environment':
      return vscode.l10n.t('Making an environment of its own');
    case 'installing':
      return vscode.l10n.t('Reading what the server needs');
    case 'trying':
      return vscode.l10n.t('Trying the server');
  }
}
