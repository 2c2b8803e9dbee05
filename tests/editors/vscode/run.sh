#!/usr/bin/env bash
# Tests the extension in real VS Code: installs what is missing, builds and packages the extension,
# runs the suite inside the extension host and then what a person does in the window.
#
#   tests/editors/vscode/run.sh [SUITE]…     all when none is named; the suites are in run.mjs
#
# Needs Node 20, Chromium and a font with Chinese characters (on Debian: chromium,
# fonts-wqy-microhei), and the server: .venv of this repository, or GLOSSATOR_PYTHON.
# GLOSSATOR_SLOW_MS=250 waits before each thing that a person does: what fails then relies on speed.
# Screenshots are kept in tests/editors/shots. The last line is "N passed, N failed".
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
client=$root/editor-client/vscode
chromium=${GLOSSATOR_CHROMIUM:-/usr/bin/chromium}

if [ ! -x "$chromium" ]; then
  echo "run.sh: no Chromium at $chromium; install it (apt-get install chromium) or name it in GLOSSATOR_CHROMIUM." >&2
  echo "0 passed, 1 failed"
  exit 1
fi

[ -d "$client/node_modules" ] || (cd "$client" && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error)
[ "$here/node_modules/.package-lock.json" -nt "$here/package-lock.json" ] ||
  (cd "$here" && npm install --loglevel=error)
node "$here/install-editor.mjs"

log=$root/tests/editors/.state/package.log
mkdir -p "$(dirname "$log")"
(cd "$client" && npm run package) >"$log" 2>&1 || {
  cat "$log" >&2
  echo "0 passed, 1 failed"
  exit 1
}
exec node "$here/run.mjs" "$@"
