/** What a team's files do in VS Code: findings and fixes, hover, why, saving, and what is known. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { runInEditor, sendQuestion, settle } from './window.mjs';
import { until } from './workbench.mjs';

export function runTeam(options) {
  return runInEditor(options, {
    name: 'team',
    makeWorkspace: () => options.copyWorkspace('workspace-team', 'team'),
    windows: { en: englishChecks, 'zh-cn': chineseChecks },
  });
}

/** What a person does with such files, whatever the language of the window. */
function person({ page, bench, workspace }) {
  const lastTurn = (chat) => chat.locator('.turn').last();
  return {
    lastTurn,

    /** Choose a fix where the cursor is, save it, and wait until the file holds what it brings. */
    async fix(name, title, text) {
      await bench.chooseAction(title, () => bench.seeLine(text));
      await page.keyboard.press('Control+s');
      const file = path.join(workspace, name);
      await until(`${name} holds it`, () => readFileSync(file, 'utf8').includes(text));
    },

    /** Run *Why Is This (Not) Used?* from the palette and say what would be asked. */
    async askWhy(command, question) {
      const input = page.locator('.quick-input-widget input.input').first();
      await bench.run(command);
      await until('the question is asked for', async () => (await input.inputValue()) === '');
      await input.fill(question);
      await page.keyboard.press('Enter');
      await page.locator('.tab.active', { hasText: 'refund.py.md' }).waitFor();
    },

    /** Write a section at the end of the open file and save it, when no other news is told. */
    async addSection(heading, text) {
      await bench.statusBar(/Glossator: /).waitFor();
      await page.keyboard.press('Control+End');
      await page.keyboard.insertText(`\n## ${heading}\n${text}\n`);
      await page.keyboard.press('Control+s');
    },

    async ask(question) {
      const chat = await bench.panel('chat');
      await chat.locator('.turn, .welcome').first().waitFor();
      await sendQuestion(chat, question);
      await lastTurn(chat).getByText(question).first().waitFor();
      await lastTurn(chat).and(chat.locator('[aria-busy=false]')).waitFor();
      return lastTurn(chat);
    },
  };
}

function englishChecks(scene) {
  const { page, bench, shoot, strangers } = scene;
  const { fix, askWhy, addSection, ask } = person(scene);

  return {
    async 'a rule of Cursor shows what is wrong with it'() {
      await bench.open();
      await bench.openFile('.cursor/rules/价格.mdc', '4:15');
      await page.locator('.squiggly-warning').first().waitFor({ timeout: 60_000 });
      await page.keyboard.press('Control+Shift+m');
      const panel = page.locator('.markers-panel');
      await panel.getByText('`alwaysApply` is text in quotes').first().waitFor();
      await panel.getByText('lint/quoted-boolean').first().waitFor();
      await shoot('team-en-cursor-rule');
      await page.keyboard.press('Control+j');
    },

    async 'its quick fix repairs the header'() {
      await bench.openFile('.cursor/rules/价格.mdc', '4:15');
      await fix('.cursor/rules/价格.mdc', 'Replace with `false`', 'alwaysApply: false');
      await page.locator('.squiggly-warning').first().waitFor({ state: 'detached' });
    },

    async 'a skill shows a command that does not exist, and the one that does'() {
      await bench.openFile('skills/release/SKILL.md', '9:15');
      await page.locator('.view-overlays .squiggly-warning').last().waitFor();
      await bench.openActions('Replace with `test`');
      await shoot('team-en-skill');
      await page.keyboard.press('Escape');
      await fix('skills/release/SKILL.md', 'Replace with `test`', 'make test');
    },

    async 'a glob says which files it matches'() {
      await bench.openFile('knowledge/退款约定.md', 1);
      await bench.hover('src/orders', 'src/orders/refund.py');
      await settle(page);
      await shoot('team-en-hover-glob');
      await page.keyboard.press('Escape');
    },

    async 'why tells for a file what applies to it'() {
      await bench.openFile('src/orders/refund.py', 6);
      await askWhy('Glossator: Why Is This (Not) Used?', '退款失败要重试几次');
      await page.locator('.view-line', { hasText: 'src/orders/AGENTS.md' }).first().waitFor();
      await page.locator('.view-line', { hasText: 'knowledge/退款约定.md' }).first().waitFor();
      await shoot('team-en-why');
    },

    async 'and a place that it names opens'() {
      const place = page.locator('.detected-link', { hasText: 'knowledge/退款约定.md:12-13' });
      await place.first().click({ modifiers: ['Control'] });
      await page.locator('.tab.active', { hasText: '退款约定.md' }).waitFor();
      await bench.statusBar('Ln 12').waitFor();
    },

    async 'saving knowledge is told in the status bar'() {
      await bench.openFile('knowledge/warehouse.md', 1);
      await addSection('Returned parcels', 'A returned parcel is opened on camera within two days.');
      await bench.statusBar('updated just now').waitFor();
      await shoot('team-en-updated');
    },

    async 'and what was saved answers, without a model'() {
      await bench.run('Glossator: Ask');
      const turn = await ask('When is a returned parcel opened?');
      await turn.getByText('opened on camera within two days').waitFor();
      assert.equal(await turn.locator('.refusal').count(), 0);
      await shoot('team-en-answer');
    },

    async 'a foreign question is refused with what is nearest'() {
      const turn = await ask('When is the office opened on public holidays?');
      await turn.locator('.refusal').getByText('Nearest').waitFor();
      await settle(page);
      await shoot('team-en-refusal');
    },

    async 'nothing but the editor itself was asked for anything'() {
      assert.deepEqual([...strangers], []);
    },
  };
}

