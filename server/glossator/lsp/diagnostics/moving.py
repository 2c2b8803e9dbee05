"""What an edit does to lines and findings: which lines are new, and where the others are now."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from glossator.core.locations import Point, Range
from glossator.core.text import SourceText
from glossator.rules.finding import Finding
from glossator.tools.line_diffs import find_changes

Lines = tuple[int, int]
"""A first and a last line, 1-based and inclusive."""


def find_changed(before: SourceText, after: SourceText) -> tuple[Lines, ...]:
    """Return the lines of `after` that differ; where lines were taken out, those around it."""
    if before.text == after.text:
        return ()
    n_lines = len(after.lines)
    return tuple(
        (start + 1, end) if end > start else (max(start, 1), min(start + 1, max(n_lines, 1)))
        for _, _, start, end in find_changes(before.lines, after.lines)
    )


def move_findings(
    findings: Iterable[Finding], before: SourceText, after: SourceText
) -> Iterator[Finding]:
    """Yield those findings of `before` whose lines, and the one above, are as they were, moved."""
    if before.text == after.text:
        yield from findings
        return
    kept = list(_find_kept(before, after))
    for finding in findings:
        first, last = max(finding.range.start.line - 1, 1), finding.range.end.line
        for start, end, offset in kept:
            if start <= first and last <= end:
                yield _move(finding, offset)
                break


def _find_kept(before: SourceText, after: SourceText) -> Iterator[tuple[int, int, int]]:
    """Yield the first and last line of each stretch that is kept, and how far it is moved."""
    at_old = at_new = 0
    end = len(before.lines), len(before.lines), len(after.lines), len(after.lines)
    for start_old, end_old, _, end_new in [*find_changes(before.lines, after.lines), end]:
        if start_old > at_old:
            yield at_old + 1, start_old, at_new - at_old
        at_old, at_new = end_old, end_new


def _move(finding: Finding, offset: int) -> Finding:
    return replace(
        finding,
        range=_move_range(finding.range, offset),
        fix=tuple((_move_range(place, offset), text) for place, text in finding.fix),
    )


def _move_range(place: Range, offset: int) -> Range:
    return Range(
        Point(place.start.line + offset, place.start.column),
        Point(place.end.line + offset, place.end.column),
    )
