/**
 * How fast the panel is: `node panel-speed.mjs` prints a table. Nothing here fails by the clock.
 *
 * The panel's own page runs in Chromium as built, where the editor adds only a frame around it; what
 * the extension itself costs at its start is measured in Node with the editor's interface left empty.
 * Build the extension first (`npm run package` in editor-client/vscode).
 */

import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { openBrowser } from './editor.mjs';
import { post, prepare, readSources, servePanel } from './panel-page.mjs';

const DIST = path.resolve(import.meta.dirname, '../../../editor-client/vscode/dist');
const N_RUNS = 7;
const N_TURNS = 200;
const STREAM_MS = 5000;

const PARAGRAPH =
  'The cart adds up first, see shop/cart.py:18, and `convert` multiplies with the **rate** once.';

/** An answer as models write them: lists, code, a table. */
const ANSWER = [
  PARAGRAPH,
  `1. ${PARAGRAPH}\n2. ${PARAGRAPH}`,
  '```python\ndef total(self, currency: str = "EUR") -> int:\n    return sum(self.items)\n```',
  '| currency | rate |\n|---|--:|\n| EUR | 1.0 |\n| CNY | 7.8 |',
  PARAGRAPH,
].join('\n\n');

const { startTurn, finishTurn } = await readSources();

function makeTurn(id) {
  return finishTurn(startTurn(id, 'ask', `Question ${id}: how does the total come about?`), {
    sessionId: 's',
    markdown: ANSWER,
    refused: null,
    byModel: true,
    notice: '',
    citations: [
      { text: 'shop/cart.py:18', path: 'shop/cart.py', uri: null, firstLine: 18, lastLine: 18, verdict: 'exact' },
    ],
    sources: [],
    stopReason: 'answered',
    usage: { promptTokens: 1840, completionTokens: 212, cachedTokens: 1024 },
  });
}

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
const table = [];
const note = (what, value, goal = '') => table.push([what, value, goal]);

/** The time to read and run the bundle; the first run fills the file cache and does not count. */
function measureLoading() {
  const script = `
    const Module = require('node:module');
    const empty = () => new Proxy(function () {}, {
      get: (_, name) => (name === Symbol.toPrimitive ? () => '' : empty()),
      apply: () => empty(),
      construct: () => ({}),
    });
    const load = Module._load;
    Module._load = (name, ...rest) => (name === 'vscode' ? empty() : load(name, ...rest));
    const started = process.cpuUsage();
    require(${JSON.stringify(path.join(DIST, 'extension.js'))});
    const { user, system } = process.cpuUsage(started);
    console.log((user + system) / 1000);`;
  const times = Array.from({ length: N_RUNS + 1 }, () =>
    Number(execFileSync(process.execPath, ['-e', script], { encoding: 'utf8' })),
  );
  note('extension loaded, processor time', `${median(times.slice(1)).toFixed(0)} ms`, '< 100 ms');
}

async function measureFirstPaint(page, url) {
  const times = [];
  for (let run = 0; run <= N_RUNS; run += 1) {
    await page.goto(url);
    times.push(
      await page.evaluate(
        () =>
          new Promise((resolve) => {
            const [entry] = performance.getEntriesByName('first-contentful-paint');
            if (entry) {
              resolve(entry.startTime);
            } else {
              new PerformanceObserver((list) => resolve(list.getEntries().at(-1).startTime)).observe({
                type: 'paint',
                buffered: true,
              });
            }
          }),
      ),
    );
  }
  note('first paint, warm', `${median(times.slice(1)).toFixed(0)} ms`, '< 300 ms');
}

const PARTS = { ScriptDuration: 'script', RecalcStyleDuration: 'style', LayoutDuration: 'layout' };

/** Start to count the main thread's work; what is returned gives it in milliseconds so far. */
async function countWork(page) {
  const client = await page.context().newCDPSession(page);
  await client.send('Performance.enable', { timeDomain: 'threadTicks' });
  const read = async () => {
    const { metrics } = await client.send('Performance.getMetrics');
    return Object.fromEntries(metrics.map(({ name, value }) => [name, 1000 * value]));
  };
  const before = await read();
  return async () => {
    const after = await read();
    return (name) => after[name] - before[name];
  };
}

/** The work of one frame, in all and what of it goes into what. */
function describeWork(work, nFrames) {
  const each = (name) => (work(name) / nFrames).toFixed(1);
  const parts = Object.entries(PARTS).map(([name, part]) => `${part} ${each(name)}`);
  return `${each('TaskDuration')} ms (${parts.join(', ')})`;
}

