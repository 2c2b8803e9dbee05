/**
 * A new user's first five minutes: an empty profile, no server, no model, no knowledge.
 *
 * The server's packages come from a folder of wheels that is made out of the test's environment, so
 * that the installation asks nobody for anything.
 */

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { OFFERED } from './model.mjs';
import { runInEditor, sendQuestion, settle } from './window.mjs';
import { until } from './workbench.mjs';

const KEY = 'sk-right-0123456789';
const WRONG_KEY = 'sk-wrong-0123456789';
/** Forty packages are unpacked and compiled meanwhile. */
const INSTALL_MS = 240_000;
const WALKTHROUGHS = 'workbench.welcomePage.walkthroughs.openOnInstall';

export function runFirst(options) {
  const home = path.join(options.state, 'first-home');
  rmSync(home, { recursive: true, force: true });
  mkdirSync(home, { recursive: true });
  return runInEditor({ ...options, home }, {
    name: 'first',
    makeWorkspace() {
      const workspace = options.copyWorkspace('workspace-first');
      rmSync(path.join(workspace, 'knowledge'), { recursive: true, force: true });
      return workspace;
    },
    editor: () => ({
      machine: { [WALKTHROUGHS]: true },
      env: { ...options.environment({ HOME: home, ...makeIndex(options) }), PYTHONPATH: '' },
    }),
    windows: { en: englishChecks, 'zh-cn': chineseChecks },
  });
}

/** The folder that stands for the package index; what pip is told of it. */
function makeIndex({ state, python }) {
  const folder = path.join(state, 'wheelhouse');
  rmSync(folder, { recursive: true, force: true });
  execFileSync(python, [path.join(import.meta.dirname, 'wheelhouse.py'), folder]);
  return {
    PIP_CONFIG_FILE: '/dev/null',
    PIP_NO_INDEX: '1',
    PIP_FIND_LINKS: folder,
    PIP_NO_CACHE_DIR: '1',
  };
}

/** Where the extension keeps its own server. */
function serverFolder(state) {
  return path.join(state, 'user/User/globalStorage/glossator.glossator/server');
}

