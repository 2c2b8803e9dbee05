"""Where the entries of a TOML text stand, which `tomllib` does not tell.

The text is cut into statements: the fewest lines that are TOML by themselves. So strings and lists
over several lines are one statement, and nothing of the grammar is written here a second time.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from glossator.core.locations import Point, Range

_KEY = re.compile(r"""\s*((?:"[^"]*"|'[^']*'|[\w-]+)(?:\s*\.\s*(?:"[^"]*"|'[^']*'|[\w-]+))*)\s*""")
# A statement that is not whole after its first line ends with one of these.
_ENDS = ("]", "}", '"""', "'''")


@dataclass(frozen=True, slots=True)
class TomlEntry:
    """One value, or the header of a table without one; `key` is dotted, its table's included.

    `key_range` is what is written for it, without its table.
    """

    key: str
    written: str
    key_range: Range
    value: Any = None
    value_range: Range | None = None
    is_header: bool = False


def list_entries(text: str) -> Iterator[TomlEntry]:
    """Yield the headers and values of a TOML text in their order. The text must be valid TOML."""
    table: tuple[str, ...] = ()
    for line, statement in _list_statements(text):
        parsed = tomllib.loads(statement)
        if statement.lstrip().startswith("["):
            table, _ = _find_leaf(parsed)
            yield _make_header(line, statement, table)
        else:
            below, value = _find_leaf(parsed)
            yield _make_entry(line, statement, (*table, *below), value)


def _list_statements(text: str) -> Iterator[tuple[int, str]]:
    """Yield each statement with the number of its first line."""
    pending = ""
    first = 0
    for number, line in enumerate(text.replace("\r\n", "\n").split("\n"), start=1):
        if not pending:
            if not line.strip() or line.lstrip().startswith("#"):
                continue
            pending, first = line, number
        else:
            pending += f"\n{line}"
            if not any(end in line for end in _ENDS):
                continue
        if _parse(pending) is not None:
            yield first, pending
            pending = ""


def _parse(statement: str) -> Mapping[str, Any] | None:
    try:
        return tomllib.loads(statement)
    except tomllib.TOMLDecodeError:
        return None


def _find_leaf(parsed: Mapping[str, Any]) -> tuple[tuple[str, ...], Any]:
    """Return the names down to the value, and the value; a table with several is a value."""
    names: list[str] = []
    value: Any = parsed
    while isinstance(value, Mapping) and len(value) == 1:
        [(name, value)] = value.items()
        names.append(name)
    return tuple(names), value


def _make_header(line: int, statement: str, table: tuple[str, ...]) -> TomlEntry:
    first = statement.splitlines()[0]
    match = _KEY.match(first, len(first) - len(first.lstrip("[ \t")))
    start, end = match.span(1) if match else (0, len(first))
    place = Range(Point(line, start), Point(line, end))
    return TomlEntry(".".join(table), first[start:end], place, is_header=True)


def _make_entry(line: int, statement: str, names: tuple[str, ...], value: Any) -> TomlEntry:
    match = _KEY.match(statement)
    start, end = match.span(1) if match else (0, len(statement))
    begin = statement.index("=", end) + 1
    begin += len(statement[begin:]) - len(statement[begin:].lstrip(" \t"))
    stop = _find_end(statement)
    return TomlEntry(
        ".".join(names),
        statement[start:end],
        Range(_point(line, statement, start), _point(line, statement, end)),
        value,
        Range(_point(line, statement, begin), _point(line, statement, stop)),
    )


def _find_end(statement: str) -> int:
    """Return where the value ends: before a comment, and blanks before that."""
    whole = tomllib.loads(statement)
    for match in re.finditer("#", statement):
        before = statement[: match.start()]
        if _parse(before) == whole:
            return len(before.rstrip())
    return len(statement.rstrip())


def _point(line: int, statement: str, offset: int) -> Point:
    before = statement[:offset]
    return Point(line + before.count("\n"), offset - (before.rfind("\n") + 1))
