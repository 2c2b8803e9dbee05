"""What a check says: clean, findings, or not checked and why. Empty is never mistaken for clean."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from glossator.app.checking.reasons import Reason
from glossator.rules.finding import Finding

if TYPE_CHECKING:
    from glossator.rules.suppressing.applying import Suppressed

CheckOutcome = Literal["clean", "findings", "not-checked"]

NO_CHECK = frozenset({"no-language", "no-rule", "only-judged"})
"""Reasons that no rule with a check is for a document; a model may judge it all the same."""


@dataclass(frozen=True, slots=True)
class SkippedRules:
    """Rules that apply to a document and were not checked in it, and why."""

    rule_ids: tuple[str, ...]
    reason: Reason


@dataclass(frozen=True, slots=True)
class CheckReport:
    """One document, checked: clean, with findings, or not checked and why.

    `n_rules` counts the compiled rules that were run, `n_judged` those a model judged. `skipped`
    are rules that apply and were not checked, `judged_ids` those a model judged all of the document
    by. The outcome is that of what was checked. `reason` says why nothing was, and only then; it is
    a syntax error where nothing was found in the parts that are intact.
    `notes` are what the reader should know beside, such as a baseline that is broken. `elsewhere`
    are the findings on lines that did not change, where only those count that did.
    """

    shown_path: str
    path: Path | None
    version: int | None
    outcome: CheckOutcome
    findings: tuple[Finding, ...] = ()
    reason: Reason | None = None
    n_rules: int = 0
    n_judged: int = 0
    skipped: tuple[SkippedRules, ...] = ()
    suppressed: "tuple[Suppressed, ...]" = ()
    judged_ids: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    elsewhere: tuple[Finding, ...] = ()


def put_findings(report: CheckReport, findings: Iterable[Finding], **changes: Any) -> CheckReport:
    """Return the report with these findings and changes, and the outcome that follows.

    Without findings a document whose syntax is broken in part is not clean.
    """
    found = tuple(findings)
    changed = replace(report, findings=found, **changes)
    if found:
        return replace(changed, outcome="findings", reason=None)
    broken = [each.reason for each in changed.skipped if each.reason.code == "syntax-error"]
    if broken:
        return replace(changed, outcome="not-checked", reason=broken[0])
    return replace(changed, outcome="clean", reason=None)


def tell_only_judged(report: CheckReport) -> CheckReport:
    """Return the report with the true reason where no check is for a document, but other rules."""
    is_so = report.reason is not None and report.reason.code in NO_CHECK and report.skipped
    return replace(report, reason=Reason("only-judged")) if is_so else report
