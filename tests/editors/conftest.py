"""What the editors' tests share: a workspace, the server's command, a model, running an editor."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import pytest

from editors.parrot import run_parrot

REPOSITORY = Path(__file__).parents[2]
RUN_TIMEOUT_S = 400

SHOP = '''"""A small shop."""


def total(prices):
    """Add up prices, in cents."""
    result = 0
    for price in prices:
        result += price
    return result


def announce(note):
    said = "约定𝕏检查🙂"; print(note)
    return said
'''
TILL = """from shop import total


def pay(prices):
    return total(prices)
"""
BELL = """def ring(note):
    print("叮当", note)
    return note
"""
HOUSE_RULES = """---
name: house
description: Invoices and logging in this house.
keywords: [invoice, invoices, logging]
---
# House rules

## Logging

- Never call `print` in the shop; use the log. {#house-no-print}

  ```check
  language: python
  severity: warning
  message: Do not print here, log it. 请用日志。
  rule:
    pattern: print($$$ARGS)
  fix: log($$$ARGS)
  ```

## Invoices

- We name invoices INV- and the year, then a number: INV-2026-17. {#house-invoices}
"""


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """A folder to open in an editor: four files, and rules of the house."""
    root = tmp_path / "shop"
    (root / "knowledge").mkdir(parents=True)
    (root / ".git").mkdir()
    (root / "shop.py").write_text(SHOP, encoding="utf-8")
    (root / "till.py").write_text(TILL, encoding="utf-8")
    (root / "bell.py").write_text(BELL, encoding="utf-8")
    (root / "notes.txt").write_text("Notes\n约定𝕏检查🙂 end\n", encoding="utf-8")
    (root / "knowledge" / "house.md").write_text(HOUSE_RULES, encoding="utf-8")
    return root


@pytest.fixture(scope="session")
def server_command() -> list[str]:
    """The command that starts the server from this repository."""
    return [sys.executable, "-m", "glossator", "lsp"]


@pytest.fixture
def model_url() -> Iterator[str]:
    """Where a model answers that always does the same."""
    with run_parrot() as url:
        yield url


@pytest.fixture
def editor_environment(tmp_path: Path) -> dict[str, str]:
    """An environment without the user's own editor files, keys and models."""
    kept = {"PATH": os.environ["PATH"], "LANG": "C.UTF-8", "TERM": "xterm-256color"}
    folders = {
        name: str(tmp_path / name.lower())
        for name in (
            "HOME", "TMPDIR", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME",
            "XDG_CACHE_HOME", "XDG_RUNTIME_DIR",
        )
    }  # fmt: skip
    for folder in folders.values():
        Path(folder).mkdir(mode=0o700)
    return {**kept, **folders, "PYTHONPATH": str(REPOSITORY / "server")}


def find_editor(variable: str, *candidates: str | Path) -> str:
    """Return the editor named in an environment variable, else the first candidate there is."""
    named = os.environ.get(variable)
    for candidate in [named] if named else candidates:
        found = shutil.which(str(candidate))
        if found:
            return found
    pytest.fail(f"No editor for {variable}; run tests/editors/install.sh", pytrace=False)


def run_editor(command: Sequence[str], environment: Mapping[str, str], folder: Path) -> None:
    """Run an editor on a script of tests; fail with its output unless all of them passed."""
    done = subprocess.run(
        command,
        env=environment,
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=RUN_TIMEOUT_S,
        check=False,
    )
    output = done.stdout.decode("utf-8", "replace")
    print(output)
    if done.returncode != 0 or " passed, 0 failed" not in output:
        logs = Path(environment["XDG_STATE_HOME"]).rglob("*.log")
        tails = [f"{log}:\n{log.read_text(errors='replace')[-4000:]}" for log in logs]
        reason = f"The editor ended with {done.returncode}; what it said stands below."
        pytest.fail("\n".join([reason, *tails]), pytrace=False)
