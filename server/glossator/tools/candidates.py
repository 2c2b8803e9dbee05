"""Files that a search may have to look into: all of a walk, or those ripgrep names.

ripgrep, when it is installed, only shortens the list; what is read and what counts as a hit is
decided by the same guard and the same matching either way, so the hits are the same.
"""

import contextlib
import os
import re
import shutil
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

from glossator.core.errors import InvalidArguments
from glossator.core.globs import compile_patterns, expand_braces
from glossator.tools.escaping import quote_name
from glossator.tools.processes import kept_short
from glossator.tools.workspace import Workspace

_RIPGREP_TIMEOUT_S = 10.0
_MAX_LISTING_BYTES = 32 * 1024 * 1024
_RUST_SPECIAL = re.compile(r"[\\.+*?()|\[\]{}^$#&\-~]")


class Glob:
    """A glob as people write them: `*.py` at any depth, `src/**/*.ts`, `*.{c,h}`, `!*.min.js`."""

    def __init__(self, text: str) -> None:
        patterns = [glob.removeprefix("./") for glob in expand_braces(text.strip())]
        if all(pattern.startswith("!") for pattern in patterns):
            patterns.insert(0, "*")
        try:
            self._spec = compile_patterns(patterns) if text.strip() else None
        except ValueError as error:
            raise InvalidArguments(
                f"{quote_name(text)} is not a glob. Use one like `*.py` or `src/**/*.ts`."
            ) from error

    def matches(self, *paths: str) -> bool:
        """Say whether one of the forms of a path (below the root, below a folder) matches."""
        spec = self._spec
        return spec is None or any(spec.check_file(path).include for path in paths)


def find_ripgrep(workspace: Workspace) -> str | None:
    """Return the ripgrep on PATH, unless the workspace itself put it there."""
    found = shutil.which("rg")
    if found is None or not Path(found).is_absolute():
        return None
    return None if workspace.is_inside(Path(os.path.realpath(found))) else found


def walk_candidates(workspace: Workspace, folder: Path | None) -> Iterator[str]:
    """Yield the real paths of all files with text, in the order of a walk."""
    return (file.path for file in workspace.walk_files(folder))


def list_candidates(
    ripgrep: str,
    workspace: Workspace,
    folder: Path | None,
    query: str,
    *,
    is_regex: bool,
    stop: threading.Event,
) -> list[str] | None:
    """Return the files in which ripgrep finds `query`, in the order of a walk.

    None means that a walk has to answer: ripgrep cannot take the pattern, or took too long.
    """
    starts = [str(folder)] if folder is not None else [str(root) for root in workspace.roots]
    patterns = _write_patterns(query, is_regex=is_regex)
    if patterns is None:
        return None
    output = _run([ripgrep, *_OPTIONS, *patterns, "--", *starts], stop)
    if output is None:
        return None
    paths = {Path(os.fsdecode(name)) for name in output.split(b"\x00") if name}
    kept = sorted((path.parts, str(path)) for path in paths if workspace.is_walked(path))
    return [name for _, name in kept]


# `--text` and no size limit: what is binary or too large is decided where it is read.
_OPTIONS = (
    "--no-config", "--files-with-matches", "--null", "--hidden", "--text", "--ignore-case",
    "--crlf", "--no-messages", "--no-ignore-dot", "--no-ignore-global", "--no-require-git",
    "--no-ignore-parent", "--color=never",
)  # fmt: skip


def _write_patterns(query: str, *, is_regex: bool) -> list[str] | None:
    """Return ripgrep's arguments for a query; each stands behind `-e`, so none is an option."""
    if "\n" in query or "\r" in query:
        return None
    if query.isascii():
        return ["-e", query] if is_regex else ["--fixed-strings", "-e", query]
    if is_regex:
        # Files in GB18030 hold other bytes, and a pattern cannot be translated.
        return None
    arguments = ["-e", _RUST_SPECIAL.sub(r"\\\g<0>", query)]
    with contextlib.suppress(UnicodeEncodeError):
        raw = "".join(f"\\x{byte:02x}" for byte in query.encode("gb18030"))
        arguments += ["-e", f"(?-u:{raw})"]
    return arguments


def _run(command: list[str], stop: threading.Event) -> bytes | None:
    """Return what a command wrote, or None when it failed, was stopped or wrote too much."""
    process = subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    with kept_short(process, stop, _RIPGREP_TIMEOUT_S):
        assert process.stdout is not None
        output = process.stdout.read(_MAX_LISTING_BYTES)
        if len(output) == _MAX_LISTING_BYTES:
            return None
        process.wait()
    # 0: found, 1: nothing found; anything else is no answer.
    return output if process.returncode in {0, 1} else None
