"""The application: questions, turns, settings, over parts that are replaced as a whole.

What is about conventions stands in desks of its own: `checks`, `mending`, `rules` and `linting`;
so do `knowledge`, which is looked into without a turn, and `sessions`.
"""

import asyncio
import importlib
import logging
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from glossator import __version__
from glossator.agent.budget import Budget
from glossator.app.checking.checking import Checking
from glossator.app.checking.desk import CheckDesk
from glossator.app.context import Context, Outcome
from glossator.app.environment import Build, Environment
from glossator.app.knowledge_desk import KnowledgeDesk
from glossator.app.limits import require_length
from glossator.app.linting.desk import LintDesk
from glossator.app.models import use_editor_model
from glossator.app.parts import Parts
from glossator.app.phrasing import Phrasing
from glossator.app.results import (
    Analysis,
    AnalysisTask,
    Answer,
    Attachable,
    AttachmentKind,
    AttachmentRequest,
    CallChain,
    Explanation,
    IndexReport,
    Opening,
    Status,
    Target,
)
from glossator.app.runs import Runs, Start
from glossator.app.sessions import Sessions
from glossator.app.trust import TrustQuestion, put_question
from glossator.core.errors import (
    GlossatorError,
    InvalidArguments,
    ProtectedFile,
)
from glossator.core.events import Emit, Event, StepStarted, ignore_event
from glossator.core.settings import Settings
from glossator.core.text import SourceText
from glossator.sessions.session import Session
from glossator.tools.seen_texts import SeenTexts

if TYPE_CHECKING:
    from glossator.app.call_chain import CallerCount
    from glossator.app.call_hierarchy import CallItem, Calls, Direction
    from glossator.app.checking.mending import Mending
    from glossator.app.complaints import Complaint
    from glossator.app.figures.report import FiguresReport
    from glossator.app.model_test import ModelTest, WantedModel
    from glossator.app.replay.replaying import Replay
    from glossator.app.rules.desk import RuleDesk

_log = logging.getLogger(__name__)


