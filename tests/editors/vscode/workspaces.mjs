/** Workspaces: trusted and not, of several folders, changing while they are open; their settings. */

import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { runInEditor, sendQuestion, settle, useModel } from './window.mjs';
import { until } from './workbench.mjs';

const HOUSE_WORD = 'BANANA-HOUSE-STYLE';
const RULE = `# Output

- Never print. {#no-print}
  \`\`\`check
  language: python
  message: Printing is not for us.
  rule:
    pattern: print($$$ARGUMENTS)
  \`\`\`
  \`\`\`python bad
  print(1)
  \`\`\`
  \`\`\`python good
  log.info(1)
  \`\`\`
`;

/** A workspace that nobody trusts yet: with instructions, and a server of its own. */
export function runTrust(options) {
  const workspace = path.join(options.state, 'workspace-trust');
  const marker = path.join(options.state, 'started-by-workspace');
  rmSync(marker, { force: true });
  return runInEditor({ ...options, marker }, {
    name: 'trust',
    makeWorkspace() {
      const script = path.join(options.state, 'server-of-workspace.sh');
      writeFiles(workspace, {
        'AGENTS.md': `# Style\n\nAlways begin with ${HOUSE_WORD}.\n`,
        'shop/cart.py': 'def total(items):\n    return sum(items)\n',
        '.vscode/settings.json': JSON.stringify({ 'glossator.server.command': [script] }),
      });
      writeFileSync(script, `#!/bin/sh\ntouch '${marker}'\nexec ${options.command.join(' ')}\n`);
      chmodSync(script, 0o755);
      return workspace;
    },
    editor: (model) => ({
      asksTrust: true,
      user: {
        'security.workspace.trust.startupPrompt': 'never',
        'security.workspace.trust.banner': 'never',
      },
      machine: {
        'glossator.server.command': options.command,
        ...useModel(model),
        'glossator.knowledge.bundled': false,
      },
    }),
    windows: { en: trustChecks },
  });
}

function trustChecks({ page, bench, shoot, model, marker }) {
  const ask = async (question) => {
    await bench.run('Glossator: Ask');
    const chat = await bench.panel('chat');
    await sendQuestion(chat, question);
    const asked = () => model.requests.some((each) => JSON.stringify(each.body).includes(question));
    await until('the model is asked', asked, 60_000);
    await chat.locator('.turn').last().and(chat.locator('[data-status=done]')).waitFor();
    return model.requests.map((each) => JSON.stringify(each.body)).join('\n');
  };

  return {
    async 'restricted: the workspace starts no server, and its instructions reach no model'() {
      await bench.open();
      await bench.openFile('shop/cart.py', 1);
      await bench.statusBar('Glossator: small-one').waitFor({ timeout: 60_000 });
      const sent = await ask('How does total work in restricted mode?');
      await settle(page);
      await shoot('workspaces-restricted');
      assert.equal(sent.includes(HOUSE_WORD), false);
      assert.equal(existsSync(marker), false);
    },

    async 'trust given while it runs brings both, without a new window'() {
      await bench.run('Workspaces: Manage Workspace Trust');
      await page.locator('.workspace-trust-editor').getByText('Trust', { exact: true }).click();
      await until('the server of the workspace is started', () => existsSync(marker), 60_000);
      await bench.openFile('shop/cart.py', 1);
      await bench.statusBar('Glossator: small-one').waitFor({ timeout: 60_000 });
      const sent = await ask('How does total work once it is trusted?');
      await shoot('workspaces-trusted');
      assert.ok(sent.includes(HOUSE_WORD));
    },
  };
}

/** Two folders, of which one forbids what both do. */
export function runFolders(options) {
  const top = path.join(options.state, 'workspace-folders');
  const workspace = path.join(top, 'both.code-workspace');
  return runInEditor({ ...options, top }, {
    name: 'folders',
    makeWorkspace() {
      writeFiles(top, {
        'office/letter.py': 'print("letter")\n',
        'office/glossator.toml': '[check]\nonsave = true\n',
        'shop/pay.py': 'print("pay")\n',
        'shop/knowledge/output.md': RULE,
        [FOLDER_SETTINGS]: '{}',
      });
      writeWorkspace({ workspace }, ['office', 'shop']);
      return workspace;
    },
    editor: () => ({ user: USER }),
    windows: { en: folderChecks },
  });
}

