"""Reports in lcov's format: `lcov.info` of Jest, Vitest, gcov, cargo-llvm-cov and others."""

from collections.abc import Callable

from glossator.core.text import split_lines
from glossator.tools.reports.report import (
    BrokenReport,
    FileCoverage,
    Report,
    last_name,
    parse_count,
)

_LINES_BETWEEN_LOOKS = 20_000


def read_lcov(data: bytes, base_name: str, is_over: Callable[[], bool]) -> Report:
    """Return what a report says of the files called `base_name`.

    Raises:
        BrokenReport: it is not of this format, or takes too long.
    """
    files: dict[str, FileCoverage] = {}
    names: set[str] = set()
    current: FileCoverage | None = None
    for number, line in enumerate(split_lines(data.decode("utf-8", "surrogateescape"))):
        if number % _LINES_BETWEEN_LOOKS == 0 and is_over():
            raise BrokenReport("it takes too long to read")
        if line.startswith("SF:"):
            name = line[3:].strip()
            names.add(name)
            is_wanted = last_name(name) == base_name
            current = files.setdefault(name, FileCoverage(name)) if is_wanted else None
        elif line.startswith("end_of_record"):
            current = None
        elif current is not None:
            _count(current, line)
    if not names:
        raise BrokenReport("it names no file (no `SF:` line)")
    return Report(tuple(files.values()), len(names))


def _count(file: FileCoverage, line: str) -> None:
    kind, _, rest = line.partition(":")
    values = rest.split(",")
    if kind == "DA" and len(values) >= 2:
        file.count(parse_count(values[0]), hits=parse_count(values[1]))
    elif kind == "BRDA" and len(values) == 4 and parse_count(values[3]) == 0:
        at = parse_count(values[0])
        name = values[2].strip()
        known = file.branches.get(at, "")
        # Newer versions name the branch, older ones number it.
        text = f"branch {name} is never taken"
        if len(known) < 200:
            file.branches[at] = f"{known}; {text}" if known else text
