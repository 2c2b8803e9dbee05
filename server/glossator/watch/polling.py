"""Find changed files by looking: for drives that send no events, and where the system has no more.

Only times and sizes are looked at. A look that takes long is made more seldom, so that watching
costs a small share of one processor at most.
"""

import os
import threading
import time
from collections.abc import Callable, Iterable
from pathlib import Path

Stamp = tuple[int, int, int]
Look = dict[str, Stamp]

_EVERY_S = 1.0
_SHARE = 20


class Poller:
    """Looks at folders again and again, in a thread of its own.

    `on_change` is called there with the paths that are not as they were. The first look is made by
    `start`, so that nothing that happens after it is missed.
    """

    def __init__(
        self,
        folders: Iterable[Path],
        places: Iterable[Path],
        on_change: Callable[[Iterable[Path]], None],
        *,
        is_interesting: Callable[[Path], bool],
        every_s: float | None = None,
    ) -> None:
        self._folders = tuple(folders)
        self._places = tuple(places)
        self._on_change = on_change
        self._is_interesting = is_interesting
        self._every_s = _EVERY_S if every_s is None else every_s
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._run, name="glossator-polling", daemon=True)
        self._last: Look = {}
        self._took_s = 0.0

    def start(self) -> None:
        """Look for the first time and begin."""
        self._last = self._look()
        self._thread.start()

    def stop(self) -> None:
        """End; a look that hangs on a drive that is away is left behind."""
        self._end.set()
        if self._thread.is_alive():
            self._thread.join(timeout=2)

    def is_alive(self) -> bool:
        """Say whether it is looking."""
        return self._thread.is_alive()

    def _run(self) -> None:
        while not self._end.wait(max(self._every_s, self._took_s * _SHARE)):
            look = self._look()
            before, self._last = self._last, look
            changed = {path for path, stamp in look.items() if before.get(path) != stamp}
            changed.update(path for path in before if path not in look)
            if changed and not self._end.is_set():
                self._on_change([Path(path) for path in changed])

    def _look(self) -> Look:
        began = time.monotonic()
        look: Look = {}
        for flat in self._places:
            self._list(str(flat), look)
        waiting = [os.path.realpath(folder) for folder in self._folders]
        while waiting and not self._end.is_set():
            place = waiting.pop()
            if place not in look:
                below = self._list(place, look)
                if below is not None:
                    waiting.extend(below)
                    look[place] = (0, 0, 0)  # It is there; what changes in it, its entries tell.
        self._took_s = time.monotonic() - began
        return look

    def _list(self, place: str, look: Look) -> list[str] | None:
        """Take the files of a folder into the look and return its folders; None without one."""
        below: list[str] = []
        try:
            with os.scandir(place) as scan:
                for entry in scan:
                    if entry.is_dir(follow_symlinks=False):
                        below.append(entry.path)
                    elif self._is_interesting(Path(entry.path)):
                        status = entry.stat()
                        look[entry.path] = (status.st_mtime_ns, status.st_size, status.st_ino)
        except OSError:  # Not there, not ours to look at, or the drive is away.
            return None
        return below
