"""From what was found to what is reported: the one place where dismissed findings are left out."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path

from glossator.app.checking.baseline_files import find_baseline
from glossator.app.checking.guarding import Examine, examine_here
from glossator.app.checking.judged_rules import list_fitting
from glossator.app.checking.reasons import Reason
from glossator.app.checking.records import Record
from glossator.app.checking.report import CheckReport, SkippedRules, tell_only_judged
from glossator.app.library import Library
from glossator.app.parts import Parts
from glossator.app.phrasing import Phrasing
from glossator.core.errors import GlossatorError
from glossator.core.text import SourceText
from glossator.rules.rule import Rule
from glossator.rules.suppressing.baseline import Baseline


def check_compiled(
    source: SourceText,
    library: Library | None,
    parts: Parts,
    say: Phrasing,
    examine: Examine = examine_here,
) -> CheckReport:
    """Run the compiled checks on a document, without what was dismissed.

    Reads the baseline when it is another one: for a worker thread.
    """
    unjudged = find_unjudged(parts) or Reason("on-save")
    report = parts.checker.check(source, library, unjudged, examine)
    if library is not None:
        report = _name_unjudged(report, source, library.rule_set.rules, unjudged)
    return finish(report, source, library, parts, say) if library is not None else report


def finish(
    report: CheckReport, source: SourceText, library: Library, parts: Parts, say: Phrasing
) -> CheckReport:
    """Return what is reported of a document once all has been found, judged findings included.

    For a worker thread, and once only: a comment that dismisses nothing left is reported.
    """
    # Loaded with the first text: most checks of files read none once more.
    from glossator.app.checking.suppressing import suppress

    return suppress(report, source, library, parts, parts.baselines, say)


class Finishing:
    """Does the same for many files of one check, whose texts are read only where it matters."""

    def __init__(self, library: Library, parts: Parts, say: Phrasing) -> None:
        self._library = library
        self._parts = parts
        self._say = say
        baselines = [_read_baseline(root, parts) for root in parts.workspace.roots]
        self._unjudged = find_unjudged(parts)
        self._judged = tuple(rule for rule in library.rule_set.rules if rule.kind == "judged")
        self._has_problem = any(baseline.problem is not None for baseline in baselines)
        self._dismissed = {entry.path for baseline in baselines for entry in baseline.entries}

    def finish(self, report: CheckReport, record: Record | None) -> CheckReport:
        """Return what is reported of a file; its text is not known where there is no `record`."""
        if report.path is None:
            return report
        if report.outcome == "not-checked":
            below = self._parts.workspace.path_below_root(report.path)
            source = SourceText(report.shown_path, "", report.path, below=below)
            return _name_unjudged(report, source, self._judged, self._unjudged)
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


def _name_unjudged(
    report: CheckReport, source: SourceText, rules: Iterable[Rule], unjudged: Reason | None
) -> CheckReport:
    """Name the rules that a model would judge a document by, where no check is for it."""
    if report.reason == Reason("no-language") and unjudged is not None:
        ids = tuple(rule.id for rule in list_fitting(rules, source))
        report = replace(report, skipped=(SkippedRules(ids, unjudged),) if ids else ())
    return tell_only_judged(report)


def _read_baseline(root: Path, parts: Parts) -> Baseline:
    place = find_baseline(root / "any", parts.workspace, parts.settings.check.baseline)
    return parts.baselines.read(place, parts.workspace) if place is not None else Baseline()


def knows_baseline(source: SourceText, parts: Parts) -> bool:
    """Say whether nothing has to be read to leave out what was dismissed."""
    place = find_baseline(source.path, parts.workspace, parts.settings.check.baseline)
    return place is None or parts.baselines.has_read(place, parts.workspace)


def find_unjudged(parts: Parts) -> Reason | None:
    """Return why no model judges anything, if that is so."""
    if not parts.settings.check.judge:
        return Reason("off", ("check.judge",))
    if parts.model is not None and parts.settings.model.source == "editor":
        return Reason("editor-model")  # It may ask for consent, and has a quota.
    return Reason("no-model") if parts.model is None else None


def make_check(library: Library, parts: Parts, say: Phrasing) -> "Check":
    """Return what checks documents with this library and these parts."""
    return lambda source: check_compiled(source, library, parts, say)


Check = Callable[[SourceText], CheckReport]
"""Checks a document, as far as that takes no model."""
