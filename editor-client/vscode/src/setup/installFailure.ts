/** Why an installation did not come about, read from what Python and pip have said. */

import type { Python, PythonSearch } from './pythons';

export interface InstallFailure {
  kind:
    | Exclude<PythonSearch['kind'], 'found'>
    | 'no-network'
    | 'certificate'
    | 'no-package'
    | 'disk-full'
    | 'not-allowed'
    | 'no-wheel'
    | 'other';
  search?: PythonSearch;
  /** The last lines that say something. */
  output: string;
}

const SHOWN_LINES = 6;

/** The first that fits counts. */
const SIGNS: readonly [InstallFailure['kind'], RegExp][] = [
  ['disk-full', /No space left on device|Errno 28|ENOSPC|not enough space|磁盘空间不足/i],
  ['no-venv', /ensurepip is not available|No module named (venv|ensurepip|pip)/i],
  ['certificate', /CERTIFICATE_VERIFY_FAILED|SSLCertVerificationError/i],
  [
    'no-network',
    /Failed to establish a new connection|Temporary failure in name resolution|getaddrinfo|Name or service not known|NameResolutionError|Network is unreachable|Connection refused|ConnectTimeout|Read timed out|ProxyError|No route to host/i,
  ],
  ['no-package', /No matching distribution found|Could not find a version that satisfies/i],
  ['not-allowed', /Permission denied|EACCES|EPERM|Access is denied/i],
];

export function classifyFailure(output: string, python: Python): InstallFailure {
  const kind = SIGNS.find(([, sign]) => sign.test(output))?.[0] ?? 'other';
  const search: PythonSearch | undefined =
    kind === 'no-venv'
      ? { kind: 'no-venv', python, packageName: `python${python.version}-venv` }
      : undefined;
  return { kind, output: lastLines(output), ...(search ? { search } : {}) };
}

function lastLines(output: string): string {
  const lines = output.split(/\r?\n/).map((line) => line.trimEnd());
  return lines
    .filter((line) => line && !line.startsWith('[notice]'))
    .slice(-SHOWN_LINES)
    .join('\n');
}
