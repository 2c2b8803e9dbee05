"""From what was found to what is reported: the one place where dismissed findings are left out."""

from collections.abc import Callable
from pathlib import Path

from glossator.app.checking.baseline_files import find_baseline
from glossator.app.checking.reasons import Reason
from glossator.app.checking.records import Record
from glossator.app.checking.report import CheckReport
from glossator.app.checking.suppressing import suppress
from glossator.app.library import Library
from glossator.app.parts import Parts
from glossator.app.phrasing import Phrasing
from glossator.core.errors import GlossatorError
from glossator.core.text import SourceText
from glossator.rules.suppressing.baseline import Baseline


def check_compiled(
    source: SourceText, library: Library | None, parts: Parts, say: Phrasing
) -> CheckReport:
    """Run the compiled checks on a document, without what was dismissed.

    Reads the baseline when it is another one: for a worker thread.
    """
    unjudged = find_unjudged(parts) or Reason("on-save")
    report = parts.checker.check(source, library, unjudged)
    return finish(report, source, library, parts, say) if library is not None else report


def finish(
    report: CheckReport, source: SourceText, library: Library, parts: Parts, say: Phrasing
) -> CheckReport:
    """Return what is reported of a document once all has been found, judged findings included.

    For a worker thread, and once only: a comment that dismisses nothing left is reported.
    """
    return suppress(report, source, library, parts, parts.baselines, say)


class Finishing:
    """Does the same for many files of one check, whose texts are read only where it matters."""

    def __init__(self, library: Library, parts: Parts, say: Phrasing) -> None:
        self._library = library
        self._parts = parts
        self._say = say
        baselines = [_read_baseline(root, parts) for root in parts.workspace.roots]
        self._has_problem = any(baseline.problem is not None for baseline in baselines)
        self._dismissed = {entry.path for baseline in baselines for entry in baseline.entries}

    def finish(self, report: CheckReport, record: Record | None) -> CheckReport:
        """Return what is reported of a file; its text is not known where there is no `record`."""
        if report.path is None or report.outcome == "not-checked":
            return report
        if record is not None and not self._matters(report.path, record):
            return report
        try:
            source = self._parts.workspace.read(report.path)
        except GlossatorError:  # It is gone meanwhile; what was found by then stands.
            return report
        return finish(report, source, self._library, self._parts, self._say)

    def _matters(self, path: Path, record: Record) -> bool:
        """Say whether anything may be dismissed, or a dismissal be of no use any more."""
        if record.may_suppress or self._has_problem:
            return True
        if not self._dismissed:
            return False
        # What was dismissed under another name may be found here.
        return bool(record.findings) or (
            self._parts.workspace.path_below_root(path) in self._dismissed
        )


def _read_baseline(root: Path, parts: Parts) -> Baseline:
    place = find_baseline(root / "any", parts.workspace, parts.settings.check.baseline)
    return parts.baselines.read(place, parts.workspace) if place is not None else Baseline()


def find_unjudged(parts: Parts) -> Reason | None:
    """Return why no model judges anything, if that is so."""
    if not parts.settings.check.judge:
        return Reason("off", ("check.judge",))
    return Reason("no-model") if parts.model is None else None


def make_check(library: Library, parts: Parts, say: Phrasing) -> "Check":
    """Return what checks documents with this library and these parts."""
    return lambda source: check_compiled(source, library, parts, say)


Check = Callable[[SourceText], CheckReport]
"""Checks a document, as far as that takes no model."""
