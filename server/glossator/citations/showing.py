"""Which places a model was shown: they stand in what it was sent.

Tools and material write them like answers do, as ranges on a line that names the file, and as
numbered lines below one.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from glossator.citations.finding import find_places

# What stands next to a line that was shown is no invention.
_NEAR = 3
_RANGE = re.compile(r"(?<![\w.-])(\d{1,9})-(\d{1,9})(?![\w.-])")
# ` 12| text`, ` 12-40| signature`, `   |-removed`.
_ROW = re.compile(r"\s*(?P<first>\d{1,9})?(?:-(?P<last>\d{1,9}))?\|")
# What parts a listing from its heading, and its pieces.
_BETWEEN = re.compile(r"\s*$|@@ |\+\+\+ ")
# It begins where a run of such characters begins: from everywhere else it would be tried in vain,
# and a line without blanks may be long.
_BEFORE_NAME = r"""(?<![^\s`'"“”(),:：=<>])[^\s`'"“”(),:：=<>]*"""

_Spans = tuple[tuple[str, int, int], ...]


class ShownPlaces:
    """The places named in some texts; looked for when first asked, around a file's name only."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._texts = texts
        self._spans = lru_cache(maxsize=None)(self._find_spans)

    def hold(self, path: str, first_line: int, last_line: int) -> bool:
        """Say whether a line of a file was shown, or one near it."""
        return any(
            first <= last_line + _NEAR and first_line <= last + _NEAR
            for named, first, last in self._spans(path.rpartition("/")[2])
            if named == path or named.endswith(f"/{path}") or _ends_with(path, named)
        )

    def _find_spans(self, name: str) -> _Spans:
        written = re.compile(_BEFORE_NAME + re.escape(name))
        spans: list[tuple[str, int, int]] = []
        for text in self._texts:
            position = text.find(name)
            while position >= 0:
                start = text.rfind("\n", 0, position) + 1
                lines = _iterate_lines(text, start)
                head = next(lines)
                spans += [
                    (_clean(place.path), place.first_line, place.last_line)
                    for place in find_places(head)
                ]
                ranges = [] if _ROW.match(head) else [*_read_ranges(head), *_read_rows(lines)]
                for path in {_clean(match[0]) for match in written.finditer(head)}:
                    spans += [(path, *span) for span in ranges]
                position = text.find(name, start + len(head))
        return tuple(dict.fromkeys(spans))


def _iterate_lines(text: str, start: int) -> Iterator[str]:
    while start <= len(text):
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        yield text[start:end]
        start = end + 1


def _read_ranges(line: str) -> Iterator[tuple[int, int]]:
    yield from ((int(first), int(last)) for first, last in _RANGE.findall(line))


def _read_rows(lines: Iterator[str]) -> Iterator[tuple[int, int]]:
    """Yield the lines of a listing as few ranges."""
    first = last = 0
    for line in lines:
        row = _ROW.match(line)
        if row is None and not _BETWEEN.match(line):
            break
        if row is None or row["first"] is None:
            continue
        start, end = int(row["first"]), int(row["last"] or row["first"])
        if first and start <= last + 1:
            last = max(last, end)
        else:
            if first:
                yield first, last
            first, last = start, end
    if first:
        yield first, last


def _clean(path: str) -> str:
    path = path.rpartition("=")[2].replace("\\", "/")
    return path[2:] if path[:2] in {"a/", "b/"} else path


def _ends_with(path: str, named: str) -> bool:
    """Say whether `named` is the end of a path, from a separator or a blank on."""
    return path.endswith(named) and path[-len(named) - 1] in "/ "
