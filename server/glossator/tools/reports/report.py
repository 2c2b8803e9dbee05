"""What a coverage report says of a file."""

from dataclasses import dataclass, field

from glossator.core.errors import GlossatorError

# No source file has more; a report that says so is broken, or meant to fill the memory.
MAX_LINE = 10_000_000
MAX_COUNTED = 2_000_000


class BrokenReport(GlossatorError):
    """A coverage report that cannot be read; the text says what is wrong with it."""

    code = "broken-report"


@dataclass(frozen=True, slots=True)
class Branch:
    """A line that goes on in several ways, of which some were never taken."""

    line: int
    text: str


@dataclass(slots=True)
class FileCoverage:
    """One file of a report, by the names that the report may mean with `name` and its sources.

    `missed` is None where the report tells only what was reached.
    """

    name: str
    reached: set[int] = field(default_factory=set)
    missed: set[int] | None = field(default_factory=set)
    branches: dict[int, str] = field(default_factory=dict)

    def count(self, line: int, *, hits: int) -> None:
        """Add what one place of the report says: a line is reached if any place says so."""
        if not 0 < line <= MAX_LINE:
            raise BrokenReport(f"it counts a line {line}")
        assert self.missed is not None
        if hits > 0:
            self.reached.add(line)
        else:
            self.missed.add(line)
        if len(self.reached) + len(self.missed) > MAX_COUNTED:
            raise BrokenReport("it counts more lines than any file has")


@dataclass(frozen=True, slots=True)
class Report:
    """The files of a report that have the name that was looked for, and how many it has in all.

    `sources` are the folders that names may be relative to.
    """

    files: tuple[FileCoverage, ...]
    n_files: int
    sources: tuple[str, ...] = ()


def last_name(name: str) -> str:
    """Return the last part of a path of any system."""
    return name.replace("\\", "/").rpartition("/")[2]


def parse_count(text: str | None) -> int:
    """Return a number as reports write it; 0 for what is none.

    Some write that something was not measured as `-`, and counts beyond any bounds.
    """
    digits = (text or "").strip()
    if not digits.isascii() or not digits.isdigit():
        return 0
    return int(digits[:18])
