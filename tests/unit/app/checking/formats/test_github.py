"""What GitHub Actions makes annotations of."""

from pathlib import Path

import pytest

from glossator.app.checking.formats.github import make_inert, render_github, tell_limits
from glossator.app.checking.formats.results import Results
from glossator.app.checking.report import CheckReport
from glossator.app.phrasing import Phrasing
from glossator.core.locations import Point, Range
from glossator.rules.finding import Finding
from glossator.rules.rule import Rule, Severity

RULE = Rule("no-print", "Text.", "", "k.md", 1, 1, "workspace", "k")
ROOT = Path("/top/服务")


def find(
    message: str = "Use the log.",
    severity: Severity = "warning",
    end: tuple[int, int] = (3, 9),
) -> Finding:
    return Finding(RULE, Range(Point(3, 4), Point(*end)), message, severity, "print(1)")


def results(*findings: Finding, name: str = "a.py", chinese: bool = False) -> Results:
    report = CheckReport(name, ROOT / name, None, "findings", findings)
    return Results([report], ROOT, Path("/top"), "1", Phrasing(is_chinese=chinese))


def test_a_finding_is_a_command_with_its_place_in_the_repository() -> None:
    assert render_github(results(find())) == (
        "::warning file=服务/a.py,line=3,endLine=3,col=5,endColumn=9,title=no-print::Use the log.\n"
    )


def test_over_several_lines_there_is_no_last_column() -> None:
    [line] = render_github(results(find(end=(5, 1)))).splitlines()

    assert line.startswith("::warning file=服务/a.py,line=3,endLine=5,col=5,title=")


def test_what_would_end_a_property_or_the_command_is_escaped() -> None:
    found = results(find("100 %\r\n::error::no, not: this"), name="a:b,c%d\n.py")

    assert render_github(found) == (
        "::warning file=服务/a%3Ab%2Cc%25d%0A.py,line=3,endLine=3,col=5,endColumn=9,title=no-print"
        "::100 %25%0D%0A::error::no, not: this\n"
    )


def test_the_most_severe_come_first_because_github_stops_after_some() -> None:
    found = results(
        find(severity="hint"), find(severity="warning"), find(severity="error"),
        find(severity="information"),
    )  # fmt: skip

    levels = [line.split()[0] for line in render_github(found).splitlines()]

    assert levels == ["::error", "::warning", "::notice", "::notice"]


@pytest.mark.parametrize(("chinese", "said"), [(False, "of 11 with level"), (True, "共 11 条")])
def test_what_github_does_not_show_is_said(chinese: bool, said: str) -> None:
    many = results(*[find()] * 11, *[find(severity="error")] * 10, chinese=chinese)

    [told] = tell_limits(many)
    assert said in told
    assert "`warning`" in told


@pytest.mark.parametrize("line", ["::stop-commands::x", "  ::error::x", "##[group]x"])
def test_a_name_cannot_command(line: str) -> None:
    assert make_inert(line) == f"· {line}"


def test_other_lines_stay_as_they_are() -> None:
    assert make_inert("a.py not checked: std::string") == "a.py not checked: std::string"