function chineseChecks(scene) {
  const { page, bench, shoot } = scene;
  const { fix, askWhy, addSection, ask } = person(scene);

  return {
    async '技能文件的问题用中文说明'() {
      await bench.open();
      await bench.openFile('skills/release/SKILL.md', '2:8');
      await page.locator('.squiggly-warning').first().waitFor({ timeout: 60_000 });
      await page.keyboard.press('Control+Shift+m');
      await page.locator('.markers-panel').getByText('不能作为技能名').first().waitFor();
      await shoot('team-zh-skill');
      await page.keyboard.press('Control+j');
    },

    async '快速修复写入文件夹的名称'() {
      await bench.openFile('skills/release/SKILL.md', '2:8');
      await fix('skills/release/SKILL.md', '替换为 `release`', 'name: release');
      await page.locator('.squiggly-warning').first().waitFor({ state: 'detached' });
    },

    async '悬停说明 glob 匹配哪些文件'() {
      await bench.openFile('knowledge/退款约定.md', 1);
      await bench.hover('src/支付', '没有');
      await settle(page);
      await shoot('team-zh-hover-glob');
      await page.keyboard.press('Escape');
    },

    async '保存后状态栏说明已更新'() {
      await bench.openFile('knowledge/退款约定.md', 1);
      await addSection('运费', '因质量问题退货时，运费由我们承担，上限二十元。');
      await bench.statusBar('刚刚更新').waitFor();
      await shoot('team-zh-updated');
    },

    async '为何（未）使用，逐个文件说明'() {
      await bench.openFile('src/orders/refund.py', 6);
      await askWhy('Glossator: 为何（未）使用？', '退货的运费谁承担');
      await page.locator('.view-line', { hasText: '会使用' }).first().waitFor();
      await page.locator('.view-line', { hasText: '运费' }).first().waitFor();
      await shoot('team-zh-why');
    },

    async '刚保存的内容能回答问题，不需要模型'() {
      await bench.run('Glossator: 提问');
      const turn = await ask('退货的运费由谁承担？');
      await turn.getByText('运费由我们承担').waitFor();
      await shoot('team-zh-answer');
    },

    async '无关的问题被拒绝，并列出最接近的标题'() {
      const turn = await ask('去西藏旅游要带什么药？');
      await turn.locator('.refusal').getByText('最接近的内容').waitFor();
      await settle(page);
      await shoot('team-zh-refusal');
    },
  };
}
