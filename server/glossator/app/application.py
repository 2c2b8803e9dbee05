"""The application: every use case as one method, over parts that are replaced as a whole."""

import asyncio
import importlib
import logging
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from glossator import __version__
from glossator.agent.budget import Budget
from glossator.app.checking.checking import Checking
from glossator.app.checking.finishing import find_unjudged
from glossator.app.checking.mending import Mending
from glossator.app.checking.report import CheckReport
from glossator.app.checking.running import Effort
from glossator.app.context import Context, Outcome
from glossator.app.environment import Build, Environment
from glossator.app.library import Library
from glossator.app.limits import MAX_SECTIONS, N_SECTIONS
from glossator.app.parts import Parts
from glossator.app.phrasing import Phrasing
from glossator.app.results import (
    Analysis,
    AnalysisTask,
    Answer,
    CallChain,
    Explanation,
    IndexReport,
    MeaningStatus,
    Opening,
    Status,
    Target,
)
from glossator.app.rules.desk import RuleDesk
from glossator.app.runs import Runs, Start
from glossator.app.sessions import ExportFormat
from glossator.app.trust import TrustQuestion, put_question
from glossator.core.errors import (
    GlossatorError,
    InvalidArguments,
    ProtectedFile,
    UnreadableFile,
)
from glossator.core.events import Emit, Event, StepStarted, ignore_event
from glossator.core.locations import Point
from glossator.core.settings import Settings
from glossator.core.text import SourceText
from glossator.sessions.session import Session, SessionEntry
from glossator.tools.seen_texts import SeenTexts

if TYPE_CHECKING:
    from glossator.app.checking.changed_lines import ChangedLines
    from glossator.app.figures.report import FiguresReport
    from glossator.app.hints.hint import Hint
    from glossator.app.linting.fixing import Fix as LintFix
    from glossator.app.linting.linter import Linter, LintReport
    from glossator.app.replay.replaying import Replay
    from glossator.app.retrieval.searching import Search
    from glossator.app.retrieval.sharing import ShareReport, ShareRequest
    from glossator.app.skills.listing import ListedSkill
    from glossator.app.why.report import Why

_log = logging.getLogger(__name__)

_MAX_QUESTION_CHARACTERS = 100_000


