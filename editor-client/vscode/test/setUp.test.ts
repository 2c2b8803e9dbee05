import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { classifyFailure } from '../src/setup/installFailure';
import { installServer, readOwnServer, removeOwnServer } from '../src/setup/installation';
import { findPreset, tidyUrl } from '../src/setup/presets';
import { findPython, type Machine } from '../src/setup/pythons';
import { compareVersions, isNewer } from '../src/setup/versions';

let folder = '';

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'glossator-setup-'));
});
afterEach(() => rm(folder, { recursive: true }));

async function makeProgram(name: string, script: string): Promise<string> {
  const file = path.join(folder, 'bin', name);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, `#!/bin/sh\n${script}\n`);
  await chmod(file, 0o755);
  return file;
}

function machine(part: Partial<Machine> = {}): Machine {
  return {
    selectedPython: () => Promise.resolve(null),
    // The programs of the tests are scripts, which need the shell's own programs.
    environment: { PATH: `${path.join(folder, 'bin')}:/usr/bin:/bin` },
    platform: 'linux',
    folder,
    ...part,
  };
}

const ONLY_OURS = { environment: { PATH: '' } };

/** A Python that answers the question, makes environments with itself in it, and fills them. */
function pretend({ version = '3 12 True', pip = 'true', server = 'echo glossator 1.2.3' }): string {
  return `
case "$*" in
  *"-I -c "*) echo "python ${version}" ;;
  *"-m venv "*) for last; do :; done; mkdir -p "$last/bin"; touch "$last/pyvenv.cfg"; cp "$0" "$last/bin/python" ;;
  *"-m pip "*) ${pip} ;;
  *"glossator --version"*) ${server} ;;
esac`;
}

describe('finding a Python', () => {
  it('takes the selected one before those of the path', async () => {
    await makeProgram('python3.13', 'echo python 3 13 True');
    const selected = await makeProgram('mine', 'echo python 3 11 True');

    const found = await findPython(machine({ selectedPython: () => Promise.resolve(selected) }));

    assert.deepEqual(found, {
      kind: 'found',
      python: { command: selected, args: [], version: '3.11' },
    });
  });

  it('goes past those that are broken, too old or cannot make environments', async () => {
    await makeProgram('python3.13', 'exit 127');
    await makeProgram('python3.12', 'echo python 3 12 False');
    const good = await makeProgram('python3.11', 'echo python 3 11 True');

    const found = await findPython(machine());

    assert.equal(found.kind === 'found' && found.python.command, good);
  });

  it('names the package of Debian when no Python can make environments', async () => {
    const selected = await makeProgram('mine', 'echo python 3 12 False');

    const found = await findPython(
      machine({ ...ONLY_OURS, selectedPython: () => Promise.resolve(selected) }),
    );

    assert.equal(found.kind === 'no-venv' && found.packageName, 'python3.12-venv');
  });

  it('says which versions are too old, or that there is none', async () => {
    const selected = await makeProgram('mine', 'echo python 3 9 True');

    const old = await findPython(
      machine({ ...ONLY_OURS, selectedPython: () => Promise.resolve(selected) }),
    );

    assert.deepEqual(old, { kind: 'too-old', versions: ['3.9'] });
    assert.deepEqual(await findPython(machine(ONLY_OURS)), { kind: 'none' });
  });

  it('asks the launcher of Windows for each version', async () => {
    await makeProgram('py', '[ "$1" = -3.12 ] && echo python 3 12 True || exit 1');

    const found = await findPython(
      machine({ platform: 'win32', environment: { PATH: path.join(folder, 'bin'), PATHEXT: '' } }),
    );

    assert.deepEqual(found.kind === 'found' && found.python.args, ['-3.12']);
  });
});

