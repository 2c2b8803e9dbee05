"""Runs the program as a person or a script does: a process, its output and its exit code."""

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

_LANGUAGE = ("LANG", "LC_ALL", "LC_MESSAGES")


def glossator(workspace: Path, *arguments: str, **environ: str) -> subprocess.CompletedProcess[str]:
    """Run a command in a workspace; what it keeps stands beside the workspace.

    No model of the surroundings is used, and the words are English where `environ` does not choose.
    """
    return subprocess.run(
        [sys.executable, "-m", "glossator", *arguments],
        cwd=workspace,
        env={**_clean(os.environ), **_folders(workspace), "LANG": "C.UTF-8", **environ},
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )


def write_files(root: Path, files: Mapping[str, str]) -> Path:
    """Write files below a folder, which is made; return the folder."""
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode("utf-8"))
    return root


def _clean(environ: Mapping[str, str]) -> dict[str, str]:
    return {
        name: value
        for name, value in environ.items()
        if not name.startswith(("OPENAI_", "DEEPSEEK_")) and name not in {"MODEL", *_LANGUAGE}
    }


def _folders(workspace: Path) -> dict[str, str]:
    return {f"XDG_{kind}_HOME": str(workspace.parent / kind.lower()) for kind in ("STATE", "CACHE")}
