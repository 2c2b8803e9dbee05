/** The server's life: found, started, asked, restarted, and its state told to who listens. */

import { randomUUID } from 'node:crypto';
import { homedir } from 'node:os';
import * as vscode from 'vscode';
import {
  CloseAction,
  ErrorAction,
  ExecuteCommandRequest,
  LanguageClient,
  ProgressType,
  RevealOutputChannelOn,
  State,
  WorkDoneProgress,
  WorkDoneProgressCancelNotification,
  type LanguageClientOptions,
  type Middleware,
} from 'vscode-languageclient/node';
import type { ServerState } from '../shared/messages';
import type { StatusResult, TurnEvent } from '../shared/protocol';
import { Checks } from '../checks';
import { readServerSettings, replaceVariables, type ServerSettings } from '../settings';
import { findServer, installCommand, type Found, type Origin } from './findServer';
import { findSelectedPython } from './selectedPython';
import { describeMissing } from './wording';

export interface ServerStatus {
  state: ServerState;
  /** What is wrong and what to do, for people. */
  message: string;
  installCommand: string;
  /** How the server was found. */
  origin: Origin | null;
  /** What the server says of itself, while it runs. */
  report: StatusResult | null;
  /** What came of the checks of open documents. */
  checks: Checks;
}

export interface Request {
  token?: vscode.CancellationToken;
  onEvent?: (event: TurnEvent) => void;
  onProgress?: (report: { message?: string; increment?: number }) => void;
}

type RunCommand = (command: string, args: unknown[]) => Promise<unknown>;

const EVENTS = new ProgressType<TurnEvent>();
const STATUS_CHANGED = 'glossator/statusChanged';

export class Server implements vscode.Disposable {
  /** Set by the extension: runs a server's command that a code action or a menu asks for. */
  runCommand: RunCommand = () => Promise.resolve(undefined);

