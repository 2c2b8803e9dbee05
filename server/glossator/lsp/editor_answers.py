"""Read what the client says of code, as far as it fits; nothing in it can break us.

An answer is `{"version": …, "items": […]}` with positions in the negotiated encoding, or null.
"""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from glossator.core.errors import GlossatorError
from glossator.core.locations import Point, Range
from glossator.core.text import SourceText, shorten
from glossator.lsp.positions import PositionEncoding, column_from_units
from glossator.lsp.uris import real_path_from_uri
from glossator.tools.editor.facts import EditorSilent, Facts, Problem, Severity, Spot, Subject

MAX_SPOTS = 500
MAX_SYMBOLS = 5_000
MAX_PROBLEMS = 200
MAX_FILES = 100
_MAX_DEPTH = 30
_MAX_CALLS = 100
_MAX_TEXT = 1_000
_SEVERITIES: Mapping[int, Severity] = {1: "error", 2: "warning", 3: "information", 4: "hint"}
_NOWHERE = Range(Point(1, 0), Point(1, 0))

Read = Callable[[Path], SourceText]


def read_answer(
    answer: Any,
    subject: Subject,
    source: SourceText,
    encoding: PositionEncoding,
    *,
    read: Read,
    own_source: str,
) -> Facts | None:
    """Return the facts of an answer about `source`. Reads files: not on the loop.

    `read` gives the text of a file of the workspace or raises; what says that `own_source` is where
    it comes from is ours and left out.

    Raises:
        EditorSilent: it is about another version, or no answer at all.
    """
    if answer is None:
        return None
    items = answer.get("items") if isinstance(answer, Mapping) else None
    if not isinstance(items, list):
        raise EditorSilent("unfit")
    version = answer.get("version")
    if type(version) is int and source.version is not None and version != source.version:
        raise EditorSilent("stale")
    reader = _Reader(source, encoding, read, own_source)
    if subject == "diagnostics":
        return reader.read_problems(items)
    if subject == "documentSymbols":
        return reader.read_symbols(items)
    return reader.read_spots(items, is_outgoing=subject == "outgoingCalls")


