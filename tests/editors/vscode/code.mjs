/** What Glossator does inside the code, beside another linter: each check a person's own step. */

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { startJudge } from './judge.mjs';
import { runInEditor, settle } from './window.mjs';
import { until } from './workbench.mjs';

const RULES = `# Code

- Never \`eval\` what a user typed; parse it. {#no-eval severity=error}

  Whoever sends the text runs it with our rights.

  \`\`\`check
  language: python
  message: "Parse it, do not run it. / 请解析，不要执行。"
  rule: {pattern: eval($A)}
  fix: literal_eval($A)
  \`\`\`

  \`\`\`python bad
  eval(text)
  \`\`\`

  \`\`\`python good
  literal_eval(text)
  \`\`\`

- Name the errors that are expected; never hide all of them. {#name-errors}
`;
/** Without the rules that ship: the others' and ours of the workspace are enough to look at. */
const USER = {
  'glossator.code.lenses': true,
  'glossator.knowledge.bundled': false,
  'git.enabled': true,
};
const FOREIGN = 'Do not use bare `except` <b>now</b>';
const EVAL = 'def read(text):\n    return eval(text)\n';

export function runCode(options) {
  return runInEditor(options, {
    name: 'code',
    start: startJudge,
    makeWorkspace() {
      const workspace = options.copyWorkspace('workspace-code');
      makeRepository(workspace);
      return workspace;
    },
    editor: (model) => ({
      user: USER,
      env: options.environment({
        OPENAI_API_KEY: 'sk-test',
        OPENAI_BASE_URL: model.url,
        MODEL: 'small-one',
      }),
      unpacked: [path.join(import.meta.dirname, 'linter-extension')],
    }),
    windows: { en: englishChecks, 'zh-cn': chineseChecks },
  });
}

/** A repository with one commit, and a change on top of it. */
function makeRepository(workspace) {
  writeFileSync(path.join(workspace, 'knowledge/code.md'), RULES);
  const git = (...words) =>
    execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@example.com', ...words], {
      cwd: workspace,
      stdio: 'pipe',
    });
  git('init', '--quiet');
  git('add', '.');
  git('commit', '--quiet', '--message', 'Begin');
  writeFileSync(path.join(workspace, 'shop/reading.py'), EVAL);
  const prices = path.join(workspace, 'shop/prices.py');
  writeFileSync(prices, readFileSync(prices, 'utf8').replace('+ 0.5', '+ 0.50'));
}

function person({ page, bench }) {
  return {
    lens: (text) => page.locator('.codelens-decoration a', { hasText: text }).first(),

    async answered() {
      const answer = await bench.panel('answer');
      await answer.locator('.turn[data-status=done]').waitFor({ timeout: 60_000 });
      return answer;
    },

    /** The titles in the menu of code actions, in their order. */
    async listActions(title) {
      const menu = await bench.openActions(title);
      const rows = await menu.locator('.monaco-list-row.action').allInnerTexts();
      await page.keyboard.press('Escape');
      return rows.map((row) => row.trim());
    },

    tree: page.locator('.pane', { has: page.locator('.pane-header', { hasText: /Call Tree|调用树/i }) }),
  };
}

