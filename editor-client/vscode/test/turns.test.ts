import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { AskResult, TurnEvent } from '../src/shared/protocol';
import {
  answerText,
  applyEvent,
  cancelTurn,
  finishTurn,
  namesFile,
  restoreTurn,
  startTurn,
  type Part,
} from '../src/shared/turns';

import { cite } from './page';

const usage = { promptTokens: 10, completionTokens: 5, cachedTokens: 0 };

function play(...events: TurnEvent[]) {
  return events.reduce(applyEvent, startTurn('t', 'ask', 'Why?'));
}

function tool(callId: string, name = 'read_file'): TurnEvent {
  return { type: 'toolStarted', callId, name, arguments: '{"path":"a.py"}' };
}

function toolEnd(callId: string, isError = false): TurnEvent {
  return {
    type: 'toolFinished',
    callId,
    name: 'read_file',
    isError,
    summary: '3 lines',
    result: '1 x',
    durationMs: 12,
  };
}

function delegate(callId: string, task: string): TurnEvent {
  return { type: 'toolStarted', callId, name: 'delegate', arguments: JSON.stringify({ task }) };
}

function helperEnd(helperId: string, stopReason: string): TurnEvent {
  return { type: 'helperEnded', helperId, stopReason, result: 'Found.', usage, durationMs: 9 };
}

function describeHelper(part: Part) {
  return part.kind === 'helper'
    ? [part.helperId, part.callId, part.state, part.tools.map((each) => each.state)]
    : part.kind;
}

const result: AskResult = {
  sessionId: 's',
  markdown: 'The answer.',
  refused: null,
  byModel: true,
  notice: '',
  citations: [],
  sources: [],
  stopReason: 'answered',
  usage,
};

