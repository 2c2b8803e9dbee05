/** Running a program to its end, with its lines as they come and a way to stop it. */

import { spawn } from 'node:child_process';

export interface Running {
  folder: string;
  environment: NodeJS.ProcessEnv;
  onLine?: (line: string) => void;
  signal?: AbortSignal;
}

export interface Ended {
  /** Null when it was stopped, or could not be started at all. */
  code: number | null;
  /** What it wrote, to either place. */
  output: string;
}

/** How much of the output is kept: its end, which says what went wrong. */
const KEPT_CHARACTERS = 64_000;

export function runProgram(program: string, args: string[], running: Running): Promise<Ended> {
  return new Promise((resolve) => {
    let output = '';
    let open = '';
    const child = spawn(program, args, {
      cwd: running.folder,
      env: running.environment,
      stdio: ['ignore', 'pipe', 'pipe'],
      windowsHide: true,
      ...(running.signal ? { signal: running.signal } : {}),
    });
    const take = (data: Buffer) => {
      const text = data.toString('utf8');
      output = (output + text).slice(-KEPT_CHARACTERS);
      const lines = (open + text).split(/\r?\n|\r/);
      open = lines.pop() ?? '';
      lines.filter((line) => line.trim()).forEach((line) => running.onLine?.(line));
    };
    child.stdout.on('data', take);
    child.stderr.on('data', take);
    child.once('error', (error) => {
      resolve({ code: null, output: output || error.message });
    });
    child.once('close', (code) => {
      resolve({ code, output });
    });
  });
}

/**
 * The environment of a program that must not be led by anything but the user's own configuration:
 * Python's variables point to folders whose modules would be loaded.
 */
export function cleanEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(environment).filter(
    ([name]) => !/^(PYTHON|VIRTUAL_ENV|CONDA_PREFIX|__PYVENV)/i.test(name),
  );
  return { ...Object.fromEntries(kept), PIP_DISABLE_PIP_VERSION_CHECK: '1' };
}
