"""The watches that are in place, and again where one was lost.

A watch follows the folder that it was put on: when that is deleted, moved away or replaced, the
folder that stands in its place is not watched, and nothing says so. So each watch is compared with
what stands there now.
"""

import errno
import logging
import os
import sys
import warnings
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from pathlib import Path

from watchdog.events import (
    DirAttribEvent,
    DirCreatedEvent,
    DirDeletedEvent,
    DirMovedEvent,
    FileAttribEvent,
    FileClosedEvent,
    FileCreatedEvent,
    FileDeletedEvent,
    FileModifiedEvent,
    FileMovedEvent,
    FileSystemEvent,
    FileSystemEventHandler,
)
from watchdog.observers import Observer
from watchdog.observers.api import BaseObserver, ObservedWatch

_log = logging.getLogger(__name__)

# Reading a file makes events too, and reacting to them would read for ever. All watches ask for
# the same events: the system keeps one set of them for each folder.
_EVENTS: list[type[FileSystemEvent]] = [
    DirAttribEvent, DirCreatedEvent, DirDeletedEvent, DirMovedEvent, FileAttribEvent,
    FileClosedEvent, FileCreatedEvent, FileDeletedEvent, FileModifiedEvent, FileMovedEvent,
]  # fmt: skip
_LIMITS = frozenset({errno.ENOSPC, errno.EMFILE, errno.ENFILE, errno.ENOMEM})

Hear = Callable[[Path, bool], None]
Identity = tuple[int, int]


class NoMoreWatches(Exception):
    """The system watches as many folders as it may; some of ours are not among them."""


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """A folder to watch, with everything below it or by itself."""

    path: str
    is_recursive: bool


@dataclass(frozen=True, slots=True)
class _Watch:
    """A watch in place, and which folder stood there when it was put."""

    watch: ObservedWatch
    identity: Identity | None


class Armed:
    """Watches on folders. `hear` gets a path and whether it is a folder, on another thread."""

    def __init__(self, hear: Hear) -> None:
        self._handler = _Handler(hear)
        self._observer: BaseObserver | None = None
        self._watches: dict[Place, _Watch] = {}

    def arm(self, wanted: Iterable[Place], renewed: Collection[str] = ()) -> list[str]:
        """Watch these folders and no others; return those that were not watched until now.

        A folder that is not there is left out. A watch that is to be renewed is put anew: watchdog
        loses track of what is below a folder when folders in it are moved while it takes them in.

        Raises:
            NoMoreWatches: not all of them can be watched.
        """
        warnings.filterwarnings("ignore", "Callback with id", RuntimeWarning)  # It is put right.
        observer = self._living_observer()
        wanted = set(wanted)
        for place, held in list(self._watches.items()):
            is_old = place.is_recursive and place.path in renewed
            if is_old or place not in wanted or not self._is_in_place(observer, place, held):
                del self._watches[place]
                observer.unschedule(held.watch)
        # From the outside in: what appears after its parent is watched is heard of.
        missing = sorted(wanted - self._watches.keys(), key=lambda place: len(place.path))
        added = [place.path for place in missing if self._put(observer, place)]
        if any(place.is_recursive for place in wanted) and added:
            self.require_room()
        return added

    def require_room(self) -> None:
        """Make sure that there are watches left: below a folder watchdog misses some in silence.

        Raises:
            NoMoreWatches: there is none left.
        """
        if self._observer is None or not sys.platform.startswith("linux"):
            return
        try:
            watch = self._observer.schedule(FileSystemEventHandler(), "/", event_filter=_EVENTS)
        except OSError as error:
            raise NoMoreWatches(str(error)) from error
        self._observer.unschedule(watch)

    def is_healthy(self) -> bool:
        """Say whether every watch is in place and somebody listens."""
        observer = self._observer
        return (
            observer is not None
            and _is_alive(observer)
            and all(
                self._is_in_place(observer, place, held)
                for place, held in list(self._watches.items())
            )
        )

    def stop(self) -> None:
        """Take all watches away."""
        observer, self._observer = self._observer, None
        self._watches.clear()
        if observer is not None:
            observer.stop()
            if observer.is_alive():
                observer.join(timeout=2)

    def _living_observer(self) -> BaseObserver:
        if self._observer is not None and not _is_alive(self._observer):
            _log.warning("The thread that hears of changed files has ended; it is started again.")
            self.stop()
        if self._observer is None:
            try:
                observer = Observer()
                observer.start()
            except OSError as error:
                raise NoMoreWatches(str(error)) from error
            self._observer = observer
        return self._observer

    def _put(self, observer: BaseObserver, place: Place) -> bool:
        identity = _identify(place.path)
        if identity is None:
            return False
        try:
            watch = observer.schedule(
                self._handler, place.path, recursive=place.is_recursive, event_filter=_EVENTS
            )
        except OSError as error:
            if error.errno in _LIMITS:
                raise NoMoreWatches(str(error)) from error
            _log.info("%s cannot be watched: %s", place.path, error)
            return False
        self._watches[place] = _Watch(watch, identity)
        return True

    def _is_in_place(self, observer: BaseObserver, place: Place, held: _Watch) -> bool:
        return _identify(place.path) == held.identity and any(
            emitter.watch == held.watch and emitter.is_alive()
            for emitter in observer.emitters.copy()
        )


def _is_alive(observer: BaseObserver) -> bool:
    """Say whether all threads run, the one that reads from the system included."""
    reader = getattr(observer, "_inotify_fd", None)  # watchdog does not tell when this one ends.
    return observer.is_alive() and (reader is None or bool(reader.is_alive()))


def _identify(place: str) -> Identity | None:
    """Return which folder stands at a place, or None."""
    try:
        status = os.stat(place)  # noqa: PTH116 - a look before every answer
    except OSError:
        return None
    return (status.st_dev, status.st_ino)


class _Handler(FileSystemEventHandler):
    """Passes paths on. watchdog's thread ends when a handler raises, so this one never does."""

    def __init__(self, hear: Hear) -> None:
        self._hear = hear

    def on_any_event(self, event: FileSystemEvent) -> None:
        try:
            for raw in (event.src_path, event.dest_path):
                if raw:
                    self._hear(Path(os.fsdecode(raw)), event.is_directory)
        except Exception:  # noqa: BLE001 - it is watchdog's thread that would end here
            _log.exception("A change of files was not understood: %r", event)
