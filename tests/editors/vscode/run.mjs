/**
 * Tests of the extension in real VS Code: `node run.mjs [SUITE]…`, without names all but those on request.
 * Needs what `run.sh` installs and builds. Screenshots stay in tests/editors/shots.
 */

import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { runAnswers } from './answers.mjs';
import { addCounts } from './checks.mjs';
import { OLDEST, openBrowser, startEditor } from './editor.mjs';
import { runAsking } from './asking.mjs';
import { startModel } from './model.mjs';
import { runCode } from './code.mjs';
import { runFilm } from './pictures/film.mjs';
import { runFirst } from './first.mjs';
import { runParticipant } from './participant.mjs';
import { runTeam } from './team.mjs';
import { runUi } from './ui.mjs';
import { runFolders, runTrust } from './workspaces.mjs';

const HERE = import.meta.dirname;
const ROOT = path.resolve(HERE, '../../..');
const STATE = path.resolve(HERE, '../.state/vscode');
const SHOTS = path.resolve(HERE, '../shots');
const CLIENT = path.join(ROOT, 'editor-client/vscode');
const PYTHON = process.env.GLOSSATOR_PYTHON ?? path.join(ROOT, '.venv/bin/python');
const COMMAND = [PYTHON, '-m', 'glossator', 'lsp'];
/** Sessions and records of the tests alone, begun anew each time. */
const KEPT = path.join(STATE, 'kept');
const HOST_TIMEOUT_MS = 240_000;

/** Without the user's own keys and models, which would change what is tested. */
function environment(extra = {}) {
  const kept = ['PATH', 'HOME', 'LANG', 'TMPDIR'];
  const own = Object.fromEntries(kept.map((name) => [name, process.env[name] ?? '']));
  // The selected Python is tried only when there is no `glossator` on the path.
  const folders = own.PATH.split(':').filter((each) => !existsSync(path.join(each, 'glossator')));
  return {
    ...own,
    PATH: folders.join(':'),
    LANG: 'C.UTF-8',
    XDG_STATE_HOME: KEPT,
    PYTHONPATH: path.join(ROOT, 'server'),
    ...extra,
  };
}

function copyWorkspace(name, origin = 'workspace') {
  const target = path.join(STATE, name);
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  cpSync(path.join(HERE, origin), target, { recursive: true });
  return target;
}

const HOST = { name: 'host', suite: 'host-suite.cjs', user: {}, unpacked: ['python-extension'] };
/** Other language extensions and a model of the editor; its own AI features are not switched off. */
const BACKEND = {
  name: 'backend',
  suite: 'backend-suite.cjs',
  user: { 'chat.disableAIFeatures': false },
  unpacked: ['backend-extension'],
};

/** A suite inside the extension host, with the extension loaded from its folder. */
async function runHost({ name, suite, user, unpacked, installation }) {
  const model = await startModel();
  const control = await serveRequests(model);
  const workspace = copyWorkspace(`workspace-${name}`);
  const result = path.join(STATE, `${name}-result.json`);
  rmSync(result, { force: true });
  const editor = await startEditor({
    state: path.join(STATE, name),
    workspace,
    installation,
    user: { 'security.workspace.trust.enabled': false, ...user },
    machine: { 'glossator.server.command': COMMAND },
    unpacked: unpacked.map((each) => path.join(HERE, each)),
    env: environment({
      GLOSSATOR_TEST_PYTHON: PYTHON,
      GLOSSATOR_TEST_MODEL: model.url,
      GLOSSATOR_TEST_CONTROL: control.url,
      GLOSSATOR_TEST_RESULT: result,
      GLOSSATOR_TEST_COMMAND: JSON.stringify(COMMAND),
    }),
  });
  const browser = await openBrowser();
  try {
    const { page } = browser;
    const ended = new Promise((resolve, reject) => {
      setTimeout(() => reject(new Error('the suite took too long')), HOST_TIMEOUT_MS).unref();
      void page.exposeFunction('codeAutomationExit', resolve);
    });
    await page.exposeFunction('codeAutomationLog', (kind, values) => {
      const text = values.map(String).join(' ');
      // The editor complains about native parts that are left out; only the suite is of interest.
      if (/^(ok|FAIL) /.test(text)) {
        console.log(text);
      }
    });
    const remote = (file) => `vscode-remote://${new URL(editor.url).host}${file}`;
    const payload = [
      ['extensionDevelopmentPath', remote(CLIENT)],
      ['extensionTestsPath', remote(path.join(HERE, suite))],
    ];
    const query = new URLSearchParams({ folder: workspace, payload: JSON.stringify(payload) });
    await page.goto(`${editor.url}/?${query}`);
    await ended;
    return JSON.parse(readFileSync(result, 'utf8'));
  } catch (error) {
    console.log(`FAIL ${name}: ${error.stack}`);
    await browser.page.screenshot({ path: path.join(STATE, `${name}-failure.png`) });
    return { passed: 0, failed: 1 };
  } finally {
    await browser.close();
    await editor.stop();
    await control.stop();
    await model.stop();
  }
}

/** Lets the suite in the other process see what the model was asked. */
async function serveRequests(model) {
  const server = createServer((_, response) => {
    response.end(JSON.stringify({ requests: model.requests }));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    stop: () =>
      new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      }),
  };
}

rmSync(KEPT, { recursive: true, force: true });
mkdirSync(SHOTS, { recursive: true });
for (const old of readdirSync(SHOTS, { recursive: true })) {
  if (path.basename(old).startsWith('failed-')) {
    rmSync(path.join(SHOTS, old));
  }
}
const wanted = process.argv.slice(2);
const window = {
  state: STATE,
  shots: SHOTS,
  command: COMMAND,
  extension: path.join(CLIENT, 'glossator.vsix'),
  environment,
  copyWorkspace,
  python: PYTHON,
};

/** In the oldest VS Code that is supported: all of the extension host, and what people do. */
async function runOldest() {
  const shots = path.join(SHOTS, 'oldest');
  mkdirSync(shots, { recursive: true });
  // Its sessions are its own: the same questions are asked in the editor of today.
  const kept = { XDG_STATE_HOME: path.join(KEPT, 'oldest') };
  const options = {
    ...window,
    title: 'oldest',
    shots,
    installation: OLDEST,
    environment: (extra) => environment({ ...kept, ...extra }),
  };
  const total = await runHost({ ...HOST, name: 'oldest-host', installation: OLDEST });
  for (const run of [runUi, runCode, runAnswers, runFirst, runAsking, runFolders]) {
    addCounts(total, await run(options));
  }
  return total;
}

const suites = {
  host: () => runHost(HOST),
  backend: () => runHost(BACKEND),
  ui: () => runUi(window),
  team: () => runTeam(window),
  code: () => runCode(window),
  answers: () => runAnswers(window),
  first: () => runFirst(window),
  asking: () => runAsking(window),
  trust: () => runTrust(window),
  participant: () => runParticipant(window),
  folders: () => runFolders(window),
  oldest: runOldest,
};
/** Those that run only when they are named: one measures, one takes pictures. */
const onRequest = {
  film: () => runFilm(window),
};

const total = { passed: 0, failed: 0 };
for (const [name, run] of Object.entries({ ...suites, ...onRequest })) {
  if (wanted.length ? wanted.includes(name) : name in suites) {
    const started = Date.now();
    const counts = await run();
    addCounts(total, counts);
    console.log(`${name}: ${((Date.now() - started) / 1000).toFixed(1)} s`);
  }
}
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed ? 1 : 0;
