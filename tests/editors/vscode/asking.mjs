/** How a person asks: attachments, commands, retrying, editing, and the list of sessions. */

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { openPanel, runInEditor, sendQuestion, settle, startSession, useModel } from './window.mjs';
import { until } from './workbench.mjs';

export function runAsking(options) {
  return runInEditor(options, {
    name: 'asking',
    makeWorkspace() {
      const workspace = options.copyWorkspace('workspace-asking');
      writeFileSync(path.join(workspace, '.env'), 'KEY=secret\n');
      writeFileSync(path.join(workspace, 'shop/税.py'), 'def 计算税额(金额):\n    return 金额 // 10\n');
      return workspace;
    },
    editor: (model) => ({
      machine: { 'glossator.server.command': options.command, ...useModel(model) },
    }),
    windows: { en: englishChecks, 'zh-cn': chineseChecks },
  });
}

/** What a person does in the panel, whatever the language of the window. */
function person({ page, bench, model }) {
  const panel = () => bench.panel('chat');
  const field = async () => (await panel()).locator('.composer textarea');
  const lastTurn = (chat) => chat.locator('.turn').last();
  return {
    panel,
    field,
    lastTurn,
    ended: (chat) => lastTurn(chat).and(chat.locator('[aria-busy=false]')).waitFor(),
    questions: (chat) => chat.locator('.question-text').allInnerTexts(),
    chips: (chat) => chat.locator('.composer .attachments .attachment-name').allInnerTexts(),
    lastRequest: () => JSON.stringify(model.requests.at(-1).body.messages.filter((each) => each.role === 'user').at(-1)),

    /** Type into the field as with a keyboard, and choose what stands on top of the list. */
    async choose(text, wanted) {
      const chat = await panel();
      await (await field()).click();
      await page.keyboard.type(text);
      const option = chat.locator('.option[aria-selected=true]', { hasText: wanted });
      await option.waitFor();
      await page.keyboard.press('Enter');
      await chat.locator('.composer .attachments .attachment', { hasText: wanted }).first().waitFor();
    },

    /** Let a file go over the field, with what the Explorer hands over. */
    async drop(uri) {
      const chat = await panel();
      await chat.locator('.composer').evaluate((composer, dropped) => {
        const dataTransfer = new DataTransfer();
        dataTransfer.setData('text/uri-list', dropped);
        const options = { bubbles: true, cancelable: true, dataTransfer };
        composer.dispatchEvent(new DragEvent('dragover', options));
        composer.dispatchEvent(new DragEvent('drop', options));
      }, uri);
    },

    async openList(title) {
      await bench.run(title);
      const chat = await panel();
      await chat.locator('.session').first().waitFor();
      return chat;
    },
  };
}

/** Whether the editor's own store holds a text: only what is there outlives the window. */
const isKept = (page, text) =>
  page.evaluate(async (wanted) => {
    const finished = (request) =>
      new Promise((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error);
      });
    for (const { name } of await indexedDB.databases()) {
      const database = await finished(indexedDB.open(name));
      const stores = [...database.objectStoreNames];
      const values = stores.map((store) =>
        finished(database.transaction(store).objectStore(store).getAll()),
      );
      const isThere = JSON.stringify(await Promise.all(values)).includes(wanted);
      database.close();
      if (isThere) {
        return true;
      }
    }
    return false;
  }, text);