function englishChecks(scene) {
  const { page, bench, shoot, model, state, home, workspace, strangers } = scene;
  const step = (title) => page.locator('.getting-started-step', { hasText: title }).first();
  const isDone = (title) => step(title).locator('.codicon.complete').first().waitFor();

  return {
    async 'the walkthrough opens by itself, once'() {
      await bench.open();
      await bench.openFile('shop/cart.py', 18);
      await page.getByText('Get started with Glossator').first().waitFor({ timeout: 60_000 });
      await step('Install the server').waitFor();
      await settle(page);
      await shoot('first-en-walkthrough');
    },

    async 'the panel offers to install the server, and says what that is'() {
      await page.locator('.activitybar .action-label[aria-label="Glossator"]').click();
      const chat = await bench.panel('chat');
      await chat.getByText('One click installs it into an environment of its own').waitFor();
      const field = await chat.getByPlaceholder('Ask about this workspace').boundingBox();
      assert.ok(field.height > 15, `the field is high enough for its text: ${field.height}`);
      await settle(page);
      await shoot('first-en-missing');
    },

    async 'an installation that is cancelled leaves nothing, and the panel as it was'() {
      const chat = await bench.panel('chat');
      await chat.getByRole('button', { name: 'Install the server' }).click();
      await chat.getByRole('button', { name: 'Cancel' }).click();
      await chat.getByRole('button', { name: 'Install the server' }).waitFor();
      assert.deepEqual(readdirSync(serverFolder(state)), []);
    },

    async 'one click installs the server into the storage of the extension'() {
      const chat = await bench.panel('chat');
      await chat.getByRole('button', { name: 'Install the server' }).click();
      await chat.getByText('Fetching').waitFor({ timeout: INSTALL_MS });
      await shoot('first-en-installing');
      await bench.statusBar('Glossator: no model').waitFor({ timeout: INSTALL_MS });
      const current = readFileSync(path.join(serverFolder(state), 'current.json'), 'utf8');
      assert.deepEqual(
        readdirSync(serverFolder(state)).sort(),
        ['current.json', JSON.parse(current).folder].sort(),
      );
      assert.deepEqual(
        readdirSync(home).filter((name) => !name.startsWith('.')),
        [],
      );
    },

    async 'the panel now says what is missing: a model, and knowledge of the team'() {
      const chat = await bench.panel('chat');
      await chat.getByRole('heading', { name: 'No model is set up' }).waitFor();
      await chat.getByRole('heading', { name: 'No team knowledge yet' }).waitFor();
      await bench.closeNotifications();
      await shoot('first-en-empty');
    },

    async 'a refused key is told in the form, with what to do'() {
      const chat = await bench.panel('chat');
      await chat.getByRole('button', { name: 'Set up a model' }).click();
      const form = await bench.frameWith('.model-form');
      await form.getByLabel('Ollama').check();
      assert.equal(
        await form.getByLabel('Address (base URL)').inputValue(),
        'http://localhost:11434/v1',
      );
      await form.getByLabel('Other server').check();
      await form.getByLabel('Address (base URL)').fill(model.url);
      await form.getByLabel('API key').fill(WRONG_KEY);
      await form.getByLabel('Model', { exact: true }).fill(OFFERED[0]);
      assert.equal(model.requests.length, 0, 'nothing is sent before it is asked for');
      await form.getByRole('button', { name: 'Test connection' }).click();
      await form.locator('.checks .failed', { hasText: 'does not accept the key' }).waitFor();
      await settle(page);
      await shoot('first-en-model-refused');
    },

    async 'the models are listed, the connection is tested, and saving uses it at once'() {
      const form = await bench.frameWith('.model-form');
      await form.getByLabel('API key').fill(KEY);
      await form.getByLabel('Model', { exact: true }).fill('');
      await form.getByRole('button', { name: 'List the models' }).click();
      await form.getByText('2 models are offered').waitFor();
      assert.equal(await form.locator('datalist option').count(), OFFERED.length);
      await form.getByLabel('Model', { exact: true }).fill(OFFERED[0]);
      await form.getByRole('button', { name: 'Test connection' }).click();
      await form.getByRole('heading', { name: 'It works.' }).waitFor();
      await form.locator('.checks .ok', { hasText: 'streams' }).waitFor();
      await settle(page);
      await shoot('first-en-model-works');
      await form.getByLabel('Ollama').check();
      await form.getByLabel('Other server').check();
      const address = form.getByLabel('Address (base URL)');
      assert.equal(await address.inputValue(), model.url, 'what was written is kept');
      await form.getByLabel('API key').fill(KEY);
      await form.getByLabel('Model', { exact: true }).press('Enter');
      await form.getByText('Saved. The model is in use.').waitFor();
      await bench.statusBar(`Glossator: ${OFFERED[0]}`).waitFor();
      const settings = findSettings(state).join('\n');
      assert.match(settings, /"glossator\.model\.name": "small-one"/);
      assert.ok(!settings.includes(KEY), 'the key is in no file of settings');
    },

    async 'a server that runs is installed again only when that is wanted'() {
      const before = readdirSync(serverFolder(state)).sort();
      await bench.run('Glossator: Install the Server');
      await page.getByRole('button', { name: 'Install again' }).waitFor();
      await bench.closeNotifications();
      assert.deepEqual(readdirSync(serverFolder(state)).sort(), before);
    },

    async 'the form leads to a sample question, which brings the first answer'() {
      const form = await bench.frameWith('.model-form');
      await form.getByRole('button', { name: 'Ask a question' }).click();
      const chat = await bench.panel('chat');
      await chat.locator('textarea:focus').waitFor();
      await chat.getByRole('button', { name: 'How is this workspace organised?' }).click();
      await chat.locator('.turn[data-status=done]').waitFor();
      const { headers } = model.requests.at(-1);
      assert.equal(headers.authorization, `Bearer ${KEY}`);
      await shoot('first-en-answer');
    },

    async 'steps of the walkthrough are ticked off by what was done'() {
      await bench.openFile('shop/cart.py', 18);
      await bench.run('Glossator: Explain This Function');
      await bench.panel('answer');
      await bench.run('Glossator: Check This File');
      await bench.run('Glossator: Get Started');
      await isDone('Install the server');
      await isDone('Choose a model, or none');
      await isDone('Explain a function');
      await isDone('Ask a question');
      await isDone('Check a convention');
      await settle(page);
      await shoot('first-en-walkthrough-done');
    },

    async 'a first document of knowledge is offered and written only when it is saved'() {
      await bench.run('Glossator: Write Down a Convention');
      await page.locator('.view-line', { hasText: 'How we write code here' }).first().waitFor();
      assert.ok(!existsSync(path.join(workspace, 'knowledge/conventions.md')));
      await page.keyboard.press('Escape');
      await page.keyboard.press('Control+s');
      await until('the document is there', () =>
        existsSync(path.join(workspace, 'knowledge/conventions.md')),
      );
      await shoot('first-en-knowledge');
    },

    async 'the report for an issue holds the versions and no key'() {
      await bench.run('Glossator: Doctor');
      await page.locator('.tab.active', { hasText: 'Glossator: report' }).waitFor();
      await page.getByText('The report holds no keys').first().waitFor();
      await shoot('first-en-doctor');
      await page.getByRole('button', { name: 'Copy report' }).click();
      const report = await until('the report is copied', async () => {
        const text = await page.evaluate(() => navigator.clipboard.readText());
        return text.startsWith('# Glossator: report') && text;
      });
      assert.match(report, /\| Found by \| own \|/);
      assert.match(report, /\| Key kept for it \| yes \|/);
      assert.match(report, /`glossator\.model\.name` \(user\): `"small-one"`/);
      for (const secret of [KEY, home, workspace]) {
        assert.ok(!report.includes(secret), secret);
      }
    },

    'nobody but the editor was asked for anything'() {
      assert.deepEqual([...strangers], []);
    },
  };
}

