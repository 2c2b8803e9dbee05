"""The files of a workspace folder as the linter asks for them, and a listing that is kept."""

import os
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

from glossator.core.errors import GlossatorError, UnreadableFile
from glossator.linting.surroundings import Listing
from glossator.tools.walking import printable
from glossator.tools.workspace import Workspace

MAX_LISTED = 50_000
"""Of a larger workspace not all files are known, and globs are not judged."""
_KEPT_S = 5.0


@dataclass
class WorkspaceFiles:
    """Answers for one folder and one judgement: what was looked at once is not looked at again."""

    workspace: Workspace
    root: Path
    _exists: dict[str, bool] = field(default_factory=dict)
    _ignored: dict[str, bool] = field(default_factory=dict)
    _texts: dict[str, str | None] = field(default_factory=dict)

    def exists(self, path: str) -> bool:
        """Say whether there is such a file or folder; what is not ours to look at counts as one."""
        if path not in self._exists:
            self._exists[path] = self._look_up(path)
        return self._exists[path]

    def is_ignored(self, path: str) -> bool:
        """Say whether Git ignores the path, or it stands in a folder that tools generate."""
        if path not in self._ignored:
            self._ignored[path] = self.workspace.is_ignored(self.root / path)
        return self._ignored[path]

    def read(self, path: str) -> str | None:
        """Return the text of a file, the editor's when it is open there; None when it has none."""
        if path not in self._texts:
            try:
                self._texts[path] = self.workspace.read(self.root / path).text
            except GlossatorError:
                self._texts[path] = None
        return self._texts[path]

    def _look_up(self, path: str) -> bool:
        try:
            found = self.workspace.locate(str(self.root / path))
        except UnreadableFile:  # It can be no path at all.
            return False
        except GlossatorError:
            return True
        return os.path.lexists(found) or found in self.workspace.buffers


class Listings:
    """The files of each workspace folder, listed again after some seconds or when told."""

    def __init__(self, max_listed: int = MAX_LISTED) -> None:
        self._max_listed = max_listed
        self._lock = threading.Lock()
        self._kept: dict[Path, tuple[float, Listing]] = {}

    def list_files(self, workspace: Workspace, root: Path) -> Listing:
        """Return what stands in a folder, ignored files left out. Walks it: not on the loop."""
        with self._lock:
            at, listing = self._kept.get(root, (0.0, Listing()))
            # A listing that took long is kept for as much longer.
            if not at or time.monotonic() > at:
                started = time.monotonic()
                listing = _walk(workspace, root, self._max_listed)
                took_s = time.monotonic() - started
                self._kept[root] = (time.monotonic() + _KEPT_S + 20 * took_s, listing)
            return listing

    def forget(self) -> None:
        """List anew at the next question: files came or went."""
        with self._lock:
            self._kept.clear()


def _walk(workspace: Workspace, root: Path, max_listed: int) -> Listing:
    prefix = len(str(root).rstrip(os.sep)) + 1
    paths: list[str] = []
    try:
        for entry in workspace.walk_entries(root):
            if len(paths) == max_listed:
                return Listing(tuple(paths), is_complete=False)
            paths.append(printable(entry.path[prefix:].replace(os.sep, "/")))
    except GlossatorError:  # The folder is gone.
        return Listing((), is_complete=False)
    return Listing(tuple(paths))
