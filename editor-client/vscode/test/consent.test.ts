import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { CodeAction, WorkspaceEdit } from 'vscode-languageclient';
import { findUnconfirmed, showFirst } from '../src/code/consent';

const URI = 'file:///home/me/shop/cart.py';
const RANGE = { start: { line: 2, character: 0 }, end: { line: 2, character: 7 } };
const EDIT = { range: RANGE, newText: 'except KeyError:', annotationId: 'a' };

function makeEdit(needsConfirmation: boolean, ...more: string[]): WorkspaceEdit {
  const uris = [URI, ...more];
  return {
    documentChanges: uris.map((uri) => ({ textDocument: { uri, version: 3 }, edits: [EDIT] })),
    changeAnnotations: { a: { label: 'Fix', description: 'name it', needsConfirmation } },
  };
}

describe('edits that want consent', () => {
  it('are shown instead of made', () => {
    const action: CodeAction = { title: 'Fix', kind: 'quickfix', edit: makeEdit(true) };

    const shown = showFirst(action) as CodeAction;

    assert.equal(shown.edit, undefined);
    assert.equal(shown.kind, 'quickfix');
    assert.deepEqual(shown.command?.arguments, [
      { uri: URI, version: 3, edits: [EDIT], about: 'Fix — name it' },
    ]);
  });

  it('are not those that need none, and not commands', () => {
    const action: CodeAction = { title: 'Fix', kind: 'quickfix', edit: makeEdit(false) };
    const command = { title: 'Explain', command: 'glossator.explain' };

    assert.equal(showFirst(action), action);
    assert.equal(showFirst(command), command);
  });

  it("stay the editor's own where they are of several documents", () => {
    assert.equal(findUnconfirmed(makeEdit(true, 'file:///home/me/other.py')), null);
    assert.equal(findUnconfirmed({ changes: { [URI]: [EDIT] } }), null);
    assert.equal(findUnconfirmed(undefined), null);
  });
});
