/** The editor's page as a person uses it. */

import { setTimeout as sleep } from 'node:timers/promises';

const TIMEOUT_MS = 30_000;

export class Workbench {
  constructor(page, url, workspace) {
    this.page = page;
    this.address = `${url}/?folder=${workspace}`;
    page.setDefaultTimeout(TIMEOUT_MS);
  }

  async open() {
    await this.page.goto(this.address, { waitUntil: 'domcontentloaded' });
    await this.page.locator('.monaco-workbench').waitFor({ timeout: 60_000 });
    await this.page.locator('.explorer-folders-view .monaco-list-row').first().waitFor();
  }

  /** Open a file and put the cursor at the beginning of a 1-based line. */
  async openFile(name, line = 1) {
    const input = this.page.locator('.quick-input-widget input.input').first();
    await this.page.keyboard.press('Control+p');
    await input.fill(`${name}:${line}`);
    await this.page.locator('.quick-input-list .monaco-list-row').first().waitFor();
    await sleep(300); // The list is filled in steps, and Enter takes what is on top.
    await this.page.keyboard.press('Enter');
    const tab = this.page.locator('.tab.active', { hasText: name.split('/').at(-1) });
    await tab.first().waitFor();
    await this.page.locator('.quick-input-widget').first().waitFor({ state: 'hidden' });
  }

  async run(command) {
    const input = this.page.locator('.quick-input-widget input.input').first();
    await this.page.keyboard.press('F1');
    await input.waitFor();
    await input.fill(`>${command}`);
    await this.page
      .locator('.quick-input-list .monaco-list-row')
      .filter({ hasText: command })
      .first()
      .click();
  }

  /** Open the menu of code actions; it closes itself on a late focus event, so it is tried again. */
  async openActions(title) {
    const menu = this.page.locator('.action-widget:not(.action-list-submenu-panel)').first();
    for (let attempt = 0; ; attempt += 1) {
      await this.page.keyboard.press('Control+.');
      try {
        await menu.getByText(title, { exact: true }).first().waitFor({ timeout: 5000 });
        return menu;
      } catch (error) {
        if (attempt === 4) {
          throw error;
        }
        await this.page.keyboard.press('Escape');
      }
    }
  }

  /** Choose an action with the mouse: a key pressed late would go into the code. */
  async chooseAction(title) {
    for (let attempt = 0; ; attempt += 1) {
      const menu = await this.openActions(title);
      try {
        await menu.getByText(title, { exact: true }).first().click({ timeout: 3000 });
        return;
      } catch (error) {
        if (attempt === 4) {
          throw error;
        }
      }
    }
  }

  statusBar(text) {
    return this.page.locator('.statusbar-item', { hasText: text }).first();
  }

  /** The document inside a panel: `chat` or `answer`. */
  panel(mode) {
    return this.frameWith(`#root.${mode}`);
  }

  /** The document inside the editor's page that holds an element. */
  async frameWith(selector) {
    const deadline = Date.now() + TIMEOUT_MS;
    while (Date.now() < deadline) {
      for (const frame of this.page.frames()) {
        const isInside = frame !== this.page.mainFrame();
        const isIt = isInside && (await frame.locator(selector).count().catch(() => 0));
        if (isIt) {
          return frame;
        }
      }
      await sleep(100);
    }
    throw new Error(`no panel holds ${selector}`);
  }

  async setTheme(name) {
    await this.run('Preferences: Color Theme');
    await this.page.getByPlaceholder('Select Color Theme').waitFor();
    await this.page.keyboard.type(name);
    await sleep(500); // The list follows the words, and the page the list.
    await this.page.keyboard.press('Enter');
    await sleep(700);
  }

  async closeNotifications() {
    await this.run('Notifications: Clear All Notifications');
  }
}

export async function until(what, read, timeoutMs = TIMEOUT_MS) {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const value = await read();
    if (value) {
      return value;
    }
    if (Date.now() > deadline) {
      throw new Error(`never happened: ${what}`);
    }
    await sleep(50);
  }
}
