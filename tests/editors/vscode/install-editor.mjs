/**
 * Completes the installation of both code-servers.
 *
 * Its own scripts compile native parts for minutes and need headers of libraries; what they would
 * add (log files, Kerberos) the tests do not use. So scripts stay off, and the two folders that the
 * scripts would fill are filled here.
 */

import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

// The older one has terminals of two versions that want each other in a third.
const OPTIONS = ['--omit=dev', '--ignore-scripts', '--legacy-peer-deps', '--loglevel=error'];
const EDITORS = ['code-server', 'code-server-oldest'];

const [current, oldest] = EDITORS.map((name) => {
  const vscode = path.join(import.meta.dirname, 'node_modules', name, 'lib/vscode');
  const done = path.join(vscode, '.glossator-installed');
  if (!existsSync(done)) {
    for (const folder of [vscode, path.join(vscode, 'extensions')]) {
      const options = { cwd: folder, stdio: 'inherit' };
      execFileSync('npm', ['install', ...OPTIONS, '--no-audit', '--no-fund'], options);
    }
    writeFileSync(done, '');
  }
  return path.join(vscode, 'node_modules/@vscode');
});

// The older one would download what searches in files; the one of today brings it along.
const search = path.join(oldest, 'ripgrep/bin/rg');
if (!existsSync(search)) {
  const machine = `${process.platform}-${process.arch}`;
  mkdirSync(path.dirname(search), { recursive: true });
  copyFileSync(path.join(current, 'ripgrep-universal/bin', machine, 'rg'), search);
}