class _Reader:
    """Reads the items of one answer; each file is read once."""

    def __init__(
        self, source: SourceText, encoding: PositionEncoding, read: Read, own_source: str
    ) -> None:
        self._source = source
        self._encoding = encoding
        self._read = read
        self._own_source = own_source
        self._texts: dict[str, SourceText | None] = {}

    def read_spots(self, items: list[Any], *, is_outgoing: bool) -> Facts:
        spots = [self._read_spot(item, is_outgoing=is_outgoing) for item in items[:MAX_SPOTS]]
        kept = [spot for spot in spots if spot is not None]
        return Facts(spots=tuple(kept), n_left_out=len(items) - len(kept))

    def read_problems(self, items: list[Any]) -> Facts:
        foreign = [
            item
            for item in items
            if not (isinstance(item, Mapping) and item.get("source") == self._own_source)
        ]
        problems = [self._read_problem(item) for item in foreign[:MAX_PROBLEMS]]
        kept = [problem for problem in problems if problem is not None]
        return Facts(problems=tuple(kept), n_left_out=len(foreign) - len(kept))

    def read_symbols(self, items: list[Any]) -> Facts:
        spots: list[Spot] = []
        n_left_out = 0
        for item, depth in _walk(items):
            if len(spots) >= MAX_SYMBOLS:
                n_left_out += 1
                continue
            spot = self._read_symbol(item, depth)
            if spot is None:
                n_left_out += 1
            else:
                spots.append(spot)
        return Facts(spots=tuple(spots), n_left_out=n_left_out)

    def _read_spot(self, item: Any, *, is_outgoing: bool) -> Spot | None:
        """Return a place, in the workspace or outside; None when it does not fit its file."""
        uri = item.get("uri") if isinstance(item, Mapping) else None
        if not isinstance(uri, str):
            return None
        name, kind = _text(item.get("name")), _number(item.get("kind"))
        text = self._text_of(uri)
        version = item.get("version")
        calls = item.get("fromRanges")
        calls = calls[:_MAX_CALLS] if isinstance(calls, list) else []
        if text is None:
            ranges = self._ranges(calls, self._source) if is_outgoing else ()
            return Spot(None, _NOWHERE, _NOWHERE, name, kind, ranges)
        if type(version) is int and text.version is not None and version != text.version:
            return None
        range_ = self._range(item.get("range"), text)
        name_range = self._range(item.get("selectionRange"), text) or range_
        if range_ is None or name_range is None:
            return None
        ranges = self._ranges(calls, self._source if is_outgoing else text)
        if calls and not ranges:
            return None
        return Spot(text.path, range_, name_range, name, kind, ranges)

    def _read_symbol(self, item: Mapping[str, Any], depth: int) -> Spot | None:
        range_ = self._range(item.get("range"), self._source)
        name_range = self._range(item.get("selectionRange"), self._source) or range_
        name = _text(item.get("name"))
        if range_ is None or name_range is None or not name or name_range.start not in range_:
            return None
        return Spot(
            self._source.path, range_, name_range, name, _number(item.get("kind")), depth=depth
        )

    def _read_problem(self, item: Any) -> Problem | None:
        if not isinstance(item, Mapping):
            return None
        range_, message = self._range(item.get("range"), self._source), _text(item.get("message"))
        if range_ is None or not message:
            return None
        code = item.get("code")
        return Problem(
            range=range_,
            severity=_SEVERITIES.get(_number(item.get("severity")), "error"),
            message=message,
            source=_text(item.get("source")),
            code=str(code) if type(code) is int else _text(code),
        )

    def _text_of(self, uri: str) -> SourceText | None:
        """Return the text of a file of the workspace; None of anything else, which is not read."""
        if uri not in self._texts:
            self._texts[uri] = self._find_text(uri)
        return self._texts[uri]

    def _find_text(self, uri: str) -> SourceText | None:
        path = real_path_from_uri(uri)
        if path is None or len(self._texts) >= MAX_FILES:
            return None
        if path == self._source.path:
            return self._source
        try:
            return self._read(path)
        except GlossatorError:
            return None

    def _ranges(self, values: list[Any], text: SourceText) -> tuple[Range, ...]:
        ranges = (self._range(value, text) for value in values)
        return tuple(range_ for range_ in ranges if range_ is not None)

    def _range(self, value: Any, text: SourceText) -> Range | None:
        """Return a range that stands in the text; one that does not is no evidence."""
        if not isinstance(value, Mapping):
            return None
        start, end = self._point(value.get("start"), text), self._point(value.get("end"), text)
        return None if start is None or end is None or end < start else Range(start, end)

    def _point(self, value: Any, text: SourceText) -> Point | None:
        if not isinstance(value, Mapping):
            return None
        line, units = value.get("line"), value.get("character")
        if type(line) is not int or type(units) is not int or line < 0 or units < 0:
            return None
        if line == len(text.lines) and units == 0:
            return Point(line + 1, 0)
        if line >= len(text.lines):
            return None
        return Point(line + 1, column_from_units(text.lines[line], units, self._encoding))


def _walk(items: list[Any]) -> Iterator[tuple[Mapping[str, Any], int]]:
    """Yield symbols with their depth, each before its children; what is too deep is left out."""
    waiting = [(item, 0) for item in reversed(items)]
    while waiting:
        item, depth = waiting.pop()
        if not isinstance(item, Mapping):
            continue
        yield item, depth
        children = item.get("children")
        if isinstance(children, list) and depth < _MAX_DEPTH:
            waiting.extend((child, depth + 1) for child in reversed(children))


def _text(value: Any) -> str:
    return shorten(value, _MAX_TEXT) if isinstance(value, str) else ""


def _number(value: Any) -> int:
    return value if type(value) is int else 0
