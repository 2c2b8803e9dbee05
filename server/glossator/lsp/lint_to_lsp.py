"""Findings of the linter as the editor gets them."""

import hashlib
from typing import TYPE_CHECKING, Any

from glossator.app.linting.page import find_page, list_lines
from glossator.core.locations import Range, Span
from glossator.core.text import SourceText
from glossator.lsp.check_to_lsp import SEVERITIES
from glossator.lsp.client import Client
from glossator.lsp.diagnostics import SOURCE
from glossator.lsp.places import Places

if TYPE_CHECKING:
    from glossator.app.linting.linter import LintFinding

Json = dict[str, Any]


def diagnostic(finding: "LintFinding", source: SourceText, places: Places, client: Client) -> Json:
    """Return a finding as the client can show it."""
    result: Json = {
        "range": places.range_of(source, finding.range),
        "severity": SEVERITIES[finding.severity],
        "source": SOURCE,
        "code": finding.code,
        "message": finding.message,
    }
    line = list_lines().get(finding.code)
    if client.code_descriptions and line is not None:
        # Editors open a file beside, at a line; an anchor in it they would not find.
        result["codeDescription"] = {"href": f"{find_page().as_uri()}#L{line}"}
    if client.related_information and finding.related:
        found = [_related(span, places) for span in finding.related]
        result["relatedInformation"] = [each for each in found if each is not None]
    if client.diagnostic_data:
        result["data"] = {"code": finding.code, "fingerprint": fingerprint(finding, source)}
    return result


def _related(span: Span, places: Places) -> Json | None:
    uri = places.uri(None, span.path)
    if uri is None:
        return None
    # Whole lines are meant, so the text need not be at hand to count columns.
    lines = {
        "start": {"line": span.first_line - 1, "character": 0},
        "end": {"line": span.last_line - 1, "character": 0},
    }
    return {"location": {"uri": uri, "range": lines}, "message": str(span)}


def fingerprint(finding: "LintFinding", source: SourceText) -> str:
    """Return what stays the same when only the lines around a finding change."""
    text = "\0".join((finding.code, source.name, _text_at(source, finding.range)))
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def _text_at(source: SourceText, place: Range) -> str:
    lines = source.lines[place.start.line - 1 : place.end.line]
    return " ".join(" ".join(lines).split())[:500]