  private client: LanguageClient | null = null;
  private current: ServerStatus = {
    state: 'stopped',
    message: '',
    installCommand: installCommand(null),
    origin: null,
    report: null,
    checks: new Checks(),
  };
  private readonly changes = new vscode.EventEmitter<ServerStatus>();
  readonly onDidChange = this.changes.event;
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
  }

  /** Run one of the server's commands; events of the turn arrive while it runs. */
  async execute<Result>(command: string, argument: object, request: Request = {}): Promise<Result> {
    const client = this.client;
    if (!client || this.current.state !== 'running') {
      throw new Error(
        this.current.message || vscode.l10n.t('The Glossator server is not running.'),
      );
    }
    const id = randomUUID();
    const workDoneToken = `glossator-work-${id}`;
    const partialResultToken = `glossator-events-${id}`;
    const listeners = [
      client.onProgress(EVENTS, partialResultToken, (event) => request.onEvent?.(event)),
      client.onProgress(WorkDoneProgress.type, workDoneToken, (value) => {
        if (value.kind !== 'end' && value.message) {
          request.onProgress?.({ message: value.message });
        }
      }),
      request.token?.onCancellationRequested(() => {
        // Cancels the work and lets the server answer with what it has; see `finishTurn`.
        void client.sendNotification(WorkDoneProgressCancelNotification.type, {
          token: workDoneToken,
        });
      }),
    ];
    try {
      const parameters = {
        command,
        arguments: [{ ...argument, partialResultToken }],
        workDoneToken,
      };
      return (await client.sendRequest(ExecuteCommandRequest.type, parameters)) as Result;
    } finally {
      for (const listener of listeners) {
        listener?.dispose();
      }
    }
  }

  /** Give a running server the settings as they are now. */
  async sendSettings(): Promise<void> {
    if (this.client && this.current.state === 'running') {
      const settings = { glossator: await this.readSettings() };
      // The server answers with `glossator/statusChanged` when it uses them.
      await this.client.sendNotification('workspace/didChangeConfiguration', { settings });
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
      });
      return;
    }
    this.log.info(`starting ${[found.command, ...found.args].join(' ')} (${found.origin})`);
    this.change({ origin: found.origin });
    await this.startClient(found);
  }

  private async startClient(found: Extract<Found, { kind: 'found' }>): Promise<void> {
    const options = { cwd: this.context.extensionPath, env: process.env };
    const run = { command: found.command, args: found.args, options };
    const settings = await this.readSettings();
    const client = new LanguageClient('glossator', 'Glossator', run, this.clientOptions(settings));
    this.client = client;
    this.current.checks.clear();
    client.onNotification(STATUS_CHANGED, (report: StatusResult) => {
      this.hear(report);
    });
    client.onDidChangeState((event) => {
      this.follow(client, event.newState);
    });
    try {
      await client.start();
      this.change({ state: 'running', message: '' });
      await this.refreshStatus();
    } catch (error) {
      await this.giveUp(client, error);
    }
  }

  private clientOptions(settings: ServerSettings): LanguageClientOptions {
    return {
      documentSelector: [{ scheme: 'file' }, { scheme: 'untitled' }],
      outputChannel: this.log,
      revealOutputChannelOn: RevealOutputChannelOn.Never,
      // A pull right after a save brings what the checks find without a round to the server more.
      diagnosticPullOptions: { onChange: true, onSave: true },
      initializationOptions: {
        settings,
        workspaceTrusted: vscode.workspace.isTrusted,
        clientShowsAnswers: true,
        statusNotifications: true,
      },
      initializationFailedHandler: () => false,
      errorHandler: {
        error: () => ({ action: ErrorAction.Continue }),
        closed: () => {
          const isStarting = this.current.state === 'starting';
          return {
            action:
              isStarting || !this.mayRestart() ? CloseAction.DoNotRestart : CloseAction.Restart,
            handled: true,
          };
        },
      },
      middleware: this.middleware(),
    };
  }

  private middleware(): Middleware {
    return {
      executeCommand: (command, args) => this.runCommand(command, args as unknown[]),
      workspace: {
        configuration: async (parameters, token, next) => {
          const answer = await next(parameters, token);
          if (!Array.isArray(answer)) {
            return answer;
          }
          const settings = await this.readSettings();
          const values: unknown[] = answer;
          return values.map((value, index) =>
            parameters.items[index]?.section === 'glossator' ? settings : value,
          );
        },
        // `sendSettings` sends what was set; the client's own message would send defaults too.
        didChangeConfiguration: () => Promise.resolve(),
      },
    };
  }

  private crashes: number[] = [];

  /** A server that ends by itself is started again, but not for ever. */
  private mayRestart(): boolean {
    const now = Date.now();
    this.crashes = [...this.crashes.filter((time) => now - time < 180_000), now];
    return this.crashes.length <= 3;
  }

  private follow(client: LanguageClient, state: State): void {
    if (client !== this.client) {
      return;
    }
    if (state === State.Stopped && this.current.state === 'running') {
      const message = vscode.l10n.t('The server ended by itself. The log says why.');
      this.change({ state: 'failed', message, report: null });
    } else if (state === State.Running && this.current.state === 'failed') {
      this.change({ state: 'running', message: '' });
      this.refreshStatus().catch((error: unknown) => {
        this.log.error(String(error));
      });
    }
  }

  private async giveUp(client: LanguageClient, error: unknown): Promise<void> {
    this.client = null;
    const message = error instanceof Error ? error.message : String(error);
    this.log.error(`the server did not start: ${message}`);
    this.change({ state: 'failed', message, report: null });
    // Stopping a client that never ran rejects; there is nothing left to stop then.
    await client.dispose().catch(() => undefined);
  }

  private async stopNow(): Promise<void> {
    const client = this.client;
    this.client = null;
    if (client) {
      await client.dispose().catch((error: unknown) => {
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
