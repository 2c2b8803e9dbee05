"""What the coverage reports of a workspace say of one file, and how far that can be trusted."""

import os
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from glossator.code.languages import find_language
from glossator.code.statements import list_statements
from glossator.core.errors import GlossatorError, InvalidArguments
from glossator.core.text import SourceText
from glossator.tools.budget import Budget
from glossator.tools.decoding import decode_text
from glossator.tools.escaping import quote_name
from glossator.tools.reports.matching import Match, find_file
from glossator.tools.reports.report import BrokenReport, FileCoverage, Report
from glossator.tools.workspace import Workspace, describe_size

REPORT_NAMES = (
    "coverage.xml", "cobertura.xml", "coverage/coverage.xml", "coverage/cobertura-coverage.xml",
    "lcov.info", "coverage/lcov.info", "coverage.lcov", ".coverage",
)  # fmt: skip
MAX_REPORT_BYTES = 64 * 1024 * 1024
MAX_SECONDS = 4.0
_MAX_NAMED = 5
_MAX_KEPT, _MAX_KEPT_LINES = 16, 100_000

_Reader = Callable[[bytes, str, Callable[[], bool]], Report]


@dataclass(frozen=True, slots=True)
class Measurement:
    """The lines of a file that count, and those of them that no test reached.

    `report` is as shown; `warnings` say why lines may have moved since.
    """

    source: SourceText
    report: str
    age_s: float
    counted: tuple[int, ...]
    missed: frozenset[int]
    branches: Mapping[int, str] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()

    def list_ranges(self, first_line: int, last_line: int) -> list[tuple[int, int]]:
        """Return the stretches that were not reached; lines that do not count divide none."""
        ranges: list[tuple[int, int]] = []
        is_open = False
        for line in self.counted:
            if not first_line <= line <= last_line:
                continue
            is_missed = line in self.missed
            if is_missed and is_open:
                ranges[-1] = ranges[-1][0], line
            elif is_missed:
                ranges.append((line, line))
            is_open = is_missed
        return ranges


@dataclass(frozen=True, slots=True)
class _Candidate:
    path: Path
    mtime_ns: int
    size_bytes: int

    @property
    def mtime(self) -> float:
        return self.mtime_ns / 1e9


class _ReportCache:
    """What was last read of reports; each as long as its file stays as it was."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: OrderedDict[tuple[_Candidate, str], Report] = OrderedDict()

    def find(self, candidate: _Candidate, base_name: str) -> Report | None:
        with self._lock:
            return self._kept.get((candidate, base_name))

    def add(self, candidate: _Candidate, base_name: str, report: Report) -> None:
        with self._lock:
            self._kept[candidate, base_name] = report
            while len(self._kept) > _MAX_KEPT:
                self._kept.popitem(last=False)


_cache = _ReportCache()


def measure(
    workspace: Workspace, source: SourceText, *, max_bytes: int = MAX_REPORT_BYTES
) -> Measurement:
    """Return what the newest report that has a file says of it; larger ones are not read.

    Raises:
        InvalidArguments: there is no report, none has the file, or none can be read; the text
            says which were looked at.
    """
    if source.path is None or not workspace.is_inside(source.path):
        raise InvalidArguments(f"{quote_name(source.name)} is no file of the workspace.")
    root = _find_root(workspace, source.path)
    candidates = _find_candidates(workspace, source.path, root)
    if not candidates:
        names = ", ".join(f"`{name}`" for name in REPORT_NAMES)
        raise InvalidArguments(
            f"There is no coverage report for {quote_name(source.name)}. Looked for, in its folder "
            f"and those above: {names}. Run the tests with coverage first, such as "
            "`pytest --cov --cov-report=xml`."
        )
    budget = Budget(seconds=MAX_SECONDS)
    problems: list[str] = []
    for candidate in candidates:
        shown = quote_name(workspace.show(candidate.path))
        try:
            report = _read_report(
                workspace, candidate, max_bytes, lambda: budget.is_over, source.path.name
            )
            match = find_file(report, source.path, root, candidate.path)
            if match is None:
                problems.append(_describe_absence(shown, report))
            elif match.others:
                problems.append(_describe_ambiguity(shown, match))
            else:
                return _make_measurement(workspace, source, candidate, match)
        except BrokenReport as error:
            problems.append(f"{shown} cannot be read: {error}")
        except GlossatorError as error:
            problems.append(str(error).rstrip("."))
    raise InvalidArguments(f"No report tells about {quote_name(source.name)}. "
                           + " ".join(f"{problem}." for problem in problems))  # fmt: skip


def _find_root(workspace: Workspace, path: Path) -> Path:
    holding = [root for root in workspace.roots if path.is_relative_to(root)]
    return max(holding, key=lambda root: len(root.parts))


def _find_candidates(workspace: Workspace, path: Path, root: Path) -> list[_Candidate]:
    """Return the reports in the folders from the file's up to the root, the newest first."""
    found: dict[Path, _Candidate] = {}
    for folder in path.parents:
        for name in REPORT_NAMES:
            # Most are not there: that is told without resolving every part of the path.
            if not os.path.lexists(f"{folder}{os.sep}{name}"):
                continue
            try:
                real = workspace.locate(str(folder / name))
                status = real.stat()
            except (GlossatorError, OSError):
                continue
            if real.is_file():
                found[real] = _Candidate(real, status.st_mtime_ns, status.st_size)
        if folder == root:
            break
    return sorted(found.values(), key=lambda candidate: -candidate.mtime_ns)


