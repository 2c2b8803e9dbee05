"""What the use cases work with at present: parts, library and sessions, each swapped as a whole."""

import asyncio
import time
from collections.abc import Callable, Collection, Iterable
from contextlib import suppress
from pathlib import Path

from glossator.app.library import Library
from glossator.app.library.current import ANSWER_WAITS_S, CurrentLibrary
from glossator.app.parts import Parts
from glossator.app.phrasing import Phrasing
from glossator.app.results import IndexReport, Opening
from glossator.app.runs import Runs
from glossator.app.sessions import Sessions
from glossator.app.trust import explain_withheld
from glossator.core.events import IndexRebuilt, StepStarted
from glossator.core.text import SourceText
from glossator.sessions.store import SessionStore
from glossator.tools.protection import is_private_key

Build = Callable[[Opening], Parts]


class Environment:
    """The parts, the library and the sessions in force.

    Who works with one of them keeps it to the end: a change makes another one and swaps it.
    `runs` owns what a change starts.
    """

    def __init__(self, opening: Opening, build: Build, runs: Runs) -> None:
        self.opening = opening
        self._build = build
        self.parts = build(opening)
        self._settings_states = _find_states(self.parts.settings_files)
        self._parts_lock = asyncio.Lock()
        self._sessions_by_workspace: dict[Path | tuple[Path, ...], Sessions] = {}
        self.sessions = self._choose_sessions()
        self._n_reopening = 0
        self._is_settled = asyncio.Event()
        self._is_settled.set()
        # Not told from the watcher: a change of settings that was cancelled may have left none.
        self._is_started = False
        self._runs = runs
        self._current = CurrentLibrary(
            self.parts,
            runs,
            on_new=self._tell_of_library,
            on_reading=self._tell_of_reading,
            on_settings=self._reopen_later,
        )

    @property
    def library(self) -> Library | None:
        """The library; None until it is read."""
        return self._current.value

    @property
    def is_started(self) -> bool:
        """Whether changes are followed, and what is nested is looked for in the background."""
        return self._is_started

    def is_secret(self, source: SourceText) -> bool:
        """Say whether a document is what is never read, by its file or its text, though open."""
        if source.path is not None and self.parts.workspace.is_secret(source.path):
            return True
        return is_private_key(source.text)

    async def start(self) -> None:
        """Read knowledge, skills and rules, and begin to watch them."""
        async with self._parts_lock:
            self._is_started = True
            self._follow_with_members(await self.ready())
            await self._watch()
        self._discover_later()
        await self.sessions.examine()
        if self.parts.model is not None:
            await asyncio.to_thread(self.parts.preload)

    async def close(self) -> None:
        """Stop watching, and close what was opened. Nothing may run any more."""
        for sessions in self._sessions_by_workspace.values():
            await sessions.close()
        await self._current.stop_watching()
        await self.parts.close_model()
        await asyncio.to_thread(self.parts.members.close)
        await asyncio.to_thread(self.parts.close_listeners)
        await self._current.close()

    async def ready(self) -> Library:
        """Return the library, reading it first if nobody has."""
        return await self._current.ready()

    async def ready_for(self, files: Collection[Path]) -> Library:
        """Return the library with the instructions on the way to files."""
        return await self._current.ready_for(files)

    async def complete(self, path: Path | None = None) -> Library:
        """Return the library with the instructions of every folder; `path` is as in `fresh`."""
        await self.fresh(path)
        await self._discover()
        return await self.ready()

    async def fresh(
        self, path: Path | None = None, on_late: Callable[[], None] = lambda: None
    ) -> Library:
        """Return the library as settings and files are now, for a turn that looks at `path`.

        Waits a little for what is just changing; `on_late` is called when that was not enough, and
        the library is the one before.
        """
        until_s = time.monotonic() + ANSWER_WAITS_S
        if self._n_reopening:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._is_settled.wait(), ANSWER_WAITS_S)
        if self._n_reopening:
            on_late()
            return await self._current.ready()
        return await self._current.fresh(path, on_late, until_s - time.monotonic())

    async def read_library(self, *, from_scratch: bool = False) -> IndexReport:
        """Look at every file of the library again, or read all of them anew."""
        return await self._current.read(from_scratch=from_scratch)

    def hear_of_files(self, changed: frozenset[Path]) -> None:
        """Read again what an editor says has changed, if it is of the library."""
        self._current.hear(changed)

    async def reopen(self, opening: Opening) -> None:
        """Build the parts for another opening from now on; running turns keep those they have."""
        self.opening = opening
        self._n_reopening += 1
        self._is_settled.clear()
        try:
            await self._reopen()
        finally:
            self._n_reopening -= 1
            if not self._n_reopening:
                self._is_settled.set()
        if self._is_started:
            self._discover_later()

    async def _reopen(self) -> None:
        # One after the other, each for what is wanted by then: the slower of two at once would
        # have the last word, and a watcher or a model would be left behind.
        async with self._parts_lock:
            previous = self.parts
            states = await asyncio.to_thread(_find_states, previous.settings_files)
            self.parts = await asyncio.to_thread(self._build, self.opening)
            found = await asyncio.to_thread(_find_states, self.parts.settings_files)
            self._settings_states = {file: states.get(file, found[file]) for file in found}
            if self.parts.team_files is not None and previous.team_files is not None:
                self.parts.team_files.take_over(previous.team_files)
            self.sessions = self._choose_sessions()
            await previous.close_model()
            await asyncio.to_thread(previous.members.close)
            if previous.telemetry is not None:
                previous.telemetry.retire()
            await self._current.use(self.parts)
            if self.library is not None:
                self._follow_with_members(self.library)
            if self._is_started:
                await self._watch()

    def list_problems(self) -> list[str]:
        """List what people should know: of settings, model, library, record and sessions."""
        say = Phrasing.for_locale(self.opening.locale)
        problems = list(self.parts.problems)
        if self.library is not None:
            problems += [
                f"{each.path}:{each.line} {say.translate(each.message)}"
                for each in self.library.report.failures
            ]
            withheld = explain_withheld(self.parts.trust, self.library.withheld, say)
            problems += filter(None, [withheld])
        if self.parts.audit is not None and self.parts.audit.n_lost:
            problems.append(f"{self.parts.audit.n_lost} audit records could not be written.")
        if self.parts.telemetry is not None and self.parts.telemetry.problem:
            problems.append(self.parts.telemetry.problem)
        problems += self.parts.members.list_problems()
        problems += self._current.list_problems(say)
        return [say.translate(each) for each in (*problems, *self.sessions.list_problems())]

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
        if self.opening.watch:
            await self._current.watch()
            states = await asyncio.to_thread(_find_states, self.parts.settings_files)
            if states != self._settings_states:
                # They changed after they were read and before they were watched.
                self._reopen_later()

    def _discover_later(self) -> None:
        """Look for instructions in folders that nobody knows of yet, in the background."""
        if self.parts.team_files is not None:
            with suppress(asyncio.CancelledError):
                self._runs.replace("discover", self._discover)

    async def _discover(self) -> None:
        team_files = self.parts.team_files
        if team_files is not None and await asyncio.to_thread(team_files.discover):
            await self.read_library()

    def _reopen_later(self) -> None:
        with suppress(asyncio.CancelledError):
            self._runs.replace("reopen", self._reopen_for_settings)

    async def _reopen_for_settings(self) -> None:
        """Use settings files as they are now; who listens hears of it, whatever they changed."""
        before = self.library
        await self.reopen(self.opening)
        library = self.library
        # Of a library that has become another one everybody has heard by now.
        if library is not None and before is not None and library.report is before.report:
            self._tell_of_library(library)

    def _tell_of_reading(self, done: int, total: int) -> None:
        say = Phrasing.for_locale(self.opening.locale)
        text = say("Reading what changed", "正在读取变动的内容")
        if self.library is None:
            text = say("Reading knowledge, skills and rules", "正在读取知识、技能和规则")
        self.opening.on_event(StepStarted(text, done, total))

    def _follow_with_members(self, library: Library) -> None:
        """Let who finds knowledge beside words prepare; a single command has what is kept."""
        if self.opening.is_asked:
            self.parts.members.follow(library, compute=self._is_started)

    def _tell_of_library(self, library: Library) -> None:
        self._follow_with_members(library)
        report = library.report
        event = IndexRebuilt(
            report.n_documents,
            report.n_sections,
            report.n_skills,
            report.n_rules,
            len(report.failures),
            report.duration_s,
        )
        if self.parts.audit is not None:
            self.parts.audit.record(event)
        self.opening.on_event(event)


def _find_states(files: Iterable[Path]) -> dict[Path, tuple[int, int] | None]:
    """Return when each file was written and its bytes, None of one that is not there."""
    return {file: _find_state(file) for file in files}


def _find_state(file: Path) -> tuple[int, int] | None:
    try:
        status = file.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size
