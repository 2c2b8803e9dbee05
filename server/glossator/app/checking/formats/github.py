"""Findings as commands that GitHub Actions makes annotations of, shown beside the code.

The forms are those of its documentation: `::error file=…,line=…::message`.
"""

from collections import Counter
from collections.abc import Iterator, Mapping

from glossator.app.checking.formats.results import Results
from glossator.app.phrasing import Phrasing
from glossator.rules.finding import Finding
from glossator.rules.rule import Severity

MAX_ANNOTATIONS = 10
"""As many of each level GitHub makes of what one step prints; the others only stand in its log."""

_LEVELS: Mapping[Severity, str] = {
    "error": "error",
    "warning": "warning",
    "information": "notice",
    "hint": "notice",
}
_ORDER = tuple(_LEVELS)


def render_github(results: Results) -> str:
    """Return a command for each finding, the most severe ones first: GitHub shows no others."""
    found = [
        (finding, results.place(report.path) if report.path else report.shown_path)
        for report in results.reports
        for finding in report.findings
    ]
    found.sort(key=lambda each: _ORDER.index(each[0].severity))
    return "".join(f"{_render(finding, path)}\n" for finding, path in found)


def tell_limits(results: Results) -> Iterator[str]:
    """Yield how many findings of each level become no annotation."""
    counts = Counter(
        _LEVELS[finding.severity] for report in results.reports for finding in report.findings
    )
    for level, n in counts.items():
        if n > MAX_ANNOTATIONS:
            yield _tell_limit(level, n, results.say)


def make_inert(line: str) -> str:
    """Return a line that is shown and no command, whatever name or message it begins with."""
    return f"· {line}" if line.lstrip().startswith(("::", "##[")) else line


def _tell_limit(level: str, n: int, say: Phrasing) -> str:
    return say(
        f"GitHub shows {MAX_ANNOTATIONS} annotations of each level for a step: of {n} with level "
        f"`{level}` the others stand in the log only",
        f"GitHub 对每个步骤的每个级别只显示 {MAX_ANNOTATIONS} 条注释：级别 `{level}` 共 {n} 条，"
        "其余只在日志中",
    )


def _render(finding: Finding, path: str) -> str:
    start, end = finding.range.start, finding.range.end
    properties: dict[str, str | int] = {
        "file": path,
        "line": start.line,
        "endLine": end.line,
        "col": start.column + 1,
    }
    if start.line == end.line:  # Over several lines GitHub takes no last column.
        properties["endColumn"] = max(end.column, start.column + 1)
    properties["title"] = finding.rule.id
    told = ",".join(f"{name}={_escape_property(value)}" for name, value in properties.items())
    return f"::{_LEVELS[finding.severity]} {told}::{_escape(finding.message)}"


def _escape(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _escape_property(value: str | int) -> str:
    return _escape(str(value)).replace(":", "%3A").replace(",", "%2C")
