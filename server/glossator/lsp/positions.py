"""Columns as editors count them, and as everything else here counts them: code points.

An editor counts UTF-16 units unless another encoding was negotiated. A position inside a
character (between the halves of a surrogate pair, between the bytes of a letter) counts as the
position before it.
"""

from typing import Any, Literal

PositionEncoding = Literal["utf-8", "utf-16", "utf-32"]
LARGEST_POSITION = 2**31 - 1
"""The largest number that the protocol has."""

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


def fit_positions(params: Any) -> Any:
    """Return parameters in which no line and no character is larger than the protocol allows.

    Some clients say "to the end" with the largest number that they have themselves.
    """
    if isinstance(params, list):
        return [fit_positions(item) for item in params]
    if not isinstance(params, dict):
        return params
    return {
        name: LARGEST_POSITION if _is_too_large(name, value) else fit_positions(value)
        for name, value in params.items()
    }


def _is_too_large(name: str, value: Any) -> bool:
    is_place = name in ("line", "character") and isinstance(value, int | float)
    return is_place and value > LARGEST_POSITION


def _counts_code_points(line: str, encoding: PositionEncoding) -> bool:
    if encoding == "utf-32" or line.isascii():
        return True
    return encoding == "utf-16" and max(line) <= _LAST_OF_BASIC_PLANE


def _width(character: str, encoding: PositionEncoding) -> int:
    code = ord(character)
    if encoding == "utf-16":
        return 2 if code > 0xFFFF else 1
    return 1 if code < 0x80 else 2 if code < 0x800 else 3 if code < 0x10000 else 4
