/** Where a question is written: with what is attached, suggestions, and what an edit replaces. */

import type { Composed, Draft, Edit, Sign } from '../shared/asking';
import type { Chip } from '../shared/attachments';
import { parseSlash, SLASH_COMMANDS, type SlashCommand } from '../shared/slashCommands';
import { fill, type PanelStrings } from '../shared/strings';
import type { FromPanel } from '../shared/messages';
import { makeButton, withAction } from './actions';
import { ChipList } from './chips';
import { Completion, type Trigger } from './completion';
import { make, makeIcon } from './dom';
import { listenForFiles } from './dropping';
import { atEnd, withChosen, withCommand, withSign, type FieldText } from './fieldText';
import { Recall } from './recall';

export interface ComposerActions {
  send: (message: FromPanel) => void;
  stop: () => void;
  keep: (draft: Draft) => void;
  announce: (text: string) => void;
  /** The questions of the conversation, the latest last. */
  asked: () => readonly string[];
}

export class Composer {
  readonly element: HTMLElement;
  private readonly input: HTMLTextAreaElement;
  private readonly send: HTMLButtonElement;
  private readonly stop: HTMLButtonElement;
  private readonly context: HTMLButtonElement;
  private readonly contextName = make('span');
  private readonly note = make('div', { class: 'composer-note', hidden: true });
  private readonly banner = make('div', { class: 'edit-banner', hidden: true });
  private readonly chips: ChipList;
  private readonly completion: Completion;
  private withContext = true;
  private isRunning = false;
  private isReady = false;
  private edit: Edit | null = null;
  private aside: Composed | null = null;
  /** The text that was said to be no command; sent again, it is a question. */
  private doubted = '';
  /** What was said last about why nothing could be sent. */
  private hindrance = '';
  private readonly recall: Recall;

  constructor(
    private readonly strings: PanelStrings,
    private readonly actions: ComposerActions,
  ) {
    this.input = make('textarea', {
      attributes: {
        'aria-label': strings.askLabel,
        placeholder: strings.askPlaceholder,
        rows: '1',
        spellcheck: 'false',
      },
    });
    this.recall = new Recall(actions.asked);
    this.chips = new ChipList(strings, {
      changed: () => {
        this.keep();
      },
      leave: () => {
        this.input.focus();
      },
    });
    this.completion = new Completion(this.input, strings, {
      ask: (sign, query) => {
        actions.send({ type: 'complete', sign, query });
      },
      attach: (chip, trigger) => {
        this.choose(chip, trigger);
      },
      command: (command) => {
        this.chooseCommand(command);
      },
      announce: actions.announce,
    });
    this.send = makeButton(
      { label: strings.send, class: 'round-button send', icon: 'send', iconOnly: true },
      () => {
        this.submit();
      },
    );
    this.stop = makeButton(
      { label: strings.stop, class: 'round-button stop', icon: 'stop', iconOnly: true },
      () => {
        this.stopRunning();
      },
    );
    this.context = withAction(
      make(
        'button',
        { class: 'context', attributes: { type: 'button' } },
        makeIcon('file'),
        this.contextName,
      ),
      () => {
        this.toggleContext();
      },
    );
    this.element = make(
      'div',
      { class: 'composer' },
      this.completion.element,
      this.banner,
      this.chips.element,
      this.input,
      this.note,
      make(
        'div',
        { class: 'composer-row' },
        this.context,
        this.makeSignButton('#', strings.attachFile),
        this.makeSignButton('@', strings.attachSymbol),
        this.makeSignButton('/', strings.commands),
        this.send,
        this.stop,
      ),
    );
    this.input.title = strings.askHint;
    this.listen();
    this.render();
  }

  /** Go on with what was being written, unless something is written already. */
  restore({ draft, chips = [], edit = null, aside = null }: Draft): void {
    if (!this.input.value && !this.chips.all.length) {
      this.aside = aside;
      this.put(draft, chips, edit);
    }
  }

  setContext(name: string): void {
    this.contextName.textContent = name;
    this.render();
  }

