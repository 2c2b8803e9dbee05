"""What is written down of a check, whatever the format."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal, get_args

from glossator.app.phrasing import Phrasing

if TYPE_CHECKING:  # The parser of the command line needs the names of the formats, no more.
    from glossator.app.checking.reasons import ReasonCode
    from glossator.app.checking.report import CheckReport

Format = Literal["text", "json", "sarif", "github"]
Threshold = Literal["error", "warning", "information"]
"""The severities that a check may fail for, the most severe first; a hint never fails one."""
_FAILURES: "frozenset[ReasonCode]" = frozenset({"unreadable", "crashed", "timeout"})


@dataclass(frozen=True, slots=True)
class Results:
    """The reports of a check, in the reader's language.

    `root` is the workspace folder and `top` that of the repository it stands in, both real paths;
    they are the same where there is no repository. `notes` say what is wrong beside the files.
    """

    reports: "Sequence[CheckReport]"
    root: Path
    top: Path
    version: str
    say: Phrasing
    notes: Sequence[str] = ()

    def place(self, path: Path) -> str:
        """Return a real path below the repository's top, with forward slashes."""
        return path.relative_to(self.top).as_posix() if path.is_relative_to(self.top) else str(path)


def judge(
    reports: "Sequence[CheckReport]", threshold: Threshold
) -> Literal["clean", "findings", "failed"]:
    """Say what came of a check that fails for findings from `threshold` on.

    It failed when nothing was found, but nothing is known of a file that was to be checked.
    """
    found = (finding.severity for report in reports for finding in report.findings)
    if _list_counted(threshold).intersection(found):
        return "findings"
    return "failed" if any(map(_has_failed, reports)) else "clean"


def _has_failed(report: "CheckReport") -> bool:
    # Where a model has judged the file all the same, its checks are among what was skipped.
    if any(each.reason.code in ("crashed", "timeout") for each in report.skipped):
        return True
    return report.reason is not None and report.reason.code in _FAILURES


def _list_counted(threshold: Threshold) -> frozenset[str]:
    ranks = get_args(Threshold)
    return frozenset(ranks[: ranks.index(threshold) + 1])