function englishChecks(scene) {
  const { page, bench, shoot, workspace, strangers, model } = scene;
  const { lens, answered, listActions, tree } = person(scene);
  const cart = path.join(workspace, 'shop/cart.py');

  return {
    async 'a lens above each function explains and counts its callers'() {
      await bench.open();
      await bench.openFile('shop/prices.py', 1);
      await lens('1 caller').waitFor({ timeout: 60_000 });
      await shoot('code-en-lens');
    },

    async 'Explain streams beside the code, and its places open their lines'() {
      const answer = await model.hold(async () => {
        await lens('Explain').click();
        const half = await bench.panel('answer');
        await half.locator('.turn[data-status=running] .turn-body .markdown').waitFor();
        await shoot('code-en-explain-streaming');
        return half;
      });
      await answered();
      await settle(page);
      await shoot('code-en-explain');
      await answer.locator('.citation', { hasText: 'shop/prices.py:11' }).first().click();
      // The place is shown; which side has the focus is the editor's affair.
      await page.locator('.line-numbers.active-line-number', { hasText: /^11$/ }).waitFor();
    },

    async 'the answer can be read as a text with links, and saved as a copy'() {
      await bench.run('Glossator: Open Answer as Text');
      await page.locator('.view-line', { hasText: 'converted' }).first().waitFor();
      await page.locator('.detected-link', { hasText: 'shop/prices.py:11' }).first().waitFor();
      await shoot('code-en-answer-text');
      await page.keyboard.press('Control+w');
      await bench.run('Glossator: Save a Copy of the Answer');
      const input = page.locator('.quick-input-widget input.input').first();
      await until('a name is proposed', async () => (await input.inputValue()).endsWith('.md'));
      const file = path.join(workspace, 'copy.md');
      await input.fill(file);
      await settle(page);
      await page.keyboard.press('Enter');
      await until('the copy is there', () => existsSync(file));
      assert.match(readFileSync(file, 'utf8'), /shop\/prices\.py:6/);
    },

    async 'a finding tells its rule with its examples on hover'() {
      await bench.openFile('shop/reading.py', 1);
      await page.locator('.squiggly-error').first().waitFor({ timeout: 60_000 });
      const hint = await bench.hover('eval', 'found by its check');
      await hint.getByText('Whoever sends the text').waitFor();
      await hint.getByText('Not like this').first().waitFor();
      await settle(page);
      await shoot('code-en-hover');
      await page.keyboard.press('Escape');
    },

    async "another linter's fix stays first; ours of the model and the explanation come after"() {
      await bench.openFile('shop/cart.py', '26:6');
      await page.keyboard.press('End');
      await page.keyboard.type('  # all');
      await page.keyboard.press('Control+s');
      await bench.openFile('shop/cart.py', '26:6');
      const written = 'Fix: Every error is hidden here. (written by the model)';
      const titles = await listActions(written);
      const at = (title) => titles.findIndex((each) => each.startsWith(title));
      assert.equal(at('Other: name the error'), 0, titles.join(' | '));
      assert.ok(at(written) > 0, titles.join(' | '));
      assert.ok(at('Explain this problem') > at(written), titles.join(' | '));
      await bench.openActions(written);
      await shoot('code-en-actions');
      await page.keyboard.press('Escape');
    },

    async 'a problem of another linter is explained beside the code'() {
      await bench.openFile('shop/cart.py', '26:6');
      const explain = `Explain this problem: ${FOREIGN}`;
      await bench.chooseAction(explain, () => bench.seeTab('Problem at'));
      const answer = await answered();
      await answer.getByRole('heading', { name: 'Problem at shop/cart.py:26' }).waitFor();
      await answer.locator('summary', { hasText: 'Facts gathered' }).click();
      await answer.getByText(FOREIGN).first().waitFor();
      await settle(page);
      await shoot('code-en-problem');
    },

    async 'and the fix that is preferred is that of the other linter'() {
      await bench.openFile('shop/cart.py', '26:6');
      await bench.run('Auto Fix...');
      await page.locator('.view-line', { hasText: 'except ValueError:' }).first().waitFor();
      await page.keyboard.press('Control+z');
      await page.locator('.view-line', { hasText: 'except:' }).first().waitFor();
    },

    async 'what the model repairs is looked at first, made, and undone'() {
      const written = 'Fix: Every error is hidden here. (written by the model)';
      const shown = page.locator('.tab', { hasText: 'proposed change' });
      await bench.openFile('shop/cart.py', '26:6');
      // What was judged is about a text that was saved.
      await page.keyboard.press('Control+s');
      await bench.chooseAction(written, () => bench.seeLine('except KeyError:'));
      await settle(page);
      await shoot('code-en-fix-preview');
      assert.doesNotMatch(readFileSync(cart, 'utf8'), /except KeyError/);
      await page.getByRole('button', { name: 'Discard the Shown Change' }).first().click();
      await shown.waitFor({ state: 'detached' });
      await bench.openFile('shop/cart.py', '26:6');
      const focused = page.locator('.monaco-diff-editor .monaco-editor.focused');
      await bench.chooseAction(written, () => focused.waitFor({ timeout: 10_000 }));
      await page.keyboard.press('Control+Enter');
      await shown.waitFor({ state: 'detached' });
      await page.locator('.view-line', { hasText: 'except KeyError:' }).first().waitFor();
      const question = page.locator('.notification-toast', { hasText: 'Apply this change to' });
      await question.waitFor({ state: 'detached' });
      await settle(page);
      await shoot('code-en-fixed');
      await page.keyboard.press('Control+z');
      await page.locator('.view-line', { hasText: 'except:' }).first().waitFor();
    },

    async 'the call tree opens level by level, turns round, and opens places'() {
      await bench.openFile('shop/prices.py', '6:6');
      await bench.run('Glossator: Show Call Tree');
      await tree.locator('.monaco-list-row', { hasText: 'Cart.total' }).first().waitFor();
      await tree.locator('.monaco-list-row', { hasText: 'Cart.total' }).first().click();
      await bench.statusBar('Ln 16').waitFor();
      await page.keyboard.press('ArrowRight');
      await tree.locator('.monaco-list-row', { hasText: 'checkout' }).first().waitFor();
      await shoot('code-en-tree');
      await bench.openFile('shop/cart.py', '22:6');
      await bench.run('Glossator: Show Call Tree');
      // The tree takes the focus when it is there, and with it any list that is open.
      await tree.locator('.monaco-list-row', { hasText: 'test_' }).first().waitFor();
      await settle(page);
      await bench.run('Glossator: Show What Is Called');
      await tree.locator('.monaco-list-row', { hasText: 'Cart.total' }).first().waitFor();
      await shoot('code-en-tree-called');
      await bench.run('Glossator: Show Callers');
    },

    async 'a check is written for a rule, and looked at before it stands in the file'() {
      const rules = path.join(workspace, 'knowledge/code.md');
      await bench.openFile('knowledge/code.md', '22:4');
      const written = () => bench.seeLine('kind: except_clause');
      await bench.chooseAction('Write a check for this rule…', written);
      await bench.seeTab('proposed change');
      const question = page.locator('.notification-toast', { hasText: 'Apply this change to' });
      await question.filter({ hasText: 'flags 1 place in 1 of' }).waitFor();
      await settle(page);
      await shoot('code-en-rule-check');
      assert.doesNotMatch(readFileSync(rules, 'utf8'), /except_clause/);
      await page.getByRole('button', { name: 'Discard the Shown Change' }).first().click();
      await page.locator('.tab', { hasText: 'proposed change' }).waitFor({ state: 'detached' });
    },

    async 'Review Changes reports on what is not committed'() {
      await bench.run('Glossator: Review Changes');
      const chat = await bench.panel('chat');
      const turn = chat.locator('.turn').last();
      await turn.and(chat.locator('[aria-busy=false]')).waitFor({ timeout: 80_000 });
      await turn.locator('.citation').first().waitFor();
      await settle(page);
      await shoot('code-en-review');
      assert.equal(await turn.locator('.failure').count(), 0);
    },

    async 'Explain This Package tells what is in the folder of the file'() {
      await bench.openFile('shop/prices.py', 1);
      await bench.run('Glossator: Explain This Package');
      const chat = await bench.panel('chat');
      const turn = chat.locator('.turn').last();
      await turn.getByText('Explain package shop').first().waitFor();
      await turn.and(chat.locator('[aria-busy=false]')).waitFor({ timeout: 80_000 });
      await settle(page);
      await shoot('code-en-package');
      assert.equal(await turn.locator('.failure').count(), 0);
    },

    async 'nothing but the editor itself was asked for anything'() {
      assert.deepEqual([...strangers], []);
    },
  };
}

