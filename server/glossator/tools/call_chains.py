"""Who calls a function and what it calls, several levels deep, as trees."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from glossator.code.outline import Function
from glossator.core.errors import GlossatorError
from glossator.core.locations import Point, Range
from glossator.core.text import SourceText
from glossator.tools.call_text import show_call
from glossator.tools.editor.facts import Origin

if TYPE_CHECKING:  # The values here are also those of results, which load fast.
    from glossator.tools.code_map import CodeMap
    from glossator.tools.workspace import Workspace

MAX_DEPTH = 6
MAX_NODES = 200
MAX_SECONDS = 1.5


@dataclass(frozen=True, slots=True)
class CallNode:
    """A function in a call chain.

    `line` is 1-based, 0 for what is not in the workspace, whose `path` is None; `is_cycle` marks a
    function that already stands above itself. `origin` tells who says that it calls or is called.
    """

    name: str
    shown_path: str
    path: Path | None
    line: int
    range: Range | None
    is_cycle: bool = False
    origin: Origin = "own"
    children: tuple["CallNode", ...] = ()


@dataclass(frozen=True, slots=True)
class CallTrees:
    """A function with its callers and callees; `was_cut` when these are not all."""

    root: CallNode
    callers: tuple[CallNode, ...]
    callees: tuple[CallNode, ...]
    was_cut: bool


def grow_call_trees(
    workspace: "Workspace",
    code_map: "CodeMap",
    source: SourceText,
    function: Function,
    *,
    depth: int,
    callers: bool = True,
    callees: bool = True,
) -> CallTrees:
    """Return who calls `function` and what it calls, `depth` levels each way.

    Reads files of the workspace: call it in a worker thread.
    """
    spot = _Spot(source, function)
    deadline = time.monotonic() + MAX_SECONDS
    up, down = (_Growth(workspace, code_map, deadline) for _ in range(2))
    called = down.grow(spot, depth, down.callees) if callees else ()
    calling = up.grow(spot, depth, up.callers) if callers else ()
    return CallTrees(_node_of(spot), calling, called, up.was_cut or down.was_cut)


@dataclass(frozen=True, slots=True)
class _Spot:
    """A function in its file; what a tree is grown from."""

    source: SourceText
    function: Function

    @property
    def key(self) -> tuple[str, Point]:
        # In a minified file the line alone would be that of every function.
        return self.source.name, self.function.range.start


@dataclass(slots=True)
class _Branch:
    """A node that is still to get its children; `above` are the functions from the root to it."""

    node: CallNode
    spot: _Spot | None
    above: tuple[tuple[str, Point], ...]
    children: list["_Branch"] = field(default_factory=list)

    def finish(self) -> CallNode:
        return replace(self.node, children=tuple(child.finish() for child in self.children))


@dataclass(slots=True)
class _Growth:
    """Grows one tree, level by level: what is near the root comes before what is far.

    Size and time are bounded; that something did not fit is said in the result.
    """

    workspace: "Workspace"
    code_map: "CodeMap"
    deadline: float
    n_left: int = field(default=MAX_NODES)
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
                node = CallNode("<module>", source.name, source.path, caller.line, None)
                yield replace(node, origin=caller.origin), None
            else:
                next_spot = _Spot(source, function)
                yield replace(_node_of(next_spot), origin=caller.origin), next_spot

    def callees(self, spot: _Spot) -> Iterator[tuple[CallNode, _Spot | None]]:
        for resolved in self.code_map.resolve_calls(spot.source, spot.function):
            if not resolved.targets:
                node = CallNode(show_call(resolved.call), "", None, 0, None)
                yield replace(node, origin=resolved.origin), None
                continue
            target = resolved.targets[0]
            source = self._read(target.path)
            if source is not None and target.function is not None:
                next_spot = _Spot(source, target.function)
                yield replace(_node_of(next_spot), origin=resolved.origin), next_spot

    def _read(self, path: str) -> SourceText | None:
        try:
            return self.workspace.read(path)
        except GlossatorError:
            return None


def _node_of(spot: _Spot) -> CallNode:
    function = spot.function
    return CallNode(
        name=function.qualified_name,
        shown_path=spot.source.name,
        path=spot.source.path,
        line=function.name_range.start.line,
        range=function.name_range,
    )
