"""From the byte offsets that tree-sitter counts in to the lines and columns of editors."""

import re
from bisect import bisect_right
from functools import cached_property
from itertools import accumulate
from time import monotonic

from glossator.core.locations import Point, Range

_SURROGATE = re.compile("[\ud800-\udfff]")
_LONE_CARRIAGE_RETURN = re.compile(rb"\r(?!\n)")
_CONTINUATION_BYTES = bytes(range(0x80, 0xC0))
_BLOCK_BYTES = 512
_TIME_LIMIT_S = 5.0
_PIECE_BYTES = 8 * 1024


class CodeText:
    """A text beside the bytes that a parser sees of it.

    `data` has the same offsets as the UTF-8 of `text`, but what parsers trip over is replaced by
    something of the same size: lone surrogates, NUL (the end of a text for many scanners) and
    lone carriage returns (not a line break for tree-sitter, one for editors).
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.data = _encode(text)
        self._is_ascii = len(self.data) == len(text)
        self._readable = len(self.data)
        self._delivered = 0
        self._give_up_at = monotonic() + _TIME_LIMIT_S

    def read_piece(self, offset: int, _point: object) -> bytes:
        """Return the bytes that follow `offset`, for a parser.

        A parser that is given all of them at once holds the interpreter's lock until it is done.
        Text that takes too long ends early: recovering from megabytes of errors takes minutes.
        Once it ends, it ends at the same place for every later question: parsers look again.
        """
        end = min(offset + _PIECE_BYTES, self._readable)
        if end > self._delivered:
            if monotonic() > self._give_up_at:
                end = self._readable = self._delivered
            else:
                self._delivered = end
        return self.data[offset:end]

    @property
    def is_cut(self) -> bool:
        """Say whether the parser was not given all of the text."""
        return self._readable < len(self.data)

    def slice(self, start: int, end: int) -> str:
        """Return the text between two byte offsets."""
        return self.text[self._count_characters(start) : self._count_characters(end)]

    def point(self, offset: int) -> Point:
        """Return the line and column of a byte offset."""
        line = bisect_right(self._line_starts, offset)
        start = self._line_starts[line - 1]
        if self._is_ascii:
            return Point(line, offset - start)
        return Point(line, self._count_characters(offset) - self._count_characters(start))

    def offset(self, point: Point) -> int:
        """Return the byte offset of a point, which is at most the end of its line."""
        if point.line > len(self._line_starts):
            return len(self.data)
        start = self._line_starts[point.line - 1]
        end = self.data.find(b"\n", start)
        line = self.data[start : end if end >= 0 else None]
        if self._is_ascii:
            return start + min(point.column, len(line))
        return start + len(line.decode()[: point.column].encode())

    def range(self, start: int, end: int) -> Range:
        """Return the range between two byte offsets."""
        return Range(self.point(start), self.point(end))

    def is_blank(self, start: int, end: int) -> bool:
        """Say whether nothing but white space stands between two byte offsets."""
        return not self.data[start:end].strip()

    def line_start(self, offset: int) -> int:
        """Return the byte offset at which the line of `offset` begins."""
        return self._line_starts[bisect_right(self._line_starts, offset) - 1]

    @cached_property
    def _line_starts(self) -> list[int]:
        starts = [0]
        starts.extend(match.end() for match in re.finditer(rb"\n", self.data))
        return starts

    @cached_property
    def _blocks(self) -> list[int]:
        """The number of characters before each block of bytes.

        With it a column costs the same on a line of five megabytes as on a short one.
        """
        blocks = range(0, len(self.data), _BLOCK_BYTES)
        return [
            0,
            *accumulate(_count_starts(self.data[start : start + _BLOCK_BYTES]) for start in blocks),
        ]

    def _count_characters(self, offset: int) -> int:
        if self._is_ascii:
            return offset
        block = offset // _BLOCK_BYTES
        return self._blocks[block] + _count_starts(self.data[block * _BLOCK_BYTES : offset])


def _encode(text: str) -> bytes:
    try:
        data = text.encode()
    except UnicodeEncodeError:
        data = _SURROGATE.sub("\ue000", text).encode()
    if b"\0" in data:
        data = data.replace(b"\0", b" ")
    if b"\r" in data:
        data = _LONE_CARRIAGE_RETURN.sub(b"\n", data)
    return data


def _count_starts(data: bytes) -> int:
    return len(data.translate(None, _CONTINUATION_BYTES))
