/** The sessions of the workspace: searched, gone on with, renamed, exported, deleted. */

import type { ExportFormat } from '../shared/asking';
import type { FromPanel } from '../shared/messages';
import type { SessionEntry } from '../shared/protocol';
import { fill, type PanelStrings } from '../shared/strings';
import { makeButton, withAction } from './actions';
import { make, type Icon } from './dom';

/** Typing asks the server, which searches what was said as well. */
const SEARCH_DELAY_MS = 150;

export interface SessionListActions {
  send: (message: FromPanel) => void;
  closed: () => void;
  announce: (text: string) => void;
}

export class SessionList {
  readonly element: HTMLElement;
  private readonly search: HTMLInputElement;
  private readonly list = make('ul', { class: 'session-list' });
  private readonly empty = make('p', { class: 'sessions-empty', hidden: true });
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly strings: PanelStrings,
    private readonly actions: SessionListActions,
  ) {
    this.search = make('input', {
      class: 'session-search',
      attributes: {
        type: 'search',
        placeholder: strings.searchSessions,
        'aria-label': strings.searchSessions,
        spellcheck: 'false',
      },
    });
    this.list.setAttribute('aria-label', strings.sessions);
    const back = { label: strings.backToChat, class: 'tool-button', icon: 'back', iconOnly: true };
    this.element = make(
      'section',
      { class: 'sessions', hidden: true, attributes: { 'aria-label': strings.sessions } },
      make(
        'div',
        { class: 'sessions-head' },
        makeButton({ ...back, icon: 'back' }, () => {
          this.close();
        }),
        this.search,
      ),
      this.empty,
      this.list,
    );
    this.listen();
  }

  get isOpen(): boolean {
    return !this.element.hidden;
  }

  open(): void {
    this.element.hidden = false;
    this.search.value = '';
    this.ask();
    this.search.focus();
  }

  close(): void {
    if (this.isOpen) {
      this.element.hidden = true;
      clearTimeout(this.timer);
      this.actions.closed();
    }
  }

  /** Show what was found, unless something else is looked for by now. */
  receive(query: string, sessions: readonly SessionEntry[], shown: string): void {
    if (query !== this.search.value) {
      return;
    }
    const { strings } = this;
    const focused = this.focusedSession();
    this.list.replaceChildren(
      ...sessions.map((entry) => this.makeRow(entry, entry.sessionId === shown)),
    );
    const [one, many] = [strings.sessionFound, strings.sessionsFound];
    const text = sessions.length
      ? fill(sessions.length === 1 ? one : many, sessions.length)
      : query
        ? fill(strings.noSessionFound, query)
        : strings.noSessions;
    this.empty.hidden = sessions.length > 0;
    this.empty.textContent = text;
    this.actions.announce(text);
    if (focused !== null) {
      this.focusRow(focused);
    }
  }

  fail(message: string): void {
    this.empty.hidden = false;
    this.empty.textContent = message;
    this.actions.announce(message);
  }

  /** Look again for what is in the search. */
  ask(): void {
    this.actions.send({ type: 'listSessions', query: this.search.value });
  }

  private listen(): void {
    this.search.addEventListener('input', (event) => {
      clearTimeout(this.timer);
      if (!(event as InputEvent).isComposing) {
        this.timer = setTimeout(() => {
          this.ask();
        }, SEARCH_DELAY_MS);
      }
    });
    this.search.addEventListener('compositionend', () => {
      this.ask();
    });
    this.element.addEventListener('keydown', (event) => {
      if (event.isComposing || event.defaultPrevented) {
        return;
      }
      if (event.key === 'Escape') {
        event.preventDefault();
        this.close();
      } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
        this.move(event);
      }
    });
  }

  /** Go from row to row; above the first is the search. */
  private move(event: KeyboardEvent): void {
    const target = event.target as HTMLElement;
    if (target instanceof HTMLInputElement && target !== this.search) {
      return;
    }
    event.preventDefault();
    const rows = this.rows();
    const index = rows.findIndex((row) => row.contains(target));
    const next = index + (event.key === 'ArrowDown' ? 1 : -1);
    if (next < 0) {
      this.search.focus();
    } else {
      this.focusRow(next);
    }
  }

  private rows(): HTMLElement[] {
    return [...this.list.children] as HTMLElement[];
  }

  private focusedSession(): number | null {
    const index = this.rows().findIndex((row) => row.contains(document.activeElement));
    return index < 0 ? null : index;
  }

  private focusRow(index: number): void {
    const rows = this.rows();
    const row = rows[Math.min(index, rows.length - 1)];
    (row?.querySelector<HTMLElement>('.session-open') ?? this.search).focus();
  }

  private makeRow(entry: SessionEntry, isShown: boolean): HTMLElement {
    const { strings } = this;
    const facts = [
      entry.nTurns === 1 ? strings.oneTurn : fill(strings.nTurns, entry.nTurns),
      new Date(entry.updatedAt).toLocaleString(document.documentElement.lang || undefined, {
        dateStyle: 'medium',
        timeStyle: 'short',
      }),
      isShown ? strings.sessionShown : '',
    ].filter(Boolean);
    const open = withAction(
      make(
        'button',
        { class: 'session-open', attributes: { type: 'button' } },
        make('span', { class: 'session-title', text: entry.title }),
        entry.lastQuestion !== entry.title &&
          make('span', { class: 'session-last', text: entry.lastQuestion }),
        make('span', { class: 'session-facts', text: facts.join(' · ') }),
      ),
      () => {
        this.actions.send({ type: 'resumeSession', sessionId: entry.sessionId });
        this.close();
      },
    );
    const row = make('li', { class: 'session' }, open);
    row.dataset['shown'] = String(isShown);
    row.append(this.makeTools(row, entry));
    return row;
  }

  private makeTools(row: HTMLElement, entry: SessionEntry): HTMLElement {
    const { strings } = this;
    const tool = (label: string, icon: Icon, run: () => void) =>
      makeButton(
        {
          label: fill(label, entry.title),
          class: 'tool-button',
          icon,
          iconOnly: true,
        },
        run,
      );
    return make(
      'div',
      { class: 'session-tools' },
      tool(strings.renameSession, 'edit', () => {
        this.rename(row, entry);
      }),
      tool(strings.exportSession, 'export', () => {
        this.chooseFormat(row, entry);
      }),
      tool(strings.deleteSession, 'trash', () => {
        this.confirmDelete(row, entry);
      }),
    );
  }

  private rename(row: HTMLElement, entry: SessionEntry): void {
    const { strings } = this;
    const input = make('input', {
      class: 'session-name',
      attributes: { 'aria-label': fill(strings.renameSession, entry.title) },
    });
    input.value = entry.title;
    this.askInRow(
      row,
      [input],
      [
        [
          strings.rename,
          () => {
            const title = input.value.trim();
            if (title) {
              this.actions.send({ type: 'renameSession', sessionId: entry.sessionId, title });
            }
            return Boolean(title);
          },
        ],
      ],
    );
    input.addEventListener('keydown', (event) => {
      if (event.key === 'Enter' && !event.isComposing) {
        event.preventDefault();
        row.querySelector<HTMLElement>('.session-question button')?.click();
      }
    });
    input.focus();
    input.select();
  }

  private chooseFormat(row: HTMLElement, entry: SessionEntry): void {
    const run = (format: ExportFormat) => () => {
      this.actions.send({ type: 'exportSession', sessionId: entry.sessionId, format });
      return true;
    };
    this.askInRow(
      row,
      [make('span', { text: fill(this.strings.exportAs, entry.title) })],
      [
        ['Markdown', run('markdown')],
        ['JSON', run('json')],
      ],
    );
  }

  private confirmDelete(row: HTMLElement, entry: SessionEntry): void {
    const { strings } = this;
    const turns = entry.nTurns === 1 ? strings.oneTurn : fill(strings.nTurns, entry.nTurns);
    this.askInRow(
      row,
      [make('span', { text: fill(strings.deleteForGood, entry.title, turns) })],
      [
        [
          strings.deleteNow,
          () => {
            this.actions.send({ type: 'deleteSession', sessionId: entry.sessionId });
            return true;
          },
        ],
      ],
    );
  }

  /** Ask in the row itself; each answer says whether the question is settled. */
  private askInRow(
    row: HTMLElement,
    question: readonly HTMLElement[],
    answers: readonly [string, () => boolean][],
  ): void {
    const asked = make('div', { class: 'session-question', attributes: { role: 'group' } });
    const settle = () => {
      asked.remove();
      row.classList.remove('asking');
      row.querySelector<HTMLElement>('.session-open')?.focus();
    };
    const buttons = answers.map(([label, answer]) =>
      makeButton({ label }, () => {
        if (answer()) {
          settle();
        }
      }),
    );
    asked.append(...question, ...buttons, makeButton({ label: this.strings.keepAsIs }, settle));
    asked.addEventListener('keydown', (event) => {
      if (event.key === 'Escape' && !event.isComposing) {
        event.preventDefault();
        settle();
      }
    });
    row.querySelector('.session-question')?.remove();
    row.classList.add('asking');
    row.append(asked);
    this.actions.announce(question.map((each) => each.textContent).join(' '));
    buttons[0]?.focus();
  }
}
