"""Columns as editors count them, and as everything else here counts them: code points.

An editor counts UTF-16 units unless another encoding was negotiated. A position inside a
character (between the halves of a surrogate pair, between the bytes of a letter) counts as the
position before it.
"""

from typing import Literal

PositionEncoding = Literal["utf-8", "utf-16", "utf-32"]

_LAST_OF_BASIC_PLANE = "\uffff"


def column_from_units(line: str, units: int, encoding: PositionEncoding) -> int:
    """Return the code point column for `units` of `encoding`; past the end means the end."""
    if units <= 0:
        return 0
    if _counts_code_points(line, encoding):
        return min(units, len(line))
    seen = 0
    for column, character in enumerate(line):
        seen += _width(character, encoding)
        if seen > units:
            return column
    return len(line)


def units_from_column(line: str, column: int, encoding: PositionEncoding) -> int:
    """Return how many units of `encoding` stand before the code point column."""
    column = max(0, min(column, len(line)))
    if _counts_code_points(line, encoding):
        return column
    return sum(_width(character, encoding) for character in line[:column])


def _counts_code_points(line: str, encoding: PositionEncoding) -> bool:
    if encoding == "utf-32" or line.isascii():
        return True
    return encoding == "utf-16" and max(line) <= _LAST_OF_BASIC_PLANE


def _width(character: str, encoding: PositionEncoding) -> int:
    code = ord(character)
    if encoding == "utf-16":
        return 2 if code > 0xFFFF else 1
    return 1 if code < 0x80 else 2 if code < 0x800 else 3 if code < 0x10000 else 4
