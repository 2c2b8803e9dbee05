"""Findings as they are shown: as diagnostics, with what repairs them, and no flood of them."""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from glossator.core.locations import Point, Range
from glossator.core.text import SourceText

if TYPE_CHECKING:
    from glossator.app.checking.report import CheckReport
    from glossator.app.linting.linter import LintReport
    from glossator.lsp.serving import GlossatorServer
    from glossator.rules.finding import Finding

Json = dict[str, Any]

SOURCE = "glossator"
_TOP = Range(Point(1, 0), Point(1, 0))


@dataclass(frozen=True, slots=True)
class Shown:
    """One finding as it is sent, and the edits that repair it, none where there is no repair.

    `is_sure` says that the repair may be made unseen together with others. `finding` is that of a
    rule; what else is shown has none.
    """

    range: Range
    diagnostic: Json
    title: str = ""
    edits: tuple[tuple[Range, str], ...] = ()
    is_sure: bool = False
    finding: "Finding | None" = None


@dataclass(frozen=True)
class Published:
    """What is shown for a document: findings of `source` and how they are sent."""

    source: SourceText
    findings: tuple[Shown, ...] = ()

    @cached_property
    def result_id(self) -> str:
        """What is another one when anything is, the version of the document included."""
        told = json.dumps(self.diagnostics, separators=(",", ":"))
        digest = hashlib.blake2b(told.encode("ascii"), digest_size=8).hexdigest()
        return f"{self.source.version}-{digest}"

    @property
    def diagnostics(self) -> list[Json]:
        """The findings as the protocol wants them."""
        return [shown.diagnostic for shown in self.findings]


def prepare(
    server: "GlossatorServer",
    source: SourceText,
    report: "CheckReport | None",
    lint: "LintReport | None",
) -> Published:
    """Return what is shown of both reports."""
    shown = (*_show_findings(server, source, report), *_show_lint(server, source, lint))
    return Published(source, shown)


def _show_findings(
    server: "GlossatorServer", source: SourceText, report: "CheckReport | None"
) -> Iterator[Shown]:
    # Imported here: the first code action comes sooner without it.
    from glossator.lsp import check_to_lsp
    from glossator.rules.finding import number_alike

    if report is None:
        return
    places, client, say = server.backend.places(), server.client, server.phrase()
    limit = server.backend.known_settings().check.max_findings
    numbered = list(number_alike(report.findings))
    for finding, number in _choose(numbered, limit):
        diagnostic = check_to_lsp.diagnostic(finding, source, places, client, say, number)
        yield Shown(finding.range, diagnostic, edits=finding.fix, finding=finding)
    if len(numbered) > limit:
        yield Shown(_TOP, check_to_lsp.more_findings(len(numbered) - limit, source.name, say))


def _choose(numbered: "list[tuple[Finding, int]]", limit: int) -> "list[tuple[Finding, int]]":
    """Return so many findings as there is room for, errors first, in their order."""
    if len(numbered) <= limit:
        return numbered
    from glossator.rules.rule import SEVERITIES

    indexes = range(len(numbered))
    by_weight = sorted(indexes, key=lambda index: SEVERITIES.index(numbered[index][0].severity))
    return [numbered[index] for index in sorted(by_weight[:limit])]


def _show_lint(
    server: "GlossatorServer", source: SourceText, lint: "LintReport | None"
) -> Iterator[Shown]:
    if lint is None:
        return
    from glossator.lsp import lint_to_lsp

    places, client = server.backend.places(), server.client
    for finding in lint.findings:
        diagnostic = lint_to_lsp.diagnostic(finding, source, places, client)
        yield Shown(finding.range, diagnostic, finding.title, finding.edits, finding.is_sure)
