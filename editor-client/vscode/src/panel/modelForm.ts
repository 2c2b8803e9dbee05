/** The form on which a model is set up. It asks nothing of anybody until a button is pressed. */

import type { Choice, FromForm, OfferedServer, ToForm } from '../shared/formMessages';
import type { FormStrings } from '../shared/formStrings';
import { fill } from '../shared/strings';
import { make } from './dom';
import { makeTestReport } from './modelReport';

type Send = (message: FromForm) => void;

export class ModelForm {
  private servers: OfferedServer[] = [];
  private chosen = '';
  /** What was written for a server before another one was looked at. */
  private readonly written = new Map<string, Choice>();
  private isRunning = false;
  private isBusy = false;
  private readonly list = make('fieldset', { class: 'servers' });
  private readonly address = makeInput('address', 'url');
  private readonly model = makeInput('model', 'text');
  private readonly models = make('datalist', { attributes: { id: 'models' } });
  private readonly key = makeInput('key', 'password');
  private readonly keyHint = make('p', { class: 'hint', attributes: { id: 'key-hint' } });
  private readonly keyButtons = make('span', { class: 'inline-buttons' });
  private readonly modelHint = make('p', { class: 'hint', attributes: { id: 'model-hint' } });
  private readonly problem = make('p', { class: 'problem', attributes: { role: 'alert' } });
  private readonly report = make('section', {
    class: 'report',
    attributes: { 'aria-live': 'polite' },
  });
  private readonly fetch: HTMLButtonElement;
  private readonly test: HTMLButtonElement;
  private readonly cancel: HTMLButtonElement;
  private readonly save: HTMLButtonElement;

  constructor(
    root: HTMLElement,
    private readonly strings: FormStrings,
    private readonly send: Send,
  ) {
    this.fetch = makeAction(strings.formFetch, 'secondary', () => {
      this.ask(true);
    });
    this.test = makeAction(strings.formTest, 'secondary', () => {
      this.ask(false);
    });
    this.cancel = makeAction(strings.formCancel, 'secondary', () => {
      send({ type: 'cancel' });
    });
    this.save = makeAction(strings.formSave, 'primary', () => {
      this.keep();
    });
    root.append(this.makeForm());
    this.address.addEventListener('change', () => {
      send({ type: 'askKey', baseUrl: this.address.value.trim() });
    });
    document.addEventListener('keydown', (event) => {
      if (event.key === 'Escape' && this.isBusy) {
        send({ type: 'cancel' });
      }
    });
  }

  receive(message: ToForm): void {
    switch (message.type) {
      case 'show':
        this.servers = message.servers;
        this.isRunning = message.isRunning;
        this.drawServers(message.chosen);
        this.written.clear();
        this.choose(message.chosen, this.fillIn(message.chosen, message.choice));
        break;
      case 'running':
        this.isRunning = message.isRunning;
        this.drawButtons();
        break;
      case 'keyKept':
        this.noteKey(message.baseUrl, message.hasKey);
        break;
      case 'testing':
        this.showProgress(message.text);
        break;
      case 'tested':
        this.setBusy(false);
        this.showResult(message);
        break;
      case 'failed':
        this.setBusy(false);
        this.report.replaceChildren(make('p', { text: message.message }));
        break;
      case 'offered':
        this.showOffered(message.names);
        break;
      case 'saved':
        this.key.value = '';
        this.showSaved(message.isOffered);
    }
  }

  private makeForm(): HTMLFormElement {
    const { strings } = this;
    this.list.append(make('legend', { text: strings.formServer }));
    this.model.setAttribute('list', 'models');
    const form = make(
      'form',
      { class: 'model-form', attributes: { novalidate: '' } },
      make('h1', { text: strings.formTitle }),
      make('p', { class: 'intro', text: strings.formIntro }),
      this.list,
      makeField(
        strings.formAddress,
        this.address,
        makeHint('address-hint', strings.formAddressHint),
      ),
      makeField(strings.formKey, this.key, this.keyHint, this.keyButtons),
      makeField(strings.formModel, this.model, this.modelHint, this.fetch, this.models),
      this.problem,
      make('div', { class: 'actions' }, this.save, this.test, this.cancel),
      this.report,
    );
    // A page of the editor may not submit forms; Enter saves nevertheless.
    form.addEventListener('keydown', (event) => {
      const isInField = event.target instanceof HTMLInputElement && event.target.type !== 'radio';
      if (event.key === 'Enter' && !event.isComposing && isInField) {
        event.preventDefault();
        this.keep();
      }
    });
    return form;
  }