function englishChecks(scene) {
  const { page, bench, shoot, workspace } = scene;
  const me = person(scene);

  return {
    async 'a sign opens the list, and what is chosen is a chip'() {
      await bench.open();
      await bench.openFile('shop/cart.py', 16);
      await page.keyboard.press('Shift+ArrowDown');
      await page.keyboard.press('Shift+ArrowDown');
      await bench.statusBar('Glossator: small-one').waitFor({ timeout: 60_000 });
      const chat = await openPanel(bench, 'Glossator: Ask');
      await (await me.field()).click();
      await page.keyboard.type('#');
      await chat.locator('.option', { hasText: 'cart.py:16-17' }).waitFor();
      await shoot('en-asking-list');
      await page.keyboard.press('Escape');
      await page.keyboard.press('Backspace');
      await me.choose('#sel', 'cart.py:16-17');
      await me.choose('#pric', 'prices.py');
      await me.choose('@tot', 'Cart.total');
      assert.deepEqual(await me.chips(chat), ['cart.py:16-17', 'prices.py', 'Cart.total']);
    },

    async 'files are dropped; what cannot be attached is said beside the field'() {
      const chat = await me.panel();
      await me.drop(`vscode-remote://${new URL(scene.url).host}${workspace}/.env`);
      await until('it is a chip', async () => (await me.chips(chat)).includes('.env'));
      await me.drop('file:///etc/passwd');
      await chat.locator('.composer-note', { hasText: 'outside the workspace' }).waitFor();
      await shoot('en-asking-chips');
    },

    async 'chips are removed by the keyboard'() {
      const chat = await me.panel();
      await (await me.field()).click();
      await page.keyboard.press('Backspace');
      await page.keyboard.press('ArrowLeft');
      await page.keyboard.press('Delete');
      assert.deepEqual(await me.chips(chat), ['cart.py:16-17', 'prices.py', '.env']);
      await page.keyboard.press('Escape');
    },

    async 'draft and chips survive a reload of the window'() {
      await (await me.field()).fill('What do these do?');
      await until('the editor has written the draft down', () => isKept(page, 'What do these do?'));
      await page.reload();
      const chat = await me.panel();
      await until('the draft is there', async () =>
        (await (await me.field()).inputValue()) === 'What do these do?',
      );
      assert.deepEqual(await me.chips(chat), ['cart.py:16-17', 'prices.py', '.env']);
      await bench.statusBar('Glossator: small-one').waitFor({ timeout: 60_000 });
    },

    async 'the model is given what is attached, and told what is not'() {
      const chat = await me.panel();
      await chat.locator('.send:enabled').waitFor();
      await (await me.field()).press('Enter');
      await me.ended(chat);
      assert.match(me.lastRequest(), /kind=attached-selection place=shop\/cart\.py:16-17/);
      assert.match(me.lastRequest(), /kind=attached-file place=shop\/prices\.py:1-/);
      assert.ok(!me.lastRequest().includes('KEY=secret'));
      await chat.locator('.attachment-trouble', { hasText: 'never read' }).waitFor();
      await chat.locator('.log').evaluate((log) => log.scrollTo(0, 0));
      await shoot('en-asking-answer');
    },

    async 'an unknown command is told of, and commands are completed'() {
      const chat = await me.panel();
      const field = await me.field();
      await field.fill('/etc what is this?');
      await field.press('Enter');
      await chat.locator('.composer-note', { hasText: 'no command /etc' }).waitFor();
      await field.fill('');
      await field.click();
      await page.keyboard.type('/');
      await chat.locator('.option', { hasText: '/explain' }).waitFor();
      await shoot('en-asking-commands');
      await page.keyboard.type('he');
      await page.keyboard.press('Enter');
      await page.keyboard.press('Enter');
      await me.lastTurn(chat).getByText('attaches a file or the selection').waitFor();
    },

    async 'explain, chain, check and why work from the field'() {
      // A window that is closed at once may not know again what was open.
      await bench.openFile('shop/cart.py', 16);
      const chat = await me.panel();
      await sendQuestion(chat, '/chain total');
      await me.lastTurn(chat).locator('.chain').waitFor();
      await shoot('en-asking-chain');
      await sendQuestion(chat, '/check');
      await me.lastTurn(chat).locator('.citation', { hasText: 'shop/cart.py:26' }).waitFor();
      await shoot('en-asking-check');
      await me.choose('#cart', 'cart.py');
      await me.choose('#pric', 'prices.py');
      await sendQuestion(chat, '/check');
      const checked = me.lastTurn(chat).locator('.turn-body');
      await checked.getByText('shop/prices.py is clean').waitFor();
      await checked.getByText('shop/cart.py: 1 finding').waitFor();
      await sendQuestion(chat, '/why how do we round money?');
      await me.lastTurn(chat).getByText('money.md').first().waitFor();
      await shoot('en-asking-why');
      await sendQuestion(chat, '/explain checkout');
      await me.lastTurn(chat).getByText('Explain checkout.').or(me.lastTurn(chat).getByText('Explain `checkout`.')).first().waitFor();
      await me.ended(chat);
    },

    async 'the last answer is tried again, in the place of the one before'() {
      const chat = await me.panel();
      const before = await me.questions(chat);
      await me.lastTurn(chat).getByRole('button', { name: 'Retry' }).click();
      await chat.locator('.stop:visible').waitFor();
      await me.ended(chat);
      assert.deepEqual(await me.questions(chat), before);
    },

    async 'a stopped answer is tried again, and Escape stops'() {
      const chat = await me.panel();
      await sendQuestion(chat, 'SLOW: what does this do?');
      await chat.locator('.turn[aria-busy=true] .block').first().waitFor();
      await page.keyboard.press('Escape');
      await me.lastTurn(chat).getByText('Stopped').waitFor();
      await me.lastTurn(chat).getByRole('button', { name: 'Retry' }).click();
      await chat.locator('.turn[aria-busy=true] .block').first().waitFor();
      await page.keyboard.press('Escape');
      await me.lastTurn(chat).getByText('Stopped').waitFor();
      assert.equal((await me.questions(chat)).filter((each) => each.startsWith('SLOW')).length, 1);
    },

    async 'an edited question replaces what came after it, and says so before'() {
      const chat = await me.panel();
      await chat.locator('.turn').first().getByRole('button', { name: 'Edit and ask again' }).click();
      await chat.locator('.edit-banner', { hasText: 'later turns are replaced' }).waitFor();
      assert.deepEqual(await me.chips(chat), ['cart.py:16-17', 'prices.py', '.env']);
      await settle(page);
      await shoot('en-asking-edit');
      const field = await me.field();
      assert.equal(await field.inputValue(), 'What do these do?');
      await field.fill('What do these do together?');
      await field.press('Enter');
      await until('it is alone', async () => (await me.questions(chat)).length === 1);
      await me.ended(chat);
      assert.deepEqual(await me.questions(chat), ['What do these do together?']);
    },

    async 'the conversation is there after a reload, and goes on'() {
      await page.reload();
      const chat = await me.panel();
      await me.lastTurn(chat).getByText('What do these do together?').waitFor({ timeout: 60_000 });
      assert.equal((await me.questions(chat)).length, 1);
      await sendQuestion(chat, '/new How do we round money?');
      await until('the new session began', async () =>
        (await me.questions(chat)).join() === 'How do we round money?',
      );
      await me.ended(chat);
    },

    async 'an arrow brings the last question back'() {
      const field = await me.field();
      await field.click();
      await page.keyboard.press('ArrowUp');
      assert.equal(await field.inputValue(), 'How do we round money?');
      await page.keyboard.press('ArrowDown');
      assert.equal(await field.inputValue(), '');
    },

    async 'sessions are searched, renamed and exported'() {
      const chat = await me.openList('Glossator: Sessions');
      assert.equal(await chat.locator('.session').count(), 2);
      await shoot('en-asking-sessions');
      await page.keyboard.type('together');
      await until('one is left', async () => (await chat.locator('.session').count()) === 1);
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await chat.locator('.session-name').fill('The parts of the cart');
      await page.keyboard.press('Enter');
      await chat.locator('.session-title', { hasText: 'The parts of the cart' }).waitFor();
      await chat.getByRole('button', { name: 'Export “The parts of the cart”' }).click();
      await chat.locator('.session-question').getByRole('button', { name: 'Markdown' }).click();
      await page.locator('.view-line', { hasText: 'What do these do together?' }).first().waitFor();
    },

    async 'a session is deleted once that was confirmed'() {
      const chat = await me.openList('Glossator: Sessions');
      await chat.getByRole('button', { name: 'Delete “How do we round money?”' }).click();
      await chat.locator('.session-question', { hasText: 'for good?' }).waitFor();
      await shoot('en-asking-delete');
      await chat.locator('.session-question').getByRole('button', { name: 'Delete' }).click();
      await until('it is gone', async () => (await chat.locator('.session').count()) === 1);
      await chat.locator('.session-open').first().click();
      await me.lastTurn(chat).getByText('What do these do together?').waitFor();
    },

    async 'a file that is not written yet is named by its place'() {
      await bench.run('Glossator: Write Down a Convention');
      const chat = await me.panel();
      await chat.locator('.context', { hasText: /^knowledge\/conventions\.md/ }).waitFor();
      await shoot('en-asking-new-file');
    },
  };
}

