/** Where a question is written: it grows with the text, sends with Enter, and stops what runs. */

import { fill, type PanelStrings } from '../shared/strings';
import { makeButton, withAction } from './actions';
import { make, makeIcon } from './dom';

export interface ComposerActions {
  ask: (question: string, withContext: boolean) => void;
  stop: () => void;
  keepDraft: (draft: string) => void;
}

export class Composer {
  readonly element: HTMLElement;
  private readonly input: HTMLTextAreaElement;
  private readonly send: HTMLButtonElement;
  private readonly stop: HTMLButtonElement;
  private readonly context: HTMLButtonElement;
  private readonly contextName = make('span');
  private withContext = true;
  private isRunning = false;
  private isReady = false;

  constructor(
    private readonly strings: PanelStrings,
    private readonly actions: ComposerActions,
    draft: string,
  ) {
    this.input = make('textarea', {
      attributes: {
        'aria-label': strings.askLabel,
        placeholder: strings.askPlaceholder,
        rows: '1',
        spellcheck: 'false',
      },
    });
    this.input.value = draft;
    this.send = makeButton(
      { label: strings.send, class: 'round-button send', icon: 'send', iconOnly: true },
      () => {
        this.submit();
      },
    );
    this.stop = makeButton(
      { label: strings.stop, class: 'round-button stop', icon: 'stop', iconOnly: true },
      actions.stop,
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
      this.input,
      make('div', { class: 'composer-row' }, this.context, this.send, this.stop),
    );
    this.input.title = strings.askHint;
    this.listen();
    this.render();
  }

  setContext(name: string): void {
    this.contextName.textContent = name;
    this.render();
  }

  setState(isReady: boolean, isRunning: boolean): void {
    this.isReady = isReady;
    this.isRunning = isRunning;
    this.render();
  }

  focus(question: string): void {
    if (question) {
      this.input.value = question;
      this.grow();
    }
    this.input.focus();
  }

  submit(): void {
    const question = this.input.value.trim();
    if (!question || !this.isReady || this.isRunning) {
      return;
    }
    this.input.value = '';
    this.actions.keepDraft('');
    this.grow();
    this.actions.ask(question, this.withContext);
  }

  private listen(): void {
    this.input.addEventListener('input', () => {
      this.grow();
      this.render();
      this.actions.keepDraft(this.input.value);
    });
    this.input.addEventListener('keydown', (event) => {
      // While an input method composes (Chinese, Japanese), Enter chooses a word.
      if (event.key === 'Enter' && !event.shiftKey && !event.isComposing) {
        event.preventDefault();
        this.submit();
      } else if (event.key === 'Escape' && this.isRunning) {
        this.actions.stop();
      }
    });
  }

  private grow(): void {
    this.input.style.height = 'auto';
    this.input.style.height = `${this.input.scrollHeight}px`;
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
