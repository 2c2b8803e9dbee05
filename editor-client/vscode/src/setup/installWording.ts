/** What is said when the server cannot be installed: the reason, and what to do. */

import * as vscode from 'vscode';
import type { InstallFailure } from './installFailure';

export function describeFailure(failure: InstallFailure): string {
  const { output } = failure;
  const quoted = output ? `\n\n\`\`\`\n${output}\n\`\`\`` : '';
  return describeKind(failure) + quoted;
}

function describeKind(failure: InstallFailure): string {
  const { l10n } = vscode;
  const { search } = failure;
  switch (failure.kind) {
    case 'none':
      return l10n.t(
        'There is no Python on this machine that could be run. Install Python 3.11 or newer (python.org, or your system’s packages), then try again.',
      );
    case 'too-old':
      return l10n.t(
        'Python {0} is too old; Glossator needs 3.11 or newer. Install one beside it, then try again.',
        search?.kind === 'too-old' ? search.versions.join(', ') : '',
      );
    case 'no-venv':
      return l10n.t(
        'This Python cannot make environments. On Debian and Ubuntu install `{0}` (`sudo apt install {0}`), then try again.',
        search?.kind === 'no-venv' ? search.packageName : 'python3-venv',
      );
    case 'no-network':
      return l10n.t(
        'The package index cannot be reached. Check the network and the proxy; `pip config` names another index. Then try again.',
      );
    case 'certificate':
      return l10n.t(
        'The package index shows a certificate that Python does not trust. If your network has its own, name it with `pip config set global.cert`, then try again.',
      );
    case 'no-package':
      return l10n.t(
        'The package index does not have what the server needs for this Python and system. Check which index `pip config list` names, or install another Python, 3.11 to 3.13.',
      );
    case 'disk-full':
      return l10n.t('The disk is full. Make room (about 300 MB), then try again.');
    case 'not-allowed':
      return l10n.t(
        'The folder of the installation may not be written. Check who may write in the storage of the editor.',
      );
    case 'no-wheel':
      return l10n.t(
        'This build of the extension brings no server. Install it with pip, or get the extension as a package.',
      );
    case 'other':
      return l10n.t('pip could not install the server. Its last lines say why:');
  }
}
