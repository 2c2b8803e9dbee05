/** The server's life: found, started, asked, restarted, and its state told to who listens. */

import { homedir } from 'node:os';
import * as vscode from 'vscode';
import type { ServerState } from '../shared/messages';
import type { StatusResult } from '../shared/protocol';
import { LentModels } from '../backend/lentModels';
import { Checks } from '../checks';
import type { Change } from '../code/consent';
import { readOwnServer } from '../setup/installation';
import { readServerSettings, replaceVariables, type ServerSettings } from '../settings';
import type { Client, Request } from './client';
import { findServer, installCommand, type Found, type Origin } from './findServer';
import { findSelectedPython } from './selectedPython';
import { describeMissing } from './wording';

export interface ServerStatus {
  state: ServerState;
  /** What is wrong and what to do, for people. */
  message: string;
  installCommand: string;
  /** Whether the settings name a server: what is installed beside it does not count then. */
  isNamed: boolean;
  /** How the server was found. */
  origin: Origin | null;
  /** The version it names when it starts; empty while none runs. */
  version: string;
  /** What the server says of itself, while it runs. */
  report: StatusResult | null;
  /** What came of the checks of open documents. */
  checks: Checks;
}

type RunCommand = (command: string, args: unknown[]) => Promise<unknown>;

export class Server implements vscode.Disposable {
  /** Set by the extension: runs a server's command that a code action or a menu asks for. */
  runCommand: RunCommand = () => Promise.resolve(undefined);

  /** Set by the extension: shows edits that want consent, and makes them. */
  showChange: (change: Change) => Promise<boolean> = () => Promise.resolve(false);

  /** Models of the editor's chat that the server may use for a turn. */
  readonly lentModels = new LentModels();

  private client: Client | null = null;
  private current: ServerStatus = {
    state: 'stopped',
    message: '',
    installCommand: installCommand(null),
    isNamed: false,
    origin: null,
    version: '',
    report: null,
    checks: new Checks(),
  };
  private readonly changes = new vscode.EventEmitter<ServerStatus>();
  readonly onDidChange = this.changes.event;
  private readonly ran = new vscode.EventEmitter<string>();
  /** A command of the server has brought a result. */
  readonly onDidRun = this.ran.event;
  /** Starts and stops follow each other: two at once would leave a second process behind. */
  private queue: Promise<void> = Promise.resolve();

  constructor(
    private readonly context: vscode.ExtensionContext,
    private readonly log: vscode.LogOutputChannel,
    private readonly readApiKey: () => Promise<string | undefined>,
  ) {}

  get status(): ServerStatus {
    return this.current;
  }

  start(): Promise<void> {
    return this.enqueue(() => this.startNow());
  }

  restart(): Promise<void> {
    return this.enqueue(async () => {
      await this.stopNow();
      await this.startNow();
    });
  }

  stop(): Promise<void> {
    return this.enqueue(() => this.stopNow());
  }

  dispose(): void {
    this.changes.dispose();
    this.ran.dispose();
  }

  /** Run one of the server's commands; events of the turn arrive while it runs. */
  async execute<Result>(command: string, argument: object, request: Request = {}): Promise<Result> {
    const client = this.client;
    if (!client || this.current.state !== 'running') {
      throw new Error(
        this.current.message || vscode.l10n.t('The Glossator server is not running.'),
      );
    }
    const result = await client.execute<Result>(command, argument, request);
    this.ran.fire(command);
    return result;
  }

  /** Give a running server the settings as they are now. */
  async sendSettings(): Promise<void> {
    if (this.client && this.current.state === 'running') {
      await this.client.sendSettings();
    }
  }

