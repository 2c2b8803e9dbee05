/** The list that opens below `#`, `@` and `/`: a listbox that the text field controls. */

import type { Sign } from '../shared/asking';
import type { Chip } from '../shared/attachments';
import { matchSlash, type SlashCommand } from '../shared/slashCommands';
import { fill, type PanelStrings } from '../shared/strings';
import { make } from './dom';
import { makeAttachmentChip } from './chips';

/** What is being written at the cursor: a sign with the letters after it. */
export interface Trigger {
  sign: Sign | '/';
  query: string;
  /** Where the sign stands in the text. */
  start: number;
}

/** A sign after a letter is part of a word: `C#`, `me@there`. Chinese has no blanks to wait for. */
const ATTACHING = /(?<![A-Za-z0-9_#@/.])([#@])([^\s#@，。？！；]*)$/u;
const COMMAND = /^\s*\/([\p{L}\p{N}_-]*)$/u;

export function findTrigger(text: string, cursor: number): Trigger | null {
  const before = text.slice(0, cursor);
  const command = COMMAND.exec(before);
  if (command) {
    return { sign: '/', query: command[1] ?? '', start: before.indexOf('/') };
  }
  const match = ATTACHING.exec(before);
  return match ? { sign: match[1] as Sign, query: match[2] ?? '', start: match.index } : null;
}

interface Option {
  element: HTMLElement;
  choose: () => void;
}

export interface CompletionActions {
  ask: (sign: Sign, query: string) => void;
  attach: (chip: Chip, trigger: Trigger) => void;
  command: (command: SlashCommand) => void;
  announce: (text: string) => void;
}

export class Completion {
  readonly element: HTMLElement;
  private readonly list: HTMLElement;
  private readonly hint = make('div', { class: 'completion-hint', hidden: true });
  private options: Option[] = [];
  private active = 0;
  private trigger: Trigger | null = null;

  constructor(
    private readonly input: HTMLTextAreaElement,
    private readonly strings: PanelStrings,
    private readonly actions: CompletionActions,
  ) {
    this.list = make('div', {
      class: 'completion-list',
      attributes: { id: 'completion', role: 'listbox', 'aria-label': strings.suggestions },
    });
    this.element = make('div', { class: 'completion', hidden: true }, this.list, this.hint);
    input.setAttribute('aria-autocomplete', 'list');
    // The field keeps the focus, so that one can go on writing.
    this.element.addEventListener('mousedown', (event) => {
      event.preventDefault();
    });
  }

  get isOpen(): boolean {
    return !this.element.hidden && this.options.length > 0;
  }

  /** Look at what stands before the cursor, and open, fill or close the list. */
  update(): void {
    const cursor = this.input.selectionEnd;
    const trigger = findTrigger(this.input.value, cursor);
    const before = this.trigger;
    this.trigger = trigger;
    if (!trigger) {
      this.close();
    } else if (trigger.sign === '/') {
      this.show(matchSlash(trigger.query).map((each) => this.makeCommand(each)));
    } else if (trigger.sign !== before?.sign || trigger.query !== before.query || !this.isOpen) {
      this.actions.ask(trigger.sign, trigger.query);
    }
  }

  /** Show what was found, unless something else is being written by now. */
  receive(sign: Sign, query: string, chips: readonly Chip[], hint: string): void {
    if (this.trigger?.sign !== sign || this.trigger.query !== query) {
      return;
    }
    this.show(
      chips.map((chip) => this.makeChip(chip)),
      hint,
    );
  }

  close(): void {
    this.trigger = null;
    this.options = [];
    this.list.replaceChildren();
    this.element.hidden = true;
    this.input.removeAttribute('role');
    this.input.removeAttribute('aria-expanded');
    this.input.removeAttribute('aria-controls');
    this.input.removeAttribute('aria-activedescendant');
  }

  /** Move, choose or close; says whether the key was meant for the list. */
  press(event: KeyboardEvent): boolean {
    if (this.element.hidden) {
      return false;
    }
    if (event.key === 'Escape') {
      this.close();
      return true;
    }
    if (!this.options.length) {
      return false;
    }
    const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 };
    const step = steps[event.key];
    if (step) {
      this.activate((this.active + step + this.options.length) % this.options.length);
      return true;
    }
    if ((event.key === 'Enter' && !event.shiftKey) || event.key === 'Tab') {
      this.options[this.active]?.choose();
      return true;
    }
    return false;
  }

  private show(options: Option[], hint = ''): void {
    this.options = options;
    options.forEach(({ element }, index) => {
      element.id = `${this.list.id}-${index}`;
    });
    this.element.hidden = options.length === 0 && !hint;
    this.hint.textContent = hint;
    this.hint.hidden = !hint;
    this.list.replaceChildren(...options.map(({ element }) => element));
    if (hint) {
      this.actions.announce(hint);
    }
    if (!options.length) {
      this.input.removeAttribute('aria-activedescendant');
      return;
    }
    this.input.setAttribute('role', 'combobox');
    this.input.setAttribute('aria-expanded', 'true');
    this.input.setAttribute('aria-controls', this.list.id);
    this.activate(0);
    this.actions.announce(fill(this.strings.suggestionsFound, options.length));
  }

  private activate(index: number): void {
    this.options[this.active]?.element.setAttribute('aria-selected', 'false');
    this.active = index;
    const element = this.options[index]?.element;
    element?.setAttribute('aria-selected', 'true');
    element?.scrollIntoView({ block: 'nearest' });
    this.input.setAttribute('aria-activedescendant', element?.id ?? '');
  }

  private makeChip(chip: Chip): Option {
    const choose = () => {
      // More may have been written since the list was asked for: all of it is replaced.
      const { trigger } = this;
      if (trigger) {
        this.close();
        this.actions.attach(chip, trigger);
      }
    };
    const place = chip.place === chip.label ? '' : chip.place;
    return this.makeOption(makeAttachmentChip(chip, this.strings), place, choose);
  }

  private makeCommand(command: SlashCommand): Option {
    const isChinese = document.documentElement.lang.toLowerCase().startsWith('zh');
    const other = isChinese ? ` /${command.chinese}` : '';
    const name = make('span', { class: 'command-name', text: `/${command.name}${other}` });
    return this.makeOption(name, this.strings[command.description], () => {
      this.close();
      this.actions.command(command);
    });
  }

  private makeOption(name: HTMLElement, detail: string, choose: () => void): Option {
    const element = make(
      'div',
      { class: 'option', attributes: { role: 'option', 'aria-selected': 'false' } },
      name,
      detail && make('span', { class: 'option-detail', text: detail, title: detail }),
    );
    element.addEventListener('click', choose);
    return { element, choose };
  }
}
