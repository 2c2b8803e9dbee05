"""Check documents and files for an application: compiled, judged, without what was dismissed."""

import asyncio
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from glossator.app.checking.finishing import Finishing, check_compiled, find_unjudged, finish
from glossator.app.checking.paths import list_files
from glossator.app.checking.reasons import Reason
from glossator.app.checking.report import CheckReport
from glossator.app.checking.running import Effort, Finish, Run
from glossator.app.library import Library
from glossator.app.parts import Parts
from glossator.app.phrasing import Phrasing
from glossator.core.errors import GlossatorError
from glossator.core.events import Emit, StepStarted
from glossator.core.text import SourceText
from glossator.rules.judging.regions import Lines
from glossator.tools.workspace import Workspace

if TYPE_CHECKING:
    from glossator.app.checking.changed_lines import ChangedLines
    from glossator.app.checking.judging import Judging

_TELL_EVERY_S = 0.05


class Checking:
    """Checks for one application. Lives on its event loop."""

    def __init__(self) -> None:
        self._made: Judging | None = None

    def close(self) -> None:
        """Close what was opened. Nothing may be checked any more."""
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
        return await asyncio.to_thread(check_compiled, source, library, parts, say)

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
        report = await asyncio.to_thread(parts.checker.check, source, library)
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

    async def check_paths(
        self,
        paths: Sequence[Path],
        library: Library,
        parts: Parts,
        say: Phrasing,
        *,
        effort: Effort,
        emit: Emit,
    ) -> tuple[CheckReport, ...]:
        """Check files and what stands below folders, as far as that takes no model."""
        finishing = await asyncio.to_thread(Finishing, library, parts, say)
        unjudged = find_unjudged(parts)
        return await _run(paths, library, parts, effort, unjudged, finishing.finish, emit)

    async def judge_paths(
        self,
        paths: Sequence[Path],
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
        without it all of each file is judged.
        """
        found = await _run(paths, library, parts, effort, None, lambda report, _: report, emit)
        judging, joined = await self._judging(), []
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
                )
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


def _load_judging() -> "type[Judging]":
    from glossator.app.checking.judging import Judging

    return Judging


async def _run(
    paths: Sequence[Path],
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

    def check() -> tuple[CheckReport, ...]:
        return run.check(list_files(paths, parts.workspace))

    try:
        return await asyncio.to_thread(check)
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
