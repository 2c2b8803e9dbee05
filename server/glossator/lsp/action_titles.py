"""Titles of actions that people can tell apart, where several findings stand at one place."""

import json
from collections.abc import Sequence
from typing import Any

from glossator.core.text import SourceText, shorten
from glossator.lsp.positions import PositionEncoding, column_from_units

Json = dict[str, Any]

_MAX_CODE = 40


def tell_apart(
    actions: Sequence[Json], source: SourceText, encoding: PositionEncoding
) -> list[Json]:
    """Return the actions with different titles; what does the same stands once.

    To equal titles is added which code or which rule each is about, else its line and column.
    """
    once: dict[str, Json] = {}
    for action in actions:
        does = {name: action.get(name) for name in ("title", "edit", "command", "data")}
        once.setdefault(json.dumps(does, sort_keys=True), action)
    alike: dict[str, list[Json]] = {}
    for action in once.values():
        alike.setdefault(str(action["title"]), []).append(action)
    for title, group in alike.items():
        marks = _find_marks(group, source, encoding) if len(group) > 1 else [""]
        for action, mark in zip(group, marks, strict=True):
            action["title"] = f"{title} ({mark})" if mark else title
    return list(once.values())


def _find_marks(
    group: Sequence[Json], source: SourceText, encoding: PositionEncoding
) -> Sequence[str]:
    """Return for each action what only it is about; nothing where an action is about no finding."""
    about = [action["diagnostics"][0] for action in group if action.get("diagnostics")]
    if len(about) < len(group):
        return [""] * len(group)
    codes = [_show_code(each, source, encoding) for each in about]
    rules = [f"`{each['code']}`" for each in about]
    for marks in (codes, rules):
        if len(set(marks)) == len(marks):
            return marks
    return [_show_place(each) for each in about]


def _show_code(diagnostic: Json, source: SourceText, encoding: PositionEncoding) -> str:
    """Return the first line of the code that a finding is about, or its beginning."""
    start, end = diagnostic["range"]["start"], diagnostic["range"]["end"]
    if start["line"] >= len(source.lines):
        return ""
    line = source.lines[start["line"]]
    first = column_from_units(line, start["character"], encoding)
    is_on_one_line = start["line"] == end["line"]
    last = column_from_units(line, end["character"], encoding) if is_on_one_line else len(line)
    return f"`{shorten(line[first:last].strip(), _MAX_CODE)}`"


def _show_place(diagnostic: Json) -> str:
    start = diagnostic["range"]["start"]
    return f"{start['line'] + 1}:{start['character'] + 1}"
