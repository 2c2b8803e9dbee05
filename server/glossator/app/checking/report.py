"""What a check says: clean, findings, or not checked and why. Empty is never mistaken for clean."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from glossator.rules.finding import Finding

CheckOutcome = Literal["clean", "findings", "not-checked"]


@dataclass(frozen=True, slots=True)
class SkippedRules:
    """Rules that apply to a document and were not checked in it, and why."""

    rule_ids: tuple[str, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class Suppressed:
    """A finding that somebody dismissed, and the reason they gave."""

    finding: Finding
    reason: str


@dataclass(frozen=True, slots=True)
class CheckReport:
    """One document, checked: clean, with findings, or not checked and why.

    `n_rules` counts the compiled rules that were run, `n_judged` those a model judged. `skipped`
    are rules that apply and were not checked. The outcome is that of what was checked.
    """

    shown_path: str
    path: Path | None
    version: int | None
    outcome: CheckOutcome
    findings: tuple[Finding, ...] = ()
    reason: str = ""
    n_rules: int = 0
    n_judged: int = 0
    skipped: tuple[SkippedRules, ...] = ()
    suppressed: tuple[Suppressed, ...] = ()
