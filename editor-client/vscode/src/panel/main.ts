/** Starts the panel in the webview. */

import type { ToPanel } from '../shared/messages';
import type { PanelStrings } from '../shared/strings';
import { Panel, type Host } from './panel';

declare function acquireVsCodeApi(): Host;

const root = document.getElementById('root');
const strings = document.getElementById('strings');
if (root && strings) {
  const panel = new Panel(root, acquireVsCodeApi(), {
    strings: JSON.parse(strings.textContent) as PanelStrings,
    mode: root.dataset['mode'] === 'answer' ? 'answer' : 'chat',
    schedule: (draw) => {
      requestAnimationFrame(draw);
    },
  });
  // Only the extension host can post into a webview's own frame.
  window.addEventListener('message', (event: MessageEvent<ToPanel>) => {
    panel.receive(event.data);
  });
}