function findSettings(state) {
  return ['user/User/settings.json', 'user/Machine/settings.json']
    .map((name) => path.join(state, name))
    .filter((file) => existsSync(file))
    .map((file) => readFileSync(file, 'utf8'));
}

function chineseChecks({ page, bench, shoot }) {
  return {
    async 入门页以中文显示() {
      await bench.open();
      await bench.openFile('shop/cart.py', 18);
      await bench.statusBar(`Glossator: ${OFFERED[0]}`).waitFor({ timeout: 60_000 });
      await bench.run('Glossator: 入门');
      await page.getByText('开始使用 Glossator').first().waitFor();
      await settle(page);
      await shoot('first-zh-walkthrough');
    },

    /** The editor keeps secrets in the browser, and this is another one. */
    async '模型表单以中文显示，测试并保存'() {
      await bench.run('Glossator: 设置模型');
      const form = await bench.frameWith('.model-form');
      const name = form.getByLabel('模型', { exact: true });
      await until('what is set is shown', async () => (await name.inputValue()) === OFFERED[0]);
      await form.getByLabel('API 密钥').fill(KEY);
      await form.getByRole('button', { name: '测试连接' }).click();
      await form.getByRole('heading', { name: '可以使用。' }).waitFor();
      await settle(page);
      await shoot('first-zh-model');
      await name.press('Enter');
      await form.getByText('已保存此服务器的密钥').waitFor();
    },

    async 面板以中文作答() {
      await page.locator('.activitybar .action-label[aria-label="Glossator"]').click();
      const chat = await bench.panel('chat');
      await sendQuestion(chat, '购物车如何计算总价？');
      await chat.locator('.turn[data-status=done]').waitFor();
      await shoot('first-zh-answer');
    },
  };
}
