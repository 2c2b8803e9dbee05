/** A window on a running editor: checks in it, and a picture of each one that fails. */

import path from 'node:path';
import { runChecks } from './checks.mjs';
import { openBrowser } from './editor.mjs';
import { until, Workbench } from './workbench.mjs';

/** Run the checks that `makeChecks` makes for a window; `options` are those of the browser. */
export async function checkInWindow(title, scene, options, makeChecks) {
  const browser = await openBrowser(options);
  const bench = new Workbench(browser.page, scene.url, scene.workspace);
  const shoot = (name) => browser.page.screenshot({ path: path.join(scene.shots, `${name}.png`) });
  try {
    const checks = makeChecks({ ...scene, ...browser, bench, shoot });
    return await runChecks(`${title} ${options.locale ?? 'en'}`, checks, (name) =>
      shoot(`failed-${name.replaceAll(/\W+/g, '-')}`),
    );
  } finally {
    await browser.close();
  }
}

/** Let a fade end: half of it looks like a mistake in a picture. */
export const settle = (page) => page.waitForTimeout(500);

/** Ask as a person does: until the answer before has come in full, nothing can be sent. */
export async function sendQuestion(chat, question) {
  await chat.locator('textarea').fill(question);
  await chat.locator('.send:enabled').waitFor();
  await chat.locator('textarea').press('Enter');
}

/** Begin a new session by the command `title`; the panel is empty when this returns. */
export async function startSession(bench, title) {
  await bench.run(title);
  const chat = await bench.panel('chat');
  await until('the session is empty', async () => (await chat.locator('.turn').count()) === 0);
  return chat;
}
