"""Check documents and files for an application: compiled, judged, without what was dismissed."""

import asyncio
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from glossator.app.checking.finishing import (
    Finishing,
    check_compiled,
    find_unjudged,
    finish,
    knows_baseline,
)
from glossator.app.checking.guarding import Examine, Guard, Measure, measure_here
from glossator.app.checking.pace import Pace
from glossator.app.checking.paths import Listed
from glossator.app.checking.patience import Patience
from glossator.app.checking.reasons import Reason
from glossator.app.checking.records import Record
from glossator.app.checking.report import CheckReport
from glossator.app.checking.running import Effort, Finish, Run
from glossator.app.checking.selecting import Selection
from glossator.app.library import Library
from glossator.app.parts import Parts
from glossator.app.phrasing import Phrasing
from glossator.core.errors import GlossatorError
from glossator.core.events import Emit, StepStarted
from glossator.core.text import SourceText
from glossator.rules.judging.regions import Lines
from glossator.rules.matching import RuleSet
from glossator.tools.workspace import Workspace

if TYPE_CHECKING:
    from glossator.app.checking.changed_lines import ChangedLines
    from glossator.app.checking.judging import Judging
    from glossator.app.checking.kept_answers import Basis, Written

_TELL_EVERY_S = 0.05


class Checking:
    """Checks for one application. Lives on its event loop."""

    def __init__(self) -> None:
        self._made: Judging | None = None
        self._pace = Pace()
        self._guard = Guard()

    def close(self) -> None:
        """Close what was opened. Nothing may be checked any more."""
        self._guard.close()
        if self._made is not None:
            self._made.close()

    async def _judging(self) -> "Judging":
        if self._made is None:
            # Loaded in a thread when something is judged: checks start sooner without it.
            make = await asyncio.to_thread(_load_judging)
            self._made = self._made or make()
        return self._made

    async def check(
        self, source: SourceText, library: Library, parts: Parts, say: Phrasing
    ) -> CheckReport:
        """Check a document, as far as that takes no model."""
        rule_set = library.rule_set
        check = partial(check_compiled, source, library, parts, say)
        if self._pace.is_quick(source, rule_set) and knows_baseline(source, parts):
            return check(self._make_examine(source, measure_here))
        return await asyncio.to_thread(check, self._make_examine(source, self._guard.examine))

    def _make_examine(self, source: SourceText, measure: Measure) -> Examine:
        """Return what examines a document and knows how long the whole of it takes."""

        def examine(text: str, rule_set: RuleSet, selection: Selection, place: str) -> Record:
            record, took_s = measure(text, rule_set, selection, place)
            self._pace.note(source, rule_set, took_s, n_characters=len(text))
            return record

        return examine

    async def judge(
        self,
        source: SourceText,
        library: Library,
        parts: Parts,
        say: Phrasing,
        *,
        changed: Sequence[Lines] | None,
        is_current: Callable[[], bool],
        emit: Emit,
    ) -> CheckReport:
        """Check a document, and let the model judge it by the rules that have no check."""
        report = await asyncio.to_thread(
            parts.checker.check,
            source,
            library,
            examine=self._make_examine(source, self._guard.examine),
        )
        judging = await self._judging()
        report = await judging.judge(
            report,
            source,
            library,
            parts,
            cache_folder=parts.cache_folder,
            changed=changed,
            emit=emit,
            is_current=is_current,
        )
        return await asyncio.to_thread(finish, report, source, library, parts, say)

    async def check_files(
        self,
        listed: Sequence[Listed],
        library: Library,
        parts: Parts,
        say: Phrasing,
        *,
        effort: Effort,
        emit: Emit,
    ) -> tuple[CheckReport, ...]:
        """Check files, as far as that takes no model."""
        finishing = await asyncio.to_thread(Finishing, library, parts, say)
        unjudged = find_unjudged(parts)
        return await _run(listed, library, parts, effort, unjudged, finishing.finish, emit)

    async def judge_files(
        self,
        listed: Sequence[Listed],
        library: Library,
        parts: Parts,
        say: Phrasing,
        *,
        effort: Effort,
        changed: Mapping[Path, Sequence[Lines]] | None,
        emit: Emit,
    ) -> tuple[CheckReport, ...]:
        """Check files, and let the model judge them one after the other.

        `changed` are the lines of each file that are judged, none of a file that is not in it;
        without it all of each file is judged. A model that keeps failing is not asked for ever.
        """
        found = await _run(listed, library, parts, effort, None, lambda report, _: report, emit)
        judging, patience, joined = await self._judging(), Patience(), []
        for done, report in enumerate(found):
            emit(StepStarted(report.shown_path, done, len(found)))
            source = await asyncio.to_thread(_read, report.path, parts)
            if source is not None:
                lines = None if changed is None else changed.get(source.path or Path(), ())
                report = await judging.judge(
                    report,
                    source,
                    library,
                    parts,
                    cache_folder=effort.cache_folder,
                    changed=lines,
                    emit=emit,
                    given_up=patience.given_up,
                )
                patience.note(report)
                report = await asyncio.to_thread(finish, report, source, library, parts, say)
            joined.append(report)
        return tuple(joined)

    async def find_changed_lines(
        self, paths: Sequence[Path], base: str, workspace: Workspace, say: Phrasing
    ) -> "ChangedLines":
        """Compare the working tree with a commit, as `changed_lines.find_changed_lines`."""
        is_cancelled = threading.Event()

        def find() -> "ChangedLines":
            # Loaded here: only who compares needs what reads repositories.
            from glossator.app.checking.changed_lines import find_changed_lines

            return find_changed_lines(paths, base, workspace, say, is_cancelled.is_set)

        try:
            return await asyncio.to_thread(find)
        finally:
            is_cancelled.set()

    async def keep_answer(
        self,
        basis: "Basis",
        written: "Written",
        reports: Sequence[CheckReport],
        library: Library,
        parts: Parts,
    ) -> None:
        """Keep what a check wrote, unless it cannot be told what it rests on."""

        def keep() -> None:
            # Loaded here: only a check from the terminal needs it.
            from glossator.app.checking.basis import is_certain, list_basis, list_folders

            if is_certain(parts):
                basis.note(list_basis(reports, library, parts, Path.cwd()))
                basis.keep(written, list_folders(library, parts))

        await asyncio.to_thread(keep)


