import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Chip } from '../src/shared/attachments';
import { startTurn, type Turn } from '../src/shared/turns';
import { PanelUnderTest, ready, strings } from './page';

const cart: Chip = {
  kind: 'file',
  uri: 'file:///w/shop/cart.py',
  label: 'cart.py',
  place: 'shop/cart.py',
};
const total: Chip = {
  kind: 'symbol',
  uri: 'file:///w/shop/cart.py',
  symbol: '计算总价',
  range: { start: { line: 9, character: 0 }, end: { line: 9, character: 0 } },
  label: '计算总价',
  place: 'shop/cart.py:10',
};

function openPanel(turns: readonly Turn[] = []): PanelUnderTest {
  const panel = new PanelUnderTest();
  panel.receive({ type: 'surroundings', surroundings: ready });
  panel.receive({ type: 'conversation', turns }).draw();
  return panel;
}

function field(panel: PanelUnderTest): HTMLTextAreaElement {
  return panel.find<HTMLTextAreaElement>('textarea');
}

function complete(panel: PanelUnderTest, text: string, chips: readonly Chip[], hint = ''): void {
  panel.type(text);
  const asked = panel.sent.at(-1);
  if (asked?.type !== 'complete') {
    throw new Error('nothing was asked for');
  }
  panel.receive({ type: 'completions', sign: asked.sign, query: asked.query, chips, hint });
}

const done = (id: string, number: number | null, question: string): Turn => ({
  ...startTurn(id, 'ask', question),
  status: 'done',
  number,
  chips: [cart],
  parts: [{ kind: 'text', text: 'It is so.' }],
});

describe('attaching', () => {
  it('asks for what a sign stands before, also behind Chinese, and never inside a word', () => {
    const panel = openPanel();

    for (const [text, sign, query] of [
      ['#', '#', ''],
      ['why #ca', '#', 'ca'],
      ['解释@计算', '@', '计算'],
      ['看看#说明', '#', '说明'],
    ] as const) {
      panel.type(text);
      assert.deepEqual(panel.sent.at(-1), { type: 'complete', sign, query });
    }
    const before = panel.sent.length;
    for (const text of ['C#', 'me@there.org', 'src/#x', 'a # b']) {
      panel.type(text);
    }
    assert.equal(panel.sent.length, before);
  });

  it('shows the list as one that the field controls, and the keyboard chooses from it', () => {
    const panel = openPanel();
    complete(panel, '#ca', [cart, total]);

    assert.equal(field(panel).getAttribute('role'), 'combobox');
    assert.equal(field(panel).getAttribute('aria-expanded'), 'true');
    assert.equal(panel.find('[role=listbox]').id, field(panel).getAttribute('aria-controls'));
    panel.press('ArrowDown');
    const active = panel.find('[aria-selected=true]');
    assert.equal(active.id, field(panel).getAttribute('aria-activedescendant'));
    assert.match(active.textContent, /计算总价/);
    panel.press('Enter');

    assert.equal(field(panel).value, '');
    assert.deepEqual(panel.texts('.composer .attachment-name'), ['计算总价']);
    assert.equal(panel.find('.completion').hidden, true);
    assert.equal(field(panel).getAttribute('role'), null);
  });

  it('leaves the name in a sentence, and only the chip at its beginning', () => {
    const panel = openPanel();
    complete(panel, 'what does @计算', [total]);
    panel.press('Tab');

    assert.equal(field(panel).value, 'what does 计算总价 ');
  });

  it('replaces all that was written when something is chosen, later letters too', () => {
    const panel = openPanel();
    complete(panel, '请解释@计算', [total]);
    panel.type('请解释@计算总');
    panel.press('Enter');

    assert.equal(field(panel).value, '请解释计算总价 ');
  });

  it('sends what is attached with the question, and forgets it then', () => {
    const panel = openPanel();
    panel.receive({ type: 'attach', chips: [cart, cart], problems: [] });
    panel.type('What is this?');
    panel.press('Enter');

    const sent = panel.sent.at(-1);
    assert.deepEqual(sent?.type === 'ask' ? sent.chips : [], [cart]);
    assert.equal(panel.find('.composer .attachments').hidden, true);
  });

  it('removes a chip by key and by mouse, and the focus goes on', () => {
    const panel = openPanel();
    panel.receive({ type: 'attach', chips: [cart, total], problems: [] });

    field(panel).focus();
    panel.press('Backspace');
    const last = document.activeElement;
    assert.equal(last?.getAttribute('aria-label'), 'Remove shop/cart.py:10');
    panel.press('Delete', {}, last as HTMLElement);
    assert.equal(document.activeElement?.getAttribute('aria-label'), 'Remove shop/cart.py');
    panel.find('.attachment-remove').click();

    assert.equal(document.activeElement, field(panel));
    assert.deepEqual(panel.texts('.composer .attachment'), []);
  });

  it('takes files from the Explorer, from tabs and from elsewhere, but no plain text', () => {
    const panel = openPanel();
    const tab = JSON.stringify([{ resource: { scheme: 'file', path: '/w/说明.md' } }]);

    assert.equal(panel.hand('drop', { 'text/uri-list': 'file:///w/a.py\r\nfile:///w/b.py' }), true);
    assert.deepEqual(panel.sent.at(-1), {
      type: 'attach',
      uris: ['file:///w/a.py', 'file:///w/b.py'],
    });
    panel.hand('paste', { codeeditors: tab });
    assert.deepEqual(panel.sent.at(-1), {
      type: 'attach',
      uris: [`file://${encodeURI('/w/说明.md')}`],
    });
    const before = panel.sent.length;
    assert.equal(panel.hand('paste', { 'text/plain': 'file:///w/a.py' }), false);
    assert.equal(panel.sent.length, before);
  });

  it('says beside the field why something was not attached', () => {
    const panel = openPanel();
    panel.receive({ type: 'attach', chips: [], problems: ['b is outside the workspace.'] });

    assert.equal(panel.find('.composer-note').textContent, 'b is outside the workspace.');
    assert.match(panel.find('[role=status]').textContent, /outside/);
  });

  it('shows what nothing was found for, and then sends with Enter as always', () => {
    const panel = openPanel();
    complete(panel, 'see #12', [], 'No file is called “12”.');

    assert.equal(panel.find('.completion-hint').textContent, 'No file is called “12”.');
    panel.press('Enter');
    assert.equal(panel.sent.at(-1)?.type, 'ask');
  });

  it('asks for nothing while a word is composed, and lets its Enter choose the word', () => {
    const panel = openPanel();
    complete(panel, '@计', [total]);
    panel.press('Enter', { isComposing: true });

    assert.deepEqual(panel.texts('.composer .attachments .attachment'), []);
    assert.equal(panel.find('.completion').hidden, false);
  });
});

