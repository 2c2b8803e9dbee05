"""The library in force: read once, read again where files changed, kept for the next start."""

import asyncio
import gc
import logging
import threading
import time
from collections.abc import Callable, Collection, Iterable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from glossator.app.library.keeping import Kept, rest_on
from glossator.app.library.reading import Progress, find_changes, read_library
from glossator.app.library.value import Library
from glossator.app.parts import SETTINGS_FILES, Parts
from glossator.app.phrasing import Phrasing
from glossator.app.results import IndexReport
from glossator.app.runs import Runs
from glossator.core.markdown_names import is_markdown_or_rule_name

if TYPE_CHECKING:  # A single command watches nothing.
    from glossator.app.library.watching import LibraryWatch

_log = logging.getLogger(__name__)

ANSWER_WAITS_S = 2.0
"""An answer waits so long for what has just changed; then it is given with what is known."""
_KEEP_AFTER_S = 3.0
_LOOK_AGAIN_AFTER_S = 0.5
_TELL_EVERY_S = 0.25
# What a library is made of are values, which refer to each other in no circle. To search thousands
# of them for circles again and again holds up every thread, for longer each time.
_FREEZE_EVERY = 200


class CurrentLibrary:
    """Owns the library of the present parts and everything that makes it another one.

    `value` is None until it is read. There is one reading at a time, which nobody who waits for it
    can cancel. `on_new` hears of each library that is not as the one before, `on_reading` how
    far a reading is that will take a moment, as a text is another one.
    """

    def __init__(
        self,
        parts: Parts,
        runs: Runs,
        *,
        on_new: Callable[[Library], None],
        on_reading: Progress,
        on_settings: Callable[[], None],
    ) -> None:
        self.value: Library | None = None
        self._parts = parts
        self._runs = runs
        self._on_new = on_new
        self._on_reading = on_reading
        self._on_settings = on_settings
        self._kept = _make_kept(parts)
        self._watch: LibraryWatch | None = None
        self._reading: asyncio.Task[Any] | None = None
        self._unread: set[Path] = set()
        self._is_due = self._is_all_due = self._is_from_scratch = False
        self._next_is_read = asyncio.Event()
        self._keeping = asyncio.Lock()

    # Reading

    async def ready(self) -> Library:
        """Return the library, reading it first if nobody has."""
        if self.value is None:
            await self._await_next()
        assert self.value is not None
        return self.value

    async def fresh(
        self,
        path: Path | None = None,
        on_late: Callable[[], None] = lambda: None,
        wait_s: float | None = None,
    ) -> Library:
        """Return the library as the files are now; `path` is the file that is looked at.

        What takes longer than an answer may wait for is read in the background; then `on_late` is
        called, and the library is the one before.
        """
        if self.value is None:
            return await self.ready_for(() if path is None else (path,))
        looking = asyncio.get_running_loop().create_task(self._look(path), name="look")
        timeout = ANSWER_WAITS_S if wait_s is None else max(0.0, wait_s)
        _, late = await asyncio.wait({looking}, timeout=timeout)
        if late:
            on_late()
            _log.info("The folders take long to look at; the answer rests on what was known.")
            looking.add_done_callback(_forget_outcome)
        else:
            looking.result()
        return await self.ready()

    async def ready_for(self, files: Collection[Path]) -> Library:
        """Return the library with the instructions on the way to files."""
        has_begun = self.value is not None or self._reading is not None
        is_new = await asyncio.to_thread(_look_around, self._parts, files)
        if is_new and has_begun:
            await self.read()  # The files were listed without them, perhaps.
        return await self.ready()

    async def read(self, *, from_scratch: bool = False) -> IndexReport:
        """Look at every file again and read those that changed, or all of them."""
        self._is_all_due = True
        self._is_from_scratch |= from_scratch
        await self._await_next()
        return (await self.ready()).report

    def hear(self, changed: Iterable[Path]) -> None:
        """Read again what somebody says has changed, as far as it may be of the library."""
        ours = frozenset(filter(_may_be_ours, changed))
        if ours:
            self.look_again(ours)

    def look_again(self, changed: Iterable[Path]) -> None:
        """Read again, in the background, what these files and folders hold."""
        changed = frozenset(changed)
        if any(path.name in SETTINGS_FILES for path in changed):
            self._on_settings()
        self._unread |= changed
        self._is_due = True
        with suppress(asyncio.CancelledError):  # All is coming to its end.
            self._begin()

    async def use(self, parts: Parts) -> None:
        """Be the library of other parts from now on, and watch nothing until told to."""
        await self.stop_watching()
        self._parts, self._kept = parts, _make_kept(parts)
        await self.read()

    def _begin(self) -> "asyncio.Task[Any]":
        if self._reading is None or self._reading.done():
            self._reading = self._runs.replace("index", self._read_all)
        return self._reading

    async def _await_next(self) -> None:
        """Wait until what is due now is read, and not for what falls due while it is.

        Where files change without end, there is always more to read.
        """
        reading = self._begin()
        is_read = asyncio.create_task(self._next_is_read.wait())
        try:
            await asyncio.wait({reading, is_read}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            is_read.cancel()
        if reading.done():
            reading.result()

    async def _read_all(self) -> None:
        while self.value is None or self._is_due or self._is_all_due:
            await self._read_once()

    async def _read_once(self) -> None:
        is_read, self._next_is_read = self._next_is_read, asyncio.Event()
        parts, previous = self._parts, None if self._is_from_scratch else self.value
        changed = None if self._is_all_due else frozenset(self._unread)
        was_asked_for, self._is_from_scratch = self._is_from_scratch, False
        self._is_due = self._is_all_due = False
        self._unread.clear()
        loop = asyncio.get_running_loop()

        def tell(done: int, total: int) -> None:
            loop.call_soon_threadsafe(self._on_reading, done, total)

        progress, steps = _Progress(tell), _Steps()
        try:
            library = await asyncio.to_thread(
                _read,
                parts,
                # Who asks for a reading from scratch is shown that it is under way.
                None if was_asked_for else self._kept,
                previous,
                changed,
                _ignore_progress if was_asked_for else progress.tell,
                steps.take,
            )
        except asyncio.CancelledError:
            steps.give_up.set()  # The thread would go on to the end of the library.
            raise
        before, self.value = self.value, library
        if before is None or library.report is not before.report or progress.is_told:
            self._on_new(library)
            self._keep_later()
        if library.known.unsettled:
            loop.call_later(
                _LOOK_AGAIN_AFTER_S, self.look_again, [*map(Path, library.known.unsettled)]
            )
        if self._watch is not None:
            await self._watch.follow(library)
        is_read.set()

    async def _look(self, path: Path | None) -> None:
        """Look whether anything changed unheard of, and read that."""
        library, watch = await self.ready(), self._watch
        if watch is not None:
            self._unread |= watch.take()
        found = await asyncio.to_thread(_find_unheard, self._parts, library, watch, path)
        if found is None:
            self._is_all_due = True
        else:
            self._unread |= found
        is_reading = self._reading is not None and not self._reading.done()
        if self._unread or found is None or is_reading:
            self._is_due = True
            await self._await_next()

    # Watching

    async def watch(self) -> None:
        """Begin to hear of changed files."""
        from glossator.app.library.watching import LibraryWatch

        await self.stop_watching()
        watch = LibraryWatch(self._parts, self.look_again)
        self._watch = watch
        await watch.start()
        await watch.follow(await self.ready())
        # What changed before the watches were in place.
        self._is_all_due = True
        await self._await_next()

    async def stop_watching(self) -> None:
        """Hear of nothing any more."""
        watch, self._watch = self._watch, None
        if watch is not None:
            await watch.stop()

    def list_problems(self, say: Phrasing) -> list[str]:
        """Say what people should know of how the library is watched and kept."""
        watched = "" if self._watch is None else self._watch.explain(say)
        kept = "" if self._kept is None else self._kept.problem
        return [each for each in (watched, kept) if each]

    # Keeping

    async def close(self) -> None:
        """Stop watching, and keep what was read if that is worth it."""
        await self.stop_watching()
        await self._keep()

    def _keep_later(self) -> None:
        if self._kept is not None:
            with suppress(asyncio.CancelledError):
                self._runs.replace("keep", self._keep_when_quiet)

    async def _keep_when_quiet(self) -> None:
        await asyncio.sleep(_KEEP_AFTER_S)
        # Files that had just been written when they were read can be told by their times now.
        self._is_due = True
        await asyncio.shield(self._begin())
        await asyncio.shield(asyncio.create_task(self._keep(), name="keep"))

    async def _keep(self) -> None:
        async with self._keeping:
            kept, library = self._kept, self.value
            if kept is None or library is None or not kept.is_worth_writing(library):
                return
            saved = await asyncio.to_thread(kept.keep, library)
            # One that was read meanwhile stays as it is until it is kept itself.
            if saved is not None and self.value is library:
                self.value = rest_on(library, saved)


class _Progress:
    """Tells of a reading now and then. `is_told` when it has."""

    def __init__(self, tell: Progress) -> None:
        self.is_told = False
        self._tell = tell
        self._due_s = 0.0

    def tell(self, done: int, total: int) -> None:
        if time.monotonic() >= self._due_s:
            self._due_s = time.monotonic() + _TELL_EVERY_S
            self.is_told = True
            self._tell(done, total)


class _ReadingGivenUp(Exception):
    """Nobody waits for this reading any more."""


class _Steps:
    """What is done between two steps of a reading, in its thread."""

    def __init__(self) -> None:
        self.give_up = threading.Event()
        self._n_taken = 0

    def take(self) -> None:
        """Go on, unless this is given up."""
        if self.give_up.is_set():
            raise _ReadingGivenUp
        self._n_taken += 1
        if self._n_taken % _FREEZE_EVERY == 0:
            gc.freeze()


def _ignore_progress(done: int, total: int) -> None:
    """Tell nobody."""


def _read(
    parts: Parts,
    kept: Kept | None,
    previous: Library | None,
    changed: frozenset[Path] | None,
    on_progress: Progress,
    on_step: Callable[[], None],
) -> Library:
    known = kept.recall() if previous is None and kept is not None else None
    team_files = parts.team_files
    for path in changed or ():
        if team_files is not None and team_files.concerns(path):
            team_files.notice(path)
    return read_library(
        parts.shelves,
        disabled_rules=parts.settings.check.disabled_rules,
        previous=previous,
        known=known,
        changed=changed,
        on_progress=on_progress,
        on_step=on_step,
    )


def _look_around(parts: Parts, files: Collection[Path]) -> bool:
    """Look for instructions on the way to files; say whether there are new ones."""
    if parts.team_files is None:
        return False
    found = [parts.team_files.look_around(file) for file in files]
    return any(found)


def _find_unheard(
    parts: Parts, library: Library, watch: "LibraryWatch | None", path: Path | None
) -> frozenset[Path] | None:
    """Return the folders in which something changed; None when every file has to be looked at."""
    is_new = path is not None and _look_around(parts, (path,))
    if watch is None or watch.needs_full_look(library):
        return None
    found = frozenset((*find_changes(parts.shelves, library), *watch.take()))
    unsigned = (
        Path(item.file)
        for item in library.known.items.values()
        if item.signature is None and item.kind != "instructions"
    )
    return found | frozenset(unsigned) | ({path} if is_new and path is not None else frozenset())


def _may_be_ours(path: Path) -> bool:
    is_named = path.name in SETTINGS_FILES or path.name == ".cursorrules"
    return is_named or is_markdown_or_rule_name(path.name)


def _make_kept(parts: Parts) -> Kept | None:
    if parts.cache_folder is None:
        return None
    return Kept(parts.cache_folder / "library", parts.shelves)


def _forget_outcome(task: "asyncio.Task[None]") -> None:
    if not task.cancelled() and (error := task.exception()) is not None:
        _log.error("Looking at the folders failed: %s", error, exc_info=error)