class Application:
    """What Glossator does for one set of workspace folders. Lives on one event loop."""

    def __init__(self, opening: Opening, build: Build) -> None:
        self.runs = Runs()
        self._environment = Environment(opening, build, self.runs)
        self._checking = Checking()
        self.checks = CheckDesk(
            self._environment,
            self._checking,
            self.runs,
            self.phrase,
            self._place_source,
            self._listened,
        )
        self.knowledge = KnowledgeDesk(self._environment, self.phrase)
        self.linting = LintDesk(self._environment, self.phrase, self._place_source)

    async def start(self) -> None:
        """Read knowledge, skills and rules, and begin to watch them."""
        await self._environment.start()
        await asyncio.to_thread(_load_turns)
        await asyncio.to_thread(_load_desks)

    @cached_property
    def mending(self) -> "Mending":
        """What people do about findings."""
        from glossator.app.checking.mending import Mending

        return Mending(self._environment, self.phrase, self._place_source)

    @cached_property
    def rules(self) -> "RuleDesk":
        """The rules themselves."""
        from glossator.app.rules.desk import RuleDesk

        return RuleDesk(self._environment, self._checking, self.runs, self.phrase, self._listened)

    async def close(self) -> None:
        """Cancel what runs, wait for it and stop watching."""
        await self.runs.close()
        await asyncio.to_thread(self._checking.close)
        await self._environment.close()

    async def explain(
        self, target: Target, *, editor_model: str = "", emit: Emit = ignore_event
    ) -> Explanation:
        """Explain the function at the target. Cancelling the call ends the turn.

        `editor_model` names the one of the editor's own models that answers, if one is to.

        Raises:
            ProtectedFile: the target stands in a file that is never read, though it is open.
        """
        target = await self._prepare(target)
        from glossator.app.turns import explain

        context = await self._context(self.phrase(), emit, target, editor_model)
        return await self._take_turn("explain", context, partial(explain, context, target))

    async def explain_complaint(
        self, target: Target, complaint: "Complaint", *, emit: Emit = ignore_event
    ) -> Explanation:
        """Explain what any tool says about the target. Cancelling the call ends the turn.

        Raises:
            ProtectedFile: the target stands in a file that is never read, though it is open.
        """
        target = await self._prepare(target)
        from glossator.app.turns import explain_complaint

        context = await self._context(self.phrase(), emit, target)
        start = partial(explain_complaint, context, target, complaint)
        return await self._take_turn("explain", context, start)

    async def find_call_item(self, target: Target) -> "CallItem | None":
        """Return the function at the target as a call hierarchy shows it, if there is one."""
        from glossator.app.call_hierarchy import find_item

        return await asyncio.to_thread(find_item, target, self._environment.parts.code_map)

    async def list_calls(self, target: Target, direction: "Direction") -> "tuple[Calls, ...]":
        """Return the calls of the function at the target, or those that it makes."""
        from glossator.app.call_hierarchy import list_calls

        code_map = self._environment.parts.code_map
        return await asyncio.to_thread(list_calls, self._place(target), code_map, direction)

    async def count_callers(self, target: Target) -> "CallerCount | None":
        """Count the functions that call the one at the target; None where no function stands."""
        from glossator.app.call_chain import count_callers

        code_map = self._environment.parts.code_map
        return await asyncio.to_thread(count_callers, self._place(target), code_map)

    async def call_chain(
        self, target: Target, *, depth: int = 2, emit: Emit = ignore_event
    ) -> CallChain:
        """Return who calls the function at the target and what it calls.

        Raises:
            InvalidArguments: no function stands there, or the depth is out of range.
        """
        say = self.phrase()
        emit(StepStarted(say("Following the calls", "正在追踪调用")))
        await asyncio.to_thread(_load_turns)
        from glossator.app.turns import trace_calls

        parts = self._environment.parts
        inquiry = parts.begin_inquiry()
        try:
            return await asyncio.to_thread(
                trace_calls,
                target,
                parts.workspace,
                parts.asking(inquiry).code_map,
                depth=depth,
                say=say,
                inquiry=inquiry,
            )
        finally:
            if inquiry is not None:
                inquiry.close()

    async def ask(
        self,
        question: str,
        *,
        session_id: str = "",
        target: Target | None = None,
        editor_model: str = "",
        attachments: Sequence[AttachmentRequest] = (),
        keep_turns: int | None = None,
        of_turns: int | None = None,
        emit: Emit = ignore_event,
    ) -> Answer:
        """Answer a question; without a session id a session begins.

        `editor_model` names the one of the editor's own models that answers, if one is to.
        With `keep_turns` the turns of the session after that many are replaced when this one is
        kept, `of_turns` being how many it is thought to have.

        Raises:
            InvalidArguments: the question is empty or as long as a book, or too much is attached.
            UnknownSession: there is no session with this id.
            SessionChanged: the session does not have so many turns.
        """
        if not question.strip():
            raise InvalidArguments("The question is empty.")
        require_length(question)
        if target is not None and self._environment.is_secret(target.source):
            target = None  # It is merely what the editor shows at the moment.
        target = self._place(target) if target is not None else None
        await asyncio.to_thread(_load_turns)
        from glossator.app.turns import ask

        if not self._environment.is_started:
            await self._environment.complete()  # The question may name a file of any folder.
        context = await self._context(Phrasing.for_question(question), emit, target, editor_model)
        session = await _open_session(context, session_id, keep_turns, of_turns)
        start = partial(ask, context, session, question, target, attachments)
        return await self._take_turn("ask", context, start)

    async def analyze(
        self,
        task: AnalysisTask,
        *,
        path: str = "",
        revision: str = "",
        question: str = "",
        session_id: str = "",
        keep_turns: int | None = None,
        of_turns: int | None = None,
        emit: Emit = ignore_event,
    ) -> Analysis:
        """Explain the package at `path`, or review the change since `revision`.

        Nothing named is the whole workspace, and what is not committed. Without a session id a
        session begins, so that further questions can be asked about it; `keep_turns` and
        `of_turns` are as in `ask`.

        Raises:
            OutsideWorkspace, ProtectedFile, UnreadableFile, InvalidArguments: that cannot be
                looked at, or the question is as long as a book.
            UnknownSession, SessionChanged: there is no session with this id, or with those turns.
        """
        require_length(question)
        if not self._environment.is_started:
            await self._environment.complete()  # Nobody looks for them in the background.
        await asyncio.to_thread(_load_turns)
        from glossator.app.turns import analyze, make_subject

        context = await self._context(self.phrase(question), emit, None)
        session = await _open_session(context, session_id, keep_turns, of_turns)
        make = partial(make_subject, task, path, revision, question.strip())
        asked = " ".join(filter(None, [task, path, revision, question]))
        start = partial(analyze, context, session, asked, make)
        return await self._take_turn("analyze", context, start)

    async def find_attachable(
        self, kind: AttachmentKind, query: str = "", *, limit: int = 50
    ) -> tuple[Attachable, ...]:
        """List files of the workspace, or symbols, that have the letters of a query."""
        from glossator.app import attachable

        parts = self._environment.parts
        if kind == "file":
            return await asyncio.to_thread(
                attachable.find_files, parts.workspace, query.strip(), limit
            )
        if not query.strip():
            return ()
        return await asyncio.to_thread(
            attachable.find_symbols, parts.code_map, query.strip(), limit
        )

    async def figures(self, *, days: int | None = None, since: str = "") -> "FiguresReport":
        """Add up what was recorded in the last days or since a date; else all that is kept.

        Raises:
            InvalidArguments: there are no such days, or it is no date.
        """
        say = self.phrase()
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
        from glossator.app.replay.recordings import choose_recording, read_recordings
        from glossator.app.replay.replaying import replay

        source = path or self._environment.parts.audit_folder
        if source is None:
            raise InvalidArguments("Nothing is recorded here. Name a file.")
        recordings = await asyncio.to_thread(read_recordings, source)
        recording = choose_recording(recordings, turn_id, str(source))
        say = self.phrase()
        context = replace(await self._context(say, emit, None), emit=emit)
        return await self.runs.run("replay", partial(replay, context, recording))

    def phrase(self, question: str = "") -> Phrasing:
        """Return the language of a question; without one that of the editor or terminal."""
        if question.strip():
            return Phrasing.for_question(question)
        return Phrasing.for_locale(self._environment.opening.locale)

    async def rebuild_index(self, *, emit: Emit = ignore_event) -> IndexReport:
        """Read knowledge, skills and rules again from scratch."""
        say = self.phrase()
        emit(StepStarted(say("Reading knowledge, skills and rules", "正在读取知识、技能和规则")))
        team_files = self._environment.parts.team_files
        if team_files is not None:
            await asyncio.to_thread(team_files.discover)
        report = await self._environment.read_library(from_scratch=True)
        told = (replace(each, message=say.translate(each.message)) for each in report.problems)
        return replace(report, problems=tuple(told))

    def hear_of_files(self, changed: frozenset[Path]) -> None:
        """Read again what an editor says has changed, as far as it is knowledge or the like."""
        self._environment.hear_of_files(changed)

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
    def sessions(self) -> Sessions:
        """The sessions of the workspace as it is now; another one has others."""
        return self._environment.sessions

    @property
    def settings(self) -> Settings:
        """The settings in force, from every layer."""
        return self._environment.parts.settings

    @property
    def cache_folder(self) -> Path | None:
        """Where what can be found again is kept, if anywhere."""
        return self._environment.parts.cache_folder

    def status(self) -> Status:
        """Return the state of everything, for a status bar or a report."""
        library, model = self._environment.library, self._environment.parts.model_status
        return Status(
            version=__version__,
            model=replace(model, message=self.phrase().translate(model.message)),
            index=library.report if library else None,
            roots=self._environment.parts.workspace.roots,
            is_trusted=self._environment.parts.trust == "trusted",
            problems=tuple(self._environment.list_problems()),
            sessions_file=self._environment.sessions.file,
            meaning=self._environment.parts.members.describe_meaning(),
            shared=self._environment.parts.members.describe_shared(),
            trust=self._environment.parts.trust,
            instructions=tuple(each.path for each in library.instructions) if library else (),
            withheld=tuple(each.path for each in library.withheld) if library else (),
        )

    async def test_model(
        self,
        wanted: "WantedModel | None" = None,
        *,
        lists_only: bool = False,
        emit: Emit = ignore_event,
    ) -> "ModelTest":
        """Ask the model in use, or the one that is `wanted`, whether and how it answers.

        With `lists_only` its server is asked only for the names of models. Nothing is recorded.
        """
        # Imported when it is wanted, which is seldom.
        from glossator.app.model_test import run_model_test

        parts, say = self._environment.parts, self.phrase()
        test = partial(run_model_test, wanted, parts, say, lists_only=lists_only, emit=emit)
        return await self.runs.run("test model", test)

    def find_trust_question(self) -> TrustQuestion | None:
        """Return what to ask the user about this workspace, while there is something to ask."""
        library = self._environment.library
        if library is None or self._environment.parts.trust != "unknown":
            return None
        return put_question(library.withheld, self.phrase())

    async def trust_workspace(self, *, trusted: bool) -> str:
        """Trust the workspace from now on, or do not; say why that has not its whole effect."""
        opening, parts = self._environment.opening, self._environment.parts
        problem = await asyncio.to_thread(
            parts.trust_answers.remember, parts.workspace.roots, trusted=trusted
        )
        await self._environment.reopen(replace(opening, answered=trusted))
        if trusted and opening.trusted is False:
            say = self.phrase()
            return say(
                "The editor says that this workspace is not trusted. Trust it there as well.",
                "编辑器表明此工作区未受信任，请同时在编辑器中信任它。",
            )
        return self.phrase().translate(problem)

    async def change_settings(self, editor_settings: Mapping[str, Any]) -> None:
        """Use other settings from now on; running turns keep those they began with."""
        await self._environment.reopen(
            replace(self._environment.opening, editor_settings=editor_settings)
        )

    async def change_roots(self, roots: tuple[Path, ...]) -> None:
        """Use other workspace folders from now on."""
        # What was answered was about the folders there were.
        opening = replace(self._environment.opening, roots=roots, answered=None)
        await self._environment.reopen(opening)

    async def _prepare(self, target: Target) -> Target:
        if self._environment.is_secret(target.source):
            raise ProtectedFile(f"`{target.source.name}` may hold secrets and is never read.")
        await asyncio.to_thread(_load_turns)
        return self._place(target)

    def _place(self, target: Target) -> Target:
        return replace(target, source=self._place_source(target.source))

    def _place_source(self, source: SourceText) -> SourceText:
        """Let an editor's document say where it stands below its workspace folder."""
        if source.path is None:
            return source
        return replace(source, below=self._environment.parts.workspace.path_below_root(source.path))

    async def _take_turn(self, kind: str, context: Context, start: Start[Outcome]) -> Outcome:
        """Run a turn; whoever listens hears of its end, however it ends."""
        try:
            return context.add_notice(await self.runs.run(kind, start))
        except asyncio.CancelledError:
            context.end("cancelled")
            raise
        except Exception as error:  # Whatever it is, the turn is over and says so.
            context.end("failed", error=str(error) or type(error).__name__)
            raise
        finally:
            context.close()

    async def _context(
        self, say: Phrasing, emit: Emit, target: Target | None, editor_model: str = ""
    ) -> Context:
        looked_at = target.source if target else None
        late: list[None] = []
        library = await self._environment.fresh(
            looked_at.path if looked_at else None, on_late=lambda: late.append(None)
        )
        seen = SeenTexts()
        parts = self._environment.parts
        if editor_model:
            parts = use_editor_model(parts, self._environment.opening, editor_model)
        inquiry, limits = parts.begin_inquiry(), parts.settings.agent
        if looked_at is not None:
            seen.add(looked_at)
        return Context(
            parts=parts.noting(seen).asking(inquiry),
            library=library,
            say=say,
            emit=self._listened(emit),
            started=time.monotonic(),
            sessions=self._environment.sessions,
            budget=Budget(seconds=limits.turn_timeout_s, tokens=limits.turn_tokens),
            looked_at=looked_at,
            seen=seen,
            is_late=bool(late),
            inquiry=inquiry,
        )

    def _listened(self, emit: Emit) -> Emit:
        """Let the record and the telemetry hear what the caller hears."""
        listeners = [*self._environment.parts.listen(f"{time.time_ns():x}"), emit]

        def emit_to_all(event: Event) -> None:
            for listener in listeners:
                listener(event)

        return emit_to_all


def _load_turns() -> None:
    # Loaded in a thread, with the first turn at the latest: a check needs nothing of it.
    importlib.import_module("glossator.app.turns")


def _load_desks() -> None:
    # Loaded in a thread, when an editor has its first answers: to check files needs nothing of it.
    importlib.import_module("glossator.app.checking.mending")
    importlib.import_module("glossator.app.rules.desk")


async def _open_session(
    context: Context, session_id: str, keep_turns: int | None, of_turns: int | None
) -> Session:
    if keep_turns is None or not session_id:
        return await context.sessions.open(session_id)
    return await context.sessions.rewind(session_id, keep_turns, of_turns)


def _report_figures(parts: Parts, days: int | None, since: str, say: Phrasing) -> "FiguresReport":
    # Imported in a thread, when figures are wanted, which is seldom.
    from glossator.app.figures.report import find_start, report_figures

    start = find_start(days, since)
    if parts.audit is not None:
        parts.audit.flush()
    prices = parts.settings.audit.prices
    is_recording = parts.audit is not None
    return report_figures(parts.audit_folder, prices, start, say, is_recording=is_recording)
