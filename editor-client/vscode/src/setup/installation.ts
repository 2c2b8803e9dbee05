/**
 * The server in an environment of its own, in the extension's storage.
 *
 *     <storage>/server/current.json      which folder counts: written last, by renaming
 *     <storage>/server/<version>-<n>/    a Python environment with the server in it
 *
 * An installation is made in a new folder and counts only once `glossator --version` has answered
 * there. Whatever breaks off leaves what was there before.
 *
 * Nothing here imports `vscode`.
 */

import { mkdir, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { classifyFailure, type InstallFailure } from './installFailure';
import { cleanEnvironment, runProgram, type Ended } from './programs';
import { findPython, type Machine } from './pythons';

export interface OwnServer {
  python: string;
  version: string;
}

export type Step = 'finding-python' | 'making-environment' | 'installing' | 'trying';

export interface Installing {
  storage: string;
  wheel: string;
  machine: Machine;
  signal: AbortSignal;
  onStep: (step: Step) => void;
  onLine: (line: string) => void;
}

export type Installed =
  | { kind: 'installed'; server: OwnServer }
  | { kind: 'cancelled' }
  | { kind: 'failed'; failure: InstallFailure };

/** Isolated, in UTF-8, and each line as it comes: Python's own variables do not count here. */
const MODULE = ['-I', '-u', '-X', 'utf8', '-m'];

export async function readOwnServer(storage: string): Promise<OwnServer | null> {
  try {
    const text = await readFile(path.join(storage, 'server', 'current.json'), 'utf8');
    const { folder, version } = JSON.parse(text) as { folder?: unknown; version?: unknown };
    if (typeof folder !== 'string' || typeof version !== 'string' || /[\\/]|^\./.test(folder)) {
      return null;
    }
    const python = pythonOf(path.join(storage, 'server', folder), process.platform);
    await readFile(path.join(storage, 'server', folder, 'pyvenv.cfg'));
    return { python, version };
  } catch {
    return null;
  }
}

export async function removeOwnServer(storage: string): Promise<void> {
  await rm(path.join(storage, 'server', 'current.json'), { force: true });
  await rm(path.join(storage, 'server'), { recursive: true, force: true });
}

export async function installServer(installing: Installing): Promise<Installed> {
  const { storage, machine, onStep, signal } = installing;
  onStep('finding-python');
  await mkdir(path.join(storage, 'server'), { recursive: true });
  const search = await findPython(machine);
  if (search.kind !== 'found') {
    return { kind: 'failed', failure: { kind: search.kind, search, output: '' } };
  }
  const name = `new-${Date.now().toString(36)}`;
  const folder = path.join(storage, 'server', name);
  try {
    const broken = await makeEnvironment(folder, search.python, installing);
    if (signal.aborted) {
      return { kind: 'cancelled' };
    }
    if (typeof broken !== 'string') {
      return { kind: 'failed', failure: broken };
    }
    await use(storage, name, broken);
    return {
      kind: 'installed',
      server: { python: pythonOf(folder, machine.platform), version: broken },
    };
  } catch (error) {
    return { kind: 'failed', failure: classifyFailure(String(error), search.python) };
  } finally {
    await removeOthers(storage);
  }
}

/** Fill `folder`; returns the version of the server that answers there, or why none does. */
async function makeEnvironment(
  folder: string,
  python: { command: string; args: string[]; version: string },
  installing: Installing,
): Promise<string | InstallFailure> {
  const run = (program: string, args: string[]): Promise<Ended> => {
    installing.onLine(`$ ${[program, ...args].join(' ')}`);
    return runProgram(program, args, {
      folder: path.join(installing.storage, 'server'),
      environment: cleanEnvironment(installing.machine.environment),
      onLine: installing.onLine,
      signal: installing.signal,
    });
  };
  installing.onStep('making-environment');
  const made = await run(python.command, [...python.args, ...MODULE, 'venv', folder]);
  if (made.code !== 0) {
    return classifyFailure(made.output, python);
  }
  installing.onStep('installing');
  const own = pythonOf(folder, installing.machine.platform);
  const options = ['--no-input', '--progress-bar', 'off', '--retries', '2'];
  const filled = await run(own, [...MODULE, 'pip', 'install', ...options, installing.wheel]);
  if (filled.code !== 0) {
    return classifyFailure(filled.output, python);
  }
  installing.onStep('trying');
  const tried = await run(own, [...MODULE, 'glossator', '--version']);
  const version = /^glossator (\S+)\s*$/m.exec(tried.output)?.[1];
  return tried.code === 0 && version ? version : classifyFailure(tried.output, python);
}

function pythonOf(folder: string, platform: NodeJS.Platform): string {
  return platform === 'win32'
    ? path.join(folder, 'Scripts', 'python.exe')
    : path.join(folder, 'bin', 'python');
}

async function use(storage: string, folder: string, version: string): Promise<void> {
  const file = path.join(storage, 'server', 'current.json');
  await writeFile(`${file}.new`, JSON.stringify({ folder, version }));
  await rename(`${file}.new`, file);
}

/** Remove what does not count. A server that still runs there keeps its folder on Windows. */
async function removeOthers(storage: string): Promise<void> {
  const root = path.join(storage, 'server');
  const current = await readOwnServer(storage);
  for (const entry of await readdir(root)) {
    const isUsed = current?.python.startsWith(path.join(root, entry) + path.sep);
    if (entry !== 'current.json' && !isUsed) {
      await rm(path.join(root, entry), { recursive: true, force: true }).catch(() => undefined);
    }
  }
}
