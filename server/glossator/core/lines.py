r"""Where the lines of a text begin: points to offsets and back. Lines end as in `core.text`."""

from bisect import bisect_right
from itertools import accumulate, count
from operator import add

from glossator.core.locations import Point
from glossator.core.text import split_lines


class Lines:
    """The lines of one text. Offsets count code points from its start."""

    def __init__(self, text: str) -> None:
        self._text = text
        # Where each line begins, and where the last one ends.
        self._starts = _find_starts(text)
        self._ends_open = bool(text) and not text.endswith(("\n", "\r"))

    def find_point(self, offset: int) -> Point:
        """Return the point at an offset; the end of a last line without a break is on that line."""
        line = bisect_right(self._starts, offset)
        if line == len(self._starts) and self._ends_open:
            line -= 1
        return Point(line, offset - self._starts[line - 1])

    def find_offset(self, point: Point) -> int:
        """Return the offset of a point; past the end of a line or of the text means that end."""
        index = min(point.line - 1, len(self._starts) - 1)
        start = self._starts[index]
        line = self._text[start : self._starts[index + 1]] if index + 1 < len(self._starts) else ""
        return start + min(point.column, len(line.rstrip("\r\n")))


def _find_starts(text: str) -> list[int]:
    if "\r" in text:
        return [0, *accumulate(map(len, split_lines(text, keep_ends=True)))]
    # Three times as fast: no line is copied with its end.
    *ended, last = text.split("\n")
    starts = [0, *map(add, accumulate(map(len, ended)), count(1))]
    return [*starts, len(text)] if last else starts
