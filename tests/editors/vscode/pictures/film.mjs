/**
 * A short film of the extension, and stills of it: ask, look, mend. `run.mjs film` takes them.
 *
 * The frames are kept as files with the time of each; `make.mjs` makes a GIF of them.
 */

import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { runInEditor, sendQuestion, settle, useModel } from '../window.mjs';

const SIZE = { width: 1120, height: 700 };
/** Nothing but what is to be seen. */
const USER = {
  'editor.fontSize': 13,
  'editor.quickSuggestions': { other: 'off', comments: 'off', strings: 'off' },
  'editor.stickyScroll.enabled': false,
};
/** How wide the panel is, where the question and its answer are looked at. */
const PANEL_PX = 400;
const PAUSE_MS = 120;
/** How long a picture stands that is to be read. */
const READ_MS = 2500;
const FIX = 'Fix: Do not print amounts; use `checkout`. 请勿直接打印金额。';

export function runFilm(options) {
  return runInEditor(options, {
    name: 'film',
    browser: SIZE,
    editor: (model) => ({
      user: USER,
      machine: {
        'glossator.server.command': options.command,
        ...useModel(model),
        // Found by words alone: what comes near by meaning depends on how far the vectors are.
        'glossator.semantic.source': 'off',
      },
    }),
    windows: { en: scenes, 'zh-cn': chineseStills },
  });
}

function scenes({ page, bench, shots, shoot }) {
  const camera = new Camera(page, path.join(shots, 'film'));
  return {
    async 'a function is explained beside the code'() {
      await bench.open();
      await bench.openFile('shop/cart.py', 18);
      await bench.statusBar('Glossator: small-one').waitFor({ timeout: 60_000 });
      await bench.chooseAction('Explain this function');
      await ended(await bench.panel('answer')).waitFor();
      await shoot('picture-explain');
      await bench.run('View: Close All Editors');
    },

    async 'a question is asked in the panel, and a citation opens its line'() {
      await bench.openFile('shop/cart.py', 18);
      const chat = await openPanel(page, bench, 'Glossator: Ask');
      const question = 'How does the total of a cart come about?';
      await camera.film(async () => {
        await chat.locator('textarea').pressSequentially(question, { delay: 40 });
        await sendQuestion(chat, question);
        await ended(chat).waitFor();
      });
      await chat.locator('.log').evaluate((log) => log.scrollTo(0, 0));
      await shoot('picture-chat');
      const citation = chat.locator('.citation', { hasText: 'shop/prices.py:6' }).first();
      await camera.film(async () => {
        await citation.hover();
        await camera.hold();
        await citation.click();
        await page.locator('.tab.active', { hasText: 'prices.py' }).waitFor();
      });
    },

    async 'a finding is mended'() {
      await bench.openFile('shop/prices.py', 9);
      await page.keyboard.press('End');
      await camera.film(async () => {
        await page.keyboard.type('\nprint(RATES)', { delay: 60 });
        await page.keyboard.press('Control+s');
        await page.locator('.squiggly-warning').first().waitFor();
        await camera.hold();
        const menu = await bench.openActions(FIX);
        await shoot('picture-findings');
        await camera.hold();
        await menu.getByText(FIX, { exact: true }).first().click();
        await page.locator('.view-line', { hasText: 'log(RATES)' }).first().waitFor();
        await page.keyboard.press('Control+s');
        await page.locator('.squiggly-warning').first().waitFor({ state: 'detached' });
      });
    },
  };
}

function chineseStills({ page, bench, shoot }) {
  return {
    async 'the panel speaks Chinese'() {
      await bench.open();
      await bench.openFile('shop/cart.py', 18);
      await bench.statusBar('Glossator: small-one').waitFor({ timeout: 60_000 });
      const chat = await openPanel(page, bench, 'Glossator: 提问');
      await sendQuestion(chat, '购物车的总价是怎么算出来的？');
      await ended(chat).waitFor();
      await chat.locator('.log').evaluate((log) => log.scrollTo(0, 0));
      await shoot('picture-chinese');
    },

    async 'and so does what is found in the code'() {
      await bench.openFile('shop/prices.py', 9);
      await page.keyboard.press('End');
      await page.keyboard.type('\nprint(RATES)');
      await page.keyboard.press('Control+s');
      await page.locator('.squiggly-warning').first().waitFor();
      await bench.openActions('修复：Do not print amounts; use `checkout`. 请勿直接打印金额。');
      await shoot('picture-chinese-findings');
      await page.keyboard.press('Escape');
    },
  };
}

/** Open the panel by the command `title`, and make it as wide as it is to be seen. */
async function openPanel(page, bench, title) {
  await bench.run(title);
  const chat = await bench.panel('chat');
  await chat.locator('textarea').click();
  const { x, width } = await page.locator('.part.sidebar').boundingBox();
  const edge = { x: x + width, y: SIZE.height / 2 };
  await page.mouse.move(edge.x, edge.y);
  await page.mouse.down();
  await page.mouse.move(x + PANEL_PX, edge.y, { steps: 4 });
  await page.mouse.up();
  await chat.locator('textarea').click();
  await settle(page);
  return chat;
}

const ended = (frame) => frame.locator('.turn').last().and(frame.locator('[data-status=done]'));

/** Takes pictures of a page while something happens in it. */
class Camera {
  constructor(page, folder) {
    this.page = page;
    this.folder = folder;
    this.times = [];
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
  }

  /** Record what `act` does, and how it looks when it is done. */
  async film(act) {
    let isRolling = true;
    const rolling = (async () => {
      while (isRolling) {
        await this.#expose();
        await sleep(PAUSE_MS);
      }
    })();
    try {
      await act();
      await sleep(READ_MS / 4);
    } finally {
      isRolling = false;
      await rolling;
    }
    await this.#expose(READ_MS);
  }

  /** Let what is shown be read before the next step. */
  async hold() {
    await sleep(READ_MS / 2);
  }

  /** Take a picture, which stands for `stands` ms, or until the next one where that is unknown. */
  async #expose(stands = null) {
    const at = performance.now();
    const file = `${String(this.times.length).padStart(4, '0')}.png`;
    this.times.push({ file, at, stands });
    await this.page.screenshot({ path: path.join(this.folder, file) });
    writeFileSync(path.join(this.folder, 'times.json'), JSON.stringify(this.times));
  }
}
