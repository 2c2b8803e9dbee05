import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { AnswerView } from '../src/panel/answerView';
import { cite, PanelUnderTest, strings } from './page';

/** A view of `text`, and the elements in it that match `selector`. */
function show(text: string, selector: string): { view: AnswerView; found: Element[] } {
  const view = new AnswerView();
  view.update(text, { strings, citations });
  return { view, found: [...view.element.querySelectorAll(selector)] };
}

const citations = [cite('src/a.py:3')];

describe('an answer that grows', () => {
  before(() => new PanelUnderTest());

  it('looks at every step as if it had been there at once', () => {
    const whole =
      'First **bold** and `code`, see src/a.py:3 here.\n\n- one\n- two [x](src/b.py)\n  - deep\n\n' +
      '| a | b |\n|---|---|\n| 1 | 2 |\n\n```python\ndef f():\n    pass\n```\n\n> said\n\nEnd';
    const view = new AnswerView();
    for (let length = 1; length <= whole.length; length += 1) {
      const text = whole.slice(0, length);
      view.update(text, { strings, citations });

      assert.equal(view.element.innerHTML, show(text, 'p').view.element.innerHTML, text);
    }
  });

  it('keeps the paragraph and the items that stood there', () => {
    const { view, found } = show('- one\n- tw', 'ul, li');
    view.update('- one\n- two\n- three', { strings, citations });

    const now = [...view.element.querySelectorAll('ul, li')];
    assert.equal(now.length, 4);
    assert.deepEqual(
      found.map((each) => now.includes(each)),
      [true, true, true],
    );
  });

  it('is built anew with other citations: what looks alike may lead elsewhere', () => {
    const { view, found } = show('See src/a.py:3', 'p');
    view.update('See src/a.py:3 here', { strings, citations: [cite('src/a.py:3')] });

    assert.notEqual(view.element.querySelector('p'), found[0]);
  });
});
