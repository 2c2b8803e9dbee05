"""What is written down of a check, whatever the format."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from glossator.app.checking.report import CheckReport
from glossator.app.phrasing import Phrasing
from glossator.rules.finding import Finding
from glossator.rules.rule import Severity

Format = Literal["text", "json", "sarif", "github"]
# Those that a check may fail for; a hint never fails one.
Threshold = Literal["error", "warning", "information"]


@dataclass(frozen=True, slots=True)
class Results:
    """The reports of a check, in the reader's language.

    `root` is the workspace folder and `top` that of the repository it stands in, both real paths;
    they are the same where there is no repository.
    """

    reports: Sequence[CheckReport]
    root: Path
    top: Path
    version: str
    say: Phrasing

    def place(self, path: Path) -> str:
        """Return a real path below the repository's top, with forward slashes."""
        return path.relative_to(self.top).as_posix() if path.is_relative_to(self.top) else str(path)


def is_counted(finding: Finding, threshold: Threshold) -> bool:
    """Say whether a check fails for a finding when it fails from `threshold` on."""
    ranks: tuple[Severity, ...] = ("error", "warning", "information", "hint")
    return ranks.index(finding.severity) <= ranks.index(threshold)
