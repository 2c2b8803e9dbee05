r"""Where the lines of a text begin: points to offsets and back. Lines end as in `core.text`."""

from bisect import bisect_right
from itertools import accumulate

from glossator.core.locations import Point
from glossator.core.text import split_lines


class Lines:
    """The lines of one text. Offsets count code points from its start."""

    def __init__(self, text: str) -> None:
        self._lines = split_lines(text, keep_ends=True)
        self._starts = [0, *accumulate(map(len, self._lines))]
        self._ends_open = bool(text) and not text.endswith(("\n", "\r"))

    def find_point(self, offset: int) -> Point:
        """Return the point at an offset; the end of a last line without a break is on that line."""
        line = bisect_right(self._starts, offset)
        if line == len(self._starts) and self._ends_open:
            line -= 1
        return Point(line, offset - self._starts[line - 1])

    def find_offset(self, point: Point) -> int:
        """Return the offset of a point; past the end of a line or of the text means that end."""
        index = min(point.line - 1, len(self._lines))
        length = len(self._lines[index].rstrip("\r\n")) if index < len(self._lines) else 0
        return self._starts[index] + min(point.column, length)
