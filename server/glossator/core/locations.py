"""Where something stands in a text.

Lines are 1-based. Columns are 0-based and count Unicode code points. Conversion to and from an
editor's units happens in `lsp/` only.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Point:
    """A position between two characters: `line` is 1-based, `column` 0-based in code points."""

    line: int
    column: int


@dataclass(frozen=True, slots=True, order=True)
class Range:
    """The text from `start` up to, not including, `end`; a cursor at `end` is still in it."""

    start: Point
    end: Point

    def __contains__(self, point: Point) -> bool:
        return self.start <= point <= self.end


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """Whole lines of a file. `path` is as shown to people; both lines are 1-based and inclusive."""

    path: str
    first_line: int
    last_line: int

    def __str__(self) -> str:
        if self.first_line == self.last_line:
            return f"{self.path}:{self.first_line}"
        return f"{self.path}:{self.first_line}-{self.last_line}"
