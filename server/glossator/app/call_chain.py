"""Callers and callees of a function to a depth, as trees and as a Mermaid graph."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from glossator.app.origins import describe_origin
from glossator.app.phrasing import Phrasing
from glossator.app.results import CallChain, Target
from glossator.core.errors import InvalidArguments
from glossator.tools.call_chains import (
    MAX_DEPTH,
    MAX_NODES,
    MAX_SECONDS,
    CallNode,
    grow_call_trees,
)
from glossator.tools.code_map import CodeMap
from glossator.tools.editor.inquiry import Inquiry
from glossator.tools.editor.silences import describe_silences
from glossator.tools.workspace import Workspace


def trace_calls(
    target: Target,
    workspace: Workspace,
    code_map: CodeMap,
    *,
    depth: int,
    say: Phrasing,
    inquiry: Inquiry | None = None,
) -> CallChain:
    """Return who calls the function at the target and what it calls, `depth` levels each way.

    `inquiry` is what `code_map` asks the editor with, if it does; what it left open is said.
    Reads files of the workspace: call it in a worker thread.

    Raises:
        InvalidArguments: the cursor is in no function, or the depth is out of range.
    """
    if not 1 <= depth <= MAX_DEPTH:
        raise InvalidArguments(f"`depth` must be from 1 to {MAX_DEPTH}, not {depth}.")
    outline = code_map.understand(target.source)
    if outline is None:
        raise InvalidArguments(
            f"The structure of `{target.source.name}` is not known to Glossator: its language is "
            "another one, or it is too large. Search for the name instead."
        )
    function = outline.enclosing(target.point)
    if function is None:
        raise InvalidArguments(
            f"There is no function at {target.source.name}:{target.point.line}. "
            "Put the cursor inside a function."
        )
    trees = grow_call_trees(workspace, code_map, target.source, function, depth=depth)
    root, callers, callees = trees.root, trees.callers, trees.callees
    silences = say(*describe_silences(inquiry.silences)) if inquiry is not None else ""
    return CallChain(
        root=root,
        callers=callers,
        callees=callees,
        markdown=_render_chain(root, callers, callees, was_cut=trees.was_cut, say=say)
        + (f"\n*{silences}*\n" if silences else ""),
        mermaid=render_mermaid(root, callers, callees),
    )


@dataclass(frozen=True, slots=True)
class CallerCount:
    """How many functions call one; `is_least` when not every file was looked into."""

    n: int
    is_least: bool


def count_callers(target: Target, code_map: CodeMap) -> CallerCount | None:
    """Count the functions that call the one at the target, tests included; None without one.

    Reads files of the workspace: call it in a worker thread.
    """
    outline = code_map.outline(target.source)
    function = outline.enclosing(target.point) if outline is not None else None
    if function is None:
        return None
    callers = code_map.find_users(target.source, function).callers
    places = {(caller.place.path, caller.place.line) for caller in callers}
    return CallerCount(len(places), bool(callers.cut or callers.n_files_left_out))


def _render_chain(
    root: CallNode,
    callers: Sequence[CallNode],
    callees: Sequence[CallNode],
    *,
    was_cut: bool,
    say: Phrasing,
) -> str:
    nobody = say("nobody in this workspace", "工作区内没有调用者")
    parts = [
        f"## `{root.name}` {root.shown_path}:{root.line}",
        f"### {say('Called by', '被谁调用')}",
        "\n".join(_render_tree(callers, 0, say)) or f"- {nobody}",
        f"### {say('Calls', '调用了谁')}",
        "\n".join(_render_tree(callees, 0, say)) or say("- nothing", "- 无"),
    ]
    if was_cut:
        parts.append(
            say(
                f"*This is not all: a tree ends at {MAX_NODES} functions or after "
                f"{MAX_SECONDS:g} seconds. Ask for a smaller depth.*",
                f"*并非全部：每棵树最多 {MAX_NODES} 个函数、{MAX_SECONDS:g} 秒。请减小深度。*",
            )
        )
    parts.append("```mermaid\n" + render_mermaid(root, callers, callees) + "```")
    return "\n\n".join(parts) + "\n"


def _render_tree(nodes: Sequence[CallNode], level: int, say: Phrasing) -> Iterator[str]:
    for node in nodes:
        place = (
            f"{node.shown_path}:{node.line}"
            if node.shown_path
            else say("(outside the workspace)", "（工作区之外）")
        )
        mark = say(" ↻ already above", " ↻ 上文已出现") if node.is_cycle else ""
        yield f"{'  ' * level}- `{node.name}` {place}{mark}{describe_origin(node.origin, say)}"
        yield from _render_tree(node.children, level + 1, say)


def render_mermaid(root: CallNode, callers: Sequence[CallNode], callees: Sequence[CallNode]) -> str:
    """Draw the chain as a Mermaid flowchart; arrows point from caller to callee."""
    ids: dict[tuple[str, str, int], str] = {}
    edges: dict[tuple[str, str], None] = {}

    def id_of(node: CallNode) -> str:
        key = (node.name, node.shown_path, node.line)
        return ids.setdefault(key, f"n{len(ids)}")

    def connect(node: CallNode, others: Sequence[CallNode], *, upwards: bool) -> None:
        for other in others:
            ends = (id_of(other), id_of(node)) if upwards else (id_of(node), id_of(other))
            edges[ends] = None
            connect(other, other.children, upwards=upwards)

    id_of(root)
    connect(root, callers, upwards=True)
    connect(root, callees, upwards=False)
    lines = ["flowchart LR"]
    for (name, shown_path, line), node_id in ids.items():
        place = f"<br/>{_escape(shown_path)}:{line}" if shown_path else ""
        lines.append(f'    {node_id}["{_escape(name)}{place}"]')
    lines.append(f"    style {id_of(root)} stroke-width:3px")
    lines.extend(f"    {start} --> {end}" for start, end in edges)
    return "\n".join(lines) + "\n"


def _escape(text: str) -> str:
    """Escape what Mermaid would read as markup inside a quoted label."""
    replacements = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "#": "#35;"}
    return "".join(replacements.get(character, character) for character in text)
