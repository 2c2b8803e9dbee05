import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { applyEvent, finishTurn, restoreTurn, startTurn, type Turn } from '../src/shared/turns';
import type { AskResult, TurnEvent } from '../src/shared/protocol';
import type { Surroundings } from '../src/shared/messages';
import { cite, PanelUnderTest, ready, strings } from './page';

const answered: AskResult = {
  sessionId: 's',
  markdown: 'It adds, see src/a.py:3.',
  refused: null,
  byModel: true,
  notice: '',
  citations: [cite('src/a.py:3')],
  sources: [
    {
      title: 'Style › Errors',
      path: 'knowledge/style.md',
      uri: null,
      firstLine: 4,
      lastLine: 9,
      score: 0.7,
    },
  ],
  stopReason: 'answered',
  usage: { promptTokens: 1000, completionTokens: 234, cachedTokens: 0 },
};

function openPanel(): PanelUnderTest {
  const panel = new PanelUnderTest();
  panel.receive({ type: 'surroundings', surroundings: ready }).draw();
  return panel;
}

const running = {
  ...startTurn('t1', 'ask', 'What does add do?', 'src/a.py:3'),
  modelName: 'm-1',
};

function finish(turn: Turn, result: Partial<AskResult>): Turn {
  return finishTurn(turn, { ...answered, ...result });
}

