"""The application: every use case as one method, over parts that are replaced as a whole."""

import asyncio
import logging
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from glossator import __version__
from glossator.agent.budget import Budget
from glossator.app.analysing import analyze, make_subject
from glossator.app.asking import ask
from glossator.app.call_chain import trace_calls
from glossator.app.checking import check_source, not_checked
from glossator.app.context import Context
from glossator.app.environment import Build, Environment
from glossator.app.explaining import explain
from glossator.app.parts import Parts
from glossator.app.phrasing import Phrasing
from glossator.app.results import (
    Analysis,
    AnalysisTask,
    Answer,
    CallChain,
    CheckReport,
    Explanation,
    IndexReport,
    Opening,
    Status,
    Target,
)
from glossator.app.runs import Runs, Start, T
from glossator.app.sessions import ExportFormat
from glossator.core.errors import (
    GlossatorError,
    InvalidArguments,
    ProtectedFile,
    UnreadableFile,
)
from glossator.core.events import Emit, Event, StepStarted, ignore_event
from glossator.core.settings import Settings
from glossator.core.text import SourceText
from glossator.sessions.session import Session, SessionEntry
from glossator.tools.seen_texts import SeenTexts

if TYPE_CHECKING:
    from glossator.app.figures import FiguresReport
    from glossator.app.replaying import Replay

_log = logging.getLogger(__name__)

_MAX_QUESTION_CHARACTERS = 100_000


