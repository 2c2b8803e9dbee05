/** Bundles the extension, the panel, its drawing script, and with `--tests` the unit tests. */

import { build, context } from 'esbuild';
import { copyFileSync, readdirSync, rmSync } from 'node:fs';
import { slimMermaid } from './slimMermaid.mjs';

const flags = new Set(process.argv.slice(2));
const isProduction = flags.has('--production');

/** @type {import('esbuild').BuildOptions} */
const shared = {
  bundle: true,
  minify: isProduction,
  sourcemap: isProduction ? false : 'linked',
  legalComments: 'none',
  logLevel: 'warning',
};

/** @type {import('esbuild').Plugin} */
const withoutClient = {
  name: 'without-client',
  setup({ onResolve }) {
    onResolve({ filter: /^vscode-languageclient/ }, ({ importer }) => ({
      errors: [{ text: `${importer} would load the language client when the editor starts` }],
    }));
  },
};

/** @type {import('esbuild').BuildOptions} */
const extension = {
  ...shared,
  entryPoints: { extension: 'src/extension.ts' },
  outdir: 'dist',
  platform: 'node',
  target: 'node20',
  format: 'cjs',
  external: ['vscode', './client'],
  // The client is read by `require` when it is needed.
  supported: { 'dynamic-import': false },
  plugins: [withoutClient],
};

// A module of its own, so that the editor does not wait for the language client at the start.
/** @type {import('esbuild').BuildOptions} */
const client = {
  ...extension,
  entryPoints: { client: 'src/server/client.ts' },
  external: ['vscode'],
  plugins: [],
};

/** @type {import('esbuild').BuildOptions} */
const panel = {
  ...shared,
  entryPoints: { panel: 'src/panel/main.ts', modelForm: 'src/panel/modelFormMain.ts' },
  outdir: 'dist',
  platform: 'browser',
  target: 'es2022',
  format: 'iife',
};

// A module of its own, so that a panel without diagrams never reads it.
/** @type {import('esbuild').BuildOptions} */
const diagram = {
  ...shared,
  entryPoints: { diagram: 'src/panel/mermaid/main.ts' },
  outdir: 'dist',
  platform: 'browser',
  target: 'es2022',
  format: 'esm',
  plugins: [slimMermaid],
};

if (flags.has('--tests')) {
  rmSync('out/test', { recursive: true, force: true });
  await build({
    ...shared,
    entryPoints: readdirSync('test')
      .filter((name) => name.endsWith('.test.ts'))
      .map((name) => `test/${name}`),
    outdir: 'out/test',
    outExtension: { '.js': '.mjs' },
    platform: 'node',
    target: 'node20',
    format: 'esm',
    external: ['jsdom'],
    // Bundled CommonJS modules still call `require` for Node's own modules.
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
  });
} else if (flags.has('--watch')) {
  for (const options of [extension, client, panel, diagram]) {
    await (await context(options)).watch();
  }
} else {
  rmSync('dist', { recursive: true, force: true });
  await Promise.all([extension, client, panel, diagram].map((options) => build(options)));
  copyFileSync('../../docs/glossator.schema.json', 'dist/glossator.schema.json');
}
