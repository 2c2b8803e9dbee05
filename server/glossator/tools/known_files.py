"""The files of a workspace, walked once and again only where a folder says that it changed."""

import os
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice

from glossator.tools.ignoring import OWN_FILE
from glossator.tools.walking import FileOnDisk

MAX_FILES = 50_000
_RULES = (".gitignore", OWN_FILE)
# A change within this time of a look may not show in the time stamp.
_RACY_NS = 50_000_000
_RACY = -1

Walk = Callable[[Callable[[str], None]], Iterable[FileOnDisk]]
"""Yields the files that may hold text, and tells of each folder before it is looked into."""


@dataclass(frozen=True, eq=False, slots=True)
class Listing:
    """The real paths of the files in the order of a walk, the first `MAX_FILES` of them.

    `folders` are those that were looked into, with files or without.
    The same as long as no file comes or goes.
    """

    paths: tuple[str, ...]
    is_cut: bool
    folders: tuple[str, ...]
    _stamps: dict[str, int] = field(repr=False)

    def is_current(self) -> bool:
        """Say whether no file came or went since, as far as the times of folders tell."""
        return all(stamp == _find_stamp(place) for place, stamp in self._stamps.items())


class KnownFiles:
    """The files of a workspace as they are now. May be used from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._listing: Listing | None = None

    def list(self, walk: Walk) -> Listing:
        """Return all files. Blocks on the file system: call it in a worker thread."""
        with self._lock:
            if self._listing is None or not self._listing.is_current():
                self._listing = _list_anew(walk)
            return self._listing


def _list_anew(walk: Walk) -> Listing:
    folders: list[str] = []
    stamps: dict[str, int] = {}
    now_ns = time.time_ns()

    def note(folder: str) -> None:
        folders.append(folder)
        for place in _list_stamped(folder):
            stamp = _find_stamp(place)
            stamps[place] = _RACY if now_ns - stamp < _RACY_NS else stamp

    files = (file.path for file in walk(note))
    paths = tuple(islice(files, MAX_FILES))
    return Listing(paths, next(files, None) is not None, tuple(folders), stamps)


def _list_stamped(folder: str) -> Iterator[str]:
    """Yield a folder, and the rules in it: what they leave out may change while it does not."""
    yield folder
    for name in _RULES:
        rules = f"{folder.rstrip(os.sep)}{os.sep}{name}"
        if os.path.lexists(rules):  # One that appears changes its folder.
            yield rules


def _find_stamp(place: str) -> int:
    try:
        return os.stat(place).st_mtime_ns  # noqa: PTH116 - called for every folder
    except OSError:
        return 0
