/** The session that is shown: its turns, what each was begun with, and what replaces them. */

import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { cutAt, findEdited, makeEdit, renderCut } from '../asking/replacing';
import { whenRunning } from '../asking/whenRunning';
import type { Server } from '../server/server';
import type { Edit } from '../shared/asking';
import type { SessionResult } from '../shared/protocol';
import { restoreTurn, type Turn } from '../shared/turns';
import { TurnFeed } from './turnFeed';
import { TurnRunner, type Work } from './turnRunner';

export type SessionWork<Result> = Omit<Work<Result>, 'sessionId'>;
interface Session {
  id: string;
}

/** Where the session that is shown is kept over a reload of the window. */
const SHOWN_SESSION = 'glossator.shownSession';

export class Conversation implements vscode.Disposable {
  readonly feed = new TurnFeed();
  private readonly runner: TurnRunner;
  private session: Session = { id: '' };
  /** What each turn was begun with, so that it can be begun again. */
  private readonly works = new Map<string, { work: SessionWork<never>; replaced: Edit | null }>();
  private restoring: Promise<void> | null = null;

  constructor(
    private readonly server: Server,
    private readonly memory: vscode.Memento,
  ) {
    this.runner = new TurnRunner(server, this.feed);
  }

  /** The session that is shown; empty until its first question is answered. */
  get sessionId(): string {
    return this.session.id;
  }

  get isRunning(): boolean {
    return this.runner.isRunning;
  }

  /** Run a turn of the session that is shown, in the place of what `edit` names. */
  async begin<Result>(work: SessionWork<Result>, edit: Edit | null): Promise<Result | undefined> {
    const index = edit ? findEdited(this.feed.all, edit) : -1;
    if (index < 0) {
      return this.continueWith(work, null);
    }
    const { session } = this;
    const cut = cutAt(this.feed.all, index);
    const asked = { ...work, argument: { ...work.argument, ...renderCut(cut) } };
    this.feed.replaceAll(cut.before);
    const result = await this.continueWith(asked, cut.ofTurns > cut.keepTurns ? edit : null, work);
    const isReplaced = typeof (result as { number?: unknown } | undefined)?.number === 'number';
    if (this.session === session && cut.ofTurns > cut.keepTurns && !isReplaced) {
      this.bringBack(cut.before, cut.later);
    }
    return result;
  }

  /**
   * Begin a turn again as it was begun; says whether that is known. Of a turn of an earlier window
   * only its question is.
   */
  async beginAgain(turnId: string): Promise<boolean> {
    const known = this.works.get(turnId);
    if (!known) {
      return false;
    }
    if (known.replaced) {
      // It was to replace others, which are still there.
      this.feed.replaceAll(this.feed.all.filter((each) => each.id !== turnId));
    }
    await this.begin(known.work, known.replaced ?? this.editOf(turnId));
    return true;
  }

  /** What asking a turn anew replaces; null when it is gone. */
  editOf(turnId: string): Edit | null {
    const index = this.feed.all.findIndex((turn) => turn.id === turnId);
    return index < 0 ? null : makeEdit(this.feed.all, index);
  }

  stop(turnId: string): void {
    this.runner.stop(turnId);
  }

  stopAll(): void {
    this.runner.stopAll();
  }

  /** Begin anew. The server makes the session with its first question; an empty one is not kept. */
  clear(): void {
    this.stopAll();
    this.show({ id: '' }, []);
  }

  /** Show what was said in a session and go on with it. */
  async resume(sessionId: string): Promise<void> {
    this.stopAll();
    await this.showKept(sessionId);
  }

  /** After a reload of the window, show the session that was shown before; asking waits for it. */
  restore(): void {
    const sessionId = this.memory.get<string>(SHOWN_SESSION);
    const before = this.session;
    if (this.restoring || !sessionId || before.id || this.feed.all.length) {
      return;
    }
    this.restoring = whenRunning(this.server)
      .then(async () => {
        if (this.session === before && !this.feed.all.length) {
          await this.showKept(sessionId);
        }
      })
      // It may have been deleted meanwhile: then there is nothing to show.
      .catch(() => undefined);
  }

  /** Without a server nothing is restored, and nothing is answered either. */
  async restoredIfAny(): Promise<void> {
    if (this.server.status.state === 'running') {
      await this.restoring;
    }
  }

  dispose(): void {
    this.stopAll();
    this.feed.dispose();
  }

  /** The session still has what was to be replaced: it is shown again, the new turn below it. */
  private bringBack(before: readonly Turn[], later: readonly Turn[]): void {
    const added = this.feed.all.slice(before.length);
    this.feed.replaceAll([...before, ...later, ...added]);
    void vscode.window.showInformationMessage(
      vscode.l10n.t('Nothing was replaced: the new turn was not kept.'),
    );
  }

  /** Run a turn of the session that is shown; one begun meanwhile keeps its own id. */
  private async continueWith<Result>(
    work: SessionWork<Result>,
    replaced: Edit | null,
    again: SessionWork<Result> = work,
  ): Promise<Result | undefined> {
    const { session } = this;
    const id = randomUUID();
    this.works.set(id, { work: again, replaced });
    const result = await this.runner.run<Result>({ ...work, sessionId: session.id }, id);
    const sessionId = (result as { sessionId?: unknown } | undefined)?.sessionId;
    if (typeof sessionId === 'string') {
      session.id = sessionId;
      this.remember();
    }
    return result;
  }

  private show(session: Session, turns: readonly Turn[]): void {
    this.session = session;
    this.works.clear();
    this.feed.replaceAll(turns);
    this.remember();
  }

  private remember(): void {
    void this.memory.update(SHOWN_SESSION, this.session.id || undefined);
  }

  private async showKept(sessionId: string): Promise<void> {
    const kept = await this.server.execute<SessionResult>('glossator.readSession', { sessionId });
    const turns = kept.turns.map((turn, index) => restoreTurn(randomUUID(), turn, index + 1));
    this.show({ id: sessionId }, turns);
  }
}
