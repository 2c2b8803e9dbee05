"""What the use cases work with at present: parts, library and sessions, each swapped as a whole."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path

from glossator.app.library import Library, read_library
from glossator.app.parts import Parts
from glossator.app.phrasing import Phrasing
from glossator.app.results import IndexReport, Opening
from glossator.app.runs import Runs
from glossator.app.sessions import Sessions
from glossator.core.events import IndexRebuilt, StepStarted
from glossator.sessions.store import SessionStore
from glossator.watch.folders import FolderWatcher

_SETTINGS_FILES = frozenset({"glossator.toml", ".env"})

Build = Callable[[Opening], Parts]


class Environment:
    """The parts, the library and the sessions in force, and the watcher that hears of changes.

    Who works with one of them keeps it to the end: a change makes another one and swaps it.
    `library` is None until it is read. `runs` owns what a change starts.
    """

    def __init__(self, opening: Opening, build: Build, runs: Runs) -> None:
        self.opening = opening
        self._build = build
        self.parts = build(opening)
        self.library: Library | None = None
        self._library_lock = asyncio.Lock()
        self._parts_lock = asyncio.Lock()
        self._sessions_by_workspace: dict[Path | tuple[Path, ...], Sessions] = {}
        self.sessions = self._choose_sessions()
        self._watcher: FolderWatcher | None = None
        # Not told from the watcher: a change of settings that was cancelled may have left none.
        self._is_started = False
        self._runs = runs

    async def start(self) -> None:
        """Read knowledge, skills and rules, and begin to watch them."""
        async with self._parts_lock:
            self._is_started = True
            await self.ready()
            await self._watch()
        await self.sessions.examine()
        if self.parts.model is not None:
            await asyncio.to_thread(self.parts.preload)

    async def close(self) -> None:
        """Stop watching, and close what was opened. Nothing may run any more."""
        for sessions in self._sessions_by_workspace.values():
            await sessions.close()
        await self._stop_watching()
        await self.parts.close_model()
        await asyncio.to_thread(self.parts.close_listeners)

    async def ready(self) -> Library:
        """Return the library, reading it first if nobody has."""
        if self.library is None:
            await self.read_library(is_first=True)
        assert self.library is not None
        return self.library

    async def read_library(
        self, *, from_scratch: bool = False, is_first: bool = False
    ) -> IndexReport:
        """Read the library, unless it is to be the first and somebody has read one meanwhile."""
        async with self._library_lock:
            if is_first and self.library is not None:
                return self.library.report
            parts = self.parts
            library = await asyncio.to_thread(
                read_library,
                parts.shelves,
                disabled_rules=parts.settings.check.disabled_rules,
                previous=None if from_scratch else self.library,
            )
            self.library = library
        report = library.report
        event = IndexRebuilt(
            report.n_documents,
            report.n_sections,
            report.n_skills,
            report.n_rules,
            len(report.problems),
            report.duration_s,
        )
        if parts.audit is not None:
            parts.audit.record(event)
        self.opening.on_event(event)
        return report

    async def reopen(self, opening: Opening) -> None:
        """Build the parts for another opening from now on; running turns keep those they have."""
        self.opening = opening
        # One after the other, each for what is wanted by then: the slower of two at once would
        # have the last word, and a watcher or a model would be left behind.
        async with self._parts_lock:
            previous = self.parts
            self.parts = await asyncio.to_thread(self._build, self.opening)
            self.sessions = self._choose_sessions()
            await previous.close_model()
            if previous.telemetry is not None:
                previous.telemetry.retire()
            await self.read_library()
            if self._is_started:
                await self._stop_watching()
                await self._watch()

    def list_problems(self) -> list[str]:
        """List what people should know: of settings, model, library, record and sessions."""
        problems = list(self.parts.problems)
        if self.library is not None:
            problems += [
                f"{each.path}:{each.line} {each.message}" for each in self.library.problems
            ]
        if self.parts.audit is not None and self.parts.audit.n_lost:
            problems.append(f"{self.parts.audit.n_lost} audit records could not be written.")
        if self.parts.telemetry is not None and self.parts.telemetry.problem:
            problems.append(self.parts.telemetry.problem)
        if self._watcher is not None and self._watcher.is_polling:
            problems.append("Changed knowledge is found by looking every second, not by events.")
        return [*problems, *self.sessions.list_problems()]

    def _choose_sessions(self) -> Sessions:
        """Return the sessions of the present workspace: those of another one are not seen in it."""
        parts = self.parts
        file, roots = parts.sessions_file, parts.workspace.roots
        key = file or roots
        # Not closed when the workspace changes: a turn may be under way, or it may change back.
        if key not in self._sessions_by_workspace:
            self._sessions_by_workspace[key] = Sessions(SessionStore(file, roots))
        return self._sessions_by_workspace[key]

    async def _watch(self) -> None:
        if not self.opening.watch:
            return
        folders = self.parts.watched_folders
        watcher = FolderWatcher(
            self.opening.roots, folders, self._heard_of, is_interesting=_is_interesting
        )
        self._watcher = watcher
        await asyncio.to_thread(watcher.start)

    async def _stop_watching(self) -> None:
        if self._watcher is not None:
            watcher, self._watcher = self._watcher, None
            await asyncio.to_thread(watcher.stop)

    def _heard_of(self, changed: frozenset[Path]) -> None:
        say = Phrasing.for_locale(self.opening.locale)
        self.opening.on_event(StepStarted(say("Reading what changed", "正在读取变动的内容")))
        with suppress(asyncio.CancelledError):
            if any(path.name in _SETTINGS_FILES for path in changed):
                self._runs.replace("reopen", partial(self.reopen, self.opening))
            else:
                self._runs.replace("index", self.read_library)


def _is_interesting(path: Path) -> bool:
    return path.suffix == ".md" or path.name in _SETTINGS_FILES
