"""What a path may mean that an answer wrote: its spellings, the likeliest first."""

import re
import unicodedata
from collections.abc import Iterator
from itertools import chain
from urllib.parse import unquote

_MAX_CUTS = 24
_MAX_WORDS = 6
_WORD = re.compile(r"[^ ]+")
_WRITTEN_OUT = re.compile(r"\\u\{([0-9a-f]{1,6})\}")
_GLUE = frozenset("=—–→⇒•·…@&+")


def spell_path(path: str, whole: str = "", before: str = "") -> Iterator[str]:
    r"""Yield the ways to read `path`, and `whole`, which stood around it, before it.

    Last come paths with blanks in them, which begin with some of the words `before` it.

    Diffs put `a/` and `b/` in front of a path, Markdown underscores, links `%20` for a blank and
    our own tools `\u{202e}` for what would not be seen; words may be glued to its front.
    """
    seen: set[str] = set()
    for spelling in chain(_spell(path, whole), _prepend(before, path)):
        if spelling and spelling not in seen:
            seen.add(spelling)
            yield spelling


def _spell(path: str, whole: str) -> Iterator[str]:
    for written in filter(None, (whole.strip(), path)):
        yield written
        plain = written.replace("\\", "/")
        yield plain
        if "%" in plain:
            yield unquote(plain)
        if "\\u{" in written:
            yield _WRITTEN_OUT.sub(_read_character, written)
        if not plain.isascii():
            yield unicodedata.normalize("NFC", plain)
            yield unicodedata.normalize("NFD", plain)
        if plain[:2] in {"a/", "b/"}:
            yield plain[2:]
    plain = path.replace("\\", "/")
    yield plain.lstrip("/_~")
    yield from _cut_front(plain)


def _prepend(before: str, path: str) -> Iterator[str]:
    """Yield the path with the last words before it, the most of them first."""
    words = [match.start() for match in _WORD.finditer(before)]
    for start in words[-_MAX_WORDS:]:
        longer = before[start:] + path
        yield longer
        yield from _cut_front(longer)


def _cut_front(path: str) -> Iterator[str]:
    """Yield what is left without words that stand glued in front of a path."""
    cuts = [cut for cut in range(1, len(path)) if _is_glue(path[cut - 1]) and path[cut] != "/"]
    # Where Chinese ends a path begins most surely; a name in Chinese begins somewhere within.
    surest = [cut for cut in cuts if not _is_glue(path[cut])]
    for cut in dict.fromkeys([*surest[-_MAX_CUTS:], *cuts[:_MAX_CUTS], *cuts[-_MAX_CUTS:]]):
        yield path[cut:]


def _is_glue(character: str) -> bool:
    return ord(character) > 0x2E7F or character in _GLUE


def _read_character(match: re.Match[str]) -> str:
    code = int(match[1], 16)
    return chr(code) if code <= 0x10FFFF else match[0]