  setState(isReady: boolean, isRunning: boolean): void {
    this.isReady = isReady;
    this.isRunning = isRunning;
    const hindrance = this.findHindrance();
    if (
      this.hindrance &&
      this.note.textContent === this.hindrance &&
      hindrance !== this.hindrance
    ) {
      this.hindrance = hindrance;
      this.tell(hindrance);
    }
    this.render();
  }

  focus(question: string): void {
    if (question) {
      this.input.value = question;
      this.grow();
      this.keep();
    }
    this.input.focus();
  }

  /** Put what was asked, or is to be, in the place of what is being written; that is kept aside. */
  compose(composed: Composed): void {
    const { question, chips, edit } = composed;
    const present = { question: this.input.value, chips: this.chips.all, edit: null };
    if (edit && !this.edit && (present.question || present.chips.length)) {
      this.aside = present;
    }
    this.put(question, chips, edit);
    this.input.focus();
    this.input.setSelectionRange(question.length, question.length);
  }

  attach(chips: readonly Chip[], problems: readonly string[]): void {
    const added = this.chips.add(chips);
    const places = added.map((chip) => chip.place).join(', ');
    if (problems.length) {
      this.tell(problems.join(' '));
    } else if (places) {
      this.actions.announce(fill(this.strings.attachedNow, places));
    }
    this.input.focus();
  }

  complete(sign: Sign, query: string, chips: readonly Chip[], hint: string): void {
    this.completion.receive(sign, query, chips, hint);
  }

  /** Say something beside the field, until more is written. */
  tell(text: string): void {
    this.note.textContent = text;
    this.note.hidden = !text;
    if (text) {
      this.actions.announce(text);
    }
  }

  /** Escape where nothing nearer takes it: leave the edit, else stop. */
  escape(): void {
    if (this.edit) {
      this.leaveEdit();
    } else if (this.isRunning) {
      this.stopRunning();
    }
  }

  submit(): void {
    const question = this.input.value.trim();
    if (!question) {
      return;
    }
    this.hindrance = this.findHindrance();
    if (this.hindrance) {
      this.tell(this.hindrance);
      return;
    }
    const parsed = parseSlash(question);
    if (parsed.kind === 'unknown' && this.doubted !== question) {
      this.doubted = question;
      const names = SLASH_COMMANDS.map((each) => `/${each.name}`).join(', ');
      this.tell(fill(this.strings.unknownCommand, parsed.name, names));
      return;
    }
    const { withContext, edit } = this;
    const chips = [...this.chips.all];
    const aside = this.aside;
    this.put(aside?.question ?? '', aside?.chips ?? [], null);
    if (parsed.kind === 'command') {
      const { name, text } = parsed;
      this.actions.send({ type: 'slash', name, text, withContext, chips });
    } else {
      this.actions.send({ type: 'ask', question, withContext, chips, edit });
    }
  }

  /** Why nothing can be sent now, or ''. */
  private findHindrance(): string {
    if (!this.isReady) {
      return this.strings.notConnected;
    }
    return this.isRunning ? this.strings.stillAnswering : '';
  }

  private put(question: string, chips: readonly Chip[], edit: Edit | null): void {
    this.input.value = question;
    this.edit = edit;
    if (!edit) {
      this.aside = null;
    }
    this.recall.forget();
    this.doubted = '';
    this.completion.close();
    this.tell('');
    this.drawBanner();
    this.chips.put(chips);
    this.grow();
    this.render();
  }

  private leaveEdit(): void {
    const { aside } = this;
    this.put(aside?.question ?? '', aside?.chips ?? [], null);
    this.actions.announce(this.strings.editLeft);
    this.input.focus();
  }

  private drawBanner(): void {
    const { strings, edit } = this;
    this.banner.hidden = !edit;
    if (!edit) {
      return;
    }
    const counted = edit.nLater === 1 ? strings.replacesOne : strings.replaces;
    const text = edit.nLater ? fill(counted, edit.nLater) : strings.editing;
    const leave = makeButton({ label: strings.leaveEdit, class: 'link-button' }, () => {
      this.leaveEdit();
    });
    this.banner.replaceChildren(make('span', { text }), leave);
    this.actions.announce(text);
  }

