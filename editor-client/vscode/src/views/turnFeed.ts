/** Turns, and everything a panel has to hear about them, with streamed events bundled. */

import * as vscode from 'vscode';
import type { ToPanel } from '../shared/messages';
import type { TurnEvent } from '../shared/protocol';
import { applyEvent, type Turn } from '../shared/turns';

/** A message for each of 100 deltas a second would cost more than drawing them. */
const BUNDLE_MS = 25;

export class TurnFeed implements vscode.Disposable {
  private turns: Turn[] = [];
  private waiting: { turnId: string; events: TurnEvent[] } | null = null;
  private timer: NodeJS.Timeout | undefined;
  private readonly messages = new vscode.EventEmitter<ToPanel>();
  readonly onMessage = this.messages.event;

  get all(): readonly Turn[] {
    return this.turns;
  }

  find(id: string): Turn | undefined {
    return this.turns.find((turn) => turn.id === id);
  }

  /** Put a turn in, or in the place of its earlier self. */
  put(turn: Turn): void {
    this.flush();
    const index = this.turns.findIndex((each) => each.id === turn.id);
    this.turns = index < 0 ? [...this.turns, turn] : this.turns.with(index, turn);
    this.messages.fire({ type: 'turn', turn });
  }

  /** Change a turn that is still here; a new session may have taken it away. */
  change(id: string, change: (turn: Turn) => Turn): void {
    const turn = this.find(id);
    if (turn) {
      this.put(change(turn));
    }
  }

  apply(turnId: string, event: TurnEvent): void {
    const index = this.turns.findIndex((turn) => turn.id === turnId);
    const turn = this.turns[index];
    if (turn?.status !== 'running') {
      return;
    }
    this.turns = this.turns.with(index, applyEvent(turn, event));
    if (this.waiting && this.waiting.turnId !== turnId) {
      this.flush();
    }
    this.waiting ??= { turnId, events: [] };
    this.waiting.events.push(event);
    this.timer ??= setTimeout(() => {
      this.flush();
    }, BUNDLE_MS);
  }

  replaceAll(turns: readonly Turn[]): void {
    this.flush();
    this.turns = [...turns];
    this.messages.fire({ type: 'conversation', turns: this.turns });
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.messages.dispose();
  }

  private flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.waiting) {
      this.messages.fire({ type: 'events', ...this.waiting });
      this.waiting = null;
    }
  }
}
