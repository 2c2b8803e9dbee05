/**
 * The wire to a running server: the language client, and all that needs it.
 *
 * A bundle of its own: reading the language client takes most of the extension's start, and the
 * editor need not wait for it.
 */

import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import {
  CloseAction,
  CodeActionRequest,
  ErrorAction,
  ExecuteCommandRequest,
  LanguageClient,
  ProgressType,
  RevealOutputChannelOn,
  State,
  WorkDoneProgress,
  WorkDoneProgressCancelNotification,
  type LanguageClientOptions,
  type MessageSignature,
  type Middleware,
} from 'vscode-languageclient/node';
import { offerEditor } from '../backend/feature';
import type { LentModels } from '../backend/lentModels';
import { EditorModels } from '../backend/models';
import { findUnconfirmed, showFirst, type Change } from '../code/consent';
import type { ServerSettings } from '../settings';
import type { StatusResult, TurnEvent } from '../shared/protocol';
import { hideSecrets } from './trace';

export interface Request {
  token?: vscode.CancellationToken;
  onEvent?: (event: TurnEvent) => void;
  onProgress?: (report: { message?: string; increment?: number }) => void;
}

/** What the client needs of the extension, and whom it tells what happens. */
export interface Host {
  extension: vscode.ExtensionContext;
  log: vscode.LogOutputChannel;
  lentModels: LentModels;
  readSettings: () => Promise<ServerSettings>;
  runCommand: (command: string, args: unknown[]) => Promise<unknown>;
  /** Show edits that want consent; true when they were made. */
  showChange: (change: Change) => Promise<boolean>;
  /** Whether a server that ended by itself is to be started again. */
  mayRestart: () => boolean;
  onReport: (report: StatusResult) => void;
  /** The server runs now, or it has ended. */
  onRunning: (isRunning: boolean) => void;
}

const EVENTS = new ProgressType<TurnEvent>();
const NEVER_CANCELLED = new vscode.CancellationTokenSource().token;
const STATUS_CHANGED = 'glossator/statusChanged';

export class Client {
  private readonly client: LanguageClient;

  /** `settings` are those the server starts with. */
  constructor(
    server: { command: string; args: string[] },
    settings: ServerSettings,
    private readonly host: Host,
  ) {
    const options = { cwd: host.extension.extensionPath, env: process.env };
    this.client = new LanguageClient(
      'glossator',
      'Glossator',
      { command: server.command, args: server.args, options },
      this.options(settings),
    );
    offerEditor(this.client, new EditorModels(host.lentModels));
    this.client.onNotification(STATUS_CHANGED, host.onReport);
    this.client.onDidChangeState(({ newState }) => {
      if (newState !== State.Starting) {
        host.onRunning(newState === State.Running);
      }
    });
  }

  /** Start the server and return its version; rejects when it does not come up. */
  async start(): Promise<string> {
    await this.client.start();
    return this.client.initializeResult?.serverInfo?.version ?? '';
  }

  async stop(): Promise<void> {
    await this.client.dispose();
  }

  /** Run one of the server's commands; events of the turn arrive while it runs. */
  async execute<Result>(command: string, argument: object, request: Request): Promise<Result> {
    const { client } = this;
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

  /** Give the server the settings as they are now; it tells its status when it uses them. */
  async sendSettings(): Promise<void> {
    const settings = { glossator: await this.host.readSettings() };
    await this.client.sendNotification('workspace/didChangeConfiguration', { settings });
  }

  private options(settings: ServerSettings): LanguageClientOptions {
    const { extension, log, mayRestart } = this.host;
    return {
      documentSelector: [{ scheme: 'file' }, { scheme: 'untitled' }],
      outputChannel: log,
      traceOutputChannel: hideSecrets(log),
      revealOutputChannelOn: RevealOutputChannelOn.Never,
      // A pull right after a save brings what the checks find without a round to the server more.
      diagnosticPullOptions: { onChange: true, onSave: true },
      initializationOptions: {
        settings,
        workspaceTrusted: vscode.workspace.isTrusted,
        clientShowsAnswers: true,
        statusNotifications: true,
        pluginVersion: (extension.extension.packageJSON as { version: string }).version,
      },
      initializationFailedHandler: () => false,
      errorHandler: {
        error: () => ({ action: ErrorAction.Continue }),
        closed: () => ({
          action: mayRestart() ? CloseAction.Restart : CloseAction.DoNotRestart,
          handled: true,
        }),
      },
      middleware: this.middleware(),
    };
  }

  private middleware(): Middleware {
    const { readSettings, runCommand, showChange } = this.host;
    return {
      sendRequest: async <P, R>(
        type: string | MessageSignature,
        parameters: P | undefined,
        token: vscode.CancellationToken | undefined,
        next: (
          type: string | MessageSignature,
          parameters?: P,
          token?: vscode.CancellationToken,
        ) => Promise<R>,
      ) => {
        const result = await next(type, parameters, token);
        const isOfActions = type === CodeActionRequest.type && Array.isArray(result);
        return isOfActions ? (result.map(showFirst) as R) : result;
      },
      executeCommand: (command, args) => runCommand(command, args as unknown[]),
      workspace: {
        configuration: async (parameters, token, next) => {
          const answer = await next(parameters, token);
          if (!Array.isArray(answer)) {
            return answer;
          }
          const settings = await readSettings();
          const values: unknown[] = answer;
          return values.map((value, index) =>
            parameters.items[index]?.section === 'glossator' ? settings : value,
          );
        },
        handleApplyEdit: async (parameters, next) => {
          const change = findUnconfirmed(parameters.edit);
          return change ? { applied: await showChange(change) } : next(parameters, NEVER_CANCELLED);
        },
        // `sendSettings` sends what was set; the client's own message would send defaults too.
        didChangeConfiguration: () => Promise.resolve(),
      },
    };
  }
}