function chineseChecks(scene) {
  const { page, bench, shoot } = scene;
  const me = person(scene);

  return {
    async '中文符号和文件可以附加'() {
      await bench.open();
      await bench.openFile('shop/cart.py', 18);
      await bench.statusBar('Glossator: small-one').waitFor({ timeout: 60_000 });
      const chat = await openPanel(bench, 'Glossator: 提问');
      await startSession(bench, 'Glossator: 新会话');
      await me.choose('请解释@税额', '计算税额');
      await me.choose('#发票', '发票约定.md');
      assert.deepEqual(await me.chips(chat), ['计算税额', '发票约定.md']);
      await shoot('zh-asking-chips');
      await (await me.field()).press('Enter');
      await me.ended(chat);
      assert.match(me.lastRequest(), /kind=attached-symbol symbol=计算税额 place=shop\/税\.py:1-2/);
      await shoot('zh-asking-answer');
    },

    async '命令用中文名称也可以'() {
      const chat = await me.panel();
      const field = await me.field();
      await field.click();
      await page.keyboard.insertText('/检');
      await chat.locator('.option', { hasText: '/check' }).waitFor();
      await shoot('zh-asking-commands');
      await page.keyboard.press('Enter');
      await page.keyboard.press('Enter');
      const checked = me.lastTurn(chat).filter({ hasText: '/check shop/cart.py' });
      await checked.locator('.citation').first().waitFor();
      await sendQuestion(chat, '/不存在');
      await chat.locator('.composer-note', { hasText: '没有命令 /不存在' }).waitFor();
      await field.fill('');
    },

    async '修改问题时说明将替换什么'() {
      const chat = await me.panel();
      await chat.locator('.turn').first().getByRole('button', { name: '修改并重新提问' }).click();
      await chat.locator('.edit-banner', { hasText: '其后的 1 轮将被替换' }).waitFor();
      await settle(page);
      await shoot('zh-asking-edit');
      await page.keyboard.press('Escape');
      await chat.locator('.edit-banner').waitFor({ state: 'hidden' });
    },

    async '会话列表可以搜索'() {
      const chat = await me.openList('Glossator: 会话');
      await chat.locator('.session-search').fill('税额');
      await until('只剩一个', async () => (await chat.locator('.session').count()) === 1);
      await shoot('zh-asking-sessions');
      await page.keyboard.press('Escape');
    },
  };
}