class Application:
    """What Glossator does for one set of workspace folders. Lives on one event loop."""

    def __init__(self, opening: Opening, build: Build) -> None:
        self.runs = Runs()
        self._environment = Environment(opening, build, self.runs)
        self._linter: Linter | None = None
        self._checking = Checking()
        self.mending = Mending(self._environment, self.phrase, self._place_source)
        self.rules = RuleDesk(
            self._environment, self._checking, self.runs, self.phrase, self._listened
        )

    async def start(self) -> None:
        """Read knowledge, skills and rules, and begin to watch them."""
        await self._environment.start()
        await asyncio.to_thread(_load_turns)

    async def close(self) -> None:
        """Cancel what runs, wait for it and stop watching."""
        await self.runs.close()
        await self._environment.close()
        await asyncio.to_thread(self._checking.close)

    async def explain(self, target: Target, *, emit: Emit = ignore_event) -> Explanation:
        """Explain the function at the target. Cancelling the call ends the turn.

        Raises:
            ProtectedFile: the target stands in a file that is never read, though it is open.
        """
        if self._is_secret(target.source):
            raise ProtectedFile(f"`{target.source.name}` may hold secrets and is never read.")
        target = self._place(target)
        await asyncio.to_thread(_load_turns)
        from glossator.app.turns import explain

        context = await self._context(self.phrase(), emit, target)
        return await self._take_turn("explain", context, partial(explain, context, target))

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
        await asyncio.to_thread(_load_turns)
        from glossator.app.turns import ask

        if not self._environment.is_started:
            await self._find_all(None)  # The question may name a file of any folder.
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
        if not self._environment.is_started:
            await self._find_all(None)  # Nobody looks for them in the background.
        await asyncio.to_thread(_load_turns)
        from glossator.app.turns import analyze, make_subject

        context = await self._context(self.phrase(question), emit, None)
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
        """Check one document against the conventions, as far as that takes no model."""
        library, parts = await self._environment.ready(), self._environment.parts
        return await self._checking.check(self._place_source(source), library, parts, self.phrase())

    async def judge(
        self,
        source: SourceText,
        *,
        changed: Sequence[tuple[int, int]] | None = None,
        is_current: Callable[[], bool] = lambda: True,
        emit: Emit = ignore_event,
    ) -> CheckReport:
        """Check one document, and let the model judge it by the rules that have no check.

        Only the code around the `changed` lines (1-based, inclusive) is judged, None is all of it.
        Rules that were not judged are named in the report with the reason: there is no model, a
        budget is used up, the document is not `is_current` any more. Cancelling ends the request.
        """
        library, parts = await self._environment.ready(), self._environment.parts
        judge = partial(
            self._checking.judge,
            self._place_source(source),
            library,
            parts,
            self.phrase(),
            changed=changed,
            is_current=is_current,
            emit=self._listened(emit),
        )
        return await self.runs.run("judge", judge)

    async def check_paths(
        self,
        paths: Sequence[Path],
        *,
        effort: Effort | None = None,
        judges: bool = False,
        changed: Mapping[Path, Sequence[tuple[int, int]]] | None = None,
        emit: Emit = ignore_event,
    ) -> tuple[CheckReport, ...]:
        """Check files and everything below folders; ignored files only when named themselves.

        With `judges` the model judges them too, of each file the `changed` lines or, without any,
        all of it. With `changed` lines only the findings count that touch one.

        Raises:
            OutsideWorkspace, UnreadableFile: a path leads outside or to nothing.
        """
        reports = await self._check_paths(paths, effort, changed, emit, judges=judges)
        if changed is None:
            return reports
        from glossator.app.checking.changed_lines import keep_changed

        return keep_changed(reports, changed)

    async def find_changed_lines(self, paths: Sequence[Path], base: str) -> "ChangedLines":
        """Return the lines of files that came since the history of HEAD and of `base` parted.

        Raises:
            InvalidArguments, UnreadableRepository: there is no such commit, or no repository.
            OutsideWorkspace, UnreadableFile: a path leads outside or to nothing.
        """
        workspace = self._environment.parts.workspace
        return await self._checking.find_changed_lines(paths, base, workspace, self.phrase())

    async def _check_paths(
        self,
        paths: Sequence[Path],
        effort: Effort | None,
        changed: Mapping[Path, Sequence[tuple[int, int]]] | None,
        emit: Emit,
        *,
        judges: bool,
    ) -> tuple[CheckReport, ...]:
        library, parts = await self._environment.ready(), self._environment.parts
        effort, say = effort or Effort(cache_folder=parts.cache_folder), self.phrase()
        if not judges:
            return await self._checking.check_paths(
                paths, library, parts, say, effort=effort, emit=emit
            )
        judge = partial(
            self._checking.judge_paths,
            paths,
            library,
            parts,
            say,
            effort=effort,
            changed=changed,
            emit=self._listened(emit),
        )
        return await self.runs.run("judge", judge)

    async def lint(self, source: SourceText) -> "LintReport":
        """Judge a file of knowledge, a skill or instructions: its header, links, commands, rules.

        Of any other document the report says that it is none.
        """
        library = await self._environment.ready()
        return await asyncio.to_thread(self._lint, self._place_source(source), library)

    async def lint_paths(
        self, paths: Sequence[Path] = (), *, emit: Emit = ignore_event
    ) -> "tuple[LintReport, ...]":
        """Judge all such files of the workspace, or those among `paths` and below them.

        Raises:
            OutsideWorkspace, UnreadableFile: a path leads outside or to nothing.
        """
        library = await self._find_all(None)
        files = await asyncio.to_thread(self._list_subjects, paths, library)
        reports = []
        for done, file in enumerate(files):
            emit(StepStarted(self._environment.parts.workspace.show(file), done, len(files)))
            reports.append(await asyncio.to_thread(self._lint_file, file, library))
        return tuple(reports)

    async def fix(self, reports: "Sequence[LintReport]", *, writes: bool) -> "tuple[LintFix, ...]":
        """Repair what can be repaired in judged files of the workspace, or only show it."""
        library = await self._environment.ready()
        return await asyncio.to_thread(self._fix, reports, library, writes=writes)

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

    async def why(
        self,
        asked: SourceText | Path,
        question: str = "",
        *,
        say: Phrasing | None = None,
        emit: Emit = ignore_event,
    ) -> "Why":
        """Say what the model would be given for a document and a question, what not, and why.

        Needs no model. `asked` is an editor's document, or the path of a file or folder. Without
        `say` the report is told in the language of the question.

        Raises:
            OutsideWorkspace, UnreadableFile: the path leads outside, or can be none.
            InvalidArguments: the question is as long as a book.
        """
        # Imported when it is wanted, which is seldom.
        from glossator.app.why.files import explain_use
        from glossator.app.why.subject import find_subject

        _require_length(question)
        say = say or self.phrase(question)
        emit(StepStarted(say("Looking at what applies", "正在查看适用的内容")))
        workspace = self._environment.parts.workspace
        subject = await asyncio.to_thread(find_subject, asked, workspace)
        library = await self._find_all(subject.source.path if subject.source else None)
        parts = self._environment.parts
        return await asyncio.to_thread(explain_use, subject, question.strip(), parts, library, say)

    async def search(
        self, question: str, *, path: SourceText | Path | None = None, limit: int = N_SECTIONS
    ) -> "Search":
        """Rank what the knowledge has on a question, and say whether it would be answered.

        Needs no model. `path` is the file that is looked at.

        Raises:
            InvalidArguments: there is no question, it is as long as a book, or the limit is none.
        """
        # Imported when it is wanted, which is seldom.
        from glossator.app.retrieval.searching import search

        _require_length(question)
        if not question.strip():
            raise InvalidArguments("There is nothing to search for: the question is empty.")
        if not 1 <= limit <= MAX_SECTIONS:
            raise InvalidArguments(f"The limit must be between 1 and {MAX_SECTIONS}.")
        library = await self._environment.ready()
        parts = self._environment.parts
        scope = path.scope if isinstance(path, SourceText) else None
        if isinstance(path, Path):
            scope = parts.workspace.path_below_root(path)
        find = partial(search, parts, library, question.strip(), path=scope, limit=limit)
        return await asyncio.to_thread(find, say=self.phrase(question))

    async def list_skills(self) -> "tuple[ListedSkill, ...]":
        """List every skill that was found, also those that do not count."""
        from glossator.app.skills.listing import list_skills

        return await asyncio.to_thread(list_skills, await self._environment.ready())

    async def _find_all(self, path: Path | None) -> Library:
        """Return the library with the instructions of every folder, known before or not."""
        library = await self._environment.fresh(path)
        team_files = self._environment.parts.team_files
        if team_files is None or not await asyncio.to_thread(team_files.discover):
            return library
        await self._environment.read_library()
        return await self._environment.ready()

    async def hint(
        self,
        source: SourceText,
        point: Point,
        *,
        is_cancelled: Callable[[], bool] = lambda: False,
    ) -> "Hint | None":
        """Say what a file of knowledge, a skill or instructions declares at a place in it.

        None where there is nothing to say. `is_cancelled` is asked from another thread.
        """
        # Imported when it is wanted: start-up is quicker without it.
        from glossator.app.hints.hint import make_hint

        if self._is_secret(source):
            return None
        library = await self._environment.ready()
        parts, say = self._environment.parts, self.phrase()
        return await asyncio.to_thread(make_hint, source, point, parts, library, say, is_cancelled)

    def phrase(self, question: str = "") -> Phrasing:
        """Return the language of a question; without one that of the editor or terminal."""
        if question.strip():
            return Phrasing.for_question(question)
        return Phrasing.for_locale(self._environment.opening.locale)

    async def prepare_meaning(self, *, emit: Emit = ignore_event) -> MeaningStatus:
        """Compute the vectors that are missing, and wait for them.

        Raises:
            InvalidArguments: nothing is found by meaning here.
            EncoderUnavailable: the encoder fails.
        """
        library, meaning = await self._environment.ready(), self._environment.parts.members.meaning
        if meaning is None:
            raise InvalidArguments(
                "Nothing is found by meaning here. Run `pip install glossator[semantic]`, or set "
                "`semantic.source` to `endpoint` with an address and a model."
            )
        say = self.phrase()

        def tell(done: int, total: int) -> None:
            emit(StepStarted(say("Computing vectors", "正在计算向量"), done, total))

        await asyncio.to_thread(meaning.prepare, library.index, tell)
        return meaning.describe()

    async def examine_members(self) -> None:
        """Learn how those stand who find knowledge beside words; `status` then tells it."""
        await asyncio.to_thread(self._environment.parts.members.examine)

    async def share(self, request: "ShareRequest", *, emit: Emit = ignore_event) -> "ShareReport":
        """Publish the workspace's knowledge to the index that the team shares.

        Raises:
            InvalidArguments: there is nothing to publish, or a name cannot be used.
            SharedUnavailable: no database is set, or it fails; nothing is changed then.
        """
        # Imported when it is wanted, which is seldom.
        from glossator.app.retrieval.sharing import share

        library = await self._environment.ready()
        parts, say = self._environment.parts, self.phrase()
        return await asyncio.to_thread(share, request, parts, library, say, emit)

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
    def judges(self) -> bool:
        """Whether a model judges code by the rules that have no check."""
        return find_unjudged(self._environment.parts) is None

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

    def _is_secret(self, source: SourceText) -> bool:
        return source.path is not None and self._environment.parts.workspace.is_secret(source.path)

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

    async def _context(self, say: Phrasing, emit: Emit, target: Target | None) -> Context:
        looked_at = target.source if target else None
        late: list[None] = []
        library = await self._environment.fresh(
            looked_at.path if looked_at else None, on_late=lambda: late.append(None)
        )
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
            is_late=bool(late),
        )

    def _listened(self, emit: Emit) -> Emit:
        """Let the record and the telemetry hear what the caller hears."""
        listeners = [*self._environment.parts.listen(f"{time.time_ns():x}"), emit]

        def emit_to_all(event: Event) -> None:
            for listener in listeners:
                listener(event)

        return emit_to_all

    def _lint(
        self, source: SourceText, library: Library, *, is_summed_up: bool = True
    ) -> "LintReport":
        # Imported in a thread, when the first such file is opened.
        from glossator.app.linting.linter import Linter, not_linted

        say = self.phrase()
        if self._is_secret(source):
            reason = say("the file may hold secrets", "文件可能含有机密")
            return not_linted(source.name, source.path, reason)
        if self._linter is None:
            self._linter = Linter()
        parts = self._environment.parts
        return self._linter.lint(source, parts, library, say, is_summed_up=is_summed_up)

    def _fix(
        self, reports: "Sequence[LintReport]", library: Library, *, writes: bool
    ) -> "tuple[LintFix, ...]":
        from glossator.app.linting.fixing import fix_file

        workspace, say = self._environment.parts.workspace, self.phrase()
        lint_whole = partial(self._lint, library=library, is_summed_up=False)
        fixes = (fix_file(report, workspace, lint_whole, say, writes=writes) for report in reports)
        return tuple(fix for fix in fixes if fix is not None)

    def _lint_file(self, file: Path, library: Library) -> "LintReport":
        from glossator.app.linting.linter import not_linted

        try:
            return self._lint(self._environment.parts.workspace.read(file), library)
        except GlossatorError as error:
            shown = self._environment.parts.workspace.show(file)
            return not_linted(shown, file, str(error))

    def _list_subjects(self, paths: Sequence[Path], library: Library) -> list[Path]:
        from glossator.app.linting.subjects import list_subjects

        subjects = list(list_subjects(library, self._environment.parts))
        if not paths:
            return subjects
        workspace = self._environment.parts.workspace
        wanted: dict[Path, None] = {}
        for path in paths:
            found = workspace.locate(str(path))
            if not found.exists():
                raise UnreadableFile(f"`{path}` does not exist, so it cannot be judged.")
            below = [file for file in subjects if file.is_relative_to(found)]
            wanted |= dict.fromkeys(below if found.is_dir() else [found])
        return list(wanted)


def _load_turns() -> None:
    # Loaded in a thread, with the first turn at the latest: a check needs nothing of it.
    importlib.import_module("glossator.app.turns")


def _require_length(question: str) -> None:
    if len(question) > _MAX_QUESTION_CHARACTERS:
        raise InvalidArguments(
            f"The question has {len(question)} characters; {_MAX_QUESTION_CHARACTERS} are "
            "answered at most. Ask about a part of it."
        )


def _report_figures(parts: Parts, days: int | None, since: str, say: Phrasing) -> "FiguresReport":
    # Imported in a thread, when figures are wanted, which is seldom.
    from glossator.app.figures.report import find_start, report_figures

    start = find_start(days, since)
    if parts.audit is not None:
        parts.audit.flush()
    prices = parts.settings.audit.prices
    is_recording = parts.audit is not None
    return report_figures(parts.audit_folder, prices, start, say, is_recording=is_recording)
