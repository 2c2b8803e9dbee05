/** The messages between editor and server, as far as they may stand in a log. */

import type * as vscode from 'vscode';
import { redact } from '../shared/redaction';

const TAKEN_OUT = ['append', 'appendLine', 'trace', 'debug', 'info', 'warn', 'error'];

/** The same channel, which takes keys and passwords out of whatever is written to it. */
export function hideSecrets(channel: vscode.LogOutputChannel): vscode.LogOutputChannel {
  return new Proxy(channel, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') {
        return value;
      }
      const method = value.bind(target) as (...values: unknown[]) => unknown;
      return TAKEN_OUT.includes(String(name))
        ? (...values: unknown[]) =>
            method(...values.map((each) => (typeof each === 'string' ? redact(each) : each)))
        : method;
    },
  });
}
