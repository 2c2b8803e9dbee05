"""Findings for people: a line each, `path:line:column: severity: message [rule]`."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from glossator.app.checking.formats.results import Results
from glossator.app.checking.report import CheckReport
from glossator.app.phrasing import Phrasing
from glossator.rules.rule import Severity
from glossator.tools.escaping import quote_path


@dataclass(frozen=True, slots=True)
class Line:
    """A finding in parts, each harmless to a terminal; `place` is what terminals follow."""

    place: str
    severity: Severity
    message: str
    rule_id: str

    def __str__(self) -> str:
        return f"{self.place}: {self.severity}: {self.message} [{self.rule_id}]"


def list_lines(reports: Iterable[CheckReport], say: Phrasing) -> Iterator[Line]:
    """Yield a line for each finding in the reader's language; lines and columns count from 1."""
    for report in reports:
        path = quote_path(report.shown_path)
        for finding in report.findings:
            start = finding.range.start
            yield Line(
                f"{path}:{start.line}:{start.column + 1}",
                finding.severity,
                quote_path(say.choose(finding.message)),
                finding.rule.id,
            )


def render_text(results: Results) -> str:
    """Return all findings as lines; nothing when there are none."""
    return "".join(f"{line}\n" for line in list_lines(results.reports, results.say))
