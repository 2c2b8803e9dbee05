"""Files by the end of their path: people and models write `store.py` for `src/store.py`."""

import os
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from glossator.tools.known_files import MAX_FILES
from glossator.tools.walking import printable
from glossator.tools.workspace import Workspace


class FileNames:
    """The files of a workspace, and `more` names; listed when first asked for."""

    def __init__(self, workspace: Workspace, more: Iterable[str] = ()) -> None:
        self._workspace = workspace
        self._more = tuple(more)
        self._by_last_name: Mapping[str, Sequence[tuple[str, bool]]] | None = None

    def ending_with(self, path: str) -> tuple[str, ...]:
        """Return the files, as shown, whose path ends with `path`.

        None are found in a workspace with too many files to list for one question.
        """
        ending = path.replace("\\", "/").removeprefix("./")
        if self._by_last_name is None:
            self._by_last_name = self._list()
        found = self._by_last_name.get(ending.rpartition("/")[2], ())
        names = (name if is_shown else self._workspace.show(Path(name)) for name, is_shown in found)
        return tuple(
            name for name in dict.fromkeys(names) if name == ending or name.endswith(f"/{ending}")
        )

    def _list(self) -> Mapping[str, Sequence[tuple[str, bool]]]:
        """Return names and real paths by their last part, with whether they are as shown."""
        listing = self._workspace.list_files()
        if listing.is_cut or len(listing.paths) + len(self._more) > MAX_FILES:
            return {}
        by_last_name: defaultdict[str, list[tuple[str, bool]]] = defaultdict(list)
        for name in self._more:
            by_last_name[name.rpartition("/")[2]].append((name, True))
        for path in listing.paths:
            by_last_name[printable(path.rpartition(os.sep)[2])].append((path, False))
        return by_last_name
