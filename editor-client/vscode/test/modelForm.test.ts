import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { ModelForm } from '../src/panel/modelForm';
import { PRESETS } from '../src/setup/presets';
import type { FromForm, ToForm } from '../src/shared/formMessages';
import { FORM_STRINGS } from '../src/shared/formStrings';
import type { ModelTestResult } from '../src/shared/protocol';
import { openPage } from './page';

let sent: FromForm[] = [];
let root: HTMLElement;
let form: ModelForm;

const show: ToForm = {
  type: 'show',
  servers: PRESETS.map((each) => ({ ...each, hasKey: each.id === 'deepseek' })),
  chosen: 'openai',
  choice: { baseUrl: '', name: '' },
  isRunning: true,
};

const failed: ModelTestResult = {
  passed: false,
  endpoint: 'https://api.openai.com/v1',
  name: 'tiny',
  checks: [
    { stage: 'reachable', outcome: 'ok', text: '`api.openai.com` answers', remedy: '' },
    { stage: 'model', outcome: 'failed', text: 'does not offer `tiny`', remedy: 'Choose <b>.' },
  ],
  models: ['one', 'two'],
  firstTokenMs: null,
};

beforeEach(() => {
  const page = openPage();
  sent = [];
  root = page.getElementById('root') ?? page.body;
  form = new ModelForm(root, FORM_STRINGS, (message) => sent.push(message));
  form.receive(show);
});

function find<T extends HTMLElement>(selector: string): T {
  const element = root.querySelector<T>(selector);
  assert.ok(element, selector);
  return element;
}

function choose(id: string): void {
  const radio = find<HTMLInputElement>(`#server-${id}`);
  radio.checked = true;
  radio.dispatchEvent(new (root.ownerDocument.defaultView ?? window).Event('change'));
}

function button(text: string): HTMLButtonElement {
  const found = [...root.querySelectorAll('button')].find((each) => each.textContent === text);
  assert.ok(found, text);
  return found;
}

describe('the form of the model', () => {
  it('fills in what is known of a server, and says when its key is kept', () => {
    choose('deepseek');

    assert.equal(find<HTMLInputElement>('#address').value, 'https://api.deepseek.com');
    assert.equal(find<HTMLInputElement>('#model').value, 'deepseek-chat');
    assert.equal(find('#key-hint').textContent, FORM_STRINGS.formKeyKept);
  });

  it('forgets a key that was typed when another server is chosen', () => {
    find<HTMLInputElement>('#key').value = 'sk-of-openai';

    choose('qwen');
    button(FORM_STRINGS.formTest).click();

    const [test] = sent.filter((each) => each.type === 'test');
    assert.ok(test);
    assert.equal(test.key, '');
    assert.equal(test.choice.baseUrl, 'https://dashscope.aliyuncs.com/compatible-mode/v1');
  });

  it('asks nobody for anything before a button is pressed', () => {
    choose('ollama');
    choose('openai');

    assert.deepEqual(sent, []);
  });

  it('says at the field what is missing, and sends nothing', () => {
    choose('other');
    button(FORM_STRINGS.formSave).click();

    assert.equal(find('.problem').textContent, FORM_STRINGS.formNeedsAddress);
    assert.equal(root.ownerDocument.activeElement?.id, 'address');
    assert.equal(find('#address').getAttribute('aria-invalid'), 'true');
    assert.deepEqual(
      sent.filter((each) => each.type === 'save'),
      [],
    );
  });

  it('can be cancelled while it tests', () => {
    button(FORM_STRINGS.formTest).click();
    assert.ok(button(FORM_STRINGS.formTest).disabled);

    button(FORM_STRINGS.formCancel).click();
    form.receive({ type: 'failed', message: '' });

    assert.deepEqual(sent.at(-1), { type: 'cancel' });
    assert.ok(!button(FORM_STRINGS.formTest).disabled);
  });

  it('shows what failed with its remedy as text, and takes a model by its name', () => {
    form.receive({ type: 'tested', result: failed, listOnly: false });

    assert.match(find('.checks .failed').textContent, /Model.*does not offer tiny.*Choose <b>\./);
    assert.equal(root.querySelector('b'), null);
    button('two').click();
    assert.equal(find<HTMLInputElement>('#model').value, 'two');
  });

  it('keeps what was written for a server while another one is looked at', () => {
    choose('other');
    find<HTMLInputElement>('#address').value = 'http://box:8000/v1';
    find<HTMLInputElement>('#model').value = 'ours';

    choose('ollama');
    assert.equal(find<HTMLInputElement>('#address').value, 'http://localhost:11434/v1');
    choose('other');

    assert.equal(find<HTMLInputElement>('#address').value, 'http://box:8000/v1');
    assert.equal(find<HTMLInputElement>('#model').value, 'ours');
  });

  it('keeps a field that was emptied, and forgets what was wrong with another server', () => {
    find<HTMLInputElement>('#model').value = '';
    button(FORM_STRINGS.formSave).click();
    assert.equal(find('#model').getAttribute('aria-invalid'), 'true');

    choose('ollama');
    assert.equal(find('#model').getAttribute('aria-invalid'), null);
    choose('openai');

    assert.equal(find<HTMLInputElement>('#model').value, '');
  });

  it('says of a key whether it is needed', () => {
    choose('other');
    assert.match(find('#key-hint').textContent, /^Leave it empty if the server asks for none\. /);
    choose('ollama');
    assert.match(find('#key-hint').textContent, /^This server usually needs none\. /);
    choose('openai');
    assert.equal(find('#key-hint').textContent, FORM_STRINGS.formKeyHint);
  });

  it('lists the models of the editor, and says when there are none', () => {
    choose('editor');
    assert.deepEqual(sent.at(-1), { type: 'askOffered' });

    form.receive({ type: 'offered', names: ['gpt-x', 'claude-y'] });
    const offered = [...root.querySelectorAll<HTMLOptionElement>('#models option')];
    assert.deepEqual(
      offered.map((each) => each.value),
      ['gpt-x', 'claude-y'],
    );
    assert.equal(find('#model-hint').textContent, FORM_STRINGS.formEditorHint);

    form.receive({ type: 'offered', names: [] });
    assert.equal(find('#model-hint').textContent, FORM_STRINGS.formEditorNone);
  });

  it('says that a model is in use only when there is one, and leads to the chat', () => {
    form.receive({ type: 'saved', isOffered: false });
    assert.equal(find('.report').textContent, FORM_STRINGS.formSavedUnmet);

    form.receive({ type: 'saved', isOffered: true });
    assert.match(find('.report').textContent, /^Saved\. The model is in use\./);
    button(FORM_STRINGS.formAsk).click();
    assert.deepEqual(sent.at(-1), { type: 'openChat' });
  });

  it('cannot test without a server, but can save', () => {
    form.receive({ type: 'running', isRunning: false });

    assert.ok(button(FORM_STRINGS.formTest).disabled);
    assert.equal(button(FORM_STRINGS.formTest).title, FORM_STRINGS.formNotRunning);
    assert.ok(!button(FORM_STRINGS.formSave).disabled);
  });
});
