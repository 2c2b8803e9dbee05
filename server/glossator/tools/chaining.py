"""The tool that follows calls: who calls a function and what it calls."""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Literal

from glossator.code.outline import Function
from glossator.core.errors import InvalidArguments
from glossator.core.text import SourceText
from glossator.tools.call_chains import (
    MAX_DEPTH,
    MAX_NODES,
    MAX_SECONDS,
    CallNode,
    CallTrees,
    grow_call_trees,
)
from glossator.tools.code_map import CodeMap
from glossator.tools.editor.facts import Origin
from glossator.tools.escaping import escape_invisible, quote_name, quote_path
from glossator.tools.lookup import Named, find_definitions, require_outline
from glossator.tools.toolbox import ToolFunction
from glossator.tools.workspace import Workspace

MAX_LINES = 150

_ORIGINS: Mapping[Origin, str] = {
    "own": "", "editor": "  (from the editor)", "unconfirmed": "  (by name; not from the editor)",
}  # fmt: skip

Direction = Literal["both", "callers", "callees"]


def make_chaining_tools(workspace: Workspace, code_map: CodeMap) -> tuple[ToolFunction, ...]:
    """Return `call_chain` for one workspace."""

    async def call_chain(
        path: str,
        name: Annotated[str, "Function or `Class.method`."],
        depth: Annotated[int, "At most 6."] = 2,
        direction: Direction = "both",
    ) -> str:
        """Show who calls a function and what it calls, as trees with `path:line`."""
        return await asyncio.to_thread(
            show_call_chain, workspace, code_map, path, name.strip(), depth, direction
        )

    return (call_chain,)


def show_call_chain(
    workspace: Workspace,
    code_map: CodeMap,
    path: str,
    name: str,
    depth: int,
    direction: Direction,
) -> str:
    """Return the calls to and from a function as text.

    Raises:
        InvalidArguments: the file does not define such a function.
        OutsideWorkspace, ProtectedFile, UnreadableFile: the file cannot be read.
    """
    source = workspace.read(path)
    found = find_definitions(source, require_outline(code_map, source), name)
    function = _choose_function(found, source, name)
    trees = grow_call_trees(
        workspace,
        code_map,
        source,
        function,
        depth=min(max(depth, 1), MAX_DEPTH),
        callers=direction != "callees",
        callees=direction != "callers",
    )
    lines = [f"{_describe(trees.root)}"]
    others = [item for item in found if item is not function]
    if others:
        places = ", ".join(str(item.range.start.line) for item in others[:10])
        lines.append(f"Others of that name are defined at lines {places}; give a qualified name.")
    if direction != "callees":
        lines += ["", "Called by:", *_list_tree(trees.callers, "nobody in this workspace")]
    if direction != "callers":
        lines += ["", "Calls:", *_list_tree(trees.callees, "nothing")]
    return "\n".join([*lines, *_describe_cut(trees)])


def _choose_function(found: Sequence[Named], source: SourceText, name: str) -> Function:
    functions = [item for item in found if isinstance(item, Function)]
    if not functions:
        raise InvalidArguments(
            f"{quote_name(name)} in {quote_name(source.name)} is a {found[0].kind}. Name one of "
            "its methods; `outline` lists them."
        )
    return next((item for item in functions if item.has_body), functions[0])


def _list_tree(nodes: Sequence[CallNode], nothing: str) -> list[str]:
    lines = list(_render_tree(nodes, 1))
    if len(lines) > MAX_LINES:
        left = len(lines) - MAX_LINES
        lines = [*lines[:MAX_LINES], f"  … {left} more lines; ask with a smaller depth."]
    return lines or [f"  {nothing}"]


def _render_tree(nodes: Sequence[CallNode], level: int) -> Iterator[str]:
    for node in nodes:
        mark = " (again, see above)" if node.is_cycle else ""
        yield f"{'  ' * level}{_describe(node)}{mark}{_ORIGINS[node.origin]}"
        yield from _render_tree(node.children, level + 1)


def _describe(node: CallNode) -> str:
    place = f"{quote_path(node.shown_path)}:{node.line}" if node.shown_path else "outside"
    return f"{escape_invisible(node.name)}  {place}"


def _describe_cut(trees: CallTrees) -> list[str]:
    if not trees.was_cut:
        return []
    return ["", f"This is not all: a tree ends at {MAX_NODES} functions or after {MAX_SECONDS:g} "
            "seconds. Ask with a smaller depth or one direction."]  # fmt: skip
