/**
 * A suite in windows on one editor: checks in each, a picture of each one that fails, and no list
 * left open after it.
 */

import path from 'node:path';
import { addCounts, runChecks } from './checks.mjs';
import { LIGHT, openBrowser, startEditor, writeSettings } from './editor.mjs';
import { startModel } from './model.mjs';
import { tryAgain, until, Workbench } from './workbench.mjs';

const HEARD_MS = 5_000;

/** Settings of the machine that name the model of a test. */
export const useModel = ({ url }) => ({
  'glossator.model.baseUrl': url,
  'glossator.model.name': 'small-one',
});

/**
 * Start an editor on a workspace of its own, run checks in a window of each language, and leave
 * nothing running.
 *
 * `windows` makes the checks by the locale of their window; the second window is a light one.
 * `makeWorkspace` returns the path of the workspace. `editor` returns what else `startEditor` is
 * given, from the model that `start` starts.
 */
export async function runInEditor(options, suite) {
  const { name, windows, makeWorkspace, start = startModel, browser = {} } = suite;
  const title = options.title ? `${options.title} ${name}` : name;
  const model = await start();
  const state = path.join(options.state, name);
  const workspace = makeWorkspace?.() ?? options.copyWorkspace(`workspace-${name}`);
  const settings = {
    state,
    workspace,
    machine: { 'glossator.server.command': options.command },
    env: options.environment(),
    extension: options.extension,
    installation: options.installation,
    ...suite.editor?.(model),
  };
  const total = { passed: 0, failed: 0 };
  let editor;
  try {
    editor = await startEditor(settings);
    const scene = { ...options, state, model, workspace, url: editor.url };
    for (const [locale, makeChecks] of Object.entries(windows)) {
      if (locale !== 'en') {
        writeSettings(state, 'user/User', { ...settings.user, 'workbench.colorTheme': LIGHT });
      }
      addCounts(total, await checkInWindow(title, scene, { ...browser, locale }, makeChecks));
    }
    return total;
  } finally {
    await editor?.stop();
    await model.stop();
  }
}

/** Run the checks that `makeChecks` makes for a window; `options` are those of the browser. */
async function checkInWindow(title, scene, options, makeChecks) {
  const browser = await openBrowser(options);
  const bench = new Workbench(browser.page, scene.url, scene.workspace);
  const shoot = (name) => browser.page.screenshot({ path: path.join(scene.shots, `${name}.png`) });
  try {
    const checks = makeChecks({ ...scene, ...browser, bench, shoot });
    return await runChecks(`${title} ${options.locale}`, checks, async (name) => {
      await shoot(`failed-${name.replaceAll(/[^\p{L}\p{N}]+/gu, '-')}`);
      await bench.dismiss();
    });
  } finally {
    await browser.close();
  }
}

/** Let a fade end: half of it looks like a mistake in a picture. */
export const settle = (page) => page.waitForTimeout(500);

/** Open the panel by the command `title`; it has the cursor when this returns, and takes it no more. */
export async function openPanel(bench, title) {
  await bench.run(title);
  const chat = await bench.panel('chat');
  await chat.locator('textarea:focus').waitFor();
  return chat;
}

/** Ask as a person does: until the answer before has come in full, nothing can be sent. */
export async function sendQuestion(chat, question) {
  const field = chat.locator('textarea');
  await field.fill(question);
  // An Enter goes to what takes the focus late; who sees the question stand there presses it again.
  await tryAgain(async () => {
    await chat.locator('.send:enabled').waitFor();
    await field.press('Enter');
    const note = chat.locator('.composer-note:visible', { hasText: /\S/ });
    const isHeard = async () =>
      (await field.inputValue()) !== question || (await note.count()) > 0;
    await until('the question is heard', isHeard, HEARD_MS);
  });
}

/** Begin a new session by the command `title`; the panel is empty when this returns. */
export async function startSession(bench, title) {
  await bench.run(title);
  const chat = await bench.panel('chat');
  await until('the session is empty', async () => (await chat.locator('.turn').count()) === 0);
  return chat;
}
