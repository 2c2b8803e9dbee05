/** `@glossator` in the editor's own chat, answered by a model that another extension brings. */

import assert from 'node:assert/strict';
import path from 'node:path';
import { runInEditor, settle } from './window.mjs';

/** What the scripted model says when nothing else is asked of it. */
const CLAIM = 'The scripted model has nothing prepared';

export function runParticipant(options) {
  return runInEditor(options, {
    name: 'participant',
    editor: () => ({
      user: { 'chat.disableAIFeatures': false },
      unpacked: [path.join(import.meta.dirname, 'backend-extension')],
    }),
    windows: { en: makeChecks },
  });
}

function makeChecks({ page, bench, shoot }) {
  const input = page.locator('.interactive-input-part .monaco-editor').first();
  const offered = page.locator('.suggest-widget.visible');
  const answers = page.locator('.interactive-item-container.interactive-response');

  async function ask(words) {
    await page.keyboard.type(words);
    await page.keyboard.press('Enter');
  }

  return {
    async 'the chat offers the participant with its commands'() {
      // What a model can be chosen by is not in the stable interface of the editor yet.
      bench.address += `&payload=${encodeURIComponent(JSON.stringify([['enableProposedApi', '']]))}`;
      await bench.open();
      await bench.openFile('shop/cart.py', 18);
      await bench.statusBar('Glossator: no model').waitFor({ timeout: 60_000 });
      await bench.run('Chat: Manage Language Models');
      await page.getByText('Scripted').first().waitFor();
      await page.keyboard.press('Escape');
      await bench.run('Chat: Open Chat');
      await input.click();
      await page.keyboard.type('@glossator');
      for (const name of ['@glossator', '/chain', '/check', '/explain', '/why']) {
        await offered.getByText(name).first().waitFor();
      }
      await page.keyboard.press('Tab');
    },

    async 'a question is answered by the model of the chat, with places that open'() {
      await ask(' where is the total made?');
      const answer = answers.last();
      await answer.getByText(CLAIM).waitFor({ timeout: 60_000 });
      const place = answer.locator('.chat-inline-anchor-widget');
      await place.waitFor();
      assert.match(await place.innerText(), /cart\.py:16/);
      await settle(page);
      await shoot('participant-answer');
      await place.click();
      await bench.statusBar('Ln 16,').waitFor();
    },

    async 'a command needs no model: the conventions of the open file'() {
      // The chat goes on with whom it was asked last.
      await input.click();
      await ask('/check ');
      const answer = answers.last();
      await answer.getByText('1 finding').waitFor({ timeout: 60_000 });
      assert.match(await answer.innerText(), /shop\/cart\.py/);
    },
  };
}
