/**
 * Finding the server: what the user named first, then what is installed.
 *
 * Nothing here imports `vscode`; what the editor knows comes in as `Surroundings`.
 */

import { execFile } from 'node:child_process';
import { access, constants, stat } from 'node:fs/promises';
import path from 'node:path';

export interface Surroundings {
  /** `glossator.server.command`, with variables replaced. */
  command: readonly string[];
  /** `glossator.server.python`, with variables replaced. */
  python: string;
  /** The environment that the extension made for the server, if there is one. */
  ownServer?: () => Promise<{ python: string } | null>;
  /** The interpreter selected in the Python extension; asked for only when it is needed. */
  selectedPython: () => Promise<string | null>;
  environment: NodeJS.ProcessEnv;
  platform: NodeJS.Platform;
  /** Where the server and the probes run: never the workspace, whose files Python would import. */
  folder: string;
}

export type Found =
  | { kind: 'found'; command: string; args: string[]; origin: Origin }
  | { kind: 'missing'; reason: Reason; detail: string; python: string | null };

export type Origin = 'setting' | 'python-setting' | 'own' | 'path' | 'selected-python';
export type Reason =
  'command-not-found' | 'python-not-found' | 'python-too-old' | 'not-installed' | 'nothing-found';

const SERVER_ARGUMENTS = ['-m', 'glossator', 'lsp'];
/** Isolated: the environment is whole, and the user's Python variables mean another one. */
const OWN_ARGUMENTS = ['-I', ...SERVER_ARGUMENTS];

export async function findServer(around: Surroundings): Promise<Found> {
  const [program, ...args] = around.command;
  if (program) {
    const command = await findProgram(program, around);
    return command
      ? { kind: 'found', command, args, origin: 'setting' }
      : { kind: 'missing', reason: 'command-not-found', detail: program, python: null };
  }
  if (around.python) {
    return fromPython(around.python, 'python-setting', around);
  }
  const own = await around.ownServer?.();
  if (own) {
    return { kind: 'found', command: own.python, args: [...OWN_ARGUMENTS], origin: 'own' };
  }
  const installed = await findProgram('glossator', around);
  if (installed) {
    return { kind: 'found', command: installed, args: ['lsp'], origin: 'path' };
  }
  const selected = await around.selectedPython();
  return selected
    ? fromPython(selected, 'selected-python', around)
    : { kind: 'missing', reason: 'nothing-found', detail: '', python: null };
}

async function fromPython(python: string, origin: Origin, around: Surroundings): Promise<Found> {
  const command = await findProgram(python, around);
  if (!command) {
    return { kind: 'missing', reason: 'python-not-found', detail: python, python: null };
  }
  const probe = await probePython(command, around);
  if (probe.kind === 'ready') {
    return { kind: 'found', command, args: SERVER_ARGUMENTS, origin };
  }
  return { kind: 'missing', reason: probe.kind, detail: probe.detail, python: command };
}

/** Return the path of an executable file named by `name`: a path, or a word to look up on PATH. */
export async function findProgram(
  name: string,
  around: Pick<Surroundings, 'environment' | 'platform'>,
): Promise<string | null> {
  const isWindows = around.platform === 'win32';
  const endings = isWindows
    ? ['', ...(around.environment['PATHEXT'] ?? '.EXE;.CMD;.BAT').split(';')]
    : [''];
  const isPath = name.includes('/') || (isWindows && name.includes('\\'));
  const folders = isPath ? [''] : searchPath(around.environment, isWindows ? ';' : ':');
  for (const folder of folders) {
    for (const ending of endings) {
      const candidate = path.join(folder, name) + ending;
      if (await isExecutable(candidate, isWindows)) {
        return candidate;
      }
    }
  }
  return null;
}

/** Only absolute folders: `.` on the PATH would run what a workspace brings along. */
function searchPath(environment: NodeJS.ProcessEnv, separator: string): string[] {
  const value = environment['PATH'] ?? environment['Path'] ?? '';
  return value.split(separator).filter((folder) => path.isAbsolute(folder));
}

async function isExecutable(file: string, isWindows: boolean): Promise<boolean> {
  try {
    await access(file, isWindows ? constants.F_OK : constants.X_OK);
    return (await stat(file)).isFile();
  } catch {
    return false;
  }
}

type Probe =
  | { kind: 'ready' }
  | { kind: 'python-not-found' | 'python-too-old' | 'not-installed'; detail: string };

const QUESTION = [
  'import sys, importlib.util',
  'print(*sys.version_info[:2], importlib.util.find_spec("glossator") is not None)',
].join('\n');

/** Ask an interpreter for its version and whether it has the server, without importing it. */
export function probePython(
  python: string,
  around: Pick<Surroundings, 'environment' | 'folder'>,
): Promise<Probe> {
  return new Promise((resolve) => {
    const options = { cwd: around.folder, env: around.environment, timeout: 10_000 };
    execFile(python, ['-c', QUESTION], options, (error, stdout) => {
      const match = /^(\d+) (\d+) (True|False)\s*$/.exec(stdout);
      if (error || !match) {
        resolve({ kind: 'python-not-found', detail: python });
        return;
      }
      const version = `${match[1] ?? ''}.${match[2] ?? ''}`;
      const isTooOld = Number(match[1]) < 3 || (match[1] === '3' && Number(match[2]) < 11);
      if (isTooOld) {
        resolve({ kind: 'python-too-old', detail: version });
      } else {
        resolve(
          match[3] === 'True' ? { kind: 'ready' } : { kind: 'not-installed', detail: python },
        );
      }
    });
  });
}

/** The command line that installs the server, for a terminal. */
export function installCommand(python: string | null): string {
  if (!python) {
    return 'pip install .';
  }
  return `${/\s/.test(python) ? `"${python}"` : python} -m pip install .`;
}