def _read_report(
    workspace: Workspace,
    candidate: _Candidate,
    max_bytes: int,
    is_over: Callable[[], bool],
    base_name: str,
) -> Report:
    known = _cache.find(candidate, base_name)
    if known is not None:
        return known
    content = workspace.read_bytes(candidate.path, limit_bytes=max_bytes)
    if content.is_cut:
        raise BrokenReport(f"it has {describe_size(content.size_bytes)}, more than is read")
    if not content.data.strip():
        raise BrokenReport("it is empty")
    report = _choose_reader(candidate.path)(content.data, base_name, is_over)
    if sum(len(file.reached) for file in report.files) < _MAX_KEPT_LINES:
        _cache.add(candidate, base_name, report)
    return report


def _choose_reader(path: Path) -> _Reader:
    # Imported when a report is read: few questions need one.
    if path.suffix == ".xml":
        from glossator.tools.reports.cobertura import read_cobertura

        return read_cobertura
    if path.name == ".coverage":
        from glossator.tools.reports.coverage_data import read_coverage_data

        return read_coverage_data
    from glossator.tools.reports.lcov import read_lcov

    return read_lcov


def _describe_absence(shown: str, report: Report) -> str:
    files = "1 file" if report.n_files == 1 else f"{report.n_files} files"
    text = f"{shown} has {files} and not this one"
    if report.files:
        names = ", ".join(quote_name(file.name) for file in report.files[:_MAX_NAMED])
        text += f"; of that name it has {names}"
    return text


def _describe_ambiguity(shown: str, match: Match) -> str:
    names = [match.file.name, *match.others]
    more = f" and {len(names) - _MAX_NAMED} more" if len(names) > _MAX_NAMED else ""
    listed = ", ".join(quote_name(name) for name in names[:_MAX_NAMED])
    return f"in {shown} this might be any of {listed}{more}"


def _make_measurement(
    workspace: Workspace, source: SourceText, candidate: _Candidate, match: Match
) -> Measurement:
    file = match.file
    counted, missed = _count_lines(source, file)
    warnings = _find_warnings(workspace, source, candidate, counted)
    if not match.is_exact:
        warnings.insert(0, f"the report calls the file {quote_name(file.name)}")
    return Measurement(
        source=source,
        report=workspace.show(candidate.path),
        age_s=max(time.time() - candidate.mtime, 0.0),
        counted=tuple(sorted(counted)),
        missed=frozenset(missed),
        branches={line: text for line, text in file.branches.items() if line not in missed},
        warnings=tuple(warnings),
    )


def _count_lines(source: SourceText, file: FileCoverage) -> tuple[set[int], set[int]]:
    """Return the lines that count and those of them that were missed."""
    if file.missed is not None:
        return file.reached | file.missed, file.missed - file.reached
    assert source.path is not None
    language = find_language(source.path.name)
    if language is None or language.id != "python":
        raise BrokenReport("it says what ran, and only of Python is known which lines count")
    counted: set[int] = set()
    missed: set[int] = set()
    for statement in list_statements(source.text, language):
        counted.add(statement.first_line)
        lines = range(statement.first_line, statement.last_line + 1)
        if file.reached.isdisjoint(lines):
            missed.add(statement.first_line)
    return counted, missed


def _find_warnings(
    workspace: Workspace, source: SourceText, candidate: _Candidate, counted: set[int]
) -> list[str]:
    """Say what speaks against the report's lines being those of the text."""
    assert source.path is not None
    warnings: list[str] = []
    try:
        changed = source.path.stat().st_mtime
        on_disk = decode_text(workspace.read_bytes(source.path).data)
    except (GlossatorError, OSError):
        changed, on_disk = 0.0, None
    if source.version is not None and (on_disk is None or on_disk.text != source.text):
        warnings.append("the editor has unsaved changes: lines may have moved")
    if changed > candidate.mtime + 1:
        later = describe_age(changed - candidate.mtime)
        warnings.append(f"the file was changed {later} after the report: lines may have moved")
    n_lines = len(source.lines)
    last = max(counted, default=0)
    if last > n_lines:
        warnings.append(f"the report counts a line {last} and the file has {n_lines}: "
                        "it is of another version")  # fmt: skip
    elif _counts_empty_lines(source.lines, counted):
        warnings.append("the report counts lines that are empty here: it is of another version")
    return warnings


def _counts_empty_lines(lines: Sequence[str], counted: set[int]) -> bool:
    return any(not lines[line - 1].strip() for line in counted)


def describe_age(seconds: float) -> str:
    """Return how long ago something was, for people: `3 hours`."""
    for size, name in ((86400, "day"), (3600, "hour"), (60, "minute")):
        if seconds >= size:
            number = int(seconds // size)
            return f"{number} {name}" if number == 1 else f"{number} {name}s"
    return "less than a minute"
