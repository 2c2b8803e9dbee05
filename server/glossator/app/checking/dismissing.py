"""Dismiss findings after somebody chose to: entries of the baseline, added and taken out."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from glossator.app.checking.baseline_files import (
    BaselineFile,
    Baselines,
    find_baseline,
    tell_problem,
)
from glossator.app.checking.report import CheckReport
from glossator.app.checking.suppressing import LAPSED_ID, UNUSED_ID, divide
from glossator.app.library import Library
from glossator.app.parts import Parts
from glossator.app.phrasing import Phrasing
from glossator.core.errors import GlossatorError
from glossator.core.text import SourceText
from glossator.rules.finding import Finding, number_alike
from glossator.rules.suppressing.applying import make_entry
from glossator.rules.suppressing.baseline import Entry, Kind, render_baseline
from glossator.tools.replacing import replace_file

_MODE = 0o644


class CannotDismiss(GlossatorError):
    """A finding cannot be dismissed that way; the text says why, in the reader's language."""

    code = "cannot-dismiss"


@dataclass(frozen=True, slots=True)
class BaselineChange:
    """What becomes of a baseline. `is_written` is false where the editor has it open: it writes."""

    file: Path
    shown: str
    text: str
    n_added: int = 0
    n_removed: int = 0
    is_written: bool = False


@dataclass(frozen=True, slots=True)
class Desk:
    """What dismissing works with, for one moment."""

    parts: Parts
    library: Library
    baselines: Baselines
    say: Phrasing

    def find_place(self, path: Path | None) -> BaselineFile:
        """Return the baseline for a file.

        Raises:
            CannotDismiss: there is none to have, or it must not be written.
        """
        place = find_baseline(path, self.parts.workspace, self.parts.settings.check.baseline)
        if place is None:
            raise CannotDismiss(
                self.say(
                    "There is no baseline for this document: it is no file of a workspace folder, "
                    "or `check.baseline` names none below it.",
                    "此文档没有基线：它不是工作区文件夹中的文件，或 `check.baseline` 未指定"
                    "其下的文件。",
                )
            )
        problem = self.baselines.read(place, self.parts.workspace).problem
        if problem is not None:
            raise CannotDismiss(tell_problem(problem, place.shown, self.say))
        return place


def dismiss(
    finding: Finding, report: CheckReport, source: SourceText, kind: Kind, reason: str, desk: Desk
) -> BaselineChange:
    """Add a finding to the baseline. `report` is that of the document, with what is dismissed.

    Raises:
        CannotDismiss: there is no baseline, or it must not or cannot be written.
    """
    place = desk.find_place(source.path)
    found = _with_numbers(_list_found(report))
    number = next((n for one, n in found if _is_same(one, finding)), 0)
    entry = make_entry(finding, number, source, kind, reason, _today())
    before = desk.baselines.read(place, desk.parts.workspace).entries
    # Dismissed anew, it is dismissed by the new entry alone.
    kept = [one for one in before if one.key != entry.key]
    return _put(place, before, [*kept, entry], desk)


def forget_unused(report: CheckReport, source: SourceText, desk: Desk) -> BaselineChange:
    """Take the entries of a document out of the baseline that are of no use any more.

    Raises:
        CannotDismiss: as `dismiss`.
    """
    place = desk.find_place(source.path)
    before = desk.baselines.read(place, desk.parts.workspace).entries
    unused = _find_unused(report, source, place, desk)
    return _put(place, before, [one for one in before if one not in unused], desk)


def take_in(
    reports: Sequence[tuple[CheckReport, SourceText]], reason: str, desk: Desk
) -> tuple[BaselineChange, ...]:
    """Take all findings of these documents into the baselines, and out what is of no use.

    Entries of files that are gone go too; where their code is found elsewhere, they move there.

    Raises:
        CannotDismiss: as `dismiss`; nothing is written then.
    """
    groups: dict[Path, tuple[BaselineFile, list[tuple[CheckReport, SourceText]]]] = {}
    for report, source in reports:
        if report.outcome != "not-checked":
            place = desk.find_place(source.path)
            groups.setdefault(place.file, (place, []))[1].append((report, source))
    changes = []
    for place, group in groups.values():
        before = desk.baselines.read(place, desk.parts.workspace).entries
        unused: set[Entry] = set()
        added: list[Entry] = []
        for report, source in group:
            unused |= _find_unused(report, source, place, desk)
            added += _make_entries(report, source, before, reason)
        kept = [one for one in before if one not in unused and not place.is_gone(one.path)]
        changes.append((place, before, [*kept, *added]))
    return tuple(_put(*change, desk) for change in changes)


def _list_found(report: CheckReport) -> list[Finding]:
    """Return all findings of rules, those that are dismissed too, by their places."""
    found = [*report.findings, *(each.finding for each in report.suppressed)]
    rules = (one for one in found if one.rule.id not in (UNUSED_ID, LAPSED_ID))
    return sorted(rules, key=lambda finding: (finding.range, finding.rule.id))


def _with_numbers(findings: Iterable[Finding]) -> list[tuple[Finding, int]]:
    return list(number_alike(findings))


def _is_same(one: Finding, other: Finding) -> bool:
    return one.rule.id == other.rule.id and one.range == other.range


def _find_unused(
    report: CheckReport, source: SourceText, place: BaselineFile, desk: Desk
) -> set[Entry]:
    whole = replace(report, findings=tuple(_list_found(report)), suppressed=())
    baseline = desk.baselines.read(place, desk.parts.workspace)
    divided = divide(whole, source, desk.library, place, baseline, desk.parts)
    return {each.by for each in divided.unused if isinstance(each.by, Entry)}


def _make_entries(
    report: CheckReport, source: SourceText, before: Sequence[Entry], reason: str
) -> list[Entry]:
    """Return entries for what is found, and for what was dismissed by entries of gone files."""
    new = {id(finding) for finding in report.findings}
    known = {(one.rule, one.code, one.rule_hash): one for one in before}
    here = {one.key for one in before if one.path == source.scope}
    entries = []
    for finding, number in _with_numbers(_list_found(report)):
        entry = make_entry(finding, number, source, "ignored", reason, _today())
        if id(finding) in new:
            entries.append(entry)
        elif (old := known.get((entry.rule, entry.code, entry.rule_hash))) is not None:
            moved = replace(old, path=source.scope)
            if old.path != source.scope and moved.key not in here:
                entries.append(moved)
    return entries


def _put(
    place: BaselineFile, before: tuple[Entry, ...], after: Sequence[Entry], desk: Desk
) -> BaselineChange:
    old, new = set(before), set(after)
    change = BaselineChange(
        file=place.file,
        shown=place.shown,
        text=render_baseline(after),
        n_added=len(new - old),
        n_removed=len(old - new),
    )
    if old == new:
        return replace(change, is_written=True)
    if place.file in desk.parts.workspace.buffers:
        return change
    if desk.baselines.read(place, desk.parts.workspace).entries != before:
        raise CannotDismiss(
            desk.say(
                f"`{place.shown}` has changed meanwhile; try again.",
                f"`{place.shown}` 在此期间已改动；请重试。",
            )
        )
    try:
        place.file.parent.mkdir(parents=True, exist_ok=True)
        mode = place.file.stat().st_mode & 0o777 if place.file.exists() else _MODE
        replace_file(place.file, change.text.encode("utf-8"), mode=mode)
    except OSError as error:
        raise CannotDismiss(
            desk.say.translate(f"`{place.shown}` cannot be written: {error.strerror or error}.")
        ) from error
    return replace(change, is_written=True)


def _today() -> str:
    return datetime.now(UTC).date().isoformat()