  /** Wait until the server tells its state again, or `timeoutMs` have passed. */
  async waitForReport(timeoutMs: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const before = this.current.report;
      const listener = this.onDidChange((status) => {
        if (status.report !== before) {
          finish();
        }
      });
      const timer = setTimeout(finish, timeoutMs);
      function finish(): void {
        clearTimeout(timer);
        listener.dispose();
        resolve();
      }
    });
  }

  async refreshStatus(): Promise<void> {
    this.hear(await this.execute<StatusResult>('glossator.status', {}));
  }

  private enqueue(step: () => Promise<void>): Promise<void> {
    const next = this.queue.then(step);
    this.queue = next.catch((error: unknown) => {
      this.log.error(String(error));
    });
    return next;
  }

  private async startNow(): Promise<void> {
    if (this.client) {
      return;
    }
    this.change({ state: 'starting', message: '', origin: null, report: null });
    const found = await this.find();
    if (found.kind === 'missing') {
      this.log.warn(`server not found: ${found.reason} ${found.detail}`);
      this.change({
        state: 'missing',
        message: describeMissing(found),
        installCommand: installCommand(found.python),
        isNamed: isServerNamed(),
      });
      return;
    }
    this.log.info(`starting ${[found.command, ...found.args].join(' ')} (${found.origin})`);
    this.change({ origin: found.origin });
    await this.startClient(found);
  }

  private async startClient(found: Extract<Found, { kind: 'found' }>): Promise<void> {
    const readSettings = () => this.readSettings();
    const [{ Client }, settings] = await Promise.all([import('./client'), readSettings()]);
    const client = new Client(found, settings, {
      extension: this.context,
      log: this.log,
      lentModels: this.lentModels,
      readSettings,
      runCommand: (command, args) => this.runCommand(command, args),
      showChange: (change) => this.showChange(change),
      mayRestart: () => this.mayRestart(),
      onReport: (report) => {
        this.hear(report);
      },
      onRunning: (isRunning) => {
        this.follow(client, isRunning);
      },
    });
    this.client = client;
    this.current.checks.clear();
    try {
      this.change({ state: 'running', message: '', version: await client.start() });
      await this.refreshStatus();
    } catch (error) {
      await this.giveUp(client, error);
    }
  }

  private crashes: number[] = [];

  /** A server that ends by itself is started again, but not for ever. */
  private mayRestart(): boolean {
    if (this.current.state === 'starting') {
      return false;
    }
    const now = Date.now();
    this.crashes = [...this.crashes.filter((time) => now - time < 180_000), now];
    return this.crashes.length <= 3;
  }

  private follow(client: Client, isRunning: boolean): void {
    if (client !== this.client) {
      return;
    }
    if (!isRunning && this.current.state === 'running') {
      const message = vscode.l10n.t('The server ended by itself. The log says why.');
      this.change({ state: 'failed', message, report: null });
    } else if (isRunning && this.current.state === 'failed') {
      this.change({ state: 'running', message: '' });
      this.refreshStatus().catch((error: unknown) => {
        this.log.error(String(error));
      });
    }
  }

  private async giveUp(client: Client, error: unknown): Promise<void> {
    this.client = null;
    const message = error instanceof Error ? error.message : String(error);
    this.log.error(`the server did not start: ${message}`);
    this.change({ state: 'failed', message, report: null });
    // Stopping a client that never ran rejects; there is nothing left to stop then.
    await client.stop().catch(() => undefined);
  }

  private async stopNow(): Promise<void> {
    const client = this.client;
    this.client = null;
    if (client) {
      await client.stop().catch((error: unknown) => {
        this.log.warn(`stopping: ${String(error)}`);
      });
    }
    this.change({ state: 'stopped', message: '', report: null });
  }

  private find(): Promise<Found> {
    const configuration = vscode.workspace.getConfiguration('glossator.server');
    const home = homedir();
    return findServer({
      command: configuration
        .get<string[]>('command', [])
        .map((part) => replaceVariables(part, home)),
      python: replaceVariables(configuration.get<string>('python', ''), home),
      ownServer: () => readOwnServer(this.context.globalStorageUri.fsPath),
      selectedPython: findSelectedPython,
      environment: process.env,
      platform: process.platform,
      folder: this.context.extensionPath,
    });
  }

  private async readSettings(): Promise<ServerSettings> {
    return readServerSettings(this.context.extension.packageJSON, await this.readApiKey());
  }

  private hear(report: StatusResult): void {
    this.current.checks.hear(report.checks ?? []);
    this.change({ report });
  }

  private change(part: Partial<ServerStatus>): void {
    this.current = { ...this.current, ...part };
    this.changes.fire(this.current);
  }
}

function isServerNamed(): boolean {
  const { command, python } = vscode.workspace.getConfiguration('glossator').get('server', {
    command: [] as string[],
    python: '',
  });
  return command.length > 0 || python !== '';
}