  private listen(): void {
    this.input.addEventListener('input', (event) => {
      this.tell('');
      this.recall.forget();
      this.grow();
      this.render();
      this.keep();
      // A word that an input method composes is not written yet.
      if (!(event as InputEvent).isComposing) {
        this.completion.update();
      }
    });
    this.input.addEventListener('compositionend', () => {
      this.completion.update();
    });
    this.input.addEventListener('click', () => {
      this.completion.update();
    });
    this.input.addEventListener('blur', () => {
      this.completion.close();
    });
    this.input.addEventListener('keydown', (event) => {
      this.press(event);
    });
    listenForFiles(this.element, this.input, (uris) => {
      this.actions.send({ type: 'attach', uris });
    });
  }

  private press(event: KeyboardEvent): void {
    // While an input method composes (Chinese, Japanese), every key is its own: Enter chooses a
    // word.
    if (event.isComposing) {
      return;
    }
    if (this.pressInList(event)) {
      event.preventDefault();
      event.stopPropagation();
    } else if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault();
      this.submit();
    } else if (event.key === 'Backspace' && this.isAtStart() && this.chips.all.length) {
      event.preventDefault();
      this.chips.focusLast();
    } else if (event.key === 'ArrowUp' || event.key === 'ArrowDown') {
      const recalled = this.recall.step(event.key, this.input.value);
      if (recalled !== null) {
        event.preventDefault();
        this.putText(atEnd(recalled));
        this.keep();
      }
    }
  }

  /** A command that is written out in full is sent, not completed. */
  private pressInList(event: KeyboardEvent): boolean {
    const isWhole = parseSlash(this.input.value).kind === 'command';
    if (event.key === 'Enter' && isWhole) {
      this.completion.close();
      return false;
    }
    return this.completion.press(event);
  }

  private isAtStart(): boolean {
    return this.input.selectionStart === 0 && this.input.selectionEnd === 0;
  }

  private choose(chip: Chip, trigger: Trigger): void {
    this.putText(withChosen(this.input.value, chip, trigger));
    this.attach([chip], []);
  }

  private chooseCommand(command: SlashCommand): void {
    this.putText(withCommand(command));
    this.tell(this.strings[command.description]);
    this.keep();
  }

  private putText({ text, cursor }: FieldText): void {
    this.input.value = text;
    this.input.focus();
    this.input.setSelectionRange(cursor, cursor);
    this.grow();
    this.render();
  }

  private makeSignButton(sign: Sign | '/', label: string): HTMLElement {
    const look = { label, class: 'sign-button', title: label };
    const button = makeButton(look, () => {
      this.putText(withSign(this.input.value, sign));
      this.completion.update();
    });
    button.textContent = sign;
    button.setAttribute('aria-label', label);
    return button;
  }

  private stopRunning(): void {
    this.actions.stop();
    // The button goes away: the focus would be nowhere.
    this.input.focus();
  }

  private keep(): void {
    const { edit, aside } = this;
    this.actions.keep({ draft: this.input.value, chips: this.chips.all, edit, aside });
  }

  /** Make the field as high as its text; where it is not laid out, one line until it is. */
  grow(): void {
    const { style } = this.input;
    style.height = 'auto';
    if (this.input.scrollHeight) {
      style.height = `${this.input.scrollHeight}px`;
    }
  }

  private toggleContext(): void {
    this.withContext = !this.withContext;
    this.render();
  }

  private render(): void {
    const name = this.contextName.textContent;
    this.send.hidden = this.isRunning;
    this.send.disabled = !this.isReady || this.input.value.trim() === '';
    this.stop.hidden = !this.isRunning;
    this.context.hidden = !name;
    this.context.setAttribute('aria-pressed', String(this.withContext));
    const title = this.withContext ? this.strings.contextOff : this.strings.contextOn;
    this.context.title = fill(title, name);
  }
}
