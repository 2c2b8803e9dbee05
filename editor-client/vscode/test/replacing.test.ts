import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { cutAt, findEdited, makeEdit, renderCut } from '../src/asking/replacing';
import { chipKey, fromAttached, noteAttached, toAttachment } from '../src/shared/attachments';
import type { Attached } from '../src/shared/protocol';
import { parseSlash } from '../src/shared/slashCommands';
import { startTurn, type Turn } from '../src/shared/turns';

const turn = (id: string, number: number | null): Turn => ({
  ...startTurn(id, 'ask', id),
  status: 'done',
  number,
});
const turns = [turn('a', 1), turn('refused', null), turn('b', 2), turn('failed', null)];

describe('what a question replaces', () => {
  it('is counted in turns that the session has', () => {
    assert.deepEqual(renderCut(cutAt(turns, 2)), { keepTurns: 1, ofTurns: 2 });
    assert.deepEqual(renderCut(cutAt(turns, 0)), { keepTurns: 0, ofTurns: 2 });
  });

  it('is nothing for a turn that was not kept', () => {
    assert.deepEqual(renderCut(cutAt(turns, 3)), {});
  });

  it('is found again when a reload has given it another id', () => {
    const edit = makeEdit(turns, 2);
    assert.deepEqual(edit, { turnId: 'b', keep: 1, nLater: 1 });
    const reloaded = [turn('x', 1), turn('y', 2)];
    assert.equal(findEdited(reloaded, edit), 1);
    assert.equal(findEdited([], edit), -1);
  });
});

describe('attachments', () => {
  const attached: Attached = {
    kind: 'selection',
    path: '店/购物车.py',
    uri: 'file:///w/%E5%BA%97/a.py',
    firstLine: 3,
    lastLine: 9,
    symbol: '',
    nLinesLeftOut: 2,
    problem: '',
  };

  it('are asked again as they were kept', () => {
    const chip = fromAttached(attached);

    assert.equal(chip.label, '购物车.py:3-9');
    assert.deepEqual(toAttachment(chip), {
      kind: 'selection',
      uri: attached.uri,
      range: { start: { line: 2, character: 0 }, end: { line: 9, character: 0 } },
    });
  });

  it('of files that are gone keep their path', () => {
    const chip = fromAttached({ ...attached, kind: 'file', uri: null, firstLine: 0, lastLine: 0 });

    assert.deepEqual(toAttachment(chip), { kind: 'file', path: '店/购物车.py' });
    assert.notEqual(chipKey(chip), chipKey(fromAttached(attached)));
  });

  it('tell what came of each, in their order', () => {
    const chip = fromAttached({ ...attached, nLinesLeftOut: 0 });
    const [first, second] = noteAttached([chip, chip], [{ ...attached, problem: 'gone' }]);

    assert.deepEqual([first?.problem, first?.nLinesLeftOut], ['gone', 2]);
    assert.equal(second?.problem, undefined);
  });
});

describe('a command in a question', () => {
  it('is told from a path', () => {
    assert.deepEqual(parseSlash('/explain  add\nnow'), {
      kind: 'command',
      name: 'explain',
      text: 'add\nnow',
    });
    assert.deepEqual(parseSlash('/Foo bar'), { kind: 'unknown', name: 'foo' });
    for (const text of ['/etc/hosts', '//', '/ a', 'a /check', '/a.py']) {
      assert.deepEqual(parseSlash(text), { kind: 'question' }, text);
    }
  });
});