const USER = { 'glossator.knowledge.bundled': false, 'workbench.editor.useModal': 'off' };
const FOLDER_SETTINGS = 'shop/.vscode/settings.json';
const NONE_LEFT_OUT = { 'glossator.check.exclude': [] };

function folderChecks(scene) {
  const { page, bench, shoot, top } = scene;
  const wrong = page.locator('.squiggly-warning').first();
  const outcome = (text) => bench.statusBar(new RegExp(`Glossator: .*${text}`)).waitFor();

  return {
    async 'a file is checked by the conventions of its own folder'() {
      await bench.open();
      await bench.openFile('letter.py', 1);
      await outcome('not checked');
      await bench.openFile('pay.py', 1);
      await wrong.waitFor({ timeout: 60_000 });
      await outcome('1 finding');
      await shoot('workspaces-two-folders');
    },

    async 'a setting of the user counts at once'() {
      await writeUserSettings(scene, { 'glossator.check.exclude': ['pay.py'] });
      await wrong.waitFor({ state: 'detached' });
      await outcome('not checked');
    },

    async 'that of the workspace comes before it'() {
      writeWorkspace(scene, ['office', 'shop'], NONE_LEFT_OUT);
      await wrong.waitFor();
    },

    async 'that of a folder comes before both'() {
      const settings = path.join(top, FOLDER_SETTINGS);
      writeFileSync(settings, JSON.stringify({ 'glossator.check.exclude': ['pay.py'] }));
      await wrong.waitFor({ state: 'detached' });
      writeFileSync(settings, '{}');
      await wrong.waitFor();
    },

    async 'of a folder that is taken out nothing is shown, and its file says why'() {
      writeWorkspace(scene, ['office'], NONE_LEFT_OUT);
      await wrong.waitFor({ state: 'detached' });
      await outcome('not checked');
    },

    async 'and with the folder its findings come back'() {
      writeWorkspace(scene, ['office', 'shop'], NONE_LEFT_OUT);
      await wrong.waitFor();
      await outcome('1 finding');
    },

    async 'a wrong setting in glossator.toml is marked, and a quick fix puts what was meant'() {
      await bench.openFile('glossator.toml', '2:2');
      await wrong.waitFor();
      await bench.chooseAction('Replace with `onSave`', () => bench.seeLine('onSave = true'));
      await page.keyboard.press('Control+s');
      await wrong.waitFor({ state: 'detached' });
      await outcome('clean');
      await settle(page);
      await shoot('workspaces-settings-file');
    },
  };
}

/** As a person does it: a window does not see that another program writes them. */
async function writeUserSettings({ page, bench, state }, settings) {
  await bench.run('Preferences: Open User Settings (JSON)');
  await page.locator('.tab.active', { hasText: 'settings.json' }).waitFor();
  await page.locator('.editor-group-container.active .view-line').first().click();
  await page.keyboard.press('Control+a');
  const file = path.join(state, 'user/User/settings.json');
  const before = JSON.parse(readFileSync(file, 'utf8'));
  await page.keyboard.insertText(JSON.stringify({ ...before, ...settings }));
  await page.keyboard.press('Control+s');
  const [name] = Object.keys(settings);
  await until('they are saved', () => readFileSync(file, 'utf8').includes(name));
  await bench.run('View: Close Editor');
}

function writeWorkspace({ workspace }, names, settings = {}) {
  const folders = names.map((name) => ({ path: name }));
  writeFileSync(workspace, JSON.stringify({ folders, settings }));
}

/** Write files into a folder, which is made anew. */
function writeFiles(folder, files) {
  rmSync(folder, { recursive: true, force: true });
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}
