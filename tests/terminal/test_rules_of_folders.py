"""Rules in the instructions of a folder hold below it, in the terminal as in an editor."""

from pathlib import Path

import pytest

from rule_texts import NO_PRINT
from terminal.running import glossator, write_files
from workbench import OWN_ONLY_TOML

FILES = {
    "glossator.toml": OWN_ONLY_TOML,
    "a.py": "print(1)\n",
    "包/AGENTS.md": NO_PRINT,
    "包/深/b.py": "print(2)\n",
}
FOUND = "包/深/b.py:1:1: warning: Use the log, not `print`. [no-print]"


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    return write_files(tmp_path / "工作区", FILES)


@pytest.mark.parametrize("named", [(), ("包",), ("包/深",), ("包/深/b.py",)])
def test_a_check_of_a_file_or_a_folder_knows_them(workspace: Path, named: tuple[str, ...]) -> None:
    done = glossator(workspace, "check", *named)

    assert done.stdout.splitlines() == [FOUND]
    assert done.returncode == 1


def test_they_are_listed_and_proven(workspace: Path) -> None:
    listed = glossator(workspace, "rules", "list", "包/深/b.py")
    proven = glossator(workspace, "rules", "test", "no-print")

    assert "no-print  包/AGENTS.md:1 (compiled, warning, applies)" in listed.stdout
    assert "包/AGENTS.md:1: `no-print`: no example proves its check" in proven.stdout
    assert proven.returncode == 1
