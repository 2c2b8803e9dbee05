/**
 * Completes the installation of code-server.
 *
 * Its own scripts compile native parts for minutes and need headers of libraries; what they would
 * add (log files, Kerberos) the tests do not use. So scripts stay off, and the two folders that the
 * scripts would fill are filled here.
 */

import { execFileSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const vscode = path.join(import.meta.dirname, 'node_modules/code-server/lib/vscode');
const done = path.join(vscode, '.glossator-installed');
if (!existsSync(done)) {
  const options = ['--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  for (const folder of [vscode, path.join(vscode, 'extensions')]) {
    execFileSync('npm', ['install', ...options], { cwd: folder, stdio: 'inherit' });
  }
  writeFileSync(done, '');
}
