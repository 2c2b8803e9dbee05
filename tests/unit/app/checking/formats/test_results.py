"""What came of a check, for whoever only looks at its exit code."""

from pathlib import Path

import pytest

from glossator.app.checking.formats.results import Threshold, judge
from glossator.app.checking.reasons import Reason, ReasonCode
from glossator.app.checking.report import CheckReport, SkippedRules
from glossator.core.locations import Point, Range
from glossator.rules.finding import Finding
from glossator.rules.rule import Rule, Severity

FILE = Path("/w/a.py")


def found(severity: Severity) -> CheckReport:
    rule = Rule("quiet", "Be quiet.", "", "k.md", 1, 1, "workspace", "k")
    finding = Finding(rule, Range(Point(1, 0), Point(1, 5)), "Quiet.", severity, "print")
    return CheckReport("a.py", FILE, None, "findings", (finding,), n_rules=1)


def left_out(code: ReasonCode) -> CheckReport:
    return CheckReport("b.py", FILE, None, "not-checked", reason=Reason(code, ("20",)))


@pytest.mark.parametrize("code", ["crashed", "timeout", "unreadable"])
def test_a_file_of_which_nothing_is_known_fails_a_check_without_findings(code: ReasonCode) -> None:
    assert judge([left_out(code)], "information") == "failed"
    assert judge([left_out(code), found("warning")], "information") == "findings"
    assert judge([left_out(code), found("warning")], "error") == "failed"


def test_a_crash_counts_also_where_a_model_judged_the_file() -> None:
    crashed = SkippedRules(("no-print",), Reason("crashed"))
    judged = CheckReport("a.py", FILE, None, "clean", n_judged=1, skipped=(crashed,))

    assert judge([judged], "information") == "failed"


@pytest.mark.parametrize("code", ["missing", "binary", "secret", "generated", "no-rule"])
def test_what_is_left_out_on_purpose_fails_nothing(code: ReasonCode) -> None:
    assert judge([left_out(code)], "information") == "clean"


@pytest.mark.parametrize(
    ("severity", "threshold", "outcome"),
    [
        ("error", "error", "findings"),
        ("warning", "error", "clean"),
        ("information", "information", "findings"),
        ("information", "warning", "clean"),
        ("hint", "information", "clean"),
    ],
)
def test_only_what_is_severe_enough_counts(
    severity: Severity, threshold: Threshold, outcome: str
) -> None:
    assert judge([found(severity)], threshold) == outcome
