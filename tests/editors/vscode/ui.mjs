/** What a person does in VS Code, with screenshots: the packaged extension, a browser, a keyboard. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { writeSettings } from './editor.mjs';
import { runInEditor, sendQuestion, settle, startSession, useModel } from './window.mjs';
import { until } from './workbench.mjs';

const KEY = 'sk-test-1234';

export function runUi(options) {
  return runInEditor(options, { name: 'ui', windows: { en: englishChecks, 'zh-cn': chineseChecks } });
}

function englishChecks({ page, bench, shoot, model, workspace, state, strangers, command }) {
  const ask = async (question) => {
    const chat = await bench.panel('chat');
    await sendQuestion(chat, question);
    return chat;
  };
  const begin = () => startSession(bench, 'Glossator: New Session');
  const lastTurn = (chat) => chat.locator('.turn').last();
  const ended = (chat) => lastTurn(chat).and(chat.locator('[aria-busy=false]')).waitFor();

  return {
    async 'the status bar tells that the server runs without a model'() {
      await bench.open();
      await bench.openFile('shop/cart.py', 18);
      await bench.statusBar('Glossator: no model').waitFor({ timeout: 60_000 });
    },

    async 'the menu of code actions offers to explain'() {
      const menu = await bench.openActions('Explain this function');
      await menu.getByText('Show call chain', { exact: true }).waitFor();
      await shoot('en-dark-code-actions');
      await page.keyboard.press('Escape');
    },

    async 'the answer opens beside the code, and its places open their lines'() {
      const answer = await bench.chooseAction('Explain this function', () => bench.panel('answer'));
      await answer.locator('.turn[data-status=done]').waitFor();
      assert.match(await answer.locator('h1').innerText(), /total/);
      await answer.locator('.citation.exact').first().waitFor();
      await shoot('en-dark-explain-no-model');
      await answer.locator('.citation', { hasText: 'shop/prices.py:6' }).first().click();
      await page.locator('.tab.active', { hasText: 'prices.py' }).waitFor();
      await bench.statusBar('Ln 6').waitFor();
    },

    async 'saving shows the finding in Problems with its rule'() {
      await bench.openFile('shop/prices.py', 9);
      await page.keyboard.press('End');
      await page.keyboard.type('\nprint(RATES)');
      await page.keyboard.press('Control+s');
      await page.locator('.squiggly-warning').first().waitFor();
      await page.keyboard.press('Control+Shift+m');
      const panel = page.locator('.markers-panel');
      await panel.getByText('Do not print amounts').first().waitFor();
      await panel.getByText('money-no-print').first().waitFor();
      await shoot('en-dark-problems');
    },

    async 'its quick fix repairs the line'() {
      await bench.openFile('shop/prices.py', 10);
      const title = 'Fix: Do not print amounts; use `checkout`. 请勿直接打印金额。';
      await bench.openActions(title);
      await shoot('en-dark-quick-fix');
      await page.keyboard.press('Escape');
      await bench.chooseAction(title, () => bench.seeLine('log(RATES)'));
      await page.keyboard.press('Control+s');
      const file = path.join(workspace, 'shop/prices.py');
      await until('the file is repaired', () => readFileSync(file, 'utf8').includes('log(RATES)'));
      await page.keyboard.press('Control+j');
    },

    async 'a finding leads to its rule, and is ignored by a comment in the code'() {
      await bench.openFile('shop/__init__.py', 1);
      await page.keyboard.press('Control+End');
      await page.keyboard.type('\nprint(1)');
      await page.keyboard.press('Control+s');
      await page.locator('.squiggly-warning').first().waitFor();
      await page.keyboard.press('Control+Shift+m');
      await page.locator('.markers-panel a', { hasText: 'money-no-print' }).first().click();
      await page.locator('.tab.active', { hasText: 'money.md' }).waitFor();
      await bench.statusBar('Ln 19').waitFor();
      await bench.openFile('shop/__init__.py', 2);
      const comment = '# glossator: ignore[money-no-print]';
      await bench.chooseAction('Ignore `money-no-print` here', () => bench.seeLine(comment));
      await page.keyboard.press('Control+s');
      const file = path.join(workspace, 'shop/__init__.py');
      await until('the file holds it', () => readFileSync(file, 'utf8').includes(comment));
      await page.locator('.squiggly-warning').first().waitFor({ state: 'detached' });
      await shoot('en-dark-ignored');
      await page.keyboard.press('Control+j');
    },

    async 'the chat panel says what works without a model'() {
      await bench.openFile('shop/cart.py', 18);
      await page.locator('.activitybar .action-label[aria-label="Glossator"]').click();
      const chat = await bench.panel('chat');
      await chat.getByRole('heading', { name: 'No model is set up' }).waitFor();
      await chat.getByText('shop/cart.py:18').waitFor();
      await shoot('en-dark-chat-empty');
    },

    async 'without a model it answers from the knowledge, and refuses what it does not know'() {
      const chat = await ask('How do we round money?');
      await ended(chat);
      await lastTurn(chat).getByRole('button', { name: 'Set up a model' }).waitFor();
      await shoot('en-dark-chat-knowledge');
      await ask('What is our convention for parental leave?');
      await lastTurn(chat).locator('.refusal').waitFor();
      await shoot('en-dark-chat-no-model');
    },

    async 'the status bar opens the state and what can be done'() {
      await bench.statusBar('Glossator: no model').click();
      await page.locator('.quick-input-widget').getByText('Rebuild index').waitFor();
      await settle(page);
      await shoot('en-dark-status');
      await page.keyboard.press('Escape');
    },

    async 'a key is asked for, kept secret and sent to the model named in the settings'() {
      writeSettings(state, 'user/Machine', {
        'glossator.server.command': command,
        ...useModel(model),
      });
      // The key is kept for the address that the window knows when it asks.
      await bench.statusBar('Glossator: small-one').waitFor();
      await bench.run('Glossator: Set API Key');
      const input = page.locator('.quick-input-widget input.input').first();
      await until('it is a password', async () => (await input.getAttribute('type')) === 'password');
      await input.fill(KEY);
      await page.keyboard.press('Enter');
      await page.getByText('Key kept.').first().waitFor();
      await bench.closeNotifications();
    },

    async 'an answer streams with its tool calls and ends with its citations'() {
      await begin();
      const chat = await model.hold(async () => {
        const half = await ask('How does the total of a cart come about?');
        await half.locator('.turn[data-status=running] .tool').nth(2).waitFor();
        await lastTurn(half).locator('.turn-body .markdown').waitFor();
        await shoot('en-dark-chat-streaming');
        return half;
      });
      await ended(chat);
      await chat.locator('.citation.missing').first().waitFor();
      assert.equal(await lastTurn(chat).locator('.tool').count(), 3);
      await shoot('en-dark-chat-answer');
      const { authorization } = model.requests.at(-1).headers;
      assert.equal(authorization, `Bearer ${KEY}`);
    },

    async 'a tool call opens, and a citation opens its line'() {
      const chat = await bench.panel('chat');
      await chat.locator('.tool summary').first().click();
      await chat.locator('.tool[open] pre').first().waitFor();
      await chat.locator('.log').evaluate((log) => log.scrollTo(0, 0));
      await shoot('en-dark-chat-tool');
      await chat.locator('.citation', { hasText: 'shop/prices.py:6' }).first().click();
      await bench.statusBar('Ln 6').waitFor();
    },

    async 'a fast answer is drawn smoothly and can be stopped'() {
      const chat = await ask('SLOW: what does this do?');
      await lastTurn(chat).locator('.block').nth(3).waitFor();
      const frames = await chat.evaluate(
        () =>
          new Promise((resolve) => {
            let count = 0;
            const end = performance.now() + 2000;
            const step = () => {
              count += 1;
              if (performance.now() < end) {
                requestAnimationFrame(step);
              } else {
                resolve(count / 2);
              }
            };
            requestAnimationFrame(step);
          }),
      );
      console.log(`     ${frames} frames a second while 100 pieces a second arrive`);
      await chat.getByRole('button', { name: 'Stop', exact: true }).click();
      await lastTurn(chat).getByText('Stopped').waitFor();
      await until('the model was told', () => model.requests.at(-1).wasCut);
      await shoot('en-dark-chat-stopped');
    },

    async 'an answer that wants to load and run things is only text'() {
      const chat = await ask('HOSTILE: what does this do?');
      await ended(chat);
      await lastTurn(chat).getByText('picture, not loaded').waitFor();
      assert.equal(await chat.locator('img, script[src*=evil], iframe').count(), 0);
      await shoot('en-dark-chat-hostile');
    },

    async 'an answer that breaks off stays, and is said to be a part'() {
      const chat = await ask('BROKEN: how does the total of a cart come about?');
      await ended(chat);
      await lastTurn(chat).getByText('adds up what is in the cart').waitFor();
      await lastTurn(chat).locator('.note').waitFor();
      await shoot('en-dark-chat-broken');
    },

    async 'a new session begins empty, with the cursor where a question is written'() {
      const view = page.locator('.pane-header, .composite.title').filter({ hasText: /chat/i }).first();
      await view.hover();
      await page.getByRole('button', { name: 'New Session' }).first().click();
      const chat = await bench.panel('chat');
      await until('it is empty', async () => (await chat.locator('.turn').count()) === 0);
      await until('the cursor is there', () =>
        chat.evaluate(() => document.activeElement?.localName === 'textarea'),
      );
    },

    async 'helpers work side by side below the plan, and their reports stay'() {
      const chat = await model.hold(async () => {
        const half = await ask('PARTS: how do cart and prices work together?');
        await half.locator('.plan-step[data-state=active]').waitFor();
        const working = lastTurn(half).locator('.helper[open][data-state=running]');
        await working.nth(1).locator('.helper-calls .tool').waitFor();
        assert.equal(await working.count(), 2);
        await shoot('en-dark-helpers-working');
        return half;
      });
      const helpers = lastTurn(chat).locator('.helper');
      await ended(chat);
      assert.equal(await lastTurn(chat).locator('.plan-step[data-state=done]').count(), 2);
      assert.equal(await lastTurn(chat).locator('.helper[data-state=done]:not([open])').count(), 2);
      await helpers.first().locator('summary').first().click();
      await helpers.first().getByText('shop/cart.py:18').waitFor();
      const [outer, inner] = await Promise.all(
        ['.helper', '.helper .helper-calls .tool'].map((each) =>
          lastTurn(chat).locator(each).first().boundingBox(),
        ),
      );
      assert.ok(inner.x + inner.width <= outer.x + outer.width, 'a call is no wider than its helper');
      await lastTurn(chat).locator('.citation.moved', { hasText: 'shop/cart.py:19' }).first().waitFor();
      await shoot('en-dark-helpers');
    },

    async 'a session of before is found by what was said, and goes on'() {
      await bench.run('Glossator: Sessions');
      const chat = await bench.panel('chat');
      await chat.locator('.session-title', { hasText: 'PARTS: how do cart and prices' }).waitFor();
      await shoot('en-dark-sessions');
      await chat.locator('.session-search').fill('adds up what is in the cart');
      await until('only one is left', async () => (await chat.locator('.session').count()) === 1);
      await chat.locator('.session-title', { hasText: 'How does the total of a cart' }).click();
      await chat.locator('.citation.missing').first().waitFor();
      await shoot('en-dark-chat-resumed');
      await ask('How do we round money?');
      await lastTurn(chat).getByText('How do we round money?').waitFor();
      await ended(chat);
      const sent = JSON.stringify(model.requests.at(-1).body.messages);
      assert.ok(sent.includes('How do we round money?'), 'the model was asked');
      assert.ok(sent.includes('How does the total of a cart come about?'), 'it knows what was said');
    },

    async 'the figures of all turns open in a tab'() {
      await bench.run('Glossator: Show Figures');
      await page.locator('.tab.active', { hasText: 'Figures' }).waitFor();
      const figures = await bench.frameWith('.charts svg');
      const isThere = async () => (await figures.getByText('small-one').count()) > 0;
      await until('the model is named', isThere);
      await settle(page);
      await shoot('en-dark-figures');
    },

    async 'a package is explained as a turn of the conversation'() {
      await bench.openFile('shop/cart.py', 18);
      await bench.run('Glossator: Explain This Package');
      const chat = await bench.panel('chat');
      await lastTurn(chat).getByText('Explain package shop').waitFor();
      await ended(chat);
      await lastTurn(chat).locator('.citation.exact').first().waitFor();
      await shoot('en-dark-package');
    },

    async 'the keyboard reaches everything in the panel'() {
      const chat = await bench.panel('chat');
      await chat.locator('textarea').fill('How does the total of a cart come about?');
      const reached = [];
      for (let i = 0; i < 5; i += 1) {
        await page.keyboard.press('Tab');
        reached.push(await chat.evaluate(() => document.activeElement?.className ?? ''));
      }
      assert.ok(reached.includes('context'), reached.join(', '));
      assert.ok(reached.some((name) => name.includes('send')), reached.join(', '));
    },

    async 'explain streams beside the code'() {
      await bench.openFile('shop/cart.py', 18);
      const answer = await model.hold(async () => {
        const half = await bench.chooseAction('Explain this function', () => bench.panel('answer'));
        await half.locator('.turn[data-status=running] .turn-body .block').nth(1).waitFor();
        await shoot('en-dark-explain-streaming');
        return half;
      });
      await answer.locator('.turn[data-status=done]').waitFor();
      await shoot('en-dark-explain');
      await bench.setTheme('Light Modern');
      await shoot('en-light-explain');
      await bench.setTheme('Dark Modern');
    },

    async 'a call chain is a tree whose nodes open their function'() {
      await bench.openFile('shop/prices.py', 8);
      await bench.run('Glossator: Show Call Chain');
      const answer = await bench.panel('answer');
      await answer.locator('.chain .node', { hasText: 'Cart.total' }).first().waitFor();
      await shoot('en-dark-call-chain');
      await answer.locator('.chain button.node', { hasText: 'checkout' }).first().click();
      await page.locator('.tab.active', { hasText: 'cart.py' }).waitFor();
    },

    async 'the answer can be read as Markdown text'() {
      const answer = await bench.panel('answer');
      await answer.getByRole('button', { name: 'Open as Markdown text' }).click();
      await page.locator('.tab.active', { hasText: '.md' }).waitFor();
      await shoot('en-dark-answer-text');
      await page.keyboard.press('Control+F4');
    },

    async 'a missing server is said with what to do, and a second look finds it'() {
      const machine = { 'glossator.server.python': '/nowhere/python' };
      writeSettings(state, 'user/Machine', machine);
      await bench.statusBar('not installed').waitFor();
      const chat = await bench.panel('chat');
      await chat.getByText('The Glossator server is not installed').waitFor();
      const toast = page.locator('.notifications-toasts', { hasText: '/nowhere/python' });
      await toast.getByRole('button', { name: 'Look again' }).waitFor();
      await settle(page);
      await shoot('en-dark-missing');
      await chat.getByText('Install it yourself').click();
      await chat.getByRole('button', { name: 'Copy command' }).click();
      const copied = await until('the command is copied', () =>
        page.evaluate(() => navigator.clipboard.readText()),
      );
      assert.match(copied, /pip install \./);
      writeSettings(state, 'user/Machine', { 'glossator.server.command': command });
      await bench.statusBar('Glossator: no model').waitFor();
    },

    async 'nothing but the editor itself was asked for anything'() {
      assert.deepEqual([...strangers], []);
    },
  };
}

function chineseChecks({ page, bench, shoot, model, state, command }) {
  return {
    async '状态栏与空面板都是中文'() {
      writeSettings(state, 'user/Machine', { 'glossator.server.command': command });
      await bench.open();
      await bench.openFile('shop/cart.py', 18);
      await bench.statusBar('Glossator: 无模型').waitFor({ timeout: 60_000 });
      await bench.run('Glossator: 提问');
      const chat = await bench.panel('chat');
      await chat.getByRole('heading', { name: '未设置模型' }).waitFor();
      await shoot('zh-light-chat-empty');
    },

    async '没有模型时用知识回答'() {
      const chat = await bench.panel('chat');
      await sendQuestion(chat, '发票的编号约定是什么？');
      await chat.getByText('INV-年份-序号').first().waitFor();
      await shoot('zh-light-chat-no-model');
    },

    async '有模型时流式回答'() {
      writeSettings(state, 'user/Machine', {
        'glossator.server.command': command,
        ...useModel(model),
      });
      await bench.statusBar('Glossator: small-one').waitFor();
      const chat = await startSession(bench, 'Glossator: 新会话');
      await sendQuestion(chat, '购物车的总价是怎么算出来的？');
      await chat.locator('.turn[data-status=done]').waitFor();
      await chat.getByText('由 small-one 回答').waitFor();
      await shoot('zh-light-chat-answer');
    },

    async '解释显示在代码旁边'() {
      await bench.openFile('shop/cart.py', 24);
      await bench.run('Glossator: 解释此函数');
      const answer = await bench.panel('answer');
      await answer.locator('.turn[data-status=done]').waitFor();
      await shoot('zh-light-explain');
    },

    async '设置页是中文'() {
      await bench.run('Preferences: Open Settings (UI)');
      const search = page.locator('.settings-editor .suggest-input-container .monaco-editor').first();
      await search.click();
      await page.keyboard.type('@ext:glossator.glossator ');
      await page.getByText('把编辑器与服务器之间的消息写入日志').first().waitFor();
      await shoot('zh-light-settings');
      await page.keyboard.press('Escape');
    },

    async 'dark and high-contrast themes are readable'() {
      await bench.openFile('shop/cart.py', 24);
      await bench.setTheme('Dark Modern');
      await shoot('zh-dark');
      await bench.setTheme('Default High Contrast');
      await shoot('zh-contrast');
    },
  };
}
