"""The nodes that a grammar's query finds, in a whole text or around a place in it."""

from tree_sitter import Node, QueryCursor

from glossator.code.grammars import LoadedGrammar
from glossator.code.heads import find_only_definition

Captures = dict[str, list[Node]]
Captured = tuple[int, int, int, int, str, Node]  # start, -end, rank, number, role, node

# What is captured for one purpose only and takes no part in a sweep.
_ASIDE = frozenset({"comment", "import"})
# Of two nodes with the same text the one that stands around the other comes first.
_RANKS = {"wrapper": 0, "decorator": 1, "binding": 2, "object": 2, "call": 9, "send": 9}
# Far below what anyone writes; a cursor's time grows with the square of the depth it looks at.
_MAX_DEPTH = 4000
_PIECE_BYTES = 128 * 1024
_BROKEN_PIECE_BYTES = 16 * 1024
_EVERYTHING = (0, 2**32 - 1)
_WHITE_SPACE = b" \t\n\r\v\f"


def capture(root: Node, loaded: LoadedGrammar, part: tuple[int, int] = _EVERYTHING) -> Captures:
    """Run the query on what touches a part of the text, node by node where that is large.

    A query holds the interpreter's lock while it runs, and others want to run too. On broken text
    it looks at all siblings that follow, for each one of them: there the pieces are small.
    """
    first, last = part
    captures: Captures = {}
    piece_bytes = _BROKEN_PIECE_BYTES if root.has_error else _PIECE_BYTES
    whole, alone = QueryCursor(loaded.query), QueryCursor(loaded.query)
    whole.set_max_start_depth(_MAX_DEPTH)
    alone.set_max_start_depth(0)
    for cursor in (whole, alone):
        cursor.set_byte_range(first, last)
    waiting = [root]
    while waiting:
        node = waiting.pop()
        is_large = min(node.end_byte, last) - max(node.start_byte, first) > piece_bytes
        if is_large:
            waiting.extend(
                child
                for child in node.named_children
                if child.start_byte <= last and first <= child.end_byte
            )
        cursor = alone if is_large else whole
        for role, nodes in cursor.captures(node).items():
            captures.setdefault(role, []).extend(nodes)
    return captures


def capture_around(
    root: Node, loaded: LoadedGrammar, data: bytes, start: int, end: int
) -> Captures:
    """Capture what touches `start`..`end`, and what decides whether a definition begins there.

    The time it takes hardly depends on the size of the text.
    """
    part = _reach_text(data, start, end)
    while True:
        captures = capture(root, loaded, part)
        wider = _widen(part, captures, data)
        if wider == part:
            return captures
        part = wider


def _reach_text(data: bytes, start: int, end: int) -> tuple[int, int]:
    """Widen a part over white space, to the text that it may belong to."""
    while start > 0 and data[start - 1] in _WHITE_SPACE:
        start -= 1
    while end < len(data) and data[end] in _WHITE_SPACE:
        end += 1
    return max(0, start - 1), end + 1


def _widen(part: tuple[int, int], captures: Captures, data: bytes) -> tuple[int, int]:
    """Widen a part from a decorator or a wrapper to its definition, on either side.

    Decorators and comments can be many: those at an edge double the part each time.
    """
    first, last = part
    width = last - first
    for aside in captures.get("decorator", []) + captures.get("comment", []):
        if aside.start_byte <= part[0]:
            first = min(first, aside.start_byte, part[0] - width)
        if aside.end_byte >= part[1]:
            last = max(last, aside.end_byte, part[1] + width)
    for wrapper in captures.get("wrapper", []):
        if (definition := find_only_definition(wrapper)) is not None:
            first = min(first, definition[1] - 1)
            last = max(last, definition[0] + 1)
    first = max(0, first)
    return part if (first, last) == part else _reach_text(data, first, last)


def order_captures(captures: Captures) -> list[Captured]:
    """Return the nodes in source order, outer ones first."""
    ordered: list[Captured] = []
    for role, nodes in captures.items():
        if role in _ASIDE or role.startswith("_"):
            continue
        rank = _RANKS.get(role, 4)
        for node in nodes:
            ordered.append((node.start_byte, -node.end_byte, rank, len(ordered), role, node))
    ordered.sort()
    return ordered
