/** Starts the panel in the webview. */

import type { Draft } from '../shared/asking';
import type { FromPanel, ToPanel } from '../shared/messages';
import type { PanelStrings } from '../shared/strings';
import { redrawDiagrams } from './diagram';
import { setDrawing, type DrawDiagram } from './drawing';
import { Panel } from './panel';

declare function acquireVsCodeApi(): { postMessage: (message: FromPanel) => void };

const root = document.getElementById('root');
const strings = document.getElementById('strings');
if (root && strings) {
  const editor = acquireVsCodeApi();
  const host = {
    postMessage: (message: FromPanel) => {
      editor.postMessage(message);
    },
    // The editor writes a page's own state down only when the window closes in good order.
    keep: (draft: Draft) => {
      editor.postMessage({ type: 'draft', draft });
    },
  };
  const panel = new Panel(root, host, {
    strings: JSON.parse(strings.textContent) as PanelStrings,
    mode: root.dataset['mode'] === 'answer' ? 'answer' : 'chat',
    schedule: (draw) => {
      requestAnimationFrame(draw);
    },
  });
  const script = root.dataset['diagram'] ?? '';
  setDrawing(() => import(script) as Promise<{ drawDiagram: DrawDiagram }>);
  // The editor tells a change of theme by the classes of the body.
  new MutationObserver(redrawDiagrams).observe(document.body, { attributeFilter: ['class'] });
  window.addEventListener('resize', () => {
    panel.fit();
  });
  // Only the extension host can post into a webview's own frame.
  window.addEventListener('message', (event: MessageEvent<ToPanel>) => {
    panel.receive(event.data);
  });
}
