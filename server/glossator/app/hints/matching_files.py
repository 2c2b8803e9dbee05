"""Which files of a workspace a document is for: counted, with a few examples, within bounds."""

import os
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from glossator.tools.walking import printable
from glossator.tools.workspace import Workspace

MAX_FILES = 20_000
MAX_SECONDS = 2.0
N_EXAMPLES = 5

_LOOK_UP_EVERY = 256


@dataclass(frozen=True, slots=True)
class MatchingFiles:
    """How many of the files that were looked at match, and the first of them.

    `is_all` says that every file was looked at. Files that Git ignores never are.
    """

    n_matching: int
    n_looked_at: int
    examples: tuple[str, ...]
    is_all: bool


IsMeant = Callable[[str, str], bool]
"""Says whether something is for a file: its shown path, and its path below its root."""


def count_files(
    workspace: Workspace, is_meant: IsMeant, is_cancelled: Callable[[], bool] = lambda: False
) -> MatchingFiles:
    """Count the files for which `is_meant` holds. Reads folders: call it in a worker thread."""
    return count_each(workspace, {"": is_meant}, is_cancelled=is_cancelled)[""]


def count_each(
    workspace: Workspace,
    judges: Mapping[str, IsMeant],
    folder: Path | None = None,
    is_cancelled: Callable[[], bool] = lambda: False,
) -> dict[str, MatchingFiles]:
    """Count for several judges at once, in all of the workspace or below a folder."""
    until = time.monotonic() + MAX_SECONDS
    found: dict[str, list[str]] = {key: [] for key in judges}
    n_matching = dict.fromkeys(judges, 0)
    n_looked_at, is_all = 0, True
    names = _Names(workspace)
    for file in workspace.walk_files(folder):
        is_late = not n_looked_at % _LOOK_UP_EVERY and (time.monotonic() > until or is_cancelled())
        if n_looked_at == MAX_FILES or (is_late and n_looked_at):
            is_all = False
            break
        n_looked_at += 1
        shown, scope = names.name(file.path)
        for key, is_meant in judges.items():
            if is_meant(shown, scope):
                n_matching[key] += 1
                if len(found[key]) < N_EXAMPLES:
                    found[key].append(shown)
    return {
        key: MatchingFiles(n_matching[key], n_looked_at, tuple(found[key]), is_all)
        for key in judges
    }


class _Names:
    """Names files as the workspace does; what is the same for a folder is worked out once."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._folders: dict[str, tuple[str, str]] = {}

    def name(self, file: str) -> tuple[str, str]:
        """Return how a file is shown, and its path below its root."""
        folder, _, name = file.rpartition(os.sep)
        name = printable(name)
        if folder not in self._folders:
            path = Path(file)
            shown, scope = self._workspace.show(path), self._workspace.path_below_root(path)
            self._folders[folder] = (shown.removesuffix(name), scope.removesuffix(name))
        before_shown, before_scope = self._folders[folder]
        return before_shown + name, before_scope + name
