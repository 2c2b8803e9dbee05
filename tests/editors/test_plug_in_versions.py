"""The plug-ins and the server are released together; each says which it is."""

import re

from editors.conftest import REPOSITORY
from glossator import __version__

CLIENTS = REPOSITORY / "editor-client"


def test_the_neovim_plug_in_names_the_version_of_the_server() -> None:
    text = (CLIENTS / "neovim" / "lua" / "glossator" / "init.lua").read_text(encoding="utf-8")

    assert f"M.version = '{__version__}'" in text


def test_the_emacs_package_names_the_version_of_the_server_twice() -> None:
    text = (CLIENTS / "emacs" / "glossator.el").read_text(encoding="utf-8")

    named = re.findall(r'^;; Version: (.+)$|glossator-version "(.+)"', text, re.MULTILINE)
    assert ["".join(each) for each in named] == [__version__, __version__]
