/** The editor's page as a person uses it. */

import { setTimeout as sleep } from 'node:timers/promises';

const TIMEOUT_MS = 30_000;
const ATTEMPT_MS = 10_000;

export class Workbench {
  constructor(page, url, workspace) {
    this.page = page;
    const kind = workspace.endsWith('.code-workspace') ? 'workspace' : 'folder';
    this.address = `${url}/?${kind}=${workspace}`;
    page.setDefaultTimeout(TIMEOUT_MS);
  }

  async open() {
    await this.page.goto(this.address, { waitUntil: 'domcontentloaded' });
    await this.page.locator('.monaco-workbench').waitFor({ timeout: 60_000 });
    await this.page.locator('.explorer-folders-view .monaco-list-row').first().waitFor();
  }

  /** Open a file and put the cursor at a 1-based line, or at `line:column`. */
  async openFile(name, line = 1) {
    const base = name.split('/').at(-1);
    const label = this.page.locator('.label-name', { hasText: new RegExp(`^${escape(base)}$`) });
    const folder = name.split('/').slice(0, -1).join('/');
    const [row, column = 1] = String(line).split(':');
    const open = async () => {
      await this.chooseFromList('Control+p', `${name}:${line}`, base, (rows) =>
        rows.filter({ has: label, hasText: folder }).first(),
      );
      await this.page.locator('.tab.active', { hasText: base }).first().waitFor();
      await this.page.locator('.quick-input-widget').first().waitFor({ state: 'hidden' });
      // A file that was open in another group is now and then shown from its first line.
      await this.statusBar(`Ln ${row}, Col ${column}`).waitFor({ timeout: ATTEMPT_MS });
    };
    await tryAgain(open, () => this.dismiss());
  }

  /**
   * Open a list, narrow it down by `text` to what has these `words`, and choose the row that `pick`
   * names. The list closes when an editor or a panel takes the focus late, so it is tried again.
   */
  chooseFromList(key, text, words, pick) {
    const choose = async () => {
      await this.openList(key, text);
      const rows = await this.waitForRows(words);
      await pick(rows).click({ timeout: ATTEMPT_MS });
      await this.parkMouse();
    };
    return tryAgain(choose, () => this.dismiss());
  }

  /** Where the mouse rests when a list closes, a hover may come up and cover what is clicked next. */
  parkMouse() {
    return this.page.mouse.move(0, 0);
  }

  /** Open a list and put `text` into it: keys might go into an editor that has the focus by then. */
  async openList(key, text) {
    await this.page.keyboard.press(key);
    await this.page.locator('.quick-input-widget input.input').first().evaluate(
      (input, value) => {
        input.value = value;
        input.dispatchEvent(new Event('input', { bubbles: true }));
      },
      text,
      { timeout: ATTEMPT_MS },
    );
  }

  /**
   * The rows of the open list, when it is narrowed down to what has these words: rows are used again
   * meanwhile, and a click before that meets something else.
   */
  async waitForRows(text) {
    const rows = this.page.locator('.quick-input-list .monaco-list-row');
    const words = text.split(' ').map((word) => `(?=.*${escape(word)})`);
    await rows
      .and(this.page.locator('[data-index="0"]'))
      .filter({ hasText: new RegExp(words.join(''), 'is') })
      .waitFor({ timeout: ATTEMPT_MS });
    return rows;
  }

  /** Close whatever list or menu is open, as a person does. */
  async dismiss() {
    const open = this.page.locator(
      '.quick-input-widget:visible, .action-widget:visible, .monaco-menu:visible',
    );
    for (let pressed = 0; pressed < 5 && (await open.count()); pressed += 1) {
      await this.page.keyboard.press('Escape');
      await open.first().waitFor({ state: 'hidden', timeout: 1000 }).catch(() => undefined);
    }
  }

  /** Run the command of this title, which may be shortened before a colon or "…". */
  async run(command) {
    const title = new RegExp(`^${escape(command)}(…|: .*)?$`);
    await this.chooseFromList('F1', `>${command}`, command, (rows) =>
      rows.filter({ has: this.page.locator('.label-name', { hasText: title }) }),
    );
  }

  /** Open the menu of code actions; it closes itself on a late focus event, so it is tried again. */
  openActions(title) {
    const menu = this.page.locator('.action-widget:not(.action-list-submenu-panel)').first();
    return tryAgain(
      async () => {
        await this.page.keyboard.press('Control+.');
        await menu.getByText(title, { exact: true }).first().waitFor({ timeout: 5000 });
        return menu;
      },
      () => this.page.keyboard.press('Escape'),
    );
  }

  /**
   * Choose an action with the mouse, as a key pressed late would go into the code; `came` waits for
   * what it brings. When problems change while the menu is open, the editor has forgotten what was
   * offered ("Actual command not found"), so it is chosen again.
   */
  chooseAction(title, came) {
    return tryAgain(async () => {
      const menu = await this.openActions(title);
      const item = menu.getByText(title, { exact: true }).first();
      // Until the mouse moves, some editors let nothing through to the menu.
      await item.hover({ force: true });
      await item.click({ timeout: ATTEMPT_MS });
      return came();
    });
  }

  /**
   * Rest the mouse on a text of the editor until a hover says this. The text moves when a lens
   * appears above it, so it is tried again.
   */
  hover(text, said) {
    const hint = this.page.locator('.monaco-hover:visible', { hasText: said }).first();
    return tryAgain(
      async () => {
        await this.page.locator('.view-line span span', { hasText: text }).last().hover();
        await hint.waitFor({ timeout: 5000 });
        return hint;
      },
      () => this.parkMouse(),
    );
  }

  /** Wait until a line of an editor has this text in it, for as long as one attempt may take. */
  seeLine(text) {
    const line = this.page.locator('.view-line', { hasText: text }).first();
    return line.waitFor({ timeout: ATTEMPT_MS });
  }

  /** Wait until a tab has this name, for as long as one attempt may take. */
  seeTab(name) {
    return this.page.locator('.tab', { hasText: name }).first().waitFor({ timeout: ATTEMPT_MS });
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

/** What `act` brings, which may fail some times; `prepare` makes ready for the next time. */
export async function tryAgain(act, prepare = async () => undefined) {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await act();
    } catch (error) {
      if (attempt === 4) {
        throw error;
      }
      await prepare();
    }
  }
}

const escape = (text) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

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
