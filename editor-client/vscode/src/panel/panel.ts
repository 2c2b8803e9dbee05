/** The page of a panel: takes messages from the extension host and shows them. */

import type { Draft } from '../shared/asking';
import type { FromPanel, Surroundings, ToPanel } from '../shared/messages';
import { applyEvent, type Turn } from '../shared/turns';
import type { PanelStrings } from '../shared/strings';
import { listenForActions, makeButton } from './actions';
import { Composer } from './composer';
import { make, putChildren } from './dom';
import { parsePlace } from './places';
import { SessionList } from './sessionList';
import { TurnView, type TurnLook } from './turnView';
import { makeServerCard, makeWelcome } from './welcome';

export interface Host {
  postMessage: (message: FromPanel) => void;
  /** Keep what is being written; after a reload it is received again. */
  keep: (draft: Draft) => void;
}

export interface PanelOptions {
  strings: PanelStrings;
  mode: 'chat' | 'answer';
  /** Runs `draw` before the next frame; streaming never draws more often than that. */
  schedule: (draw: () => void) => void;
}

export class Panel {
  private readonly log: HTMLElement;
  private readonly welcome = make('div', { class: 'welcome' });
  private readonly trouble = make('div', { class: 'trouble' });
  private readonly announcer: HTMLElement;
  private readonly head = make('header', { class: 'answer-head' });
  private readonly composer: Composer | null;
  private readonly sessions: SessionList | null;
  private readonly look: TurnLook;
  private readonly views = new Map<string, TurnView>();
  private turns: Turn[] = [];
  private readonly changed = new Set<string>();
  private isScheduled = false;
  private readonly streamed = new Set<string>();
  private around: Surroundings | null = null;

