/** Finding a Python that can make the server's own environment. */

import path from 'node:path';
import { findProgram } from '../server/findServer';
import { cleanEnvironment, runProgram } from './programs';

export interface Python {
  command: string;
  args: string[];
  version: string;
}

export type PythonSearch =
  | { kind: 'found'; python: Python }
  /** `no-venv`: it cannot make environments; `packageName` is what Debian calls the missing part. */
  | { kind: 'no-venv'; python: Python; packageName: string }
  | { kind: 'too-old'; versions: string[] }
  | { kind: 'none' };

export interface Machine {
  /** The interpreter chosen in the editor, if it may be used. */
  selectedPython: () => Promise<string | null>;
  environment: NodeJS.ProcessEnv;
  platform: NodeJS.Platform;
  /** Where programs are run: never a workspace, whose files Python would load. */
  folder: string;
}

const NAMES = ['python3.13', 'python3.12', 'python3.11', 'python3', 'python'];
const LAUNCHER_VERSIONS = ['-3.13', '-3.12', '-3.11', '-3'];

/** Isolated (`-I`): neither the folder nor the user's variables choose what is imported. */
const QUESTION = [
  'import sys, importlib.util as u',
  'v = all(u.find_spec(n) for n in ("venv", "ensurepip"))',
  'print("python", *sys.version_info[:2], v)',
].join('\n');

export async function findPython(machine: Machine): Promise<PythonSearch> {
  const tooOld: string[] = [];
  let withoutVenv: Python | null = null;
  for (const [command, ...args] of await listCandidates(machine)) {
    const answer = command ? await ask(command, args, machine) : null;
    if (!answer) {
      continue;
    }
    if (!answer.isRecent) {
      tooOld.push(answer.python.version);
    } else if (answer.hasVenv) {
      return { kind: 'found', python: answer.python };
    } else {
      withoutVenv ??= answer.python;
    }
  }
  if (withoutVenv) {
    const packageName = `python${withoutVenv.version}-venv`;
    return { kind: 'no-venv', python: withoutVenv, packageName };
  }
  return tooOld.length ? { kind: 'too-old', versions: [...new Set(tooOld)] } : { kind: 'none' };
}

async function listCandidates(machine: Machine): Promise<string[][]> {
  const selected = await machine.selectedPython();
  const candidates: string[][] = selected ? [[selected]] : [];
  if (machine.platform === 'win32') {
    const launcher = await findProgram('py', machine);
    candidates.push(...(launcher ? LAUNCHER_VERSIONS.map((each) => [launcher, each]) : []));
  }
  for (const name of NAMES) {
    const found = await findProgram(name, machine);
    if (found) {
      candidates.push([found]);
    }
  }
  return candidates;
}

async function ask(
  command: string,
  args: string[],
  machine: Machine,
): Promise<{ python: Python; isRecent: boolean; hasVenv: boolean } | null> {
  const { code, output } = await runProgram(command, [...args, '-I', '-c', QUESTION], {
    folder: machine.folder,
    environment: cleanEnvironment(machine.environment),
    signal: AbortSignal.timeout(15_000),
  });
  const match = /^python (\d+) (\d+) (True|False)\s*$/m.exec(output);
  if (code !== 0 || !match) {
    return null;
  }
  const [major, minor] = [Number(match[1]), Number(match[2])];
  return {
    python: { command, args, version: `${major}.${minor}` },
    isRecent: major > 3 || (major === 3 && minor >= 11),
    hasVenv: match[3] === 'True',
  };
}

/** Whether a file lies in one of the folders. */
export function isBelow(file: string, folders: readonly string[]): boolean {
  return folders.some((folder) => {
    const way = path.relative(folder, file);
    return way !== '' && !way.startsWith('..') && !path.isAbsolute(way);
  });
}