describe('commands in a question', () => {
  it('lists them with what they do, and completes the one that is chosen', () => {
    const panel = openPanel();
    panel.type('/');
    assert.equal(panel.texts('[role=option]').length, 6);
    panel.type('/ch');
    assert.deepEqual(panel.texts('.command-name'), ['/chain', '/check']);
    panel.press('ArrowDown');
    panel.press('Enter');

    assert.equal(field(panel).value, '/check ');
    panel.press('Enter');
    assert.deepEqual(panel.sent.at(-1), {
      type: 'slash',
      name: 'check',
      text: '',
      withContext: true,
      chips: [],
    });
  });

  it('takes what follows as the argument, in either language', () => {
    const panel = openPanel();
    panel.type('/为什么 怎样取整?');
    panel.press('Enter');

    const sent = panel.sent.at(-1);
    assert.deepEqual(sent?.type === 'slash' ? [sent.name, sent.text] : [], ['why', '怎样取整?']);
  });

  it('says which there are for an unknown one, and asks it when it is sent again', () => {
    const panel = openPanel();
    panel.type('/etc is what?');
    panel.press('Enter');
    assert.match(panel.find('.composer-note').textContent, /no command \/etc.*\/explain/);
    assert.equal(panel.sent.at(-1)?.type, 'ready');
    assert.equal(field(panel).value, '/etc is what?');

    panel.press('Enter');
    assert.equal(panel.sent.at(-1)?.type, 'ask');
  });

  it('takes paths and comments for questions', () => {
    const panel = openPanel();
    for (const question of ['/etc/hosts is what?', '// why this?', '/ and /']) {
      panel.type(question);
      panel.press('Enter');
      const sent = panel.sent.at(-1);
      assert.equal(sent?.type === 'ask' ? sent.question : '', question);
    }
  });
});