  constructor(
    private readonly root: HTMLElement,
    private readonly host: Host,
    private readonly options: PanelOptions,
  ) {
    const { strings, mode } = options;
    // Focusable, so that keys scroll an answer that has nothing else to focus.
    const label = mode === 'chat' ? strings.conversation : strings.answerAria;
    this.log = make('main', { class: 'log', attributes: { tabindex: '0', 'aria-label': label } });
    // Announcing every word would drown a screen reader; it is told what begins and what is ready.
    this.announcer = make('div', {
      class: 'visually-hidden',
      attributes: { role: 'status', 'aria-live': 'polite' },
    });
    this.look = {
      strings,
      withQuestion: mode === 'chat',
    };
    this.composer = mode === 'chat' ? this.makeComposer() : null;
    this.sessions = mode === 'chat' ? this.makeSessions() : null;
    root.classList.add(mode);
    root.append(...(mode === 'answer' ? [this.head] : []), this.log, this.trouble, this.announcer);
    if (this.composer && this.sessions) {
      root.append(this.sessions.element, this.composer.element);
      this.fit();
    }
    listenForActions(root, (message) => {
      host.postMessage(message);
      if (message.type === 'copy') {
        this.announce(strings.copied);
      }
    });
    document.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape' || event.defaultPrevented || event.isComposing) {
        return;
      }
      if (this.composer) {
        this.composer.escape();
      } else {
        this.stop();
      }
    });
    this.draw();
    host.postMessage({ type: 'ready' });
  }

  /** Fit what is as high as its text to the width there is. */
  fit(): void {
    this.composer?.grow();
  }

  receive(message: ToPanel): void {
    switch (message.type) {
      case 'conversation':
        this.turns = [...message.turns];
        this.views.clear();
        this.scheduleDraw();
        break;
      case 'turn':
        this.putTurn(message.turn);
        break;
      case 'events': {
        const index = this.turns.findIndex((turn) => turn.id === message.turnId);
        const turn = this.turns[index];
        if (turn) {
          this.turns[index] = message.events.reduce(applyEvent, turn);
          this.changed.add(turn.id);
          this.scheduleDraw();
        }
        break;
      }
      case 'surroundings':
        this.around = message.surroundings;
        this.scheduleDraw();
        break;
      default:
        this.receiveAboutAsking(message);
    }
  }

  private receiveAboutAsking(message: ToPanel): void {
    switch (message.type) {
      case 'focus':
        this.sessions?.close();
        this.composer?.focus(message.question);
        break;
      case 'draft':
        this.composer?.restore(message.draft);
        break;
      case 'completions':
        this.composer?.complete(message.sign, message.query, message.chips, message.hint);
        break;
      case 'attach':
        this.composer?.attach(message.chips, message.problems);
        break;
      case 'compose':
        this.sessions?.close();
        this.composer?.compose(message);
        break;
      case 'hint':
        this.composer?.tell(message.text);
        break;
      case 'showSessions':
        this.showSessions();
        break;
      case 'sessions':
        this.sessions?.receive(message.query, message.sessions, message.shown);
        break;
      case 'sessionsChanged':
        this.sessions?.ask();
        break;
      case 'sessionsFailed':
        this.sessions?.fail(message.message);
        break;
      default:
    }
  }

  private showSessions(): void {
    this.root.classList.add('listing');
    this.sessions?.open();
  }

  private makeSessions(): SessionList {
    return new SessionList(this.options.strings, {
      send: (message) => {
        this.host.postMessage(message);
      },
      closed: () => {
        this.root.classList.remove('listing');
        this.composer?.focus('');
      },
      announce: (text) => {
        this.announce(text);
      },
    });
  }

  private putTurn(turn: Turn): void {
    const index = this.turns.findIndex((each) => each.id === turn.id);
    const before = this.turns[index];
    if (index < 0) {
      this.turns.push(turn);
    } else {
      this.turns[index] = turn;
    }
    if (turn.status === 'running' && !before) {
      this.announce(this.options.strings.answering);
    } else if (turn.status !== 'running') {
      this.announce(this.describeEnd(turn));
    }
    this.changed.add(turn.id);
    this.scheduleDraw(index < 0);
  }

  private describeEnd(turn: Turn): string {
    const { strings } = this.options;
    if (turn.refusal) {
      return `${strings.refused}. ${turn.refusal.message}`;
    }
    const ends = { cancelled: strings.cancelled, failed: strings.failed };
    return turn.status === 'cancelled' || turn.status === 'failed'
      ? ends[turn.status]
      : strings.answerReady;
  }

  private scheduleDraw(toEnd = false): void {
    if (toEnd) {
      this.log.dataset['follow'] = 'yes';
    }
    if (!this.isScheduled) {
      this.isScheduled = true;
      this.options.schedule(() => {
        this.isScheduled = false;
        this.draw();
      });
    }
  }

  private draw(): void {
    const hasNews =
      this.log.dataset['follow'] !== undefined ||
      this.turns.some((turn) => this.changed.has(turn.id) || !this.views.has(turn.id));
    const follow = this.isAtEnd();
    const last = this.turns.at(-1);
    const elements = this.turns.map((turn) => {
      const view = this.views.get(turn.id);
      if (!view) {
        const made = new TurnView(turn, this.look);
        this.views.set(turn.id, made);
        // The last one is scrolled to, so its height has to be known.
        if (turn !== last) {
          made.settle();
        }
        return made.element;
      }
      if (this.changed.has(turn.id)) {
        view.update(turn);
      } else {
        view.settle();
      }
      return view.element;
    });
    this.changed.clear();
    this.drawHead();
    this.drawSurroundings();
    putChildren(this.log, this.turns.length || !this.composer ? elements : [this.welcome]);
    if (follow && this.turns.length && this.options.mode === 'chat') {
      if (hasNews) {
        this.scrollToNews();
      } else {
        // What changed is around the conversation: who reads its end stays there.
        this.log.scrollTop = this.log.scrollHeight;
      }
    }
  }

  private drawHead(): void {
    const turn = this.turns.at(-1);
    const state = turn ? JSON.stringify([turn.id, turn.question, turn.status]) : '';
    if (this.composer || !turn || this.head.dataset['state'] === state) {
      return;
    }
    this.head.dataset['state'] = state;
    const { strings } = this.options;
    const place = parsePlace(turn.context);
    this.head.replaceChildren(
      make('h1', { text: turn.question }),
      place
        ? makeButton({ label: turn.context, class: 'place' }, { type: 'openPlace', place })
        : turn.context,
    );
    if (turn.status === 'running') {
      this.head.append(
        makeButton({ label: strings.stop, class: 'button stop-answer', icon: 'stop' }, () => {
          this.stop();
        }),
      );
    }
  }

  private drawSurroundings(): void {
    const { strings } = this.options;
    const isRunning = this.turns.some((turn) => turn.status === 'running');
    this.root.classList.toggle('busy', isRunning);
    if (!this.around || !this.composer) {
      return;
    }
    this.composer.setContext(this.around.context);
    this.composer.setState(this.around.server.state === 'running', isRunning);
    const isEmpty = this.turns.length === 0;
    const state = JSON.stringify([{ ...this.around, context: '' }, isEmpty]);
    if (this.welcome.dataset['state'] === state) {
      return;
    }
    this.welcome.dataset['state'] = state;
    const ask = (question: string) => {
      this.ask(question, false);
    };
    const card = isEmpty ? null : makeServerCard(this.around, strings);
    this.welcome.replaceChildren(...(isEmpty ? makeWelcome(this.around, strings, ask) : []));
    this.trouble.replaceChildren(...(card ? [card] : []));
  }

  /** The end of what streams; the beginning of what came at once, which is where one reads. */
  private scrollToNews(): void {
    const last = this.turns.at(-1);
    if (last?.status === 'running') {
      if (last.parts.length) {
        this.streamed.add(last.id);
      }
      this.log.scrollTop = this.log.scrollHeight;
    } else if (last && this.streamed.has(last.id)) {
      this.log.scrollTop = this.log.scrollHeight;
    } else if (last) {
      const top = this.views.get(last.id)?.element.offsetTop ?? 0;
      this.log.scrollTop = top - this.log.offsetTop;
    }
  }

  /** Follow the answer unless the reader has scrolled away from its end. */
  private isAtEnd(): boolean {
    if (this.log.dataset['follow']) {
      delete this.log.dataset['follow'];
      return true;
    }
    return this.log.scrollHeight - this.log.scrollTop - this.log.clientHeight < 40;
  }

  private makeComposer(): Composer {
    const { host } = this;
    return new Composer(this.options.strings, {
      send: (message) => {
        host.postMessage(message);
      },
      stop: () => {
        this.stop();
      },
      keep: host.keep,
      announce: (text) => {
        this.announce(text);
      },
      asked: () => this.turns.map((turn) => turn.question),
    });
  }

  private ask(question: string, withContext: boolean): void {
    this.host.postMessage({ type: 'ask', question, withContext, chips: [], edit: null });
  }

  private stop(): void {
    for (const turn of this.turns) {
      if (turn.status === 'running') {
        this.host.postMessage({ type: 'stop', turnId: turn.id });
      }
    }
  }

  private announce(text: string): void {
    this.announcer.textContent = text;
  }
}
