"""Callers and callees of a function to a depth, as trees and as a Mermaid graph."""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from glossator.app.call_text import show_call
from glossator.app.phrasing import Phrasing
from glossator.app.results import CallChain, CallNode, Target
from glossator.code.outline import Function
from glossator.core.errors import GlossatorError, InvalidArguments
from glossator.core.text import SourceText
from glossator.tools.code_map import CodeMap
from glossator.tools.workspace import Workspace

MAX_DEPTH = 6
_MAX_NODES = 200
_MAX_SECONDS = 1.5


@dataclass(frozen=True, slots=True)
class _Spot:
    """A function in its file; what a tree is grown from."""

    source: SourceText
    function: Function

    @property
    def key(self) -> tuple[str, int]:
        return self.source.name, self.function.range.start.line


@dataclass(slots=True)
class _Branch:
    """A node that is still to get its children; `above` are the functions from the root to it."""

    node: CallNode
    spot: _Spot | None
    above: tuple[tuple[str, int], ...]
    children: list["_Branch"] = field(default_factory=list)

    def finish(self) -> CallNode:
        return replace(self.node, children=tuple(child.finish() for child in self.children))


@dataclass(slots=True)
class _Growth:
    """Grows one tree, level by level: what is near the root comes before what is far.

    Size and time are bounded; that something did not fit is said in the result.
    """

    workspace: Workspace
    code_map: CodeMap
    deadline: float
    n_left: int = field(default=_MAX_NODES)
    was_cut: bool = False

    def grow(
        self,
        spot: _Spot,
        depth: int,
        neighbours: Callable[[_Spot], Iterator[tuple[CallNode, _Spot | None]]],
    ) -> tuple[CallNode, ...]:
        """Return the neighbours of `spot`, each with its own to `depth` levels."""
        root = _Branch(_node_of(spot), spot, (spot.key,))
        level = [root]
        for _ in range(depth):
            for branch in level:
                if branch is not root and time.monotonic() > self.deadline:
                    self.was_cut = True
                    break
                self._expand(branch, neighbours)
            level = [child for branch in level for child in branch.children if child.spot]
        return root.finish().children

    def _expand(
        self,
        branch: _Branch,
        neighbours: Callable[[_Spot], Iterator[tuple[CallNode, _Spot | None]]],
    ) -> None:
        known: set[tuple[str, str, int]] = set()
        for node, spot in neighbours(branch.spot) if branch.spot else ():
            key = (node.name, node.shown_path, node.line)
            if key in known:
                continue
            if self.n_left == 0:
                self.was_cut = True
                return
            known.add(key)
            self.n_left -= 1
            if spot is not None and spot.key in branch.above:
                node, spot = replace(node, is_cycle=True), None
            above = (*branch.above, spot.key) if spot is not None else ()
            branch.children.append(_Branch(node, spot, above))

    def callers(self, spot: _Spot) -> Iterator[tuple[CallNode, _Spot | None]]:
        for caller in self.code_map.find_callers(spot.source, spot.function):
            function = caller.place.function
            source = self._read(caller.place.path)
            if source is None:
                continue
            if function is None:
                yield CallNode("<module>", source.name, source.path, caller.line, None), None
            else:
                next_spot = _Spot(source, function)
                yield _node_of(next_spot), next_spot

    def callees(self, spot: _Spot) -> Iterator[tuple[CallNode, _Spot | None]]:
        for resolved in self.code_map.resolve_calls(spot.source, spot.function):
            if not resolved.targets:
                yield CallNode(show_call(resolved.call), "", None, 0, None), None
                continue
            target = resolved.targets[0]
            source = self._read(target.path)
            if source is not None and target.function is not None:
                next_spot = _Spot(source, target.function)
                yield _node_of(next_spot), next_spot

    def _read(self, path: str) -> SourceText | None:
        try:
            return self.workspace.read(path)
        except GlossatorError:
            return None


def trace_calls(
    target: Target, workspace: Workspace, code_map: CodeMap, *, depth: int, say: Phrasing
) -> CallChain:
    """Return who calls the function at the target and what it calls, `depth` levels each way.

    Reads files of the workspace: call it in a worker thread.

    Raises:
        InvalidArguments: the cursor is in no function, or the depth is out of range.
    """
    if not 1 <= depth <= MAX_DEPTH:
        raise InvalidArguments(f"`depth` must be from 1 to {MAX_DEPTH}, not {depth}.")
    outline = code_map.outline(target.source)
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
    spot = _Spot(target.source, function)
    deadline = time.monotonic() + _MAX_SECONDS
    up, down = (_Growth(workspace, code_map, deadline) for _ in range(2))
    callees = down.grow(spot, depth, down.callees)
    callers = up.grow(spot, depth, up.callers)
    root = _node_of(spot)
    was_cut = up.was_cut or down.was_cut
    return CallChain(
        root=root,
        callers=callers,
        callees=callees,
        markdown=_render_chain(root, callers, callees, was_cut=was_cut, say=say),
        mermaid=render_mermaid(root, callers, callees),
    )


def _node_of(spot: _Spot) -> CallNode:
    function = spot.function
    return CallNode(
        name=function.qualified_name,
        shown_path=spot.source.name,
        path=spot.source.path,
        line=function.name_range.start.line,
        range=function.name_range,
    )


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
                f"*This is not all: a tree ends at {_MAX_NODES} functions or after "
                f"{_MAX_SECONDS:g} seconds. Ask for a smaller depth.*",
                f"*并非全部：每棵树最多 {_MAX_NODES} 个函数、{_MAX_SECONDS:g} 秒。请减小深度。*",
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
        yield f"{'  ' * level}- `{node.name}` {place}{mark}"
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
