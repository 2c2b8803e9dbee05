"""Which file of a report is the one that is asked about.

Reports are written in other folders, on other machines and systems. A name is first taken as it
stands, then by its end: that has to hold all of the path from the folder with the report on, or
the whole name. One that leads to another file of the workspace is that file, and of several that
fit alike none is guessed.
"""

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from glossator.tools.reports.report import FileCoverage, Report

_DRIVE = re.compile(r"^[A-Za-z]:")
_MAX_DEPTH = 40


@dataclass(frozen=True, slots=True)
class Match:
    """The file that is meant. `is_exact` when its name leads there, `others` might as well be."""

    file: FileCoverage
    is_exact: bool = True
    others: tuple[str, ...] = ()


def find_file(report: Report, path: Path, root: Path, report_path: Path) -> Match | None:
    """Return what the report has of the file at `path`, a real path below `root`."""
    bases = [folder for folder in report_path.parents if folder.is_relative_to(root)]
    target = split_name(path.as_posix())
    n_needed = min(
        len(path.relative_to(base).parts) for base in (*bases, root) if path.is_relative_to(base)
    )
    rated: list[tuple[int, FileCoverage]] = []
    for file in report.files:
        spellings = list(_spell(file.name, report.sources))
        names = [split_name(name) for name in spellings]
        joined = (split_name(f"{base.as_posix()}/{name}") for base in bases
                  for name in spellings if not is_absolute(name))  # fmt: skip
        if target in names or target in joined:
            return Match(file)
        common = max(_count_common(name, target) for name in names)
        if any(_means_another(name, common, bases) for name in names):
            continue
        is_whole = any(
            not is_absolute(spelling) and _count_common(name, target) == len(name)
            for spelling, name in zip(spellings, names, strict=True)
        )
        if common >= n_needed or is_whole:
            rated.append((common, file))
    if not rated:
        return None
    best = max(common for common, _ in rated)
    fitting = [file for common, file in rated if common == best]
    return Match(fitting[0], False, tuple(file.name for file in fitting[1:]))


def is_absolute(name: str) -> bool:
    """Say whether a name of any system begins at its top."""
    return name.startswith(("/", "\\")) or _DRIVE.match(name) is not None


def split_name(name: str) -> list[str]:
    """Return the parts of a path of any system, `.` and `..` resolved."""
    parts: list[str] = []
    for part in _DRIVE.sub("", name).replace("\\", "/").split("/"):
        if part == "..":
            del parts[-1:]
        elif part not in {"", "."}:
            parts.append(part)
    return parts


def _spell(name: str, sources: Sequence[str]) -> Iterator[str]:
    """Yield what a name may stand for in full."""
    if is_absolute(name) or not sources:
        yield name
    else:
        yield from (f"{source}/{name}" if source else name for source in sources)


def _means_another(name: Sequence[str], n_common: int, bases: Sequence[Path]) -> bool:
    """Say whether more of a name's end leads to a file of the workspace, which is not this one."""
    start = max(len(name) - _MAX_DEPTH, 0)
    ends = ("/".join(name[first:]) for first in range(start, len(name) - n_common))
    # Unlike a path's own method this raises for no name, however odd.
    return any(os.path.isfile(base / end) for end in ends for base in bases)  # noqa: PTH113


def _count_common(name: Sequence[str], target: Sequence[str]) -> int:
    """Return how many parts from the end are the same."""
    count = 0
    for mine, other in zip(reversed(name), reversed(target), strict=False):
        if mine != other:
            break
        count += 1
    return count
