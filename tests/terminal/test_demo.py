"""The demo that `make demo` shows, run as a user runs it."""

import os
import subprocess
import sys
from pathlib import Path

from terminal.running import glossator

DEMO = Path(__file__).parents[2] / "docs/demo.py"


def test_the_demo_leaves_the_record_and_the_sessions_of_its_user_as_they_were(
    tmp_path: Path,
) -> None:
    workspace = tmp_path / "workspace"
    workspace.mkdir()
    asked = glossator(workspace, "ask", "--no-model", "What is our convention for leave?")
    assert asked.returncode in (0, 1), asked.stderr
    state = tmp_path / "state"
    before = {path: path.read_bytes() for path in state.rglob("*") if path.is_file()}
    assert before

    done = subprocess.run(
        [sys.executable, str(DEMO)],
        env={**os.environ, "XDG_STATE_HOME": str(state), "XDG_CACHE_HOME": str(tmp_path / "cache")},
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )

    assert done.returncode == 0, done.stderr
    assert "Show its call chain" in done.stdout
    assert {path: path.read_bytes() for path in state.rglob("*") if path.is_file()} == before