  private drawServers(chosen: string): void {
    const radios = this.servers.map((server) => {
      const radio = make('input', {
        attributes: { type: 'radio', name: 'server', value: server.id, id: `server-${server.id}` },
      });
      radio.checked = server.id === chosen;
      radio.addEventListener('change', () => {
        this.written.set(this.chosen, this.read());
        this.choose(server.id, this.written.get(server.id) ?? null);
      });
      const name = server.name || this.nameServer(server.id);
      return make('label', { class: 'server' }, radio, make('span', { text: name }));
    });
    this.list.replaceChildren(make('legend', { text: this.strings.formServer }), ...radios);
  }

  private nameServer(id: string): string {
    return id === 'editor' ? this.strings.formEditor : this.strings.formOther;
  }

  /** What the settings hold; where they say nothing, what is known of the server. */
  private fillIn(id: string, { baseUrl, name }: Choice): Choice {
    const server = this.servers.find((each) => each.id === id);
    return { baseUrl: baseUrl || (server?.baseUrl ?? ''), name: name || (server?.model ?? '') };
  }

  /** Fill in what was chosen for a server, or what is known of it. */
  private choose(id: string, choice: Choice | null): void {
    const server = this.servers.find((each) => each.id === id);
    if (!server) {
      return;
    }
    this.chosen = id;
    this.address.value = choice?.baseUrl ?? server.baseUrl;
    this.model.value = choice?.name ?? server.model;
    for (const field of [this.address, this.model]) {
      field.removeAttribute('aria-invalid');
    }
    this.key.value = '';
    this.models.replaceChildren();
    this.report.replaceChildren();
    this.problem.textContent = '';
    this.modelHint.textContent =
      id === 'editor' ? this.strings.formEditorHint : this.strings.formModelHint;
    for (const part of [this.address, this.key]) {
      part.closest('.field')?.toggleAttribute('hidden', id === 'editor');
    }
    this.drawKey(server.hasKey);
    if (id === 'editor') {
      this.send({ type: 'askOffered' });
    }
    if (this.address.value !== server.baseUrl) {
      this.send({ type: 'askKey', baseUrl: this.address.value });
    }
    this.drawButtons();
  }

  private noteKey(baseUrl: string, hasKey: boolean): void {
    this.servers = this.servers.map((each) =>
      each.baseUrl === baseUrl ? { ...each, hasKey } : each,
    );
    if (this.address.value.trim().replace(/\/+$/, '') === baseUrl.trim().replace(/\/+$/, '')) {
      this.drawKey(hasKey);
    }
  }

  private drawKey(hasKey: boolean): void {
    const { strings } = this;
    const server = this.servers.find((each) => each.id === this.chosen);
    const needs = { yes: '', no: strings.formKeyNone, maybe: strings.formKeyMaybe };
    const hints = [needs[server?.needsKey ?? 'yes'], strings.formKeyHint];
    this.keyHint.textContent = hasKey ? strings.formKeyKept : hints.filter(Boolean).join(' ');
    this.key.placeholder = hasKey ? '••••••••' : '';
    const buttons = [
      server?.keyPage && !hasKey
        ? makeAction(strings.formKeyPage, 'link', () => {
            this.send({ type: 'openKeyPage', server: this.chosen });
          })
        : null,
      hasKey
        ? makeAction(strings.formRemoveKey, 'link', () => {
            this.send({ type: 'removeKey', baseUrl: this.address.value.trim() });
          })
        : null,
    ];
    this.keyButtons.replaceChildren(...buttons.filter((each) => each !== null));
  }

  private drawButtons(): void {
    const isEditor = this.chosen === 'editor';
    this.fetch.hidden = this.test.hidden = isEditor;
    this.fetch.disabled = this.test.disabled = !this.isRunning || this.isBusy;
    this.test.title = this.isRunning ? this.strings.formTestHint : this.strings.formNotRunning;
    this.save.disabled = this.isBusy;
    this.cancel.hidden = !this.isBusy;
  }

  private ask(listOnly: boolean): void {
    if (!this.isComplete(listOnly)) {
      return;
    }
    this.setBusy(true);
    this.showProgress(listOnly ? this.strings.formListing : this.strings.formTesting);
    this.send({ type: 'test', choice: this.read(), key: this.key.value, listOnly });
  }

