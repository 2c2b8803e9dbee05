"""What a check says: clean, findings, or not checked and why. Empty is never mistaken for clean."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from glossator.app.checking.reasons import Reason
from glossator.rules.finding import Finding
from glossator.rules.suppressing.applying import Suppressed

CheckOutcome = Literal["clean", "findings", "not-checked"]


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
    by. The outcome is that of what was checked. `reason` says why nothing was, and only then.
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
    suppressed: tuple[Suppressed, ...] = ()
    judged_ids: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    elsewhere: tuple[Finding, ...] = ()
