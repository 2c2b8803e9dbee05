import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findPaths } from '../src/views/pathLinks';

const FILES = [
  { path: 'AGENTS.md', uri: 'file:///w/AGENTS.md' },
  { path: 'src/orders/AGENTS.md', uri: 'file:///w/src/orders/AGENTS.md' },
  { path: 'knowledge/退款约定.md', uri: 'file:///w/knowledge/refunds.md' },
  { path: 'shared/team/notes.md', uri: null },
];

function name(text: string): [string, string, number][] {
  return findPaths(text, FILES).map(({ start, end, uri, line }) => [
    text.slice(start, end),
    uri,
    line,
  ]);
}

describe('paths in an answer', () => {
  it('are links, the longest name first', () => {
    assert.deepEqual(name('- `src/orders/AGENTS.md`: nearer than `AGENTS.md`'), [
      ['src/orders/AGENTS.md', 'file:///w/src/orders/AGENTS.md', 0],
      ['AGENTS.md', 'file:///w/AGENTS.md', 0],
    ]);
  });

  it('lead to the line that stands behind them', () => {
    assert.deepEqual(name('“重试” knowledge/退款约定.md:12-13, 0.86；见 AGENTS.md:4'), [
      ['knowledge/退款约定.md:12-13', 'file:///w/knowledge/refunds.md', 12],
      ['AGENTS.md:4', 'file:///w/AGENTS.md', 4],
    ]);
  });

  it('are none inside of other paths, and none without an address', () => {
    assert.deepEqual(name('`lib/AGENTS.md`, `AGENTS.md_`, `shared/team/notes.md:3`'), []);
  });

  it('are none when no file is known', () => {
    assert.deepEqual(findPaths('AGENTS.md', []), []);
  });
});
