/** Runs a turn on the server and keeps its picture in a feed up to date. */

import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import type { Server } from '../server/server';
import type { Chip } from '../shared/attachments';
import type { TurnEvent } from '../shared/protocol';
import { cancelTurn, failTurn, startTurn, type Turn, type TurnKind } from '../shared/turns';
import type { TurnFeed } from './turnFeed';

export interface Work<Result> {
  kind: TurnKind;
  question: string;
  context: string;
  command: string;
  argument: object;
  /** What is attached, as it is shown. */
  chips?: readonly Chip[];
  /** What has to be done before the server is asked. */
  prepare?: () => Promise<void>;
  /** The session that goes on with this; one that is gone is begun anew. */
  sessionId?: string;
  finish: (turn: Turn, result: Result) => Turn;
}

export class TurnRunner {
  private readonly running = new Map<string, vscode.CancellationTokenSource>();

  constructor(
    private readonly server: Server,
    private readonly feed: TurnFeed,
  ) {}

  /** Whether a turn runs that was not stopped: a stopped one only has to end yet. */
  get isRunning(): boolean {
    return [...this.running.values()].some((source) => !source.token.isCancellationRequested);
  }

  /** Return the result, or undefined when it was stopped or failed; the feed says which. */
  async run<Result>(work: Work<Result>, id: string = randomUUID()): Promise<Result | undefined> {
    const source = new vscode.CancellationTokenSource();
    this.running.set(id, source);
    const modelName = this.server.status.report?.model.name ?? '';
    const begun = startTurn(id, work.kind, work.question, work.context);
    this.feed.put({ ...begun, chips: work.chips ?? [], modelName });
    try {
      await work.prepare?.();
      // The status bar tells of the work even when the panel is hidden, and can cancel it.
      const result = await this.withProgress(work.question, source, (onProgress) => {
        const execute = (sessionId?: string) => {
          const argument = { ...work.argument, ...(sessionId ? { sessionId } : {}) };
          const onEvent = (event: TurnEvent) => {
            this.feed.apply(id, event);
          };
          const request = { token: source.token, onEvent, onProgress };
          return this.server.execute<Result>(work.command, argument, request);
        };
        return execute(work.sessionId).catch((error: unknown) => {
          if (!isUnknownSession(error)) {
            throw error;
          }
          return execute();
        });
      });
      this.feed.change(id, (turn) => work.finish(turn, result));
      return result;
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      this.feed.change(id, (turn) =>
        source.token.isCancellationRequested ? cancelTurn(turn) : failTurn(turn, message),
      );
      return undefined;
    } finally {
      this.running.delete(id);
      source.dispose();
    }
  }

  stop(id: string): void {
    this.running.get(id)?.cancel();
  }

  stopAll(): void {
    this.running.forEach((source) => {
      source.cancel();
    });
  }

  private withProgress<Result>(
    question: string,
    source: vscode.CancellationTokenSource,
    task: (report: (value: { message?: string }) => void) => Promise<Result>,
  ): Thenable<Result> {
    const title = `Glossator: ${question.length > 40 ? `${question.slice(0, 40)}…` : question}`;
    const options = { location: vscode.ProgressLocation.Window, title, cancellable: true };
    return vscode.window.withProgress(options, (progress, token) => {
      token.onCancellationRequested(() => {
        source.cancel();
      });
      return task((value) => {
        progress.report(value);
      });
    });
  }
}

function isUnknownSession(error: unknown): boolean {
  return (error as { data?: { code?: unknown } } | null)?.data?.code === 'unknown-session';
}