class Application:
    """What Glossator does for one set of workspace folders. Lives on one event loop."""

    def __init__(self, opening: Opening, build: Build) -> None:
        self.runs = Runs()
        self._environment = Environment(opening, build, self.runs)

    async def start(self) -> None:
        """Read knowledge, skills and rules, and begin to watch them."""
        await self._environment.start()

    async def close(self) -> None:
        """Cancel what runs, wait for it and stop watching."""
        await self.runs.close()
        await self._environment.close()

    async def explain(self, target: Target, *, emit: Emit = ignore_event) -> Explanation:
        """Explain the function at the target. Cancelling the call ends the turn.

        Raises:
            ProtectedFile: the target stands in a file that is never read, though it is open.
        """
        if self._is_secret(target.source):
            raise ProtectedFile(f"`{target.source.name}` may hold secrets and is never read.")
        target = self._place(target)
        say = Phrasing.for_locale(self._environment.opening.locale)
        context = await self._context(say, emit, target)
        return await self._take_turn("explain", context, partial(explain, context, target))

    async def call_chain(
        self, target: Target, *, depth: int = 2, emit: Emit = ignore_event
    ) -> CallChain:
        """Return who calls the function at the target and what it calls.

        Raises:
            InvalidArguments: no function stands there, or the depth is out of range.
        """
        say = Phrasing.for_locale(self._environment.opening.locale)
        emit(StepStarted(say("Following the calls", "正在追踪调用")))
        parts = self._environment.parts
        return await asyncio.to_thread(
            trace_calls, target, parts.workspace, parts.code_map, depth=depth, say=say
        )

    async def ask(
        self,
        question: str,
        *,
        session_id: str = "",
        target: Target | None = None,
        emit: Emit = ignore_event,
    ) -> Answer:
        """Answer a question; without a session id a session begins.

        Raises:
            InvalidArguments: the question is empty or as long as a book.
            UnknownSession: there is no session with this id.
        """
        if not question.strip():
            raise InvalidArguments("The question is empty.")
        _require_length(question)
        if target is not None and self._is_secret(target.source):
            target = None  # It is merely what the editor shows at the moment.
        target = self._place(target) if target is not None else None
        context = await self._context(Phrasing.for_question(question), emit, target)
        session = await context.sessions.open(session_id)
        start = partial(ask, context, session, question, target)
        return await self._take_turn("ask", context, start)

    async def analyze(
        self,
        task: AnalysisTask,
        *,
        path: str = "",
        revision: str = "",
        question: str = "",
        session_id: str = "",
        emit: Emit = ignore_event,
    ) -> Analysis:
        """Explain the package at `path`, or review the change since `revision`.

        Nothing named is the whole workspace, and what is not committed. Without a session id a
        session begins, so that further questions can be asked about it.

        Raises:
            OutsideWorkspace, ProtectedFile, UnreadableFile, InvalidArguments: that cannot be
                looked at, or the question is as long as a book.
            UnknownSession: there is no session with this id.
        """
        _require_length(question)
        say = (
            Phrasing.for_question(question)
            if question.strip()
            else Phrasing.for_locale(self._environment.opening.locale)
        )
        context = await self._context(say, emit, None)
        session = await context.sessions.open(session_id)
        make = partial(make_subject, task, path, revision, question.strip())
        asked = " ".join(filter(None, [task, path, revision, question]))
        start = partial(analyze, context, session, asked, make)
        return await self._take_turn("analyze", context, start)

    def new_session(self) -> str:
        """Begin a session and return its id."""
        return self._environment.sessions.begin().id

    async def list_sessions(self, query: str = "") -> tuple[SessionEntry, ...]:
        """List the workspace's sessions, the latest first, all or those that have the query."""
        return await self._environment.sessions.find(query)

    def list_session_problems(self) -> tuple[str, ...]:
        """Say why sessions are not kept or not read, as far as they are not."""
        return self._environment.sessions.list_problems()

    async def read_session(self, session_id: str) -> Session:
        """Return a session with its turns.

        Raises:
            UnknownSession: there is no session with this id.
        """
        return await self._environment.sessions.read(session_id)

    async def rename_session(self, session_id: str, title: str) -> str:
        """Give a session another title and return it as it is kept.

        Raises:
            InvalidArguments: the title is empty.
            UnknownSession: there is no session with this id.
        """
        return await self._environment.sessions.rename(session_id, title)

    async def delete_session(self, session_id: str) -> None:
        """Delete a session for good.

        Raises:
            UnknownSession: there is no session with this id.
        """
        await self._environment.sessions.delete(session_id)

    async def export_session(self, session_id: str, form: ExportFormat) -> str:
        """Return a session as Markdown for people or as JSON for programs.

        Raises:
            UnknownSession: there is no session with this id.
        """
        return await self._environment.sessions.export(session_id, form)

    async def check(self, source: SourceText) -> CheckReport:
        """Check one document against the conventions."""
        if self._is_secret(source):
            return not_checked(source.name, source.path, "the file may hold secrets")
        source = self._place_source(source)
        library = await self._environment.ready()
        return await asyncio.to_thread(
            check_source, source, library, self._environment.parts.settings.check
        )

    async def check_paths(
        self, paths: Sequence[Path], *, emit: Emit = ignore_event
    ) -> tuple[CheckReport, ...]:
        """Check files and everything below folders; ignored files only when named themselves.

        Raises:
            OutsideWorkspace, UnreadableFile: a path leads outside or to nothing.
        """
        await self._environment.ready()
        files = await asyncio.to_thread(self._list_files, paths)
        reports = []
        for done, file in enumerate(files):
            emit(StepStarted(self._environment.parts.workspace.show(file), done, len(files)))
            reports.append(await asyncio.to_thread(self._check_file, file))
        return tuple(reports)

    async def figures(self, *, days: int | None = None, since: str = "") -> "FiguresReport":
        """Add up what was recorded in the last days or since a date; else all that is kept.

        Raises:
            InvalidArguments: there are no such days, or it is no date.
        """
        say = Phrasing.for_locale(self._environment.opening.locale)
        return await asyncio.to_thread(_report_figures, self._environment.parts, days, since, say)

    async def replay(
        self, path: Path | None, turn_id: str = "", *, emit: Emit = ignore_event
    ) -> "Replay":
        """Run a turn again without a model: of a record or an exported session, or the last one.

        Nothing of it is recorded.

        Raises:
            InvalidArguments: there is no such turn, or it cannot be run again.
        """
        # Imported when it is wanted: the loop and the tools take a while.
        from glossator.app.recordings import choose_recording, read_recordings
        from glossator.app.replaying import replay

        source = path or self._environment.parts.audit_folder
        if source is None:
            raise InvalidArguments("Nothing is recorded here. Name a file.")
        recordings = await asyncio.to_thread(read_recordings, source)
        recording = choose_recording(recordings, turn_id, str(source))
        say = Phrasing.for_locale(self._environment.opening.locale)
        context = replace(await self._context(say, emit, None), emit=emit)
        return await self.runs.run("replay", partial(replay, context, recording))

    async def rebuild_index(self, *, emit: Emit = ignore_event) -> IndexReport:
        """Read knowledge, skills and rules again from scratch."""
        say = Phrasing.for_locale(self._environment.opening.locale)
        emit(StepStarted(say("Reading knowledge, skills and rules", "正在读取知识、技能和规则")))
        return await self._environment.read_library(from_scratch=True)

    def read(self, path: Path) -> SourceText:
        """Return the text of a file of the workspace.

        Raises:
            OutsideWorkspace, ProtectedFile, UnreadableFile: it must not or cannot be read.
        """
        return self._environment.parts.workspace.read(path)

    def find_file(self, shown: str) -> Path | None:
        """Return the file that results name `shown`, a bundled one included, if there is one."""
        if self._environment.library is not None and shown in self._environment.library.files:
            return self._environment.library.files[shown]
        try:
            return self._environment.parts.workspace.locate(shown)
        except GlossatorError:
            return None

    @property
    def settings(self) -> Settings:
        """The settings in force, from every layer."""
        return self._environment.parts.settings

    def status(self) -> Status:
        """Return the state of everything, for a status bar or a report."""
        library = self._environment.library
        return Status(
            version=__version__,
            model=self._environment.parts.model_status,
            index=library.report if library else None,
            roots=self._environment.parts.workspace.roots,
            is_trusted=self._environment.opening.trusted,
            problems=tuple(self._environment.list_problems()),
            sessions_file=self._environment.sessions.file,
        )

    async def change_settings(self, editor_settings: Mapping[str, Any]) -> None:
        """Use other settings from now on; running turns keep those they began with."""
        await self._environment.reopen(
            replace(self._environment.opening, editor_settings=editor_settings)
        )

    async def change_roots(self, roots: tuple[Path, ...]) -> None:
        """Use other workspace folders from now on."""
        await self._environment.reopen(replace(self._environment.opening, roots=roots))

    def _is_secret(self, source: SourceText) -> bool:
        return source.path is not None and self._environment.parts.workspace.is_secret(source.path)

    def _place(self, target: Target) -> Target:
        return replace(target, source=self._place_source(target.source))

    def _place_source(self, source: SourceText) -> SourceText:
        """Let an editor's document say where it stands below its workspace folder."""
        if source.path is None:
            return source
        return replace(source, below=self._environment.parts.workspace.path_below_root(source.path))

    async def _take_turn(self, kind: str, context: Context, start: Start[T]) -> T:
        """Run a turn; whoever listens hears of its end, however it ends."""
        try:
            return await self.runs.run(kind, start)
        except asyncio.CancelledError:
            context.end("cancelled")
            raise
        except Exception as error:  # Whatever it is, the turn is over and says so.
            context.end("failed", error=str(error) or type(error).__name__)
            raise

    async def _context(self, say: Phrasing, emit: Emit, target: Target | None) -> Context:
        library = await self._environment.ready()
        looked_at = target.source if target else None
        limits = self._environment.parts.settings.agent
        seen = SeenTexts()
        if looked_at is not None:
            seen.add(looked_at)
        return Context(
            parts=self._environment.parts.noting(seen),
            library=library,
            say=say,
            emit=self._listened(emit),
            started=time.monotonic(),
            sessions=self._environment.sessions,
            budget=Budget(seconds=limits.turn_timeout_s, tokens=limits.turn_tokens),
            looked_at=looked_at,
            seen=seen,
        )

    def _listened(self, emit: Emit) -> Emit:
        """Let the record and the telemetry hear what the caller hears."""
        listeners = [*self._environment.parts.listen(f"{time.time_ns():x}"), emit]

        def emit_to_all(event: Event) -> None:
            for listener in listeners:
                listener(event)

        return emit_to_all

    def _list_files(self, paths: Sequence[Path]) -> list[Path]:
        workspace = self._environment.parts.workspace
        files: dict[Path, None] = {}
        for path in paths:
            found = workspace.locate(str(path))
            if not found.exists() and found not in workspace.buffers:
                raise UnreadableFile(f"`{path}` does not exist, so it cannot be checked.")
            for file in workspace.walk(found) if found.is_dir() else (found,):
                files[file] = None
        return list(files)

    def _check_file(self, file: Path) -> CheckReport:
        parts = self._environment.parts
        try:
            source = parts.workspace.read(file)
        except GlossatorError as error:
            return not_checked(parts.workspace.show(file), file, str(error))
        return check_source(source, self._environment.library, parts.settings.check)


def _require_length(question: str) -> None:
    if len(question) > _MAX_QUESTION_CHARACTERS:
        raise InvalidArguments(
            f"The question has {len(question)} characters; {_MAX_QUESTION_CHARACTERS} are "
            "answered at most. Ask about a part of it."
        )


def _report_figures(parts: Parts, days: int | None, since: str, say: Phrasing) -> "FiguresReport":
    # Imported in a thread, when figures are wanted, which is seldom.
    from glossator.app.figures import find_start, report_figures

    start = find_start(days, since)
    if parts.audit is not None:
        parts.audit.flush()
    prices = parts.settings.audit.prices
    is_recording = parts.audit is not None
    return report_figures(parts.audit_folder, prices, start, say, is_recording=is_recording)
