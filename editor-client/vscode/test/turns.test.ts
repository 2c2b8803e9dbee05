import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { AskResult, TurnEvent } from '../src/shared/protocol';
import {
  answerText,
  applyEvent,
  cancelTurn,
  finishTurn,
  namesFile,
  startTurn,
} from '../src/shared/turns';

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

  it('shows a finished call whose start was never told', () => {
    assert.equal(play(toolEnd('x')).parts.length, 1);
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
