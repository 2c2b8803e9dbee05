/** Bundles the extension, the panel, and with `--tests` the unit tests. */

import { build, context } from 'esbuild';
import { readdirSync, rmSync } from 'node:fs';

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

/** @type {import('esbuild').BuildOptions} */
const extension = {
  ...shared,
  entryPoints: { extension: 'src/extension.ts' },
  outdir: 'dist',
  platform: 'node',
  target: 'node20',
  format: 'cjs',
  external: ['vscode'],
};

/** @type {import('esbuild').BuildOptions} */
const panel = {
  ...shared,
  entryPoints: { panel: 'src/panel/main.ts' },
  outdir: 'dist',
  platform: 'browser',
  target: 'es2022',
  format: 'iife',
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
  for (const options of [extension, panel]) {
    await (await context(options)).watch();
  }
} else {
  rmSync('dist', { recursive: true, force: true });
  await Promise.all([build(extension), build(panel)]);
}
