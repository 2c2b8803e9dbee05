"""The use cases of checks for one application: documents, files, what a model judges."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from glossator.app.checking.finishing import find_unjudged
from glossator.app.checking.paths import list_files, list_instructed
from glossator.app.checking.report import CheckReport
from glossator.app.checking.running import Effort
from glossator.app.phrasing import Phrasing
from glossator.core.events import Emit, ignore_event
from glossator.core.text import SourceText

if TYPE_CHECKING:
    from glossator.app.checking.changed_lines import ChangedLines
    from glossator.app.checking.checking import Checking
    from glossator.app.checking.kept_answers import Basis, Written
    from glossator.app.environment import Environment
    from glossator.app.runs import Runs


class CheckDesk:
    """Checks for one application. `listen` lets the record hear what a caller hears.

    `place` lets an editor's document say where it stands below its workspace folder.
    """

    def __init__(
        self,
        environment: "Environment",
        checking: "Checking",
        runs: "Runs",
        phrase: Callable[[], Phrasing],
        place: Callable[[SourceText], SourceText],
        listen: Callable[[Emit], Emit],
    ) -> None:
        self._environment = environment
        self._checking = checking
        self._runs = runs
        self._phrase = phrase
        self._place = place
        self._listen = listen

    @property
    def judges(self) -> bool:
        """Whether a model judges code by the rules that have no check."""
        return find_unjudged(self._environment.parts) is None

    async def check(self, source: SourceText) -> CheckReport:
        """Check one document against the conventions, as far as that takes no model."""
        library, parts = await self._environment.ready(), self._environment.parts
        return await self._checking.check(self._place(source), library, parts, self._phrase())

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
            self._place(source),
            library,
            parts,
            self._phrase(),
            changed=changed,
            is_current=is_current,
            emit=self._listen(emit),
        )
        return await self._runs.run("judge", judge)

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
        return await self._checking.find_changed_lines(paths, base, workspace, self._phrase())

    async def _check_paths(
        self,
        paths: Sequence[Path],
        effort: Effort | None,
        changed: Mapping[Path, Sequence[tuple[int, int]]] | None,
        emit: Emit,
        *,
        judges: bool,
    ) -> tuple[CheckReport, ...]:
        parts = self._environment.parts
        listed = await asyncio.to_thread(list_files, paths, parts.workspace)
        instructed = await asyncio.to_thread(list_instructed, paths, listed)
        library = await self._environment.ready_for(instructed)
        effort, say = effort or Effort(cache_folder=parts.cache_folder), self._phrase()
        if not judges:
            return await self._checking.check_files(
                listed, library, parts, say, effort=effort, emit=emit
            )
        judge = partial(
            self._checking.judge_files,
            listed,
            library,
            parts,
            say,
            effort=effort,
            changed=changed,
            emit=self._listen(emit),
        )
        return await self._runs.run("judge", judge)

    async def keep_answer(
        self, basis: "Basis", written: "Written", reports: Sequence[CheckReport]
    ) -> None:
        """Keep what a check of files wrote, to write it again while nothing has changed."""
        library, parts = await self._environment.ready(), self._environment.parts
        await self._checking.keep_answer(basis, written, reports, library, parts)
