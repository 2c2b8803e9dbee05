"""The tool that shows the signature and documentation of a function or type."""

import asyncio
from typing import Annotated

from glossator.code.outline import Function
from glossator.core.text import SourceText
from glossator.tools.code_map import CodeMap
from glossator.tools.escaping import escape_invisible, quote_name
from glossator.tools.lookup import Named, find_definitions, require_outline
from glossator.tools.outlining import render_definitions
from glossator.tools.toolbox import ToolFunction
from glossator.tools.workspace import Workspace

MAX_SHOWN = 10
MAX_DOCUMENTATION = 2000


def make_signature_tools(workspace: Workspace, code_map: CodeMap) -> tuple[ToolFunction, ...]:
    """Return `get_function_signature` for one workspace."""

    async def get_function_signature(
        path: str,
        name: Annotated[str, "Function, method (`Class.method`) or class."] = "",
    ) -> str:
        """Return the signature, lines and documentation of a function or class."""
        return await asyncio.to_thread(_describe, workspace, code_map, path, name.strip())

    return (get_function_signature,)


def _describe(workspace: Workspace, code_map: CodeMap, path: str, name: str) -> str:
    source = workspace.read(path)
    outline = require_outline(code_map, source)
    if not name:
        return render_definitions(source, outline)
    found = find_definitions(source, outline, name)
    blocks = [_describe_one(source, item) for item in found[:MAX_SHOWN]]
    if len(found) > MAX_SHOWN:
        blocks.append(f"{len(found) - MAX_SHOWN} more of that name are not shown.")
    return "\n\n".join(blocks)


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