function chineseChecks(scene) {
  const { page, bench, shoot } = scene;
  const { lens, answered, tree } = person(scene);

  return {
    async '函数上方显示解释和调用者数量'() {
      await bench.open();
      await bench.openFile('shop/prices.py', 1);
      await lens('1 个调用者').waitFor({ timeout: 60_000 });
      await lens('解释').waitFor();
      await shoot('code-zh-lens');
    },

    async '悬停说明规则、理由和示例'() {
      await bench.openFile('shop/reading.py', 1);
      await page.locator('.squiggly-error').first().waitFor({ timeout: 60_000 });
      const hint = await bench.hover('eval', '由检查发现');
      assert.match(await hint.innerText(), /请解析，不要执行。/);
      assert.doesNotMatch(await hint.innerText(), /Parse it, do not run it/);
      await settle(page);
      await shoot('code-zh-hover');
      await page.keyboard.press('Escape');
    },

    async '任何问题都可以解释'() {
      await bench.openFile('shop/cart.py', '26:6');
      const explain = /^解释此问题(：Do not use bare .*)?$/;
      await bench.chooseAction(explain, () => bench.seeTab('的问题'));
      const answer = await answered();
      assert.match(await answer.locator('h1').innerText(), /shop\/cart\.py:26 的问题/);
      await settle(page);
      await shoot('code-zh-problem');
    },

    async '调用树'() {
      await bench.openFile('shop/prices.py', '6:6');
      await bench.run('Glossator: 显示调用树');
      await tree.locator('.monaco-list-row', { hasText: 'Cart.total' }).first().waitFor();
      await shoot('code-zh-tree');
    },
  };
}