describe('asking again', () => {
  it('offers to edit every question and to try the answer again', () => {
    const panel = openPanel([done('t1', 1, 'One?'), done('t2', 2, 'Two?')]);

    panel.find('.edit').click();
    assert.deepEqual(panel.sent.at(-1), { type: 'edit', turnId: 't1' });
    panel.find('.turn:last-child .retry').click();
    assert.deepEqual(panel.sent.at(-1), { type: 'retry', turnId: 't2' });
    assert.deepEqual(panel.texts('.question .attachment-name'), ['cart.py', 'cart.py']);
  });

  it('says what an edit replaces before it is sent, and keeps the draft aside', () => {
    const panel = openPanel([
      done('t1', 1, 'One?'),
      done('t2', 2, 'Two?'),
      done('t3', 3, 'Three?'),
    ]);
    panel.type('half a thought');
    const edit = { turnId: 't1', keep: 0, nLater: 2 };
    panel.receive({ type: 'compose', question: 'One?', chips: [cart], edit });

    assert.match(panel.find('.edit-banner').textContent, /2 later turns are replaced/);
    assert.equal(field(panel).value, 'One?');
    panel.type('One, really?');
    panel.press('Enter');

    const sent = panel.sent.at(-1);
    assert.deepEqual(sent?.type === 'ask' ? [sent.question, sent.edit] : [], [
      'One, really?',
      edit,
    ]);
    assert.equal(field(panel).value, 'half a thought');
    assert.equal(panel.find('.edit-banner').hidden, true);
  });

  it('leaves the question as it was with Escape', () => {
    const panel = openPanel([done('t1', 1, 'One?')]);
    panel.receive({
      type: 'compose',
      question: 'One?',
      chips: [],
      edit: { turnId: 't1', keep: 0, nLater: 0 },
    });
    panel.press('Escape');

    assert.equal(field(panel).value, '');
    assert.equal(panel.find('.edit-banner').hidden, true);
  });

  it('brings earlier questions back into an empty field', () => {
    const panel = openPanel([done('t1', 1, 'One?'), done('t2', 2, 'Two?')]);

    panel.press('ArrowUp');
    assert.equal(field(panel).value, 'Two?');
    panel.press('ArrowUp');
    assert.equal(field(panel).value, 'One?');
    panel.press('ArrowDown');
    panel.press('ArrowDown');
    assert.equal(field(panel).value, '');
    panel.type('written');
    panel.press('ArrowUp');
    assert.equal(field(panel).value, 'written');
  });

  it('says on the chip and below the question what came of an attachment', () => {
    const gone = { ...cart, problem: '`shop/cart.py` does not exist.' };
    const panel = openPanel([{ ...done('t1', 1, 'One?'), chips: [gone] }]);

    assert.match(panel.find('.attachment-trouble').textContent, /does not exist/);
    assert.equal(panel.find('.attachment').dataset['problem'], 'yes');
  });
});

describe('a reload of the window', () => {
  it('keeps draft, attachments and edit', () => {
    const edit = { turnId: 't1', keep: 0, nLater: 1 };
    const draft = { draft: '草稿', chips: [cart], edit, aside: null };
    const panel = new PanelUnderTest().receive({ type: 'draft', draft });

    assert.equal(field(panel).value, '草稿');
    assert.deepEqual(panel.texts('.composer .attachment-name'), ['cart.py']);
    assert.equal(panel.find('.edit-banner').hidden, false);
    panel.type('草稿二');
    assert.deepEqual(panel.state, { draft: '草稿二', chips: [cart], edit, aside: null });
  });
});

describe('a draft that arrives late', () => {
  it('does not take the place of what is being written', () => {
    const panel = new PanelUnderTest();
    assert.equal(panel.state, undefined);
    panel.type('new');
    panel.receive({ type: 'draft', draft: { draft: 'old' } });
    assert.equal(field(panel).value, 'new');
  });
});

describe('the names of what is in the composer', () => {
  it('are there for every control', () => {
    const panel = openPanel();
    const named = [...panel.find('.composer').querySelectorAll('button, textarea')].map(
      (each) => each.getAttribute('aria-label') ?? each.textContent,
    );

    assert.ok(named.every(Boolean), named.join(', '));
    assert.ok(named.includes(strings.attachFile));
  });
});

describe('a question that cannot be sent yet', () => {
  it('stays with the reason, which goes when the answer before is over', () => {
    const panel = openPanel([startTurn('t1', 'ask', 'Where?')]);
    panel.type('And when?');
    panel.press('Enter');

    assert.equal(field(panel).value, 'And when?');
    assert.equal(panel.find('.composer-note').textContent, strings.stillAnswering);
    assert.ok(panel.sent.every((message) => message.type !== 'ask'));

    panel.receive({ type: 'conversation', turns: [done('t1', 1, 'Where?')] }).draw();
    assert.ok(panel.find('.composer-note').hidden);
    panel.press('Enter');
    assert.equal(panel.sent.at(-1)?.type, 'ask');
  });

  it('says that the server is not connected', () => {
    const panel = openPanel();
    const server = { ...ready.server, state: 'starting' as const };
    panel.receive({ type: 'surroundings', surroundings: { ...ready, server } }).draw();
    panel.type('When?');
    panel.press('Enter');

    assert.equal(panel.find('.composer-note').textContent, strings.notConnected);
    assert.equal(field(panel).value, 'When?');
  });

  it('says the other reason when the server connects while an answer is written', () => {
    const panel = openPanel();
    const server = { ...ready.server, state: 'starting' as const };
    panel.receive({ type: 'surroundings', surroundings: { ...ready, server } }).draw();
    panel.type('When?');
    panel.press('Enter');

    panel.receive({ type: 'conversation', turns: [startTurn('t1', 'ask', 'Where?')] }).draw();
    panel.receive({ type: 'surroundings', surroundings: ready }).draw();
    assert.equal(panel.find('.composer-note').textContent, strings.stillAnswering);
  });
});
