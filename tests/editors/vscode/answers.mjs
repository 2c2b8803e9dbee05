/** How answers look and what can be done with them: diagrams, code, chips, keyboard, axe-core. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { runInEditor, sendQuestion, settle, startSession, useModel } from './window.mjs';
import { until } from './workbench.mjs';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

export function runAnswers(options) {
  return runInEditor(options, {
    name: 'answers',
    editor: (model) => ({
      machine: {
        'glossator.server.command': options.command,
        ...useModel(model),
        'glossator.audit.prices': ['small-one 0.5 0.1 2'],
      },
    }),
    windows: { en: englishChecks, 'zh-cn': chineseChecks },
  });
}

const THEMES = ['Dark Modern', 'Light Modern', 'Default High Contrast'];

/** What axe-core finds wrong with the page of a panel, as lines to read. */
async function findViolations(panel) {
  const axe = await panel.evaluate(AXE).then(() =>
    panel.evaluate(() => {
      // The page is transparent: what lies behind it is the editor's, which axe-core cannot see.
      const behind = document.querySelector('.chat') ? 'sideBar' : 'editor';
      document.documentElement.style.background = `var(--vscode-${behind}-background)`;
      return globalThis.axe.run(document.getElementById('root'), {
        // A panel is a part of the editor's page, which has the landmarks and the title.
        runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice'],
        rules: { region: { enabled: false }, 'page-has-heading-one': { enabled: false } },
      });
    }),
  );
  return axe.violations.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.target.join(' ')} ${node.failureSummary}`),
  );
}

async function assertAccessible(panel, what) {
  const violations = await findViolations(panel);
  assert.deepEqual(violations, [], what);
}

const lastTurn = (chat) => chat.locator('.turn').last();

async function ask(bench, question) {
  const chat = await bench.panel('chat');
  await sendQuestion(chat, question);
  await lastTurn(chat).getByText(question).first().waitFor();
  return chat;
}

const ended = (chat) => lastTurn(chat).and(chat.locator('[aria-busy=false]')).waitFor();

function englishChecks({ page, bench, shoot, workspace, strangers }) {
  const cart = path.join(workspace, 'shop/cart.py');
  return {
    async 'the empty panel has no barriers'() {
      await bench.open();
      await bench.openFile('shop/cart.py', 18);
      await bench.statusBar('Glossator: small-one').waitFor({ timeout: 60_000 });
      await bench.run('Glossator: Ask');
      const chat = await bench.panel('chat');
      await chat.locator('.sample').first().waitFor();
      await assertAccessible(chat, 'empty');
    },

    async 'an answer has no barriers while it streams, in three themes, and is announced once'() {
      const chat = await ask(bench, 'SLOW: what does this do?');
      await lastTurn(chat).locator('.block').nth(2).waitFor();
      for (const theme of THEMES.toReversed()) {
        await bench.setTheme(theme);
        await assertAccessible(chat, `streaming, ${theme}`);
        assert.equal(await lastTurn(chat).getAttribute('aria-busy'), 'true');
        await shoot(`en-streaming-${theme.toLowerCase().replaceAll(' ', '-')}`);
      }
      assert.equal(await chat.locator('[role=status]').first().innerText(), 'Answering…');
    },

    async 'Escape stops it, and the cursor stays where it was'() {
      const chat = await bench.panel('chat');
      await chat.locator('textarea').focus();
      await page.keyboard.type('next');
      await page.keyboard.press('Escape');
      await lastTurn(chat).getByText('Stopped').waitFor();
      const focused = () => chat.evaluate(() => document.activeElement.localName);
      assert.equal(await focused(), 'textarea');
      assert.equal(await chat.locator('textarea').inputValue(), 'next');
      assert.equal(await chat.locator('[role=status]').first().innerText(), 'Stopped');
    },

    async 'a diagram of an answer is drawn, and text that is none stays text with a note'() {
      await startSession(bench, 'Glossator: New Session');
      const chat = await ask(bench, 'DIAGRAM: how does the total of a cart come about?');
      await ended(chat);
      const picture = chat.locator('.diagram img[src^="data:image/svg+xml"]');
      await picture.first().waitFor();
      assert.equal(await picture.first().getAttribute('alt'), 'Diagram: flowchart');
      const size = await picture.first().evaluate((each) => each.naturalWidth);
      assert.ok(size > 50, 'the picture holds a drawing');
      await chat.getByText(/line 2 is not understood/).waitFor();
      await chat.getByText(/“gantt” are not drawn here/).waitFor();
      await chat.locator('.log').evaluate((log) => log.scrollTo(0, 0));
      await settle(page);
      await shoot('en-dark-diagram');
    },

    async 'its source can be copied'() {
      const chat = await bench.panel('chat');
      await chat.locator('.diagram').first().getByRole('button', { name: 'Copy' }).click();
      await until('it is copied', async () => {
        const text = await page.evaluate(() => navigator.clipboard.readText());
        return text.startsWith('flowchart LR');
      });
    },

    async 'code of an answer is shown as a difference before anything is written'() {
      const before = readFileSync(cart, 'utf8');
      const chat = await bench.panel('chat');
      const code = chat.locator('.code:not(.diagram)').first();
      await code.getByText('python · shop/cart.py').waitFor();
      await code.getByRole('button', { name: 'Apply to a file…' }).focus();
      await page.keyboard.press('Enter');
      await page.locator('.tab.active', { hasText: 'proposed change' }).waitFor();
      await page.locator('.diff-editor .line-insert, .monaco-diff-editor .line-insert').first().waitFor();
      await settle(page);
      await shoot('en-dark-apply');
      assert.equal(readFileSync(cart, 'utf8'), before);
      await page.getByRole('button', { name: 'Discard', exact: true }).first().click();
      await page.locator('.tab', { hasText: 'proposed change' }).waitFor({ state: 'detached' });
      assert.equal(readFileSync(cart, 'utf8'), before);
    },

    async 'accepted, it stands in the file, and the editor takes it back'() {
      const chat = await bench.panel('chat');
      const code = chat.locator('.code:not(.diagram)').first();
      await code.getByRole('button', { name: 'Apply to a file…' }).click();
      await page.locator('.tab.active', { hasText: 'proposed change' }).waitFor();
      await bench.run('Glossator: Apply the Shown Change');
      await page.locator('.tab', { hasText: 'proposed change' }).waitFor({ state: 'detached' });
      await page.locator('.tab.active', { hasText: 'cart.py' }).waitFor();
      await page.locator('.view-line', { hasText: '# counted once' }).first().waitFor();
      await page.keyboard.press('Control+z');
      await page
        .locator('.view-line', { hasText: '# counted once' })
        .first()
        .waitFor({ state: 'detached' });
      await bench.closeNotifications();
    },

    async 'code is inserted where the cursor is'() {
      await bench.openFile('shop/prices.py', 1);
      const chat = await bench.panel('chat');
      const code = chat.locator('.code:not(.diagram)').first();
      await code.getByRole('button', { name: 'Insert at cursor' }).click();
      const line = page.locator('.view-line', { hasText: '# counted once' });
      await line.first().waitFor();
      await page.locator('.monaco-editor.focused').waitFor();
      await page.keyboard.press('Control+z');
      await line.first().waitFor({ state: 'detached' });
    },

    async 'a finished answer with everything has no barriers, in three themes'() {
      const chat = await ask(bench, 'How does the total of a cart come about?');
      await ended(chat);
      await ask(bench, 'BROKEN: how does it come about?');
      await ended(chat);
      await chat.locator('.turn details').evaluateAll((all) => {
        all.forEach((each) => {
          each.open = true;
        });
      });
      for (const theme of THEMES) {
        await bench.setTheme(theme);
        await until('the picture is of the theme', () =>
          chat.locator('.diagram img').first().evaluate((each) => each.complete),
        );
        await assertAccessible(chat, theme);
        await shoot(`en-answer-${theme.toLowerCase().replaceAll(' ', '-')}`);
      }
      await bench.setTheme('Dark Modern');
    },

    async 'an answer says what it took: tokens, what of them was cached, and the cost'() {
      const chat = await bench.panel('chat');
      const text = await chat.locator('.facts', { hasText: 'tokens' }).last().innerText();
      assert.match(text, /[\d,]+ tokens, [\d,]+ cached/);
      assert.match(text, /cost 0\.\d+/);
    },

    async 'a citation says its verdict in words, and opens its line by the keyboard'() {
      const chat = await bench.panel('chat');
      const labels = await chat
        .locator('.citation')
        .evaluateAll((all) => all.map((each) => each.getAttribute('aria-label')));
      assert.ok(labels.some((label) => label.includes('exact')), labels.join());
      assert.ok(labels.some((label) => label.includes('missing')), labels.join());
      await chat.locator('a.citation', { hasText: 'shop/prices.py:6' }).first().focus();
      await page.keyboard.press('Enter');
      await bench.statusBar('Ln 6').waitFor();
    },

    async 'Tab leads through an answer, and Space and Enter open what is folded'() {
      const chat = await bench.panel('chat');
      const tool = chat.locator('.tool').first();
      await tool.evaluate((each) => {
        each.open = false;
      });
      await tool.locator('summary').first().focus();
      await page.keyboard.press('Enter');
      assert.equal(await tool.evaluate((each) => each.open), true);
      await page.keyboard.press('Space');
      assert.equal(await tool.evaluate((each) => each.open), false);
      const reached = new Set();
      for (let i = 0; i < 40; i += 1) {
        await page.keyboard.press('Tab');
        const name = await chat.evaluate(() => {
          const { activeElement: each } = document;
          return each.getAttribute('aria-label') ?? each.className ?? each.localName;
        });
        reached.add(String(name));
      }
      const names = [...reached].join('\n');
      assert.match(names, /exact/);
      assert.match(names, /^Copy$/m);
      assert.match(names, /^Apply to a file…$/m);
    },

    async 'the picture of a call chain is drawn'() {
      await bench.openFile('shop/prices.py', 8);
      await bench.run('Glossator: Show Call Chain');
      const answer = await bench.panel('answer');
      await answer.locator('.diagram img[src^="data:"]').waitFor();
      await answer.locator('.chain h2').last().scrollIntoViewIfNeeded();
      await settle(page);
      await shoot('en-dark-chain-picture');
      await assertAccessible(answer, 'call chain');
    },

    async 'the editor says how long the extension took to begin'() {
      await bench.run('Developer: Show Running Extensions');
      const list = page.locator('.runtime-extensions-editor .monaco-list').first();
      const row = list.locator('.monaco-list-row', { hasText: 'Glossator' });
      await list.focus();
      // The slowest stand on top, and only rows that are seen are there.
      await until('its row is seen', async () => {
        await page.keyboard.press('PageDown');
        return row.count();
      });
      const text = await row.getByText(/Activation: \d+ms/).first().innerText();
      console.log(`     ${text}`);
    },

    async 'nothing but the editor itself was asked for anything'() {
      assert.deepEqual([...strangers], []);
    },
  };
}

function chineseChecks({ page, bench, shoot }) {
  return {
    async '图和代码的按钮都是中文，没有障碍'() {
      await bench.open();
      await bench.openFile('shop/cart.py', 18);
      await bench.statusBar('Glossator: small-one').waitFor({ timeout: 60_000 });
      await bench.run('Glossator: 提问');
      const chat = await ask(bench, 'DIAGRAM：购物车的总价是怎么算出来的？');
      await ended(chat);
      await chat.locator('.diagram img[src^="data:"]').first().waitFor();
      await chat.getByRole('button', { name: '应用到文件…' }).first().waitFor();
      await chat.getByText('第 2 行无法理解').waitFor();
      await chat.locator('.log').evaluate((log) => log.scrollTo(0, 0));
      await settle(page);
      await shoot('zh-light-diagram');
      await assertAccessible(chat, '中文，浅色');
      await bench.setTheme('Dark Modern');
      await assertAccessible(chat, '中文，深色');
      await settle(page);
      await shoot('zh-dark-diagram');
    },
  };
}
