"""Files by the end of their path: people and models write `store.py` for `src/store.py`."""

from collections.abc import Iterable
from itertools import chain, islice
from pathlib import Path

from glossator.tools.workspace import Workspace

_MAX_LISTED = 50_000


class FileNames:
    """The files of a workspace, and `more` names; listed when first asked for."""

    def __init__(self, workspace: Workspace, more: Iterable[str] = ()) -> None:
        self._workspace = workspace
        self._more = tuple(more)
        self._by_last_name: dict[str, list[str]] | None = None

    def ending_with(self, path: str) -> tuple[str, ...]:
        """Return the files, as shown, whose path ends with `path`.

        None are found in a workspace with too many files to list for one question.
        """
        ending = path.replace("\\", "/").removeprefix("./")
        names = self._list().get(ending.rpartition("/")[2], ())
        return tuple(name for name in names if name == ending or name.endswith(f"/{ending}"))

    def _list(self) -> dict[str, list[str]]:
        if self._by_last_name is None:
            self._by_last_name = {}
            workspace = self._workspace
            walked = (workspace.show(Path(file.path)) for file in workspace.walk_files())
            names = iter(dict.fromkeys(islice(chain(self._more, walked), _MAX_LISTED + 1)))
            for name in islice(names, _MAX_LISTED):
                self._by_last_name.setdefault(name.rpartition("/")[2], []).append(name)
            if next(names, None) is not None:
                self._by_last_name.clear()
        return self._by_last_name
