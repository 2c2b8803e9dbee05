"""The header of a document line by line, with the place of each key and value."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from glossator.core.locations import Point, Range
from glossator.knowledge.front_matter import COMMAS, KEYWORD_COMMAS, KEYWORD_KEYS

_ENTRY = re.compile(
    r"""(?P<quote>["']?)(?P<key>[A-Za-z][\w-]*)(?P=quote)(?P<gap>\s*[:：])(?!//)(?P<rest>.*)"""
)
_COMMENT = re.compile(r"""(?<=["'])\s+#.*$""")
_ITEM = re.compile(r"(?P<mark>\s*-\s*)(?P<item>.*)")


@dataclass(frozen=True, slots=True)
class Entry:
    """One `key: value`. `value` is as it stands behind the colon; lists may stand below it.

    `colon` is as it was typed; `has_blank` says that a blank follows it, as YAML demands.
    """

    key: str
    line: int
    last_line: int
    key_range: Range
    colon: str
    colon_range: Range
    has_blank: bool
    value: str
    value_range: Range
    below: tuple[str, ...]

    def find(self, text: str) -> Range | None:
        """Return where `text` stands in the value, if it does so exactly once."""
        places = []
        for offset, line in enumerate((self.value, *self.below)):
            first = self.value_range.start.column if offset == 0 else 0
            start = line.find(text)
            while start >= 0:
                places.append(range_on(self.line + offset, first + start, len(text)))
                start = line.find(text, start + 1)
        return places[0] if len(places) == 1 else None


@dataclass(frozen=True, slots=True)
class Header:
    """What stands between the fence at `first_line` and the line after `last_line`.

    `stray` are lines that are no entries.
    """

    entries: tuple[Entry, ...] = ()
    stray: tuple[int, ...] = ()
    first_line: int = 0
    last_line: int = 0
    is_closed: bool = True

    @property
    def is_there(self) -> bool:
        """Say whether the document has a header."""
        return self.last_line > 0

    def get(self, *keys: str) -> Entry | None:
        """Return the entry of the first of `keys` that is there; of two the later counts."""
        by_key = {entry.key: entry for entry in self.entries}
        return next((by_key[key] for key in keys if key in by_key), None)


def read_header(lines: Sequence[str], body_first_line: int) -> Header:
    """Read the header above the body; a document whose body begins at line 1 has none."""
    if body_first_line <= 1:
        return Header()
    first = next((n for n, line in enumerate(lines, start=1) if line.strip()), 1)
    closing = lines[body_first_line - 2].strip() if body_first_line - 2 < len(lines) else ""
    is_closed = closing in ("---", "...") and body_first_line > first + 1
    last = body_first_line - (2 if is_closed else 1)
    entries, stray = _read_entries(lines[first:last], first + 1)
    return Header(tuple(entries), tuple(stray), first, last, is_closed)


def _read_entries(block: Sequence[str], first_line: int) -> tuple[list[Entry], list[int]]:
    entries: list[Entry] = []
    stray: list[int] = []
    starts: list[tuple[int, re.Match[str]]] = []
    written = [line for line in block if line.strip()]
    indent = min((len(line) - len(line.lstrip()) for line in written), default=0)
    for number, line in enumerate(block, start=first_line):
        match = _ENTRY.match(line, indent)
        if match is not None:
            starts.append((number, match))
        elif line.strip() and line[indent] not in " \t-#":
            stray.append(number)
    for position, (number, match) in enumerate(starts):
        is_last = position + 1 == len(starts)
        end = len(block) + first_line if is_last else starts[position + 1][0]
        below = list(block[number + 1 - first_line : end - first_line])
        while below and not below[-1].strip():
            below.pop()
        entries.append(_make_entry(number, match, tuple(below)))
    return entries, stray


def _make_entry(number: int, match: re.Match[str], below: tuple[str, ...]) -> Entry:
    rest = match["rest"]
    value = rest.strip()
    start = match.start("rest") + len(rest) - len(rest.lstrip())
    return Entry(
        key=match["key"],
        line=number,
        last_line=number + len(below),
        key_range=range_on(number, match.start("key"), len(match["key"])),
        colon=match["gap"].strip(),
        has_blank=rest[:1].isspace(),
        colon_range=range_on(number, match.start("gap"), start - match.start("gap")),
        value=value,
        value_range=range_on(number, start, len(value)),
        below=below,
    )


def find_items(entry: Entry) -> Iterator[tuple[str, Range]]:
    """Yield the items of a list, in one line or below, each without quotes and with its place."""
    if entry.value:
        yield from _items_in_line(entry)
        return
    for offset, line in enumerate(entry.below, start=1):
        match = _ITEM.fullmatch(line)
        if match is not None:
            item = _COMMENT.sub("", match["item"]).strip()
            place = range_on(entry.line + offset, match.start("item"), len(item))
            yield _unquote(item), place


def _items_in_line(entry: Entry) -> Iterator[tuple[str, Range]]:
    text, first = _without_comment(entry.value), entry.value_range.start.column
    if not text:
        return
    if (text[0] == "[" and text[-1] == "]") or (
        text[0] in "\"'" and text[-1] == text[0] and len(text) > 1
    ):
        text, first = text[1:-1], first + 1
    commas = KEYWORD_COMMAS if entry.key in KEYWORD_KEYS else COMMAS
    start = depth = 0
    quote = ""
    for position, character in enumerate(f"{text},"):
        if character in "\"'" and quote in ("", character):
            quote = "" if quote else character
        depth += (character == "{") - (character == "}")
        is_end = position == len(text)
        if is_end or (character in commas and depth <= 0 and not quote):
            piece = text[start:position]
            item = piece.strip()
            if item:
                column = first + start + len(piece) - len(piece.lstrip())
                yield _unquote(item), range_on(entry.line, column, len(item))
            start = position + 1


def _without_comment(value: str) -> str:
    """Return a value up to the comment behind it; a `#` in quotes begins none."""
    quote = ""
    for position, character in enumerate(value):
        if character in "\"'" and quote in ("", character):
            quote = "" if quote else character
        if character == "#" and not quote and value[:position].rstrip() != value[:position]:
            return value[:position].rstrip()
    return "" if value[0] == "#" else value


def _unquote(text: str) -> str:
    if len(text) > 1 and text[0] == text[-1] and text[0] in "\"'":
        return text[1:-1]
    return text


def range_on(line: int, column: int, length: int) -> Range:
    """Return a range within one line."""
    return Range(Point(line, column), Point(line, column + length))


def range_of_line(lines: Sequence[str], line: int) -> Range:
    """Return a line without the blanks around it; the first line where there is none such."""
    if not 1 <= line <= len(lines):
        return range_on(1, 0, len(lines[0]) if lines else 0)
    text = lines[line - 1]
    indent = len(text) - len(text.lstrip())
    return range_on(line, indent, len(text.strip()))


def range_of_lines(first_line: int, last_line: int) -> Range:
    """Return whole lines with their ends, as they are taken out."""
    return Range(Point(first_line, 0), Point(last_line + 1, 0))
