/** Starts the page on which a model is set up. */

import type { FromForm, ToForm } from '../shared/formMessages';
import type { FormStrings } from '../shared/formStrings';
import { ModelForm } from './modelForm';

declare function acquireVsCodeApi(): { postMessage: (message: FromForm) => void };

const root = document.getElementById('root');
const strings = document.getElementById('strings');
if (root && strings) {
  const host = acquireVsCodeApi();
  const form = new ModelForm(root, JSON.parse(strings.textContent) as FormStrings, (message) => {
    host.postMessage(message);
  });
  // Only the extension host can post into a webview's own frame.
  window.addEventListener('message', (event: MessageEvent<ToForm>) => {
    form.receive(event.data);
  });
  host.postMessage({ type: 'ready' });
}
