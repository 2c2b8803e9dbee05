import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { AnswerView } from '../src/panel/answerView';
import { redrawDiagrams } from '../src/panel/diagram';
import { setDrawing, type DrawDiagram } from '../src/panel/drawing';
import { openPage, strings } from './page';

const FLOW = '```mermaid\nflowchart LR\n  a --> b\n```\n';

function show(text: string, drawDiagram?: DrawDiagram): HTMLElement {
  openPage();
  setDrawing(drawDiagram ? () => Promise.resolve({ drawDiagram }) : null);
  const view = new AnswerView();
  view.update(text, { strings, citations: [] });
  document.body.append(view.element);
  return view.element;
}

const drawn: DrawDiagram = (source) =>
  Promise.resolve({ address: `data:image/svg+xml,${source.length}`, width: 10, height: 20 });

/** Let promises that wait for each other settle. */
const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('a diagram', () => {
  afterEach(() => {
    setDrawing(null);
  });

  it('is drawn as a picture that has a name, and its source stays at hand', async () => {
    const root = show(FLOW, drawn);
    assert.equal(root.querySelector<HTMLElement>('.diagram-picture')?.hidden, true);
    await settle();

    const picture = root.querySelector('img');
    assert.match(picture?.src ?? '', /^data:image/);
    assert.equal(picture?.alt, 'Diagram: flowchart');
    assert.equal(root.querySelector<HTMLElement>('.diagram-picture')?.hidden, false);
    assert.equal(root.querySelector('details')?.open, false);
    assert.match(root.querySelector('pre')?.textContent ?? '', /a --> b/);
    assert.equal(root.querySelectorAll('[aria-label=Copy]').length, 1);
  });

  it('is only source while it streams', async () => {
    let nDrawn = 0;
    const root = show(FLOW.slice(0, -5), (...all) => {
      nDrawn += 1;
      return drawn(...all);
    });
    await settle();

    assert.equal(nDrawn, 0);
    assert.equal(root.querySelector('img'), null);
  });

  it('stays source with a note when it is not valid, too large or of another kind', async () => {
    const cases: [string, string, RegExp][] = [
      [FLOW, 'Parse error on line 2: ...', /line 2 is not understood/],
      [FLOW, 'gantt', /“gantt” are not drawn here/],
      [FLOW, 'Edge limit exceeded. 900 edges found', /more than 250 connections/],
      [FLOW, 'Cannot read properties', /no diagram that can be drawn/],
      [FLOW.replace('  a', '  x-->y\n'.repeat(400)), '', /402 lines, where 300/],
    ];
    for (const [text, message, expected] of cases) {
      const root = show(text, () => Promise.reject(new Error(message)));
      await settle();

      assert.match(root.querySelector('.diagram-note')?.textContent ?? '', expected);
      assert.equal(root.querySelector('details')?.open, true);
      assert.equal(root.querySelector<HTMLElement>('.diagram-picture')?.hidden, true);
    }
  });

  it('is drawn again in the colours of a new theme', async () => {
    const looks: boolean[] = [];
    show(FLOW, (source, look) => {
      looks.push(look.isDark);
      return drawn(source, look);
    });
    await settle();
    document.body.className = 'vscode-dark';
    redrawDiagrams();
    await settle();

    assert.deepEqual(looks, [false, true]);
  });

  it('does not flicker when the answer is built again with its citations', async () => {
    openPage();
    setDrawing(() => Promise.resolve({ drawDiagram: drawn }));
    const view = new AnswerView();
    document.body.append(view.element);
    view.update(FLOW, { strings, citations: [] });
    await settle();
    view.update(FLOW, { strings, citations: [] });

    assert.equal(view.element.querySelector<HTMLElement>('.diagram-picture')?.hidden, false);
  });
});
