"""What is written down of a check, whatever the format."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal, get_args

from glossator.app.phrasing import Phrasing

if TYPE_CHECKING:  # The parser of the command line needs the names of the formats, no more.
    from glossator.app.checking.report import CheckReport
    from glossator.rules.finding import Finding

Format = Literal["text", "json", "sarif", "github"]
Threshold = Literal["error", "warning", "information"]
"""The severities that a check may fail for, the most severe first; a hint never fails one."""


@dataclass(frozen=True, slots=True)
class Results:
    """The reports of a check, in the reader's language.

    `root` is the workspace folder and `top` that of the repository it stands in, both real paths;
    they are the same where there is no repository.
    """

    reports: "Sequence[CheckReport]"
    root: Path
    top: Path
    version: str
    say: Phrasing

    def place(self, path: Path) -> str:
        """Return a real path below the repository's top, with forward slashes."""
        return path.relative_to(self.top).as_posix() if path.is_relative_to(self.top) else str(path)


def is_counted(finding: "Finding", threshold: Threshold) -> bool:
    """Say whether a check fails for a finding when it fails from `threshold` on."""
    ranks = (*get_args(Threshold), "hint")
    return ranks.index(finding.severity) <= ranks.index(threshold)
