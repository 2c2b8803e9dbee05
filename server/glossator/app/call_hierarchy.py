"""Who calls a function and whom it calls, one step at a time, as editors' own views ask for it."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from glossator.app.results import Target
from glossator.code.outline import Function, FunctionKind
from glossator.core.errors import GlossatorError
from glossator.core.locations import Point, Range
from glossator.core.text import SourceText
from glossator.tools.code_map import CodeMap, Place

Direction = Literal["callers", "callees"]


@dataclass(frozen=True, slots=True)
class CallItem:
    """A function, or the top level of a file. `source` is the text that the ranges are about."""

    name: str
    kind: FunctionKind | Literal["module"]
    source: SourceText
    range: Range
    name_range: Range


@dataclass(frozen=True, slots=True)
class Calls:
    """An item at the other end of calls; `ranges` are where the calls stand.

    They are in the item's text for a caller, in the text of the function asked about for a callee.
    """

    item: CallItem
    ranges: tuple[Range, ...]


def find_item(target: Target, code_map: CodeMap) -> CallItem | None:
    """Return the function at the target, if there is one."""
    function = _find_function(target, code_map)
    return None if function is None else _item_of(target.source, function)


def list_calls(target: Target, code_map: CodeMap, direction: Direction) -> tuple[Calls, ...]:
    """Return the calls of the function at the target, or those that it makes.

    Reads files of the workspace: call it in a worker thread.
    """
    function = _find_function(target, code_map)
    if function is None:
        return ()
    list_ = _list_callers if direction == "callers" else _list_callees
    joined: dict[tuple[str, Point], Calls] = {}
    for item, range_ in list_(target.source, function, code_map):
        key = item.source.name, item.range.start
        known = joined.get(key)
        ranges = (range_,) if known is None else (*known.ranges, range_)
        joined[key] = Calls(item, tuple(dict.fromkeys(ranges)))
    return tuple(joined.values())


def _find_function(target: Target, code_map: CodeMap) -> Function | None:
    outline = code_map.outline(target.source)
    return None if outline is None else outline.enclosing(target.point)


def _list_callers(
    source: SourceText, function: Function, code_map: CodeMap
) -> Iterator[tuple[CallItem, Range]]:
    for caller in code_map.find_callers(source, function):
        text = _read(caller.place, code_map)
        if text is None or caller.line > len(text.lines):
            continue
        line = text.lines[caller.line - 1]
        indent = len(line) - len(line.lstrip())
        place = Range(Point(caller.line, indent), Point(caller.line, len(line.rstrip())))
        yield _item_at(text, caller.place, place), place


def _list_callees(
    source: SourceText, function: Function, code_map: CodeMap
) -> Iterator[tuple[CallItem, Range]]:
    for resolved in code_map.resolve_calls(source, function):
        for target in resolved.targets:
            text = _read(target, code_map)
            if text is None or target.function is None:
                continue
            start, name = resolved.call.point, resolved.call.name
            place = Range(start, Point(start.line, start.column + len(name)))
            yield _item_of(text, target.function), place


def _item_at(source: SourceText, place: Place, line: Range) -> CallItem:
    if place.function is not None:
        return _item_of(source, place.function)
    return CallItem(Path(source.name).name, "module", source, line, line)


def _item_of(source: SourceText, function: Function) -> CallItem:
    name = function.qualified_name
    return CallItem(name, function.kind, source, function.range, function.name_range)


def _read(place: Place, code_map: CodeMap) -> SourceText | None:
    try:
        return code_map.workspace.read(place.path)
    except GlossatorError:
        return None
