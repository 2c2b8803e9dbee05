"""Whether a question in plain words is about the code: files of the workspace that speak of it."""

from collections.abc import Callable, Sequence
from functools import cache

from glossator.knowledge.question import Unit, parse_question
from glossator.tools.code_map import CodeMap
from glossator.tools.testcode import is_test_path

MAX_FILES = 3

_LEAST_SHARE = 1.5
"""One common word alone points only at files that are called so."""
_MOST_UNITS = 8
_LEAST_CHARS = 3


def find_files_about(question: str, code_map: CodeMap) -> tuple[str, ...]:
    """Return a few files that hold all that a question in plain words is about.

    Those whose path says most of it come first, tests last. Takes some tens of milliseconds for
    each word: call it in a worker thread, where nothing else answers.
    """
    units = [unit for unit in parse_question(question).units if _is_telling(unit)]
    total = sum(unit.share for unit in units)
    if not 0 < len(units) <= _MOST_UNITS:
        return ()
    found: frozenset[str] | None = None
    find = cache(code_map.find_files_with)
    for unit in units:
        holders = _find_holders(unit, find)
        found = holders if found is None else found & holders
        if not found:
            return ()
    words = [word for unit in units for word in unit.own]
    if found and total < _LEAST_SHARE and not units[0].is_name:
        found = frozenset(path for path in found if words[0] in path.lower())
    return tuple(sorted(found or (), key=lambda path: _rank(path, words))[:MAX_FILES])


def _is_telling(unit: Unit) -> bool:
    return unit.share >= 0.5 and any(len(word) > 1 for word in unit.own)


def _find_holders(unit: Unit, find: Callable[[str], frozenset[str]]) -> frozenset[str]:
    """Return the files that hold the words of any way to say what `unit` says."""
    found: frozenset[str] = frozenset()
    for way in unit.ways:
        if all(len(word) >= _LEAST_CHARS or not word.isascii() for word in way.words):
            held = [find(word) for word in way.words]
            found |= frozenset.intersection(*held) if held else frozenset()
    return found


def _rank(path: str, words: Sequence[str]) -> tuple[bool, int, int, str]:
    n_named = sum(word in path.lower() for word in words)
    return is_test_path(path), -n_named, path.count("/"), path
