/** What is said when the server cannot be found. */

import * as vscode from 'vscode';
import type { Found } from './findServer';

export function describeMissing(missing: Extract<Found, { kind: 'missing' }>): string {
  const { detail } = missing;
  switch (missing.reason) {
    case 'command-not-found':
      return vscode.l10n.t(
        'The setting glossator.server.command names `{0}`, which is not a program that can be run.',
        detail,
      );
    case 'python-not-found':
      return vscode.l10n.t('`{0}` is not a Python that can be run.', detail);
    case 'python-too-old':
      return vscode.l10n.t('The selected Python is {0}; Glossator needs 3.11 or newer.', detail);
    case 'not-installed':
      return vscode.l10n.t(
        '`{0}` does not have Glossator. Install it there with pip from a copy of its source, then choose “Look again”.',
        detail,
      );
    case 'nothing-found':
      return vscode.l10n.t(
        'There is no `glossator` on the PATH and no Python is selected. Install it with Python 3.11 or newer from a copy of its source, then choose “Look again”.',
      );
  }
}
