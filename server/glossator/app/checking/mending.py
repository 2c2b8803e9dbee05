"""What people do about findings, in editor and terminal: repair them, or dismiss them."""

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

from glossator.app.checking.commenting import Commenting
from glossator.app.checking.dismissing import (
    BaselineChange,
    Desk,
    dismiss,
    forget_unused,
    take_in,
)
from glossator.app.checking.finishing import check_compiled
from glossator.app.checking.fixing import (
    Check,
    Edit,
    FileFix,
    Refusal,
    Repaired,
    Trials,
    fix_file,
    repair,
)
from glossator.app.checking.recent_tree import RecentTree
from glossator.app.checking.report import CheckReport
from glossator.app.phrasing import Phrasing
from glossator.core.errors import GlossatorError
from glossator.core.text import SourceText
from glossator.rules.finding import Finding
from glossator.rules.suppressing.baseline import Kind
from glossator.rules.suppressing.directives import Extent

if TYPE_CHECKING:
    from glossator.app.environment import Environment


class Mending:
    """Repairs and dismissals for one application; what is tried or written is so in a thread.

    `place` lets an editor's document say where it stands below its workspace folder.
    """

    def __init__(
        self,
        environment: "Environment",
        phrase: Callable[[], Phrasing],
        place: Callable[[SourceText], SourceText],
    ) -> None:
        self._environment = environment
        self._phrase = phrase
        self._place = place
        self._recent = RecentTree()
        self._trials = Trials(self._recent)
        self._commenting = Commenting(self._recent)
        # What is added to a baseline must not be lost to what is added at the same moment.
        self._writing = Lock()

    async def judge_fix(self, source: SourceText, finding: Finding) -> Refusal | None:
        """Say why the repair of a finding is not to be offered, or None if it does what it says."""
        check, source = await self._check(), self._place(source)
        return await asyncio.to_thread(self._trials.judge, source, finding, check)

    async def repair(self, source: SourceText, rule_id: str = "") -> Repaired:
        """Return the text after all sure repairs, of one rule or of all. Nothing is written."""
        check, source = await self._check(), self._place(source)
        return await asyncio.to_thread(repair, source, check, rule_id)

    async def fix_files(
        self, reports: Sequence[CheckReport], *, writes: bool
    ) -> tuple[FileFix, ...]:
        """Repair the files in which something was found that has a repair, or only show it."""
        check, workspace, say = (
            await self._check(),
            self._environment.parts.workspace,
            self._phrase(),
        )
        paths = [
            report.path
            for report in reports
            if report.path is not None and any(finding.fix for finding in report.findings)
        ]

        def fix_all() -> tuple[FileFix, ...]:
            fixes = (fix_file(path, workspace, check, say, writes=writes) for path in paths)
            return tuple(fix for fix in fixes if fix is not None)

        return await asyncio.to_thread(fix_all)

    async def write_comment(
        self, source: SourceText, finding: Finding, extent: Extent
    ) -> Edit | None:
        """Return the edit that dismisses a finding by a comment; None where none can stand."""
        return await asyncio.to_thread(self._commenting.write, finding, self._place(source), extent)

    async def dismiss(
        self, source: SourceText, finding: Finding, kind: Kind, reason: str = ""
    ) -> BaselineChange:
        """Add a finding to the baseline, and write that unless the editor has it open.

        Raises:
            CannotDismiss: there is no baseline, or it must not or cannot be written.
        """
        desk, source = await self._desk(), self._place(source)

        def write() -> BaselineChange:
            with self._writing:
                report = check_compiled(source, desk.library, desk.parts, desk.say)
                return dismiss(finding, report, source, kind, reason, desk)

        return await asyncio.to_thread(write)

    async def forget_unused(self, source: SourceText) -> BaselineChange:
        """Take the entries of a document out of the baseline that are of no use any more.

        Raises:
            CannotDismiss: as `dismiss`.
        """
        desk, source = await self._desk(), self._place(source)

        def write() -> BaselineChange:
            with self._writing:
                report = check_compiled(source, desk.library, desk.parts, desk.say)
                return forget_unused(report, source, desk)

        return await asyncio.to_thread(write)

    async def take_in(
        self, reports: Sequence[CheckReport], reason: str = ""
    ) -> tuple[BaselineChange, ...]:
        """Take what was found into the baselines, and out of them what is of no use any more.

        Raises:
            CannotDismiss: as `dismiss`.
        """
        desk = await self._desk()

        def write() -> tuple[BaselineChange, ...]:
            pairs = ((report, self._read(report.path)) for report in reports)
            with self._writing:
                return take_in([(one, source) for one, source in pairs if source], reason, desk)

        return await asyncio.to_thread(write)

    def _read(self, path: Path | None) -> SourceText | None:
        try:
            return self._environment.parts.workspace.read(path) if path is not None else None
        except GlossatorError:  # It is gone meanwhile.
            return None

    async def _check(self) -> Check:
        desk = await self._desk()
        return lambda source: check_compiled(source, desk.library, desk.parts, desk.say).findings

    async def _desk(self) -> Desk:
        library, parts = await self._environment.ready(), self._environment.parts
        return Desk(parts, library, parts.baselines, self._phrase())
