"""What one reads when one points at a finding of ours: the rule that the code breaks there."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from glossator.core.locations import Point, Range
from glossator.lsp.documents import Document

if TYPE_CHECKING:
    from glossator.lsp.serving import GlossatorServer
    from glossator.rules.finding import Finding

_MAX_RULES = 3


def describe_findings(
    server: "GlossatorServer", document: Document, point: Point
) -> tuple[str, Range] | None:
    """Return Markdown about the rules that are broken at a point, and where; None without any.

    Only what is shown of the text as it is now counts: an editor moves older findings along with
    what is typed, and what they stand at by then may be something else.
    """
    found = list(_find_broken(server, document, point))
    if not found:
        return None
    # Imported here: rules load when they are needed first.
    from glossator.app.hints.rule_text import describe_rule

    places, say = server.backend.places(), server.phrase()
    texts = [describe_rule(each, lambda path: places.uri(None, path), say) for each in found]
    smallest = min((each.range for each in found), key=_size)
    return "\n\n---\n\n".join(dict.fromkeys(texts)), smallest


def _find_broken(
    server: "GlossatorServer", document: Document, point: Point
) -> "Iterator[Finding]":
    """Yield the findings at a point, one for each rule."""
    published = server.diagnostics.current(document)
    seen: set[str] = set()
    for shown in published.findings if published is not None else ():
        finding = shown.finding
        if finding is None or not shown.range.start <= point <= shown.range.end:
            continue
        if finding.rule.id not in seen and finding.rule.text and len(seen) < _MAX_RULES:
            seen.add(finding.rule.id)
            yield finding


def _size(place: Range) -> tuple[int, int]:
    return place.end.line - place.start.line, place.end.column - place.start.column
