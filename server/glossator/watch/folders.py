"""Watch folders for changes and hand them over in batches, on the event loop.

Events say that something happened, not what: the reader looks at the files again. They arrive on
threads of their own, which put paths into a set and ask the loop to look; everything else happens
there or in worker threads. A folder in a batch stands for everything below it.
"""

import asyncio
import logging
import os
import sys
import threading
import time
from collections.abc import Callable, Coroutine, Iterable
from pathlib import Path
from typing import Any, Literal

from glossator.watch.arming import Armed, NoMoreWatches, Place
from glossator.watch.litter import is_litter
from glossator.watch.mounts import is_remote
from glossator.watch.polling import Poller

_log = logging.getLogger(__name__)

_DEBOUNCE_S = 0.1
_LONGEST_DELAY_S = 0.5
_HEALTH_EVERY_S = 20.0
# So many events at once may be fewer than there were: the system's queue has an end.
_MOST_EVENTS = 2_000

Mode = Literal["events", "polling", "off"]
WhyPolling = Literal["setting", "limit", "network"]
OnChange = Callable[[frozenset[Path]], None]


class FolderWatcher:
    """Watches `folders`, existing or not yet, and the files of `places`, which are folders too.

    `on_change` is called on the loop with the changed paths once nothing has changed for 0.1 s,
    at the latest after half a second of steady change. `is_interesting` chooses the files. A link
    below one of `roots` is followed as long as it stays below one.
    """

    def __init__(
        self,
        roots: Iterable[Path],
        folders: Iterable[Path],
        on_change: OnChange,
        *,
        is_interesting: Callable[[Path], bool],
        places: Iterable[Path] = (),
        mode: Mode = "events",
        is_remote: Callable[[Path], bool] = is_remote,
    ) -> None:
        self._roots = tuple(roots)
        self._folders = tuple(folders)
        self._places = tuple(places)
        self._on_change = on_change
        self._is_interesting = is_interesting
        self._mode = mode
        self._is_remote = is_remote
        self._loop = asyncio.get_running_loop()
        self._armed = Armed(self._hear)
        self._poller: Poller | None = None
        self._polled: frozenset[Path] = frozenset()
        # Arming takes a while and happens in worker threads, one at a time.
        self._arming = threading.Lock()
        self._hearing = threading.Lock()
        self._watched: tuple[str, ...] = ()
        # What is heard of them or of a folder around them concerns all that is below.
        self._landmarks: tuple[str, ...] = ()
        self._heard: set[Path] = set()
        self._n_heard = 0
        self._moved: set[str] = set()
        self._first_heard_s = self._last_heard_s = 0.0
        self._timer: asyncio.TimerHandle | None = None
        self._health_timer: asyncio.TimerHandle | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._is_stopped = False
        self.why_polling: WhyPolling | None = None

    @property
    def is_polling(self) -> bool:
        """Whether changes are found by looking, in some folder at least."""
        return self.why_polling is not None

    def start(self) -> None:
        """Begin to watch; may take a while on large folders, so call it in a worker thread."""
        if self._mode == "off":
            return
        with self._arming:
            if self._mode == "polling":
                self._poll(self._folders, "setting")
            else:
                self._arm()
        self._call(self._await_health_check)

    def stop(self) -> None:
        """Stop watching and forget what was not handed over yet."""
        self._is_stopped = True
        for timer in (self._timer, self._health_timer):
            if timer is not None:
                timer.cancel()
        with self._arming:
            self._armed.stop()
            if self._poller is not None:
                self._poller.stop()
                self._poller = None

    def watch(self, folders: Iterable[Path], places: Iterable[Path]) -> None:
        """Watch other folders from now on. Call it in a worker thread."""
        folders, places = tuple(folders), tuple(places)
        if (folders, places) == (self._folders, self._places) or self._mode == "off":
            return
        with self._arming:
            self._folders, self._places = folders, places
            if self._mode == "polling" or self.why_polling == "limit":
                self._poll(folders, self.why_polling or "setting")
            else:
                self._arm()

    def is_healthy(self) -> bool:
        """Say whether every change is heard of by events, at once."""
        return self._mode == "events" and not self.is_polling and self._armed.is_healthy()

    def check(self) -> None:
        """Watch again what was lost, as when a folder is replaced. Call it in a worker thread."""
        if self._mode != "events" or self.why_polling == "limit" or self._is_stopped:
            return
        with self._arming:
            for place in self._arm():
                self._take_note(Path(place))

    def take(self) -> frozenset[Path]:
        """Return what was heard of and not handed over yet, which will not be then."""
        with self._hearing:
            heard, self._heard, self._n_heard = self._heard, set(), 0
        return frozenset(heard)

    def _take_moved(self) -> set[str]:
        """Return the folders that came, went or moved since the watches were put."""
        with self._hearing:
            moved, self._moved = self._moved, set()
        return moved if sys.platform.startswith("linux") else set()

    # Watching

    def _arm(self) -> list[str]:
        """Watch what there is to watch; return the places that were not watched before."""
        remote = frozenset(folder for folder in self._folders if self._is_remote(folder))
        if remote != self._polled and self.why_polling != "limit":
            self._poll(remote, "network" if remote else None)
        try:
            wanted, moved = self._list_wanted(), self._take_moved()
            added = self._armed.arm(wanted, renewed=[w for w in self._watched if _holds(w, moved)])
        except NoMoreWatches as error:
            _log.warning("No more file events are to be had (%s); looking instead.", error)
            self._armed.stop()
            self._poll(self._folders, "limit")
            return [str(folder) for folder in self._folders]
        return added

    def _poll(self, folders: Iterable[Path], why: WhyPolling | None) -> None:
        if self._poller is not None:
            self._poller.stop()
            self._poller = None
        self._polled, self.why_polling = frozenset(folders), why
        if why is not None:
            places = {*self._places, *self._roots} if why != "network" else set[Path]()
            self._poller = Poller(
                self._polled,
                places,
                self._hear_of_polled,
                is_interesting=lambda path: self._is_file(path, is_folder=False),
            )
            self._poller.start()

    def _list_wanted(self) -> set[Place]:
        wanted = {
            Place(os.path.realpath(folder), is_recursive=True)
            for folder in self._folders
            if folder not in self._polled and self._may_be_watched(folder)
        }
        self._watched = tuple(place.path for place in wanted)
        named = (*self._watched, *map(str, self._folders), *map(str, self._roots))
        self._landmarks = tuple(place.rstrip(os.sep) + os.sep for place in named)
        around = {*self._roots, *self._places, *self._list_parents()}
        if sys.platform != "darwin":  # There a folder is never watched without what is below it.
            around.update(root.parent for root in self._roots)
        flat = {os.path.realpath(place) for place in around}
        wanted.update(Place(place, is_recursive=False) for place in flat if not self._covers(place))
        return {place for place in wanted if Path(place.path).is_dir()}

    def _list_parents(self) -> Iterable[Path]:
        """Yield the folders around a watched one: they tell when it appears, and may do so too."""
        inner = (parent for folder in self._folders for parent in folder.parents)
        return (place for place in inner if self._is_below_a_root(os.path.realpath(place)))

    def _may_be_watched(self, folder: Path) -> bool:
        """Say whether a folder stays where it was looked for; one outside is watched as it is."""
        is_inside = any(folder.is_relative_to(root) for root in self._roots)
        return not is_inside or self._is_below_a_root(os.path.realpath(folder))

    def _is_below_a_root(self, place: str) -> bool:
        return any(Path(place).is_relative_to(os.path.realpath(root)) for root in self._roots)

    def _covers(self, place: str) -> bool:
        return any((place + os.sep).startswith(watched + os.sep) for watched in self._watched)

    # Hearing, on other threads

    def _hear(self, path: Path, is_folder: bool) -> None:
        text = str(path)
        is_around = any(each.startswith(text + os.sep) for each in self._landmarks)
        is_inside = self._covers(text)
        if is_around or (is_inside and is_folder and not is_litter(path.name)):
            with self._hearing:
                self._moved.add(text)
        elif not (is_inside and _may_be_folder(path)) and not self._is_file(
            path, is_folder=is_folder
        ):
            self._n_heard += 1
            return
        self._take_note(path)

    def _is_file(self, path: Path, *, is_folder: bool) -> bool:
        return not is_folder and not is_litter(path.name) and self._is_interesting(path)

    def _hear_of_polled(self, paths: Iterable[Path]) -> None:
        for path in paths:
            self._take_note(path)

    def _take_note(self, path: Path) -> None:
        with self._hearing:
            is_first = not self._heard
            self._heard.add(path)
            self._n_heard += 1
            self._last_heard_s = time.monotonic()
            if is_first:
                self._first_heard_s = self._last_heard_s
        if is_first:
            self._call(self._await_quiet)

    def _call(self, step: Callable[[], None]) -> None:
        try:
            self._loop.call_soon_threadsafe(step)
        except RuntimeError:
            _log.debug("The loop is closed; nobody is left to hear of changed files.")

    # Handing over, on the loop

    def _await_quiet(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        due = min(self._last_heard_s + _DEBOUNCE_S, self._first_heard_s + _LONGEST_DELAY_S)
        wait_s = due - time.monotonic()
        if wait_s > 0.001:
            self._timer = self._loop.call_later(wait_s, self._await_quiet)
        else:
            self._timer = None
            self._deliver()

    def _deliver(self) -> None:
        is_in_doubt = self._n_heard > _MOST_EVENTS
        changed = self.take()
        if self._is_stopped or not changed:
            return
        if is_in_doubt:
            changed |= {*self._folders, *map(Path, self._watched), *self._places}
        if self._moved and self._mode == "events" and self.why_polling != "limit":
            self._start_task(self._rearm_and_deliver(changed))
        else:
            self._on_change(changed)

    async def _rearm_and_deliver(self, changed: frozenset[Path]) -> None:
        """Watch folders that appeared before they are read, so that no change falls between."""
        await asyncio.to_thread(self.check)
        if not self._is_stopped:
            self._on_change(changed | self.take())

    def _await_health_check(self) -> None:
        if not self._is_stopped:
            self._health_timer = self._loop.call_later(
                _HEALTH_EVERY_S, lambda: self._start_task(self._check_health())
            )

    async def _check_health(self) -> None:
        try:
            await asyncio.to_thread(self.check)
        finally:
            self._await_health_check()

    def _start_task(self, work: Coroutine[Any, Any, None]) -> None:
        task = self._loop.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def _may_be_folder(path: Path) -> bool:
    """Say whether this may be a link to a folder, or a folder that Windows no longer knows as one.

    vim tries with a file called `4913`, or the like, whether it may write.
    """
    return not path.suffix and not path.name.isdigit() and not is_litter(path.name)


def _holds(watched: str, paths: Iterable[str]) -> bool:
    return any(path.startswith(watched + os.sep) for path in paths)
