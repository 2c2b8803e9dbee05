"""Apply edits to a text, by lines and columns."""

from collections.abc import Sequence

from glossator.core.locations import Point
from glossator.core.text import split_lines
from glossator.linting.finding import Edit

_Change = tuple[int, int, str]


def apply_edits(text: str, groups: Sequence[tuple[Edit, ...]]) -> tuple[str, tuple[int, ...]]:
    """Return the text with the groups of edits applied that do not touch each other, and which.

    Each group is applied as a whole or not at all; of two that touch, the first. New lines end as
    those of the text do.
    """
    lines = _Lines(text)
    end_of_line = "\r\n" if "\r\n" in text else "\n"
    changes: list[_Change] = []
    applied: list[int] = []
    for number, group in enumerate(groups):
        wanted = [
            (lines.offset(place.start), lines.offset(place.end), new.replace("\n", end_of_line))
            for place, new in group
        ]
        if wanted and not any(_touch(one, other) for one in wanted for other in changes):
            changes += wanted
            applied.append(number)
    for start, end, new in sorted(changes, reverse=True):
        text = text[:start] + new + text[end:]
    return text, tuple(applied)


class _Lines:
    """Where the lines of a text begin."""

    def __init__(self, text: str) -> None:
        self._lines = split_lines(text, keep_ends=True)
        self._starts = [0]
        for line in self._lines:
            self._starts.append(self._starts[-1] + len(line))

    def offset(self, point: Point) -> int:
        """Return the offset of a point; past the end of a line or of the text means that end."""
        index = min(point.line - 1, len(self._lines))
        length = len(self._lines[index].rstrip("\r\n")) if index < len(self._lines) else 0
        return self._starts[index] + min(point.column, length)


def _touch(one: _Change, other: _Change) -> bool:
    return one[0] <= other[1] and other[0] <= one[1]