  private keep(): void {
    if (!this.isBusy && this.isComplete(false)) {
      this.send({ type: 'save', server: this.chosen, choice: this.read(), key: this.key.value });
    }
  }

  private read(): Choice {
    const isEditor = this.chosen === 'editor';
    return {
      baseUrl: isEditor ? '' : this.address.value.trim(),
      name: this.model.value.trim(),
    };
  }

  /** Say what is missing, at the field where it is. */
  private isComplete(withoutModel: boolean): boolean {
    const isEditor = this.chosen === 'editor';
    const { strings } = this;
    const lacksAddress = !isEditor && !/^https?:\/\/[^\s/]/i.test(this.address.value.trim());
    const lacksModel = !isEditor && !withoutModel && this.model.value.trim() === '';
    const [text, field] = lacksAddress
      ? [strings.formNeedsAddress, this.address]
      : lacksModel
        ? [strings.formNeedsModel, this.model]
        : ['', null];
    this.problem.textContent = text;
    this.address.setAttribute('aria-invalid', String(lacksAddress));
    this.model.setAttribute('aria-invalid', String(lacksModel));
    field?.focus();
    return field === null;
  }

  private setBusy(isBusy: boolean): void {
    const hadFocus = document.activeElement;
    this.isBusy = isBusy;
    this.drawButtons();
    if (isBusy) {
      this.cancel.focus();
    } else if (hadFocus === this.cancel || hadFocus === document.body) {
      this.test.focus();
    }
  }

  private showProgress(text: string): void {
    this.report.replaceChildren(
      make(
        'p',
        { class: 'progress' },
        make('span', { class: 'dots', attributes: { 'aria-hidden': 'true' } }),
        text || this.strings.formTesting,
      ),
    );
  }

  private showOffered(names: readonly string[]): void {
    if (this.chosen !== 'editor') {
      return;
    }
    this.models.replaceChildren(...makeOptions(names));
    this.modelHint.textContent = names.length
      ? this.strings.formEditorHint
      : this.strings.formEditorNone;
  }

  private showSaved(isOffered: boolean): void {
    const { strings } = this;
    const text = isOffered ? strings.formSaved : strings.formSavedUnmet;
    const ask = makeAction(strings.formAsk, 'secondary', () => {
      this.send({ type: 'openChat' });
    });
    this.report.replaceChildren(
      make('p', { class: isOffered ? 'saved' : '', text }),
      ...(isOffered ? [make('div', { class: 'actions' }, ask)] : []),
    );
  }

  private showResult({ result, listOnly }: Extract<ToForm, { type: 'tested' }>): void {
    const { strings } = this;
    this.models.replaceChildren(...makeOptions(result.models));
    const isListed = listOnly && result.passed;
    if (isListed) {
      const text = result.models.length
        ? fill(strings.formModels, result.models.length)
        : strings.formNoModels;
      this.report.replaceChildren(make('p', { text }));
      if (result.models.length && !result.models.includes(this.model.value.trim())) {
        this.model.value = result.models.length === 1 ? (result.models[0] ?? '') : '';
      }
      this.model.focus();
      return;
    }
    this.report.replaceChildren(
      ...makeTestReport(result, strings, (name) => {
        this.model.value = name;
        this.model.focus();
      }),
    );
  }
}

function makeInput(id: string, type: string): HTMLInputElement {
  return make('input', {
    attributes: {
      ...{ id, type, autocomplete: 'off', spellcheck: 'false' },
      'aria-describedby': `${id}-hint`,
    },
  });
}

function makeOptions(names: readonly string[]): HTMLElement[] {
  return names.map((name) => make('option', { attributes: { value: name } }));
}

function makeHint(id: string, text: string): HTMLElement {
  return make('p', { class: 'hint', text, attributes: { id } });
}

function makeField(label: string, input: HTMLInputElement, ...rest: HTMLElement[]): HTMLElement {
  return make(
    'div',
    { class: 'field' },
    make('label', { text: label, attributes: { for: input.id } }),
    make('div', { class: 'row' }, input, ...rest.filter((each) => each.tagName === 'BUTTON')),
    ...rest.filter((each) => each.tagName !== 'BUTTON'),
  );
}

function makeAction(
  text: string,
  kind: 'primary' | 'secondary' | 'link',
  run: () => void,
): HTMLButtonElement {
  const button = make('button', { class: `action ${kind}`, text, attributes: { type: 'button' } });
  button.addEventListener('click', run);
  return button;
}