/** Frames while 100 pieces a second arrive below `nTurns` finished turns. */
async function measureStreaming(page, url, nTurns) {
  await page.goto(url);
  const turns = Array.from({ length: nTurns }, (_, index) => makeTurn(`t${index}`));
  const running = startTurn('running', 'ask', 'And now?');
  await post(page, { type: 'conversation', turns }, { type: 'turn', turn: running });
  await page.locator('.turn').nth(nTurns).waitFor({ state: 'attached' });
  const work = await countWork(page);
  const frames = await page.evaluate(
    ([answer, duration]) =>
      new Promise((resolve) => {
        const pieces = answer.repeat(8).match(/[\s\S]{1,6}/g);
        const started = performance.now();
        const gaps = [];
        let nSent = 0;
        let last = started;
        const timer = setInterval(() => {
          const due = Math.floor((performance.now() - started) / 10);
          const events = [];
          for (; nSent < due; nSent += 1) {
            events.push({ type: 'textArrived', text: pieces[nSent % pieces.length] });
          }
          window.postMessage({ type: 'events', turnId: 'running', events });
        }, 25);
        const step = (now) => {
          gaps.push(now - last);
          last = now;
          if (now - started < duration) {
            requestAnimationFrame(step);
          } else {
            clearInterval(timer);
            resolve({ n: gaps.length, ms: now - started, late: gaps.filter((gap) => gap > 25).length });
          }
        };
        requestAnimationFrame(step);
      }),
    [ANSWER, STREAM_MS],
  );
  const rate = (1000 * frames.n) / frames.ms;
  const share = ((100 * frames.late) / frames.n).toFixed(1);
  note(
    `frames a second at 100 pieces a second, ${nTurns} turns above`,
    `${rate.toFixed(0)} (${share} % late)`,
    '60',
  );
  note(
    `processor time of such a frame, ${nTurns} turns above`,
    describeWork(await work(), frames.n),
    '< 16.7 ms',
  );
}

/** Script, style and layout of 1,000 pieces, each drawn on its own: the worst case. */
async function measureDrawing(page, url) {
  await page.goto(url);
  await post(page, { type: 'turn', turn: startTurn('running', 'ask', 'And now?') });
  const work = await countWork(page);
  await page.evaluate(async (answer) => {
    const pieces = answer.repeat(10).match(/[\s\S]{1,6}/g);
    for (let i = 0; i < 1000; i += 1) {
      const events = [{ type: 'textArrived', text: pieces[i % pieces.length] }];
      window.postMessage({ type: 'events', turnId: 'running', events });
      await new Promise((resolve) => requestAnimationFrame(resolve));
    }
  }, ANSWER);
  const done = await work();
  note('1,000 pieces, each drawn on its own', `${done('TaskDuration').toFixed(0)} ms`);
  note('processor time of one of them', describeWork(done, 1000), '< 16.7 ms');
}

async function measureMemory(page, url) {
  await page.goto(url);
  const client = await page.context().newCDPSession(page);
  await client.send('HeapProfiler.enable');
  const used = async () => {
    await client.send('HeapProfiler.collectGarbage');
    const { usedSize } = await client.send('Runtime.getHeapUsage');
    return usedSize / 1e6;
  };
  const before = await used();
  const turns = Array.from({ length: N_TURNS }, (_, index) => makeTurn(`t${index}`));
  const started = performance.now();
  await post(page, { type: 'conversation', turns });
  await page.locator('.turn').nth(N_TURNS - 1).waitFor({ state: 'attached' });
  note(`${N_TURNS} turns drawn at once`, `${(performance.now() - started).toFixed(0)} ms`);
  note(`memory of script after ${N_TURNS} turns`, `${(await used()).toFixed(1)} MB (${before.toFixed(1)} MB empty)`);
}

measureLoading();
const panel = await servePanel();
const browser = await openBrowser({ width: 400, height: 800 });
try {
  const { page } = browser;
  await prepare(page);
  await measureFirstPaint(page, panel.url);
  await measureDrawing(page, panel.url);
  await measureStreaming(page, panel.url, 0);
  await measureStreaming(page, panel.url, N_TURNS);
  await measureMemory(page, panel.url);
} finally {
  await browser.close();
  await panel.stop();
}
console.log('| what | measured | goal |\n| --- | ---: | --- |');
table.forEach((row) => console.log(`| ${row.join(' | ')} |`));
