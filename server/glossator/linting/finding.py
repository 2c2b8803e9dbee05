"""What a check finds: a code, a place, what the message names, and how it can be repaired."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from glossator.core.locations import Range, Span
from glossator.rules.rule import Severity

Edit = tuple[Range, str]
RepairKind = Literal["replace", "remove", "quote", "insert"]


@dataclass(frozen=True, slots=True)
class Repair:
    """Edits after which the finding is gone. `text` is what a title names: what is put there."""

    kind: RepairKind
    edits: tuple[Edit, ...]
    text: str = ""


@dataclass(frozen=True, slots=True)
class Finding:
    """Something in a document that does not do what its author meant.

    `arguments` are what the message names. `related` are the other places it is about.
    """

    code: str
    severity: Severity
    range: Range
    arguments: Mapping[str, str] = field(default_factory=dict, hash=False)
    repair: Repair | None = None
    related: tuple[Span, ...] = ()


SEVERITIES: Mapping[str, Severity] = {
    # The header.
    "unclosed-header": "error",
    "late-header": "warning",
    "duplicate-key": "warning",
    "unknown-key": "warning",
    "foreign-key": "warning",
    "loose-key": "warning",
    "not-an-entry": "warning",
    "unquoted-value": "warning",
    "value-cut-by-comment": "warning",
    "wrong-type": "error",
    "quoted-boolean": "warning",
    "missing-name": "warning",
    "missing-description": "error",
    "name-not-folder": "warning",
    "name-grammar": "warning",
    "too-long-value": "warning",
    # Globs.
    "invalid-glob": "error",
    "unmatched-glob": "warning",
    "covered-glob": "information",
    # Links, imports and places.
    "dead-link": "warning",
    "dead-anchor": "warning",
    "dead-import": "warning",
    "cyclic-import": "warning",
    "outside-import": "warning",
    "line-beyond-end": "warning",
    "missing-path": "information",
    # Commands.
    "unknown-script": "warning",
    "unknown-target": "warning",
    "unknown-task": "warning",
    "missing-file-of-command": "warning",
    # Rules.
    "duplicate-rule": "information",
    "duplicate-document": "information",
    "duplicate-rule-id": "warning",
    "contradiction": "warning",
    "failing-example": "error",
    "misspelt-fence": "warning",
    "check-outside-rule": "warning",
    "unknown-check-key": "error",
    "broken-rule": "error",
    # Size.
    "over-budget": "warning",
    "cut-by-others": "warning",
    "long-section": "hint",
    "long-line": "warning",
    "cut-file": "error",
    # What can be found.
    "shared-keyword": "information",
    "vague-keyword": "warning",
    "same-name": "warning",
    "empty-document": "warning",
    "empty-section": "information",
    "wordless-section": "information",
    "repeated-section": "information",
    "invisible-character": "warning",
    "unusable": "warning",
}
"""Every code with how much it matters; `unusable` is what the reader says that no check does."""


CHOICES = frozenset({"shared-keyword", "empty-section"})
"""Their repairs are one of several choices: people make them, one by one."""

GUESSES = CHOICES | {
    "unmatched-glob", "dead-link", "dead-anchor", "dead-import", "missing-path", "unknown-script",
    "unknown-target", "unknown-task", "missing-file-of-command", "unknown-key", "misspelt-fence",
    "unknown-check-key",
}  # fmt: skip
"""Their repairs put the likeliest name: never made without being looked at."""


def find(
    code: str,
    place: Range,
    /,
    *,
    repair: Repair | None = None,
    related: Iterable[Span] = (),
    **arguments: str | int | Span,
) -> Finding:
    """Make a finding of a known code."""
    texts = {name: str(value) for name, value in arguments.items()}
    return Finding(code, SEVERITIES[code], place, texts, repair, tuple(related))


def soften(finding: Finding) -> Finding:
    """Return the same finding as mere information."""
    return replace(finding, severity="information")


def replace_with(place: Range, text: str, *, kind: RepairKind = "replace") -> Repair:
    """Return the repair that puts `text` in one place."""
    return Repair(kind, ((place, text),), text)


def remove(*places: Range) -> Repair:
    """Return the repair that takes these places out."""
    return Repair("remove", tuple((place, "") for place in places))
