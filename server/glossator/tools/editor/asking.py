"""Tools that ask the editor's other language servers; offered only where the editor offers it."""

import asyncio
import re
from collections.abc import Sequence
from typing import Annotated

from glossator.core.errors import InvalidArguments
from glossator.core.locations import Point
from glossator.core.text import SourceText, shorten
from glossator.tools.editor.facts import Facts, Spot, Subject
from glossator.tools.editor.inquiry import Inquiry
from glossator.tools.editor.problems import show_problem
from glossator.tools.editor.silences import describe_silence
from glossator.tools.escaping import escape_invisible, quote_name, quote_path
from glossator.tools.toolbox import ToolFunction
from glossator.tools.workspace import Workspace

_MAX_SHOWN = 60
_MAX_LINE = 160
_WORD = re.compile(r"\w+")


def make_editor_tools(workspace: Workspace, inquiry: Inquiry) -> tuple[ToolFunction, ...]:
    """Return `find_definition`, `find_references` and `list_problems`, as far as offered."""

    async def find_definition(
        path: str,
        line: Annotated[int, "Line on which the name stands."],
        name: str,
    ) -> str:
        """Show where a name used on a line is defined, as the editor's language server says."""
        return await asyncio.to_thread(
            _find, workspace, inquiry, "definitions", path, line, name.strip()
        )

    async def find_references(
        path: str,
        line: Annotated[int, "Line on which the name stands."],
        name: str,
    ) -> str:
        """List the uses of a name, as the editor's language server knows them."""
        return await asyncio.to_thread(
            _find, workspace, inquiry, "references", path, line, name.strip()
        )

    async def list_problems(path: str) -> str:
        """List what the editor's language servers and linters report in a file."""
        return await asyncio.to_thread(_list_problems, workspace, inquiry, path)

    tools: dict[Subject, ToolFunction] = {
        "definitions": find_definition,
        "references": find_references,
        "diagnostics": list_problems,
    }
    return tuple(tool for subject, tool in tools.items() if inquiry.offers(subject))


def _find(
    workspace: Workspace, inquiry: Inquiry, subject: Subject, path: str, line: int, name: str
) -> str:
    source = workspace.read(path)
    point = _locate(source, line, name)
    facts = inquiry.ask(subject, source, point)
    what = f"{quote_name(name)} at {quote_path(source.name)}:{line}"
    if facts is None:
        return f"The editor knows nothing of {what}{_say_why(inquiry, subject)}."
    lines = list(dict.fromkeys(_show_spot(spot, workspace) for spot in facts.spots))
    if not lines:
        return f"The editor says that there is nothing for {what}."
    return "\n".join([f"From the editor, for {what}:", *_first(lines, facts)])


def _locate(source: SourceText, line: int, name: str) -> Point:
    """Return where the last part of `name` stands on a line.

    Raises:
        InvalidArguments: it does not.
    """
    last = (_WORD.findall(name) or [""])[-1]
    text = source.lines[line - 1] if 0 < line <= len(source.lines) else ""
    found = re.search(rf"(?<!\w){re.escape(last)}(?!\w)", text) if last else None
    if found is None:
        raise InvalidArguments(
            f"{quote_name(name)} does not stand on line {line} of {quote_name(source.name)}. "
            "Read the file and give the line on which it does."
        )
    return Point(line, found.start())


def _show_spot(spot: Spot, workspace: Workspace) -> str:
    if spot.path is None:
        return f"- outside the workspace{': ' + quote_name(spot.name) if spot.name else ''}"
    source = workspace.read(spot.path)
    line = spot.name_range.start.line
    text = source.lines[line - 1].strip() if line <= len(source.lines) else ""
    return f"- {quote_path(source.name)}:{line}  {escape_invisible(shorten(text, _MAX_LINE))}"


def _list_problems(workspace: Workspace, inquiry: Inquiry, path: str) -> str:
    source = workspace.read(path)
    facts = inquiry.ask("diagnostics", source)
    name = quote_name(source.name)
    if facts is None:
        reason = _say_why(inquiry, "diagnostics")
        return f"It is not known what the editor reports in {name}{reason}. That is not “none”."
    lines = [show_problem(problem, source.name) for problem in facts.problems]
    if not lines:
        return f"The editor reports no problems in {name} (of its other language servers)."
    return "\n".join([f"From the editor, in {name}:", *_first(lines, facts)])


def _first(lines: Sequence[str], facts: Facts) -> list[str]:
    shown = list(lines[:_MAX_SHOWN])
    n_more = len(lines) - len(shown)
    if n_more:
        shown.append(f"{n_more} more are not shown.")
    if facts.n_left_out:
        shown.append(f"{facts.n_left_out} more were too many, outdated, or fit no file.")
    return shown


def _say_why(inquiry: Inquiry, subject: Subject) -> str:
    silence = inquiry.silences.get(subject)
    return f" ({describe_silence(silence)[0]})" if silence else ""
