/** The panel's own page in a browser without the editor around it: its policy, script and style. */

import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import path from 'node:path';

const CLIENT = path.resolve(import.meta.dirname, '../../../editor-client/vscode');
const FILES = {
  '/panel.js': ['dist/panel.js', 'text/javascript'],
  '/diagram.js': ['dist/diagram.js', 'text/javascript'],
  '/panel.css': ['media/panel.css', 'text/css'],
};

/** The colours that the editor would put on the page. */
const THEME = {
  '--vscode-editor-background': '#1f1f1f',
  '--vscode-foreground': '#cccccc',
  '--vscode-descriptionForeground': '#9d9d9d',
  '--vscode-editorWidget-background': '#202020',
  '--vscode-font-family': 'sans-serif',
  '--vscode-font-size': '13px',
  '--vscode-editor-font-family': 'monospace',
};

/** Serve the page; `mode` is chat or answer. */
export async function servePanel(mode = 'chat') {
  const { renderPage, PANEL_STRINGS } = await readSources();
  const server = createServer((request, response) => {
    const [file, type] = FILES[request.url] ?? [];
    if (file) {
      response.writeHead(200, { 'Content-Type': type });
      response.end(readFileSync(path.join(CLIENT, file)));
      return;
    }
    const origin = `http://127.0.0.1:${server.address().port}`;
    response.writeHead(200, { 'Content-Type': 'text/html' });
    response.end(
      renderPage({
        language: 'en',
        mode,
        nonce: 'bm9uY2U',
        script: `${origin}/panel.js`,
        diagram: `${origin}/diagram.js`,
        style: `${origin}/panel.css`,
        styleSource: origin,
        strings: PANEL_STRINGS,
      }),
    );
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    stop: () => new Promise((resolve) => server.close(resolve)),
  };
}

/** Make a page of the browser stand for the editor: what the panel says is kept in `sent`. */
export async function prepare(page) {
  await page.addInitScript((theme) => {
    globalThis.sent = [];
    globalThis.acquireVsCodeApi = () => ({
      postMessage: (message) => globalThis.sent.push(message),
    });
    addEventListener('DOMContentLoaded', () => {
      document.body.className = 'vscode-dark';
      for (const [name, value] of Object.entries(theme)) {
        document.documentElement.style.setProperty(name, value);
      }
    });
  }, THEME);
}

/** Give the panel messages as the extension host would. */
export const post = (page, ...messages) =>
  page.evaluate((all) => all.forEach((message) => window.postMessage(message)), messages);

/** What the extension is built from, without the editor. */
export async function readSources() {
  const { build } = createRequire(path.join(CLIENT, 'package.json'))('esbuild');
  const { outputFiles } = await build({
    stdin: {
      contents: [
        "export * from './src/views/pageText';",
        "export * from './src/shared/strings';",
        "export * from './src/shared/turns';",
      ].join('\n'),
      resolveDir: CLIENT,
      loader: 'ts',
    },
    bundle: true,
    format: 'esm',
    write: false,
  });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].text).toString('base64')}`);
}
