"""The tool that shows signatures: of one function, or the outline of a whole file."""

import asyncio
from collections.abc import Sequence
from typing import Annotated

from glossator.code.outline import Function, Outline, TypeDefinition
from glossator.core.errors import InvalidArguments
from glossator.core.text import SourceText
from glossator.tools.code_map import CodeMap
from glossator.tools.escaping import escape_invisible, quote_name
from glossator.tools.toolbox import ToolFunction
from glossator.tools.workspace import Workspace

MAX_SHOWN = 10
MAX_OUTLINED = 200
MAX_DOCUMENTATION = 2000

Named = Function | TypeDefinition


def make_signature_tools(workspace: Workspace, code_map: CodeMap) -> tuple[ToolFunction, ...]:
    """Return `get_function_signature` for one workspace."""

    async def get_function_signature(
        path: Annotated[str, "Path of the source file."],
        name: Annotated[
            str, "Function, method (`Class.method`) or class; empty for all of the file."
        ] = "",
    ) -> str:
        """Return the signature, lines and documentation of a function, or the outline of a file."""
        return await asyncio.to_thread(_describe, workspace, code_map, path, name.strip())

    return (get_function_signature,)


def _describe(workspace: Workspace, code_map: CodeMap, path: str, name: str) -> str:
    source = workspace.read(path)
    outline = code_map.outline(source)
    if outline is None:
        raise InvalidArguments(
            f"The structure of {quote_name(source.name)} is not understood (no known language). "
            "Read the file instead."
        )
    both: list[Named] = [*outline.functions, *outline.types]
    named = sorted(both, key=lambda item: item.range)
    if not name:
        return _list_outline(source, outline, named)
    found = _find(name, named)
    if not found:
        raise InvalidArguments(_describe_missing(source, name, named))
    blocks = [_describe_one(source, item) for item in found[:MAX_SHOWN]]
    if len(found) > MAX_SHOWN:
        blocks.append(f"{len(found) - MAX_SHOWN} more of that name are not shown.")
    return "\n\n".join(blocks)


def _find(name: str, named: Sequence[Named]) -> list[Named]:
    """Return what `name` means: qualified, else plain, else whatever its case."""
    dotted = name.replace("::", ".").replace("#", ".").removesuffix("()")
    last = dotted.rpartition(".")[2]
    for matches in (
        [item for item in named if item.qualified_name == dotted],
        [item for item in named if item.qualified_name.endswith(f".{dotted}")],
        [item for item in named if item.name == dotted],
        [item for item in named if item.name.lower() == last.lower()],
    ):
        if matches:
            return matches
    return []


def _describe_one(source: SourceText, item: Named) -> str:
    lines = [
        f"{escape_invisible(source.name)}:{item.range.start.line}-{item.range.end.line} "
        f"{item.kind} {quote_name(item.qualified_name)}"
    ]
    if isinstance(item, Function):
        lines += [*item.decorators, item.signature]
    else:
        lines.append(f"{item.kind} {item.name}")
    if item.documentation:
        documentation = item.documentation
        if len(documentation) > MAX_DOCUMENTATION:
            documentation = f"{documentation[:MAX_DOCUMENTATION]}… (cut; read the file for more)"
        lines += ["", documentation]
    return "\n".join([lines[0], *(escape_invisible(line) for line in lines[1:])])


def _list_outline(source: SourceText, outline: Outline, named: Sequence[Named]) -> str:
    name = quote_name(source.name)
    if not named:
        return f"{name} ({outline.language.name}) defines no functions or types."
    state = ", has syntax errors" if outline.has_errors else ""
    lines = [
        f"{name} ({outline.language.name}{state}): {len(outline.functions)} functions, "
        f"{len(outline.types)} types",
        "",
    ]
    for item in named[:MAX_OUTLINED]:
        indent = "  " * item.qualified_name.count(".")
        head = item.signature if isinstance(item, Function) else f"{item.kind} {item.name}"
        span = f"{item.range.start.line}-{item.range.end.line}"
        lines.append(escape_invisible(f"{span:>11}| {indent}{_shorten(head, 200)}"))
    if len(named) > MAX_OUTLINED:
        lines.append(f"{len(named) - MAX_OUTLINED} more are not shown; ask for one by its name.")
    return "\n".join(lines)


def _describe_missing(source: SourceText, name: str, named: Sequence[Named]) -> str:
    names = list(dict.fromkeys(item.qualified_name for item in named))
    there = ", ".join(quote_name(one) for one in names[:40]) or "nothing"
    more = f" and {len(names) - 40} more" if len(names) > 40 else ""
    return f"{quote_name(source.name)} has no {quote_name(name)}. It defines {there}{more}."


def _shorten(text: str, limit: int) -> str:
    return text if len(text) <= limit else f"{text[: limit - 1]}…"
