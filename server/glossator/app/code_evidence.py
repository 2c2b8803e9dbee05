"""Whether a question in plain words is about the code: files of the workspace that speak of it."""

from collections.abc import Callable, Collection, Iterator, Sequence
from functools import cache
from itertools import islice

from glossator.core.errors import GlossatorError
from glossator.core.text import SourceText
from glossator.knowledge.question import Unit, parse_question
from glossator.knowledge.words import find_words
from glossator.tools.code_map import CodeMap
from glossator.tools.testcode import is_test_path
from glossator.tools.workspace import Workspace

MAX_FILES = 3

_LEAST_SHARE = 2.0
"""One common word alone points only at files that are called so."""
_MOST_UNITS = 8
_LEAST_CHARS = 3
_MOST_READ = 16
_WITHIN_LINES = 8
"""A large file holds most words somewhere: only those that stand so near each other belong
together."""


def find_files_about(
    question: str, code_map: CodeMap, workspace: Workspace
) -> tuple[SourceText, ...]:
    """Return a few files that speak of all that a question in plain words is about.

    Those whose path says most of it come first, tests last. What tests alone say is no evidence:
    they hold examples of anything. Takes some tens of milliseconds for each word and file: call it
    in a worker thread, where nothing else answers.
    """
    units = [unit for unit in parse_question(question).units if _is_telling(unit)]
    if not 0 < len(units) <= _MOST_UNITS:
        return ()
    found = _find_common(units, code_map)
    words = [word for unit in units for word in unit.own]
    if sum(unit.share for unit in units) < _LEAST_SHARE and not units[0].is_name:
        found = [path for path in found if _count_named(path, words)]
    ranked = sorted(found, key=lambda path: _rank(path, words))
    sources = (_read(path, workspace) for path in ranked[:_MOST_READ])
    near = (source for source in sources if source and _hold_together(units, source))
    best = tuple(islice(near, MAX_FILES))
    is_in_code = any(not is_test_path(source.scope) for source in best)
    return best if is_in_code else ()


def _is_telling(unit: Unit) -> bool:
    return unit.share >= 0.5 and any(len(word) > 1 for word in unit.own)


def _find_common(units: Sequence[Unit], code_map: CodeMap) -> Collection[str]:
    """Return the files that hold all units."""
    find = cache(code_map.find_files_with)
    found = _find_holders(units[0], find)
    for unit in units[1:]:
        found &= _find_holders(unit, find) if found else found
    return found


def _find_holders(unit: Unit, find: Callable[[str], frozenset[str]]) -> frozenset[str]:
    """Return the files that hold the words of any way to say what `unit` says."""
    found: frozenset[str] = frozenset()
    for words in _list_ways(unit):
        found |= frozenset.intersection(*map(find, words))
    return found


def _list_ways(unit: Unit) -> Iterator[tuple[str, ...]]:
    """Yield the ways to say a unit that are long enough to be looked for as beginnings of words."""
    for way in unit.ways:
        if way.words and all(len(word) >= _LEAST_CHARS or not word.isascii() for word in way.words):
            yield way.words


def _read(path: str, workspace: Workspace) -> SourceText | None:
    try:
        return workspace.read(path)
    except GlossatorError:
        return None


def _hold_together(units: Sequence[Unit], source: SourceText) -> bool:
    """Say whether all units stand near each other somewhere; what the path says stands anywhere."""
    named = find_words(source.scope)
    missing = [unit for unit in units if not _say(unit, named)]
    lines = [find_words(line) for line in source.text.splitlines()]
    for start, line in enumerate(lines):
        if not missing or _say(missing[0], line):
            first = max(0, start - _WITHIN_LINES)
            near = [word for each in lines[first : start + _WITHIN_LINES + 1] for word in each]
            if all(_say(unit, near) for unit in missing):
                return True
    return False


def _say(unit: Unit, words: Sequence[str]) -> bool:
    """Say whether words that begin as those of any way to say a unit are among `words`."""
    return any(
        all(any(word.startswith(part) for word in words) for part in way)
        for way in _list_ways(unit)
    )


def _count_named(path: str, words: Sequence[str]) -> int:
    named = find_words(path)
    return sum(any(each.startswith(word) for each in named) for word in words)


def _rank(path: str, words: Sequence[str]) -> tuple[bool, int, int, str]:
    return is_test_path(path), -_count_named(path, words), path.count("/"), path