def _load_judging() -> "type[Judging]":
    from glossator.app.checking.judging import Judging

    return Judging


async def _run(
    listed: Sequence[Listed],
    library: Library,
    parts: Parts,
    effort: Effort,
    unjudged: Reason | None,
    finish_one: Finish,
    emit: Emit,
) -> tuple[CheckReport, ...]:
    """Check files in a worker thread, which ends soon after the awaiting task is cancelled."""
    is_cancelled = threading.Event()
    run = Run(
        parts.checker,
        parts.workspace,
        library,
        effort,
        unjudged=unjudged,
        finish=finish_one,
        tell=_tell_on_loop(emit),
        is_stopped=is_cancelled.is_set,
    )
    try:
        return await asyncio.to_thread(run.check, listed)
    finally:
        is_cancelled.set()


def _tell_on_loop(emit: Emit) -> Callable[[int, int, str], None]:
    """Return what tells of files from another thread, not more often than anybody reads."""
    loop = asyncio.get_running_loop()
    told_at = 0.0

    def tell(n_done: int, n_files: int, shown: str) -> None:
        nonlocal told_at
        now = time.monotonic()
        if now - told_at >= _TELL_EVERY_S:
            told_at = now
            loop.call_soon_threadsafe(emit, StepStarted(shown, n_done, n_files))

    return tell


def _read(path: Path | None, parts: Parts) -> SourceText | None:
    """Return the text of a file that was checked; None when it has none, or is gone meanwhile."""
    try:
        return parts.workspace.read(path) if path is not None else None
    except GlossatorError:
        return None