describe('a turn', () => {
  it('joins pieces of text and keeps tools between them in order', () => {
    const turn = play(
      { type: 'textArrived', text: 'Let me ' },
      { type: 'textArrived', text: 'look.' },
      tool('1'),
      tool('2'),
      toolEnd('2'),
      { type: 'textArrived', text: 'Done' },
    );

    assert.deepEqual(
      turn.parts.map((part) => (part.kind === 'text' ? part.text : `${part.callId} ${part.state}`)),
      ['Let me look.', '1 running', '2 done', 'Done'],
    );
  });

  it('matches a finished call with the running one when ids repeat', () => {
    const turn = play(tool('x'), toolEnd('x'), tool('x'), toolEnd('x', true));

    assert.deepEqual(
      turn.parts.map((part) => part.kind === 'tool' && part.state),
      ['done', 'failed'],
    );
  });

  it('counts the seconds of a pause down until something arrives', () => {
    const wait = (seconds: number): TurnEvent => ({
      type: 'waitingForModel',
      seconds,
      reason: 'slow down',
    });

    assert.equal(play(wait(2.5)).waiting, 'slow down · 3 s');
    assert.equal(play(wait(2.5), wait(2)).waiting, 'slow down · 2 s');
    assert.equal(play(wait(2.5), { type: 'textArrived', text: 'a' }).waiting, '');
  });

  it('shows a finished call whose start was never told', () => {
    assert.equal(play(toolEnd('x')).parts.length, 1);
  });

  it('shows a plan as it is now, and not the calls that write it', () => {
    const call: TurnEvent = { type: 'toolStarted', callId: '1', name: 'plan', arguments: '{}' };
    const done: TurnEvent = { ...toolEnd('1'), name: 'plan' } as TurnEvent;
    const turn = play(
      call,
      { type: 'planChanged', steps: [{ text: 'Read', state: 'active' }] },
      done,
      { type: 'planChanged', steps: [{ text: 'Read', state: 'done' }] },
    );

    assert.deepEqual(turn.plan, [{ text: 'Read', state: 'done' }]);
    assert.deepEqual(turn.parts, []);
  });

  it('shows a plan that was refused as a call that failed', () => {
    const turn = play({ ...toolEnd('1', true), name: 'plan' } as TurnEvent);

    assert.equal(turn.parts[0]?.kind === 'tool' && turn.parts[0].state, 'failed');
  });

  it('puts a helper in the place of the call that started it, with its own calls inside', () => {
    const turn = play(
      delegate('a', 'look at a'),
      delegate('b', ' look at b '),
      { type: 'helperStarted', helperId: 'h1', task: 'look at b' },
      { type: 'helperStarted', helperId: 'h2', task: 'look at a' },
      { type: 'helperActed', helperId: 'h1', event: tool('x') },
      { type: 'helperActed', helperId: 'h2', event: tool('x') },
      { type: 'helperActed', helperId: 'h1', event: toolEnd('x', true) },
      helperEnd('h1', 'answered'),
      toolEnd('b'),
    );

    assert.deepEqual(turn.parts.map(describeHelper), [
      ['h2', 'a', 'running', ['running']],
      ['h1', 'b', 'done', ['failed']],
    ]);
  });

  it('keeps apart helpers that no call started, and says when one waits', () => {
    const turn = play(
      { type: 'helperStarted', helperId: 'h1', task: 'part 1' },
      {
        type: 'helperActed',
        helperId: 'h1',
        event: { type: 'waitingForModel', seconds: 2, reason: 'rate limit' },
      },
      helperEnd('h2', 'answered'),
    );

    const [helper] = turn.parts;
    assert.equal(turn.parts.length, 1);
    assert.equal(helper?.kind === 'helper' && helper.waiting, 'rate limit · 2 s');
  });

  it('shows a helper that failed or was cut off as failed', () => {
    const failed = play(
      { type: 'helperStarted', helperId: 'h1', task: 'a' },
      helperEnd('h1', 'failed'),
    );
    const stopped = cancelTurn(
      play(
        { type: 'helperStarted', helperId: 'h1', task: 'a' },
        { type: 'helperActed', helperId: 'h1', event: tool('x') },
      ),
    );

    assert.deepEqual(failed.parts.map(describeHelper), [['h1', '', 'failed', []]]);
    assert.deepEqual(stopped.parts.map(describeHelper), [['h1', '', 'failed', ['failed']]]);
  });

  it('shows a call of a helper that could not be started as a tool', () => {
    const turn = play(delegate('a', ''), { ...toolEnd('a', true), name: 'delegate' } as TurnEvent);

    assert.equal(turn.parts[0]?.kind === 'tool' && turn.parts[0].state, 'failed');
  });

  it('keeps the reports of an analysis and where they may lead', () => {
    const started = play({ type: 'helperStarted', helperId: 'h1', task: 'a/' });
    const part = {
      title: 'a/',
      paths: ['a/b.py'],
      markdown: 'See a/b.py:1.',
      stopReason: 'answered',
      citations: [cite('a/b.py:1')],
      usage,
    };
    const { refused, sources, ...plain } = result;
    assert.deepEqual([refused, sources], [null, []]);

    const turn = finishTurn(started, { ...plain, title: 'Package a', parts: [part] });

    assert.equal(turn.question, 'Why?');
    assert.equal(answerText(turn), 'The answer.');
    assert.deepEqual(turn.reported, part.citations);
    assert.equal(namesFile(turn, 'file:///w/a/b.py'), true);
  });

  it('takes the result for the answer, in the place of the text that streamed', () => {
    const streamed = play(tool('1'), toolEnd('1'), { type: 'textArrived', text: 'The ans' });

    const turn = finishTurn(streamed, result);

    assert.equal(answerText(turn), 'The answer.');
    assert.equal(turn.parts.length, 2);
    assert.equal(turn.status, 'done');
  });

  it('shows a refusal once, not as an answer too', () => {
    const refused = { reason: 'nothing-close', message: 'Nothing known.', nearest: [] };

    const turn = finishTurn(play(), { ...result, markdown: 'Nothing known.', refused });

    assert.deepEqual(turn.parts, []);
    assert.equal(turn.refusal?.message, 'Nothing known.');
  });

  it('does not show a briefing twice when the briefing is the answer', () => {
    const briefed = play({ type: 'briefingReady', markdown: '# f' });

    assert.equal(finishTurn(briefed, { ...result, byModel: false }).briefing, '');
    assert.equal(finishTurn(briefed, result).briefing, '# f');
  });

  it('keeps what had arrived when it is stopped, and leaves no tool running', () => {
    const turn = cancelTurn(play({ type: 'textArrived', text: 'Half' }, tool('1')));

    assert.equal(answerText(turn), 'Half');
    assert.deepEqual(
      turn.parts.map((part) => part.kind === 'tool' && part.state),
      [false, 'failed'],
    );
    assert.equal(turn.status, 'cancelled');
  });

  it('is shown again as it was when its session is opened', () => {
    const citations = [
      { text: 'a.py:1', path: 'a.py', uri: null, firstLine: 1, lastLine: 1, verdict: 'exact' },
    ] as const;

    const turn = restoreTurn('t', {
      question: 'Why?',
      markdown: 'Because.',
      byModel: true,
      stopReason: 'answered',
      citations: [...citations],
      usage,
      finishedAt: '2026-01-31T12:00:00.000+00:00',
    });

    assert.equal(answerText(turn), 'Because.');
    assert.deepEqual(
      [turn.question, turn.status, turn.byModel, turn.citations, turn.usage],
      ['Why?', 'done', true, citations, usage],
    );
  });

  it('knows which files outside the workspace the server named', () => {
    const source = {
      title: 'T',
      path: 'x.md',
      uri: 'file:///x.md',
      firstLine: 1,
      lastLine: 2,
      score: 1,
    };

    const turn = finishTurn(play(), { ...result, sources: [source] });

    assert.equal(namesFile(turn, 'file:///x.md'), true);
    assert.equal(namesFile(turn, 'file:///etc/passwd'), false);
  });

  it('ignores events of a newer server', () => {
    const turn = play({ type: 'somethingNew', value: 1 } as unknown as TurnEvent);

    assert.deepEqual(turn, startTurn('t', 'ask', 'Why?'));
  });
});