describe('installing the server', () => {
  const install = async (script: string, signal = new AbortController().signal) => {
    const selected = await makeProgram('mine', script);
    const lines: string[] = [];
    const installed = await installServer({
      storage: folder,
      wheel: path.join(folder, 'glossator-1.2.3-py3-none-any.whl'),
      machine: machine({ selectedPython: () => Promise.resolve(selected) }),
      signal,
      onStep: () => undefined,
      onLine: (line) => lines.push(line),
    });
    return { installed, lines };
  };
  const kept = async () =>
    (await readdir(path.join(folder, 'server'))).filter((name) => name !== 'current.json');

  it('counts only once the server answers, and replaces the one before', async () => {
    const first = await install(pretend({}));
    const [before] = await kept();
    const second = await install(pretend({ server: 'echo glossator 1.3.0' }));

    assert.equal(first.installed.kind, 'installed');
    assert.equal(second.installed.kind, 'installed');
    assert.equal((await readOwnServer(folder))?.version, '1.3.0');
    assert.equal((await kept()).length, 1);
    assert.notDeepEqual(await kept(), [before]);
  });

  it('keeps what was there when the new one does not answer', async () => {
    await install(pretend({}));
    const before = await readOwnServer(folder);

    const { installed } = await install(pretend({ server: 'echo ImportError >&2; exit 1' }));

    assert.equal(installed.kind === 'failed' && installed.failure.output, 'ImportError');
    assert.deepEqual(await readOwnServer(folder), before);
    assert.equal((await kept()).length, 1);
  });

  it('leaves nothing when it is cancelled within pip', async () => {
    const controller = new AbortController();
    const running = install(
      pretend({ pip: 'touch "$(dirname "$0")/../../began"; exec sleep 60' }),
      controller.signal,
    );
    const began = path.join(folder, 'server', 'began');
    while (!existsSync(began)) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }

    controller.abort();

    assert.deepEqual((await running).installed, { kind: 'cancelled' });
    assert.equal(await readOwnServer(folder), null);
    assert.deepEqual(await kept(), []);
  });

  it('is not led by variables of Python or by the folder that is open', async () => {
    const { lines } = await install(
      pretend({ pip: 'pwd; echo "path=$PYTHONPATH home=$PYTHONHOME"' }),
    );

    assert.ok(lines.includes(path.join(folder, 'server')));
    assert.ok(lines.includes('path= home='));
  });

  it('can be removed', async () => {
    await install(pretend({}));

    await removeOwnServer(folder);

    assert.equal(await readOwnServer(folder), null);
  });

  it('does not believe a note that leads elsewhere', async () => {
    await mkdir(path.join(folder, 'server'));
    const note = JSON.stringify({ folder: '../evil', version: '9' });
    await writeFile(path.join(folder, 'server', 'current.json'), note);

    assert.equal(await readOwnServer(folder), null);
  });
});

describe('why an installation failed', () => {
  const python = { command: 'python3', args: [], version: '3.11' };
  const cases: [string, string][] = [
    ['OSError: [Errno 28] No space left on device', 'disk-full'],
    [
      'The virtual environment was not created successfully because ensurepip is not available.',
      'no-venv',
    ],
    ['NewConnectionError: Failed to establish a new connection: [Errno -2]', 'no-network'],
    ['SSLError(SSLCertVerificationError(1, "[SSL: CERTIFICATE_VERIFY_FAILED]"))', 'certificate'],
    ['ERROR: No matching distribution found for pygls<3,>=2.1.1', 'no-package'],
    ["PermissionError: [Errno 13] Permission denied: '/x'", 'not-allowed'],
    ['ERROR: something else', 'other'],
  ];
  for (const [output, kind] of cases) {
    it(`is read from what pip says: ${kind}`, () => {
      assert.equal(classifyFailure(output, python).kind, kind);
    });
  }

  it('shows the last lines without what pip advertises', () => {
    const output = Array.from({ length: 20 }, (_, index) => `line ${index}`).join('\n');

    const failure = classifyFailure(`${output}\n[notice] A new release of pip\n`, python);

    assert.equal(failure.output.split('\n').at(-1), 'line 19');
    assert.equal(failure.output.split('\n').length, 6);
  });
});

describe('versions', () => {
  it('agree when the first two numbers do', () => {
    assert.equal(compareVersions('0.1.0', '0.1.7'), 'agree');
    assert.equal(compareVersions('0.2.0', '0.1.7'), 'server-older');
    assert.equal(compareVersions('0.2.0', '1.0.0'), 'server-newer');
    assert.equal(compareVersions('0.2.0', 'built by hand'), 'agree');
  });

  it('tell what is newer down to the last number', () => {
    assert.ok(isNewer('0.1.1', '0.1.0'));
    assert.ok(!isNewer('0.1.0', '0.1.0'));
    assert.ok(!isNewer('0.0.9', '0.1.0'));
  });
});

describe('presets', () => {
  it('are found by their address however it is written', () => {
    assert.equal(findPreset('HTTPS://API.OpenAI.com/v1/').id, 'openai');
    assert.equal(findPreset('http://localhost:11434/v1/chat/completions').id, 'ollama');
    assert.equal(findPreset('https://models.example/v1').id, 'other');
  });

  it('give one server one address', () => {
    assert.equal(tidyUrl(' https://API.Example/V1// '), 'https://api.example/V1');
  });
});
