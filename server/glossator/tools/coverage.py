"""The tool that says which lines no test reaches, by a coverage report of the workspace."""

import asyncio
from collections.abc import Iterator
from typing import Annotated

from glossator.code.outline import Outline
from glossator.core.locations import Point
from glossator.core.text import SourceText
from glossator.tools.code_map import CodeMap
from glossator.tools.escaping import escape_invisible, quote_name, quote_path
from glossator.tools.lookup import Named, find_definitions, require_outline
from glossator.tools.reports.measuring import Measurement, describe_age, measure
from glossator.tools.toolbox import ToolFunction
from glossator.tools.workspace import Workspace

MAX_RANGES = 60
MAX_CODE_LINES = 80
MAX_LINE_CHARACTERS = 200
MAX_BRANCHES = 20
MAX_DEFINITIONS = 5


def make_coverage_tools(workspace: Workspace, code_map: CodeMap) -> tuple[ToolFunction, ...]:
    """Return `coverage` for one workspace."""

    async def coverage(
        path: str,
        name: Annotated[str, "Function or class; empty for the whole file."] = "",
    ) -> str:
        """Say which lines no test reached, by the newest coverage report."""
        return await asyncio.to_thread(show_coverage, workspace, code_map, path, name.strip())

    return (coverage,)


def show_coverage(workspace: Workspace, code_map: CodeMap, path: str, name: str) -> str:
    """Return which lines of a file or of what it defines were not reached.

    Raises:
        InvalidArguments: no report tells about the file, or it does not define `name`.
        OutsideWorkspace, ProtectedFile, UnreadableFile: the file cannot be read.
    """
    source = workspace.read(path)
    outline = code_map.outline(source)
    found = find_definitions(source, require_outline(code_map, source), name) if name else []
    measured = measure(workspace, source)
    if not name:
        return "\n".join(_describe_file(measured, outline))
    blocks = [_describe_definition(measured, item) for item in found[:MAX_DEFINITIONS]]
    return "\n\n".join("\n".join(lines) for lines in blocks)


def _describe_file(measured: Measurement, outline: Outline | None) -> list[str]:
    last = max(len(measured.source.lines), *measured.counted, 1)
    lines = _describe_head(measured, quote_name(measured.source.name), 1, last)
    ranges = measured.list_ranges(1, last)
    if ranges:
        lines += ["", "Not reached:"]
        lines += [_place(measured, one, outline) for one in ranges[:MAX_RANGES]]
    if len(ranges) > MAX_RANGES:
        lines.append(
            f"{len(ranges) - MAX_RANGES} more stretches; ask for one function by its name."
        )
    return [*lines, *_describe_branches(measured, 1, last)]


def _describe_definition(measured: Measurement, item: Named) -> list[str]:
    first, last = item.range.start.line, item.range.end.line
    place = f"{quote_path(measured.source.name)}:{first}-{last}"
    lines = _describe_head(measured, f"{quote_name(item.qualified_name)} ({place})", first, last)
    ranges = measured.list_ranges(first, last)
    if ranges:
        lines += ["", f"Not reached: {', '.join(_show_range(one) for one in ranges)}"]
        lines += _quote_code(measured.source, ranges)
    return [*lines, *_describe_branches(measured, first, last)]


def _describe_head(measured: Measurement, what: str, first: int, last: int) -> list[str]:
    counted = [line for line in measured.counted if first <= line <= last]
    n_missed = sum(line in measured.missed for line in counted)
    n_reached = len(counted) - n_missed
    state = f"{n_reached} of {len(counted)} lines that count are reached"
    if not counted:
        state = "the report counts none of its lines"
    elif not n_missed:
        state = f"all {len(counted)} lines that count are reached"
    lines = [f"{what}: {state} ({_describe_report(measured)})"]
    return [*lines, *(f"Careful: {warning}." for warning in measured.warnings)]


def _describe_branches(measured: Measurement, first: int, last: int) -> list[str]:
    lines = [line for line in sorted(measured.branches) if first <= line <= last]
    if not lines:
        return []
    name = quote_path(measured.source.name)
    shown = [
        escape_invisible(f"  {name}:{line} {measured.branches[line]}")
        for line in lines[:MAX_BRANCHES]
    ]
    if len(lines) > MAX_BRANCHES:
        shown.append(f"  {len(lines) - MAX_BRANCHES} more")
    return ["", "Reached, but not every way on from there:", *shown]


def _place(measured: Measurement, lines: tuple[int, int], outline: Outline | None) -> str:
    place = f"  {quote_path(measured.source.name)}:{_show_range(lines)}"
    source = measured.source
    if outline is None or lines[0] > len(source.lines):
        return place
    text = source.lines[lines[0] - 1]
    function = outline.enclosing(Point(lines[0], len(text) - len(text.lstrip())))
    return place if function is None else f"{place} in {quote_name(function.qualified_name)}"


def _quote_code(source: SourceText, ranges: list[tuple[int, int]]) -> Iterator[str]:
    """Yield the lines that were not reached, with their numbers."""
    n_left = MAX_CODE_LINES
    width = len(str(ranges[-1][1]))
    for first, last in ranges:
        if n_left <= 0:
            yield "… the rest is not shown; read the file."
            return
        yield ""
        for number in range(first, min(last, len(source.lines), first + n_left - 1) + 1):
            n_left -= 1
            text = source.lines[number - 1]
            cut = f"{text[:MAX_LINE_CHARACTERS]}…" if len(text) > MAX_LINE_CHARACTERS else text
            yield f"{number:>{width}}| {escape_invisible(cut)}"


def _describe_report(measured: Measurement) -> str:
    return f"{quote_path(measured.report)}, {describe_age(measured.age_s)} old"


def _show_range(lines: tuple[int, int]) -> str:
    first, last = lines
    return f"{first}" if first == last else f"{first}-{last}"
