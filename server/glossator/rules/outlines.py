"""Where the statements of a text begin, so that one that was changed can be checked alone."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import cast

from ast_grep_py import Config, SgNode

from glossator.rules.fixes import find_offsets

# Statements stand below the root, and what stands in front of one decides nothing within it.
LANGUAGES_OF_STATEMENTS = frozenset({"javascript", "python", "tsx", "typescript"})
_INDENTATION = re.compile(r"[ \t]*")
# A token that is missing, and that the parser went on with.
_MADE_UP = cast(Config, {"rule": {"regex": "^$"}})


@dataclass(frozen=True, slots=True)
class Outline:
    """Where lines begin, in offsets, that begin a top-level `statement`, or a member of a class.

    Members are those of top-level classes of Python, with what their line is indented by.
    """

    statements: tuple[int, ...]
    members: tuple[int, ...] = ()


def find_outline(root: SgNode, text: str, language_id: str) -> Outline | None:
    """Return where things begin; None if the parser made anything up."""
    if root.find(_MADE_UP) is not None:
        return None
    if language_id == "python" and _lacks_line_end(root, text):
        return None
    nodes = [node for node in root.children() if node.kind() != "comment"]
    statements = tuple(_find_lines(nodes, text))
    members: list[int] = []
    for node in nodes if language_id == "python" else ():
        definition = node.field("definition") or node
        body = definition.field("body") if definition.kind() == "class_definition" else None
        lines = tuple(_find_lines(body.children(), text)) if body is not None else ()
        members += lines if len(_find_indentations(lines, text)) == 1 else ()
    if language_id == "python" and _find_indentations(statements, text) - {""}:
        return None  # What is indented for no reason, and belongs to nothing.
    return Outline(
        tuple(start for start in statements if not text[start].isspace()), tuple(members)
    )


def _find_indentations(starts: Iterable[int], text: str) -> set[str]:
    """Return what the lines that begin at `starts` are indented with."""
    return {match[0] for start in starts if (match := _INDENTATION.match(text, start))}


def _lacks_line_end(root: SgNode, text: str) -> bool:
    """Say whether a Python statement stands behind another one with nothing between them.

    The parser made up an end of the line then, and no node shows it.
    """
    for block in (root, *root.find_all(kind="block")):
        behind = block.next()
        places = map(find_offsets, (*block.children(), *([behind] if behind else ())))
        for (_, end), (start, _) in pairwise(places):
            if "\n" not in text[end:start] and text[end - 1] != ";" and text[start] not in ";#":
                return True
    return False


def _find_lines(nodes: Iterable[SgNode], text: str) -> Iterator[int]:
    """Yield where the lines begin that begin with a node, comments aside."""
    for node in nodes:
        start, _ = find_offsets(node)
        line = max(text.rfind("\n", 0, start), text.rfind("\r", 0, start)) + 1
        if node.kind() != "comment" and not text[line:start].strip():
            yield line
