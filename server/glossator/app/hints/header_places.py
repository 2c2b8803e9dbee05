"""Where the cursor stands in a file of knowledge: on a glob, a keyword, or what stands for it all.

Text in, values out; columns count code points.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from glossator.core.locations import Point, Range
from glossator.core.text import SourceText
from glossator.knowledge.front_matter import (
    GLOB_KEYS,
    KEYWORD_KEYS,
    Entry,
    split_at_commas,
    split_front_matter,
    unquote,
)

Kind = Literal["whole", "globs", "keyword"]

_HEADING = re.compile(r"\s{0,3}#{1,6}(\s|$)")
_UNDERLINE = re.compile(r"\s{0,3}(=+|-+)\s*$")
_FENCE_LINES = 1


@dataclass(frozen=True, slots=True)
class HeaderPlace:
    """What stands at the cursor and what it reaches over.

    `items` are the globs as they are written, or the one keyword; `key` is theirs.
    """

    kind: Kind
    range: Range
    key: str = ""
    items: tuple[str, ...] = ()


def find_header_place(source: SourceText, point: Point) -> HeaderPlace | None:
    """Return what stands at `point`, or None where it is plain text."""
    header = split_front_matter(source.lines)
    if point.line >= header.body_first_line:
        is_head = point.line == _find_head(source.lines, header.body_first_line)
        return HeaderPlace("whole", _line_range(source, point.line)) if is_head else None
    entry, last_line = _entry_at(tuple(header.entries.values()), point.line, header.body_first_line)
    if entry is not None and entry.key in GLOB_KEYS:
        return _find_globs(source, entry, last_line, point)
    if entry is not None and entry.key in KEYWORD_KEYS:
        found = _find_keyword(source, entry, point)
        if found is not None:
            return found
    return HeaderPlace("whole", _line_range(source, point.line))


def _find_head(lines: Sequence[str], first_line: int) -> int:
    """Return the line that stands for the whole text: its first heading, else its first line."""
    first_text = 0
    for number in range(first_line, len(lines) + 1):
        line = lines[number - 1]
        if _HEADING.match(line):
            return number
        if not line.strip():
            continue
        below = lines[number] if number < len(lines) else ""
        if _UNDERLINE.match(below):
            return number
        first_text = first_text or number
    return first_text


def _entry_at(
    entries: Sequence[Entry], line: int, body_first_line: int
) -> tuple[Entry | None, int]:
    """Return the entry that a line belongs to, and its last line."""
    ordered = sorted(entries, key=lambda entry: entry.line)
    ends = [*(entry.line for entry in ordered), body_first_line - _FENCE_LINES][1:]
    for entry, end in zip(ordered, ends, strict=False):
        if entry.line <= line < end:
            return entry, end - 1
    return None, 0


def _items_of(entry: Entry) -> list[str]:
    if isinstance(entry.value, str):
        return [unquote(item) for item in split_at_commas(entry.value)]
    if isinstance(entry.value, list):
        return [item.strip() for item in entry.value if isinstance(item, str) and item.strip()]
    return []


def _find_globs(
    source: SourceText, entry: Entry, last_line: int, point: Point
) -> HeaderPlace | None:
    """Return the globs of the line: all of them on the line of the key, else those it holds."""
    items = _items_of(entry)
    if not items:
        return HeaderPlace("whole", _line_range(source, point.line))
    line = source.lines[point.line - 1]
    here = [item for item in items if item in line]
    if here and len(here) < len(items):
        return HeaderPlace("globs", _line_range(source, point.line), entry.key, tuple(here))
    end = Point(last_line, len(source.lines[last_line - 1]))
    return HeaderPlace("globs", Range(Point(entry.line, 0), end), entry.key, tuple(items))


def _find_keyword(source: SourceText, entry: Entry, point: Point) -> HeaderPlace | None:
    line = source.lines[point.line - 1]
    # On the line of the key a keyword may be written like the key.
    start = line.find(":") + 1 if point.line == entry.line else 0
    for item in sorted(_items_of(entry), key=len, reverse=True):
        for column in _find_all(line, item, start):
            if column <= point.column <= column + len(item):
                place = Range(Point(point.line, column), Point(point.line, column + len(item)))
                return HeaderPlace("keyword", place, entry.key, (item,))
    return None


def _find_all(line: str, item: str, start: int) -> Iterator[int]:
    column = line.find(item, start)
    while column >= 0:
        yield column
        column = line.find(item, column + 1)


def _line_range(source: SourceText, line: int) -> Range:
    text = source.lines[line - 1] if line <= len(source.lines) else ""
    return Range(Point(line, 0), Point(line, len(text)))