describe('the chat panel', () => {
  it('says it is ready, and shows what to ask before the first question', () => {
    const panel = openPanel();

    assert.deepEqual(panel.sent, [{ type: 'ready' }]);
    assert.equal(panel.texts('.sample').length, 3);
    panel.find('.sample').click();
    assert.equal(panel.sent.at(-1)?.type, 'ask');
  });

  it('sends a question with Enter, but not while a word is composed or with Shift', () => {
    const panel = openPanel();
    panel.type('  为什么?  ');

    panel.press('Enter', { isComposing: true });
    panel.press('Enter', { shiftKey: true });
    assert.equal(panel.sent.length, 1);
    panel.press('Enter');

    assert.deepEqual(panel.sent.at(-1), {
      type: 'ask',
      question: '为什么?',
      withContext: true,
      chips: [],
      edit: null,
    });
    assert.equal(panel.find<HTMLTextAreaElement>('textarea').value, '');
  });

  it('leaves the place of the cursor out when its chip is switched off', () => {
    const panel = openPanel();

    panel.find('.context').click();
    panel.type('Why?');
    panel.press('Enter');

    assert.equal(panel.find('.context').getAttribute('aria-pressed'), 'false');
    assert.deepEqual(panel.sent.at(-1), {
      type: 'ask',
      question: 'Why?',
      withContext: false,
      chips: [],
      edit: null,
    });
  });

  it('shows text as it streams, one drawing for many pieces', () => {
    const panel = openPanel();
    panel.receive({ type: 'turn', turn: running });
    for (let i = 0; i < 100; i += 1) {
      const events: TurnEvent[] = [{ type: 'textArrived', text: `w${i} ` }];
      panel.receive({ type: 'events', turnId: 't1', events });
    }

    assert.equal(panel.draw(), 1);
    assert.match(panel.find('.turn-body .markdown').textContent, /^w0 .* w99/);
    assert.equal(panel.find('.turn').getAttribute('aria-busy'), 'true');
  });

  it('offers to stop while an answer runs, with the button and with Escape', () => {
    const panel = openPanel();
    panel.receive({ type: 'turn', turn: running }).draw();

    assert.equal(panel.find('.send').hidden, true);
    panel.find('.round-button.stop').click();
    panel.press('Escape');

    const stops = panel.sent.filter((message) => message.type === 'stop');
    assert.deepEqual(stops, [
      { type: 'stop', turnId: 't1' },
      { type: 'stop', turnId: 't1' },
    ]);
  });

  it('shows a tool call as it happens, and its result folded away', () => {
    const panel = openPanel();
    const start: TurnEvent = {
      type: 'toolStarted',
      callId: '1',
      name: 'read_file',
      arguments: '{"path":"src/a.py","first_line":3}',
    };
    panel.receive({ type: 'turn', turn: running });
    panel.receive({ type: 'events', turnId: 't1', events: [start] }).draw();
    assert.match(panel.find('.tool summary').textContent, /read_filesrc\/a\.py 3running/);

    const end: TurnEvent = {
      type: 'toolFinished',
      callId: '1',
      name: 'read_file',
      isError: false,
      summary: 'src/a.py, lines 3-9',
      result: '3 <b>x</b>',
      durationMs: 1234,
    };
    panel.receive({ type: 'events', turnId: 't1', events: [end] }).draw();

    assert.match(panel.find('.tool summary').textContent, /src\/a\.py, lines 3-9.*1\.2\ss/);
    assert.equal(panel.find<HTMLDetailsElement>('.tool').open, false);
    assert.match(panel.find('.tool').textContent, /3 <b>x<\/b>/);
  });

  it('keeps a fold that the reader opened while more arrives', () => {
    const panel = openPanel();
    panel.receive({ type: 'turn', turn: running });
    const start: TurnEvent = { type: 'toolStarted', callId: '1', name: 't', arguments: '{}' };
    panel.receive({ type: 'events', turnId: 't1', events: [start] }).draw();
    panel.find<HTMLDetailsElement>('.tool').open = true;

    const text: TurnEvent = { type: 'textArrived', text: 'more' };
    panel.receive({ type: 'events', turnId: 't1', events: [text] }).draw();

    assert.equal(panel.find<HTMLDetailsElement>('.tool').open, true);
  });

  it('shows the plan as a checklist above what is done', () => {
    const panel = openPanel();
    panel.receive({ type: 'turn', turn: running }).draw();
    assert.equal(panel.find('.plan').hidden, true);

    const event: TurnEvent = {
      type: 'planChanged',
      steps: [
        { text: 'Read', state: 'done' },
        { text: 'Write', state: 'active' },
        { text: 'Check', state: 'pending' },
        { text: 'Rest', state: 'dropped' },
      ],
    };
    panel.receive({ type: 'events', turnId: 't1', events: [event] }).draw();

    assert.deepEqual(panel.texts('.plan-step'), [
      'Read (done)',
      'Write (under way)',
      'Check (to do)',
      'Rest (dropped)',
    ]);
    assert.equal(panel.find('[aria-current=step]').textContent, 'Write (under way)');
    assert.equal(panel.find('.plan').compareDocumentPosition(panel.find('.turn-body')), 4);
  });

  it('shows helpers at work as a tree, and folds each when it has reported', () => {
    const panel = openPanel();
    panel.receive({ type: 'turn', turn: running });
    const call: TurnEvent = {
      type: 'toolStarted',
      callId: '1',
      name: 'read_file',
      arguments: '{}',
    };
    const begin: TurnEvent[] = [
      { type: 'helperStarted', helperId: 'h1', task: 'Look at `src/`' },
      { type: 'helperActed', helperId: 'h1', event: call },
    ];
    panel.receive({ type: 'events', turnId: 't1', events: begin }).draw();
    const helper = panel.find<HTMLDetailsElement>('.helper');
    assert.equal(helper.open, true);
    assert.match(panel.find('.helper > summary').textContent, /^Look at src\/running1 call$/);
    assert.match(panel.find('.helper-calls .tool summary').textContent, /^read_file/);

    const end: TurnEvent = {
      type: 'helperEnded',
      helperId: 'h1',
      stopReason: 'answered',
      result: 'Found in src/a.py:3.',
      usage: { promptTokens: 1, completionTokens: 1, cachedTokens: 0 },
      durationMs: 2500,
    };
    panel.receive({ type: 'events', turnId: 't1', events: [end] }).draw();
    const turn = [...begin, end].reduce(applyEvent, running);
    panel.receive({ type: 'turn', turn: finish(turn, {}) }).draw();

    assert.equal(helper.open, false);
    assert.equal(panel.find('.helper'), helper);
    assert.match(panel.find('.helper > summary').textContent, /2\.5\ss$/);
    assert.match(panel.find('.helper > .markdown').textContent, /Found in src\/a\.py:3/);
  });

  it('leaves a helper open that the reader opened', () => {
    const panel = openPanel();
    panel.receive({ type: 'turn', turn: running });
    const begin: TurnEvent = { type: 'helperStarted', helperId: 'h1', task: 'a' };
    panel.receive({ type: 'events', turnId: 't1', events: [begin] }).draw();
    const helper = panel.find<HTMLDetailsElement>('.helper');
    panel.find('.helper > summary').click();
    helper.open = true;

    const end: TurnEvent = {
      type: 'helperEnded',
      helperId: 'h1',
      stopReason: 'failed',
      result: 'The key is wrong.',
      usage: { promptTokens: 0, completionTokens: 0, cachedTokens: 0 },
      durationMs: 1,
    };
    panel.receive({ type: 'events', turnId: 't1', events: [end] }).draw();

    assert.equal(helper.open, true);
    assert.equal(helper.dataset['state'], 'failed');
  });

  it('shows how many tokens the server had cached', () => {
    const panel = openPanel();
    const usage = { promptTokens: 1000, completionTokens: 234, cachedTokens: 800 };
    panel.receive({ type: 'turn', turn: finish(running, { usage }) }).draw();

    assert.match(
      panel.find('.facts').textContent,
      /1,234 tokens, 800 cached \(80 % of the prompt\)/,
    );
  });

  it('shows what an answer cost where that is known', () => {
    const panel = openPanel();
    const usage = { promptTokens: 1000, completionTokens: 234, cachedTokens: 0 };
    panel.receive({ type: 'turn', turn: finish(running, { usage }) }).draw();
    assert.doesNotMatch(panel.find('.facts').textContent, /cost/);

    const priced = { ...usage, cost: 0.00123 };
    panel.receive({ type: 'conversation', turns: [finish(running, { usage: priced })] }).draw();
    assert.match(panel.find('.facts').textContent, /1,234 tokens · cost 0\.0012/);
  });

  it('ends an answer with its citations, sources, tokens and who answered', () => {
    const panel = openPanel();
    panel.receive({ type: 'turn', turn: finish(running, {}) }).draw();

    assert.deepEqual(panel.texts('.chips .chip'), ['src/a.py:3']);
    assert.deepEqual(panel.texts('.source-title'), ['Style › Errors']);
    assert.match(panel.find('.facts').textContent, /Answered by m-1 · 1,234 tokens/);
    panel.find('.chip').click();
    assert.equal(panel.sent.at(-1)?.type, 'openPlace');
  });

  it('goes on naming the model that answered when another one is set up', () => {
    const panel = openPanel();
    panel.receive({ type: 'turn', turn: finish(running, {}) }).draw();
    const model = { ...ready.model, name: 'm-2' } as Surroundings['model'];
    panel.receive({ type: 'surroundings', surroundings: { ...ready, model } }).draw();

    assert.match(panel.find('.facts').textContent, /Answered by m-1/);
  });

  it('says once why an answer ended early, in the words of the server', () => {
    const panel = openPanel();
    const notice = 'The model kept repeating the same calls and was stopped.';
    const turn = finish(running, { stopReason: 'repeating', notice });
    panel.receive({ type: 'turn', turn }).draw();

    assert.deepEqual(panel.texts('.note'), [notice]);
    assert.ok(panel.find('.note .icon-warning'));
  });

  it('still says of a kept answer that it ended early', () => {
    const panel = openPanel();
    const kept = {
      question: 'Why?',
      markdown: 'So far.',
      byModel: true,
      stopReason: 'round-limit',
      citations: [],
      usage: null,
      finishedAt: '2026-01-02T03:04:05Z',
    };
    panel.receive({ type: 'turn', turn: restoreTurn('t1', kept) }).draw();

    assert.deepEqual(panel.texts('.note'), [strings.incomplete]);
    assert.match(panel.find('.facts').textContent, /^Answered by the model$/);
  });

  it('opens the list of citations when one of them does not hold', () => {
    const panel = openPanel();
    const turn = finish(running, { citations: [cite('a.py:1'), cite('b.py:2', 'missing')] });
    panel.receive({ type: 'turn', turn }).draw();

    assert.equal(panel.find<HTMLDetailsElement>('.citations').open, true);
    assert.equal(
      panel.find('.citations summary').title,
      '2 places checked: 1 exact, 0 moved, 1 missing',
    );
    assert.deepEqual(panel.texts('.count'), ['1', '1 not found']);
  });

  it('shows a refusal with its reason and what comes closest', () => {
    const panel = openPanel();
    const refused = {
      reason: 'nothing-close',
      message: '没有相关知识。',
      nearest: answered.sources,
    };
    panel
      .receive({ type: 'turn', turn: finish(running, { refused, stopReason: 'refused' }) })
      .draw();

    assert.match(panel.find('.refusal').textContent, /Not answered没有相关知识。.*Style › Errors/);
    assert.equal(panel.root.querySelector('.chips'), null);
  });

  it('tells a screen reader what begins and ends, not every word', () => {
    const panel = openPanel();
    const status = panel.find('[role=status]');
    panel.receive({ type: 'turn', turn: running });
    assert.equal(status.textContent, 'Answering…');
    panel.receive({
      type: 'events',
      turnId: 't1',
      events: [{ type: 'textArrived', text: 'Secret word' }],
    });
    panel.draw();
    assert.equal(status.textContent, 'Answering…');
    panel.receive({ type: 'turn', turn: finish(running, {}) }).draw();

    assert.equal(status.textContent, 'Answer ready');
    assert.equal(panel.find('.log').getAttribute('aria-label'), 'Conversation');
  });

  it('names every button', () => {
    const panel = openPanel();
    panel.receive({ type: 'turn', turn: finish(running, {}) }).draw();

    for (const button of panel.root.querySelectorAll('button')) {
      const name = button.getAttribute('aria-label') ?? button.textContent;
      assert.notEqual(name.trim(), '', button.outerHTML);
    }
  });

  it('forgets the conversation when a new session begins', () => {
    const panel = openPanel();
    panel.receive({ type: 'turn', turn: finish(running, {}) }).draw();

    panel.receive({ type: 'conversation', turns: [] }).draw();

    assert.equal(panel.root.querySelector('.turn'), null);
    assert.equal(panel.texts('.sample').length, 3);
  });

  it('offers to install a missing server, by one click or by hand', () => {
    const panel = new PanelUnderTest();
    const server = {
      state: 'missing' as const,
      message: 'Not there.',
      installCommand: 'pip install x',
    };
    panel.receive({ type: 'surroundings', surroundings: { ...ready, server, model: null } }).draw();

    assert.match(panel.find('.card').textContent, /not installed.*One click.*pip install x/s);
    const buttons = [...panel.root.querySelectorAll<HTMLElement>('.card button')];
    buttons.forEach((button) => {
      button.click();
    });
    const wanted = [
      ...['installServer', 'restartServer', 'openWalkthrough'],
      ...['copyInstallCommand', 'openServerSettings'],
    ];
    assert.deepEqual(
      panel.sent.slice(1),
      wanted.map((command) => ({ type: 'command', command })),
    );
    panel.type('Why?');
    panel.press('Enter');
    assert.equal(panel.sent.length, 6, 'a question cannot be sent without a server');
  });

  it('shows what is being installed, and can stop it', () => {
    const panel = new PanelUnderTest();
    const server = { state: 'missing' as const, message: '', installCommand: '' };
    const surroundings = { ...ready, server, model: null, installing: 'Fetching pygls' };
    panel.receive({ type: 'surroundings', surroundings }).draw();

    assert.match(panel.find('.card').textContent, /Fetching pygls/);
    panel.find('.card button:last-child').click();
    assert.deepEqual(panel.sent.at(-1), { type: 'command', command: 'cancelInstallation' });
  });

  it('says why an installation failed', () => {
    const panel = new PanelUnderTest();
    const server = { state: 'missing' as const, message: '', installCommand: '' };
    const surroundings = { ...ready, server, model: null, installTrouble: 'The disk is full.' };
    panel.receive({ type: 'surroundings', surroundings }).draw();

    assert.match(panel.find('.card').textContent, /The disk is full\./);
  });

  it('says what is off in a workspace that is not trusted, and offers knowledge where is none', () => {
    const panel = new PanelUnderTest();
    const surroundings = { ...ready, isTrusted: false, hasKnowledge: false };
    panel.receive({ type: 'surroundings', surroundings }).draw();

    const titles = [...panel.root.querySelectorAll('.card h3')].map((each) => each.textContent);
    assert.deepEqual(titles, ['This workspace is not trusted', 'No team knowledge yet']);
    panel.root.querySelectorAll<HTMLElement>('.card button').forEach((button) => {
      button.click();
    });
    assert.deepEqual(panel.sent.slice(1), [
      { type: 'command', command: 'manageTrust' },
      { type: 'command', command: 'createKnowledge' },
    ]);
  });

  it('says what still works without a model', () => {
    const panel = new PanelUnderTest();
    const model = { configured: false, name: '', endpoint: '', source: '', message: 'Set a key.' };
    panel.receive({ type: 'surroundings', surroundings: { ...ready, model } }).draw();

    assert.match(panel.find('.card').textContent, /No model is set up.*Set a key\./);
  });

  it('shows where the server stands even in the middle of a conversation', () => {
    const panel = openPanel();
    panel.receive({ type: 'turn', turn: finish(running, {}) });
    const server = { state: 'failed' as const, message: 'It broke.', installCommand: '' };
    panel.receive({ type: 'surroundings', surroundings: { ...ready, server } }).draw();

    assert.match(panel.find('.trouble').textContent, /did not startIt broke\./);
  });

  function openAnswerAt(place: number): HTMLElement {
    const panel = openPanel();
    panel.receive({ type: 'turn', turn: finish(running, {}) }).draw();
    const log = panel.find('.log');
    Object.defineProperties(log, { scrollHeight: { value: 900 }, clientHeight: { value: 300 } });
    log.scrollTop = place;
    const surroundings: Surroundings = { ...ready, context: 'src/a.py:9' };
    panel.receive({ type: 'surroundings', surroundings }).draw();
    return log;
  }

  it('leaves who reads the middle of an answer there when only something beside it changes', () => {
    assert.equal(openAnswerAt(250).scrollTop, 250);
  });

  it('leaves who reads the end of an answer at the end', () => {
    assert.ok(openAnswerAt(600).scrollTop >= 600);
  });

  it('draws 200 turns and then only what changes', () => {
    const panel = openPanel();
    const turns = Array.from({ length: 200 }, (_, i) =>
      finish(startTurn(`t${i}`, 'ask', `Question ${i}`), { markdown: `Answer **${i}**` }),
    );
    panel.receive({ type: 'conversation', turns }).draw();
    const first = panel.find('.turn .markdown .block');

    panel.receive({ type: 'turn', turn: startTurn('new', 'ask', 'Next') }).draw();

    assert.equal(panel.root.querySelectorAll('.turn').length, 201);
    assert.equal(panel.find('.turn .markdown .block'), first);
  });
});

