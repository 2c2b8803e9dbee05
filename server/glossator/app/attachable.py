"""What of a workspace can be attached to a question, by a part of its name."""

import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from glossator.app.results import Attachable
from glossator.tools.code_map import CodeMap
from glossator.tools.workspace import Workspace

MAX_FOUND = 200
N_FOUND = 50

_MAX_SECONDS = 0.4
_NO_MATCH = 9


def find_files(workspace: Workspace, query: str, limit: int) -> tuple[Attachable, ...]:
    """Return files whose path has the letters of `query`, the likeliest first.

    Reads the folders of the workspace: call it in a worker thread.
    """
    wanted = query.replace("\\", "/").casefold()
    rank = _rank_path(wanted)
    ranked = []
    for path in workspace.list_files().paths:
        standing = rank(path.replace(os.sep, "/").casefold())
        if standing < _NO_MATCH:
            ranked.append((standing, path.count(os.sep), len(path), path))
    ranked.sort()
    shown = (workspace.show(Path(path)) for *_, path in ranked[: limit * 2])
    # The letters of a folder above the workspace are no match.
    found = [name for name in shown if rank(f"/{name}".casefold()) < _NO_MATCH]
    return tuple(Attachable("file", name.rpartition("/")[2], name) for name in found[:limit])


def _rank_path(wanted: str) -> Callable[[str], int]:
    """Return what says how well a path matches: 0 is best, `_NO_MATCH` not at all."""
    begins, inside = f"/{wanted}", "/" in wanted

    def rank(path: str) -> int:
        name = path[path.rfind("/") :]
        if inside:
            return 0 if path.endswith(begins) else 1 if wanted in path else _rank_letters(path)
        if name.startswith(begins):
            return 0
        if wanted in name:
            return 1
        return 2 if _has_letters(name, wanted) else 3 if wanted in path else _NO_MATCH

    def _rank_letters(path: str) -> int:
        return 2 if _has_letters(path, wanted) else _NO_MATCH

    return rank


def _has_letters(text: str, wanted: str) -> bool:
    """Say whether `text` has all letters of `wanted` in their order."""
    place = 0
    for letter in wanted:
        place = text.find(letter, place) + 1
        if not place:
            return False
    return True


def find_symbols(code_map: CodeMap, query: str, limit: int) -> tuple[Attachable, ...]:
    """Return functions and types whose name has `query`, the likeliest first.

    Looks for a while, then gives what it has. Parses files: call it in a worker thread.
    """
    part = query.replace("::", ".").rpartition(".")[2].removesuffix("()")
    deadline = time.monotonic() + _MAX_SECONDS
    found: dict[tuple[str, int], Attachable] = {}
    for word in _sort_words(code_map.find_words(part), part):
        for item in _list_named(code_map, word):
            found.setdefault((item.path, item.line), item)
        if len(found) >= limit or time.monotonic() > deadline:
            break
    return tuple(found.values())[:limit]


def _sort_words(words: frozenset[str], part: str) -> list[str]:
    folded = part.casefold()

    def rank(word: str) -> tuple[bool, bool, int, str]:
        name = word.casefold()
        return (name != folded, not name.startswith(folded), len(word), word)

    return sorted(words, key=rank)


def _list_named(code_map: CodeMap, word: str) -> Iterator[Attachable]:
    for place in code_map.find_definitions(word):
        name = place.function.qualified_name if place.function else word
        yield Attachable("symbol", name, place.path, place.line)
