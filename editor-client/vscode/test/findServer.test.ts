import assert from 'node:assert/strict';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { findServer, installCommand, type Surroundings } from '../src/server/findServer';

let folder = '';

async function makeProgram(name: string, script: string): Promise<string> {
  const file = path.join(folder, name);
  await writeFile(file, `#!/bin/sh\n${script}\n`);
  await chmod(file, 0o755);
  return file;
}

function around(part: Partial<Surroundings>): Surroundings {
  return {
    command: [],
    python: '',
    selectedPython: () => Promise.resolve(null),
    environment: { PATH: '' },
    platform: 'linux',
    folder,
    ...part,
  };
}

describe('finding the server', () => {
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'glossator-'));
  });
  after(() => rm(folder, { recursive: true }));

  it('takes the command of the settings before all else', async () => {
    const command = await makeProgram('mine', 'true');

    const found = await findServer(around({ command: [command, 'lsp', '-v'], python: 'x' }));

    assert.deepEqual(found, { kind: 'found', command, args: ['lsp', '-v'], origin: 'setting' });
  });

  it('says so when the command of the settings is not a program', async () => {
    const found = await findServer(around({ command: [path.join(folder, 'nothing')] }));

    assert.equal(found.kind === 'missing' && found.reason, 'command-not-found');
  });

  it('finds an installed program on the PATH, but never in a relative folder of it', async () => {
    const command = await makeProgram('glossator', 'true');

    const found = await findServer(around({ environment: { PATH: `.:${folder}` } }));
    const relative = await findServer(around({ environment: { PATH: '.:bin' } }));

    assert.deepEqual(found, { kind: 'found', command, args: ['lsp'], origin: 'path' });
    assert.equal(relative.kind === 'missing' && relative.reason, 'nothing-found');
  });

  it('uses the selected Python when the server is installed there', async () => {
    const command = await makeProgram('python-with', 'echo 3 12 True');

    const found = await findServer(around({ selectedPython: () => Promise.resolve(command) }));

    const args = ['-m', 'glossator', 'lsp'];
    assert.deepEqual(found, { kind: 'found', command, args, origin: 'selected-python' });
  });

  it('does not ask for the selected Python when something better is there', async () => {
    const python = await makeProgram('python-named', 'echo 3 11 True');
    const selectedPython = () => Promise.reject(new Error('asked'));

    const found = await findServer(around({ python, selectedPython }));

    assert.equal(found.kind === 'found' && found.origin, 'python-setting');
  });

  const troubles: [string, string, string][] = [
    ['python-without', 'echo 3 13 False', 'not-installed'],
    ['python-old', 'echo 3 10 True', 'python-too-old'],
    ['python-two', 'echo 2 7 False', 'python-too-old'],
    ['python-broken', 'exit 1', 'python-not-found'],
  ];
  for (const [name, script, reason] of troubles) {
    it(`says ${reason} of ${name}`, async () => {
      const python = await makeProgram(name, script);

      const found = await findServer(around({ python }));

      assert.equal(found.kind === 'missing' && found.reason, reason);
    });
  }

  it('asks a Python away from the workspace, whose files it would import', async () => {
    const python = await makeProgram('python-where', `[ "$PWD" = "${folder}" ] && echo 3 11 True`);

    const found = await findServer(around({ python }));

    assert.equal(found.kind, 'found');
  });

  it('quotes a Python with a space in the command that installs', () => {
    assert.equal(installCommand(null), 'pip install .');
    assert.equal(installCommand('/a b/python'), '"/a b/python" -m pip install .');
  });
});