describe('the answer beside the code', () => {
  it('has a heading, the place and a way to stop, and no composer', () => {
    const panel = new PanelUnderTest('answer');
    const turn = startTurn('t1', 'explain', 'Explain this function', 'src/a.py:3');
    panel.receive({ type: 'surroundings', surroundings: ready }, { type: 'turn', turn }).draw();

    assert.equal(panel.find('h1').textContent, 'Explain this function');
    assert.equal(panel.root.querySelector('textarea'), null);
    panel.find('.answer-head .place').click();
    panel.find('.stop-answer').click();
    assert.deepEqual(
      panel.sent.map((message) => message.type),
      ['ready', 'openPlace', 'stop'],
    );
  });

  it('shows a call chain as trees whose nodes open their function', () => {
    const node = (name: string, line: number) => ({
      name,
      path: 'src/a.py',
      uri: 'file:///w/src/a.py',
      line,
      range: null,
      cycle: false,
      resolved: true,
      children: [],
    });
    const outside = { ...node('print', 0), path: '', uri: null, resolved: false };
    const chain = {
      markdown: '## add',
      mermaid: 'flowchart LR',
      title: 'add',
      root: node('add', 1),
      callers: [{ ...node('main', 9), children: [{ ...node('add', 1), cycle: true }] }],
      callees: [outside],
    };
    const turn = { ...startTurn('t', 'callChain', 'add'), status: 'done' as const, chain };
    const panel = new PanelUnderTest('answer');
    panel.receive({ type: 'surroundings', surroundings: ready }, { type: 'turn', turn }).draw();

    assert.deepEqual(panel.texts('button.node'), ['mainsrc/a.py:9', 'addsrc/a.py:1cycle']);
    assert.deepEqual(panel.texts('.unresolved'), ['print']);
    panel.find('button.node').click();
    assert.deepEqual(panel.sent.at(-1), {
      type: 'openPlace',
      place: { uri: 'file:///w/src/a.py', path: 'src/a.py', firstLine: 9, lastLine: 9 },
    });
  });
});
