"""Watch folders for changes and hand them over in batches, on the event loop.

watchdog calls its handler on a thread of its own and stops for good when the handler raises. So
the handler only puts paths into a set and asks the loop to look; everything else happens there.
Events say that something happened, not what: the reader looks at the files again.
"""

import asyncio
import logging
import os
import time
from collections.abc import Callable, Iterable
from pathlib import Path

from watchdog.events import FileSystemEvent, FileSystemEventHandler
from watchdog.observers import Observer
from watchdog.observers.api import BaseObserver, ObservedWatch
from watchdog.observers.polling import PollingObserver

_log = logging.getLogger(__name__)

# Reading a file makes these events too: reacting to them would rebuild for ever.
_IGNORED_EVENTS = frozenset({"opened", "closed_no_write"})
_DEBOUNCE_S = 0.2
_LONGEST_DELAY_S = 1.0

OnChange = Callable[[frozenset[Path]], None]


class FolderWatcher:
    """Watches `folders`, existing or not yet, below `roots`.

    `on_change` is called on the loop with the changed paths once nothing has changed for 0.2 s,
    at the latest after one second of steady change. `is_interesting` chooses the files.
    """

    def __init__(
        self,
        roots: Iterable[Path],
        folders: Iterable[Path],
        on_change: OnChange,
        *,
        is_interesting: Callable[[Path], bool],
    ) -> None:
        self._roots = tuple(roots)
        self._folders = tuple(folders)
        self._on_change = on_change
        self._is_interesting = is_interesting
        self._loop = asyncio.get_running_loop()
        self._observer: BaseObserver | None = None
        self._watched: dict[Path, ObservedWatch] = {}
        # The folders around a watched one tell when it appears; they may appear later, too.
        self._around: dict[Path, ObservedWatch] = {}
        self._changed: set[Path] = set()
        self._first_change_s = 0.0
        self._timer: asyncio.TimerHandle | None = None
        self.is_polling = False

    def start(self) -> None:
        """Begin to watch; may take a while on large folders, so call it in a worker thread."""
        try:
            self._observer = self._start_observer(Observer())
        except OSError as error:
            _log.warning("No file events here (%s); looking every second instead.", error)
            self.is_polling = True
            self._observer = self._start_observer(PollingObserver(timeout=1))

    def stop(self) -> None:
        """Stop watching and forget what was not handed over yet."""
        if self._timer is not None:
            self._timer.cancel()
        if self._observer is not None:
            self._observer.stop()
            self._observer.join(timeout=2)
            self._observer = None

    def _start_observer(self, observer: BaseObserver) -> BaseObserver:
        self._watched.clear()
        self._around.clear()
        observer.start()
        try:
            self._watch_new_folders(observer)
        except OSError:
            observer.stop()
            raise
        return observer

    def _watch_new_folders(self, observer: BaseObserver) -> None:
        # From the outside in: what appears after its parent is watched is heard of.
        for around in sorted(self._list_around(), key=lambda path: len(path.parts)):
            if around not in self._around and around.is_dir():
                handler = _Handler(self._heard)
                self._around[around] = observer.schedule(handler, str(around), recursive=False)
        for folder in self._folders:
            if folder not in self._watched and folder.is_dir():
                # Nothing is heard of what happens below a link.
                place = os.path.realpath(folder)
                if self._is_below_a_root(place):
                    handler = _Handler(self._heard)
                    self._watched[folder] = observer.schedule(handler, place, recursive=True)

    def _list_around(self) -> set[Path]:
        inner = (parent for folder in self._folders for parent in folder.parents)
        return {*self._roots, *(place for place in inner if self._is_below_a_root(str(place)))}

    def _is_below_a_root(self, place: str) -> bool:
        return any(Path(place).is_relative_to(os.path.realpath(root)) for root in self._roots)

    def _heard(self, path: Path) -> None:
        """Take note of a path; called on the observer's thread."""
        watched = [Path(watch.path) for watch in list(self._watched.values())]
        folders = [*self._folders, *watched]
        is_folder = any(path == folder or path in folder.parents for folder in folders)
        if is_folder or self._is_interesting(path):
            try:
                self._loop.call_soon_threadsafe(self._note, path)
            except RuntimeError:
                _log.debug("The loop is closed; the change of %s is dropped.", path.name)

    def _note(self, path: Path) -> None:
        now = time.monotonic()
        if not self._changed:
            self._first_change_s = now
        self._changed.add(path)
        if self._timer is not None:
            self._timer.cancel()
        latest = self._first_change_s + _LONGEST_DELAY_S - now
        self._timer = self._loop.call_later(max(0, min(_DEBOUNCE_S, latest)), self._deliver)

    def _deliver(self) -> None:
        self._timer = None
        changed, self._changed = frozenset(self._changed), set()
        self._rearm()
        self._on_change(changed)

    def _rearm(self) -> None:
        """Watch folders that appeared, and again those that were deleted and made anew."""
        if self._observer is None:
            return
        for place, watch in list(self._around.items()):
            if not place.is_dir() or not _is_alive(self._observer, watch):
                del self._around[place]
                self._observer.unschedule(watch)
        for folder, watch in list(self._watched.items()):
            is_elsewhere = os.path.realpath(folder) != watch.path
            if is_elsewhere or not folder.is_dir() or not _is_alive(self._observer, watch):
                del self._watched[folder]
                if watch not in self._watched.values():
                    self._observer.unschedule(watch)
        try:
            self._watch_new_folders(self._observer)
        except OSError as error:
            _log.warning("A folder cannot be watched: %s.", error)


def _is_alive(observer: BaseObserver, watch: ObservedWatch) -> bool:
    return any(emitter.watch == watch and emitter.is_alive() for emitter in observer.emitters)


class _Handler(FileSystemEventHandler):
    def __init__(self, heard: Callable[[Path], None]) -> None:
        self._heard = heard

    def on_any_event(self, event: FileSystemEvent) -> None:
        if event.event_type in _IGNORED_EVENTS:
            return
        for raw in (event.src_path, event.dest_path):
            if raw:
                text = raw.decode("utf-8", "surrogateescape") if isinstance(raw, bytes) else raw
                self._heard(Path(text))
