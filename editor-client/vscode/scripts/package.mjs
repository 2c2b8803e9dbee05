/**
 * Makes `glossator.vsix`: the extension with the server's wheel inside.
 *
 * Two builds of one commit are the same bytes, wherever and whenever they are made: files are dated
 * alike, in one order, with the same permissions. What is inside is what `.vscodeignore` lets in,
 * and all of it together stays below `MAX_BYTES`.
 *
 *     node scripts/package.mjs [--out FILE]
 *
 * Needs a Python with hatchling: `GLOSSATOR_PYTHON`, the repository's `.venv`, or `python3`.
 */

import vsceApi from '@vscode/vsce';
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';

const MAX_BYTES = 2_000_000;
/** The date that hatchling gives to files, so that all of them have the same. */
const EPOCH = '1580601600';

const CLIENT = path.resolve(import.meta.dirname, '..');
const ROOT = path.resolve(CLIENT, '../..');
const STAGE = path.join(CLIENT, 'out/package');

const { values } = parseArgs({ options: { out: { type: 'string', default: 'glossator.vsix' } } });
const target = path.resolve(CLIENT, values.out);
const environment = {
  ...process.env,
  // Dates in archives are local times, and names are sorted by the language.
  ...{ SOURCE_DATE_EPOCH: EPOCH, TZ: 'UTC', LC_ALL: 'C' },
};

run(process.execPath, ['scripts/build.mjs', '--production'], CLIENT);
const python = findPython();
run(python, [path.join(CLIENT, 'scripts/build_wheel.py')], ROOT);
await stage();
const vsce = path.join(CLIENT, 'node_modules/@vscode/vsce/vsce');
const options = ['--no-dependencies', '--allow-missing-repository', '--out', target];
// Pictures and pages are not inside; with a `repository` in the manifest vsce links to them there.
const { repository } = JSON.parse(readFileSync(path.join(CLIENT, 'package.json'), 'utf8'));
options.push(...(repository ? [] : ['--no-rewrite-relative-links']));
run(process.execPath, [vsce, 'package', ...options], STAGE);
checkSize();

/** Run a program; where it fails it has said why, and this ends as it did. */
function run(program, args, cwd) {
  const { error, status } = spawnSync(program, args, { cwd, env: environment, stdio: 'inherit' });
  if (error) {
    throw error;
  }
  if (status !== 0) {
    process.exit(status ?? 1);
  }
}

function findPython() {
  const own = path.join(ROOT, '.venv/bin/python');
  return process.env.GLOSSATOR_PYTHON ?? (existsSync(own) ? own : 'python3');
}

/** Put what is shipped into a folder of its own, without what only developers need. */
async function stage() {
  rmSync(STAGE, { recursive: true, force: true });
  const shipped = await vsceApi.listFiles({
    cwd: CLIENT,
    packageManager: vsceApi.PackageManager.None,
  });
  for (const name of [...shipped, '.vscodeignore']) {
    const copy = path.join(STAGE, name);
    mkdirSync(path.dirname(copy), { recursive: true });
    copyFileSync(path.join(CLIENT, name), copy);
    chmodSync(copy, 0o644);
  }
  const manifest = JSON.parse(readFileSync(path.join(CLIENT, 'package.json'), 'utf8'));
  delete manifest.scripts;
  delete manifest.devDependencies;
  writeFileSync(path.join(STAGE, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}

function checkSize() {
  const { size } = statSync(target);
  const shown = `${path.basename(target)} has ${size.toLocaleString('en')} bytes`;
  if (size >= MAX_BYTES) {
    throw new Error(`${shown}; it has to stay below ${MAX_BYTES.toLocaleString('en')}`);
  }
  process.stdout.write(`${shown}\n`);
}
