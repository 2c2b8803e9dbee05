"""Where names and quotes stand in a text, by line."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import accumulate

from glossator.core.locations import Span
from glossator.core.text import SourceText, split_lines

_IDENTIFIER = re.compile(r"[^\W\d]\w*")
_ELLIPSIS = re.compile(r"…|\.\.\.")
_LINE_NUMBER = re.compile(r"^ *\d+(?:\||:|\t) ?", re.MULTILINE)
_ELIDED = re.compile(
    r"^[ \t]*(?:#|//|--|;|/\*)?[ \t]*(?:…|\.\.\.)[ \t]*(?:\*/)?[ \t]*$", re.MULTILINE
)
_END_OF_SENTENCE = ".,;:。，；：、"
# What stands before a name that is defined: `def `, `public static int `, `func (s *Store) `.
_DEFINING = re.compile(
    r"\b(?:def|class|func|function|fn|fun|interface|struct|enum|trait|type|module|namespace|record|"
    r"object|const|let|var|val|public|private|protected|internal|static|impl|sub|macro_rules!)"
    r"\s+(?:\([^)]*\)\s*)?(?:[^\s=(]+\s+){0,3}[*&]?\Z"
)
_MAX_FOUND = 200
# So many lines may be left out between two parts of a quote.
_MAX_ELIDED = 200
_MIN_QUOTE = 4
_MIN_ELIDED = 6
_MAX_BLOCK = 3_000
_CLOSERS = frozenset(")]}{")


class Standing:
    """Answers for one text; what was looked for once is remembered."""

    def __init__(self, source: SourceText) -> None:
        self._text = source.text
        self._lines = source.lines
        self._names: dict[str, tuple[int, ...]] = {}
        self._quotes: dict[str, tuple[tuple[int, int], ...]] = {}

    def lines_with(self, name: str) -> tuple[int, ...]:
        """Return the lines that hold `name` as a whole word, or as it is if it is none."""
        if name not in self._names:
            offsets = _find_word(name, self._text)
            self._names[name] = tuple(dict.fromkeys(map(self._line_at, offsets)))
        return self._names[name]

    def encloses(self, name: str, line: int) -> bool:
        """Say whether a line belongs to a block that begins with a line that holds `name`."""
        return not self._heads_of(line).isdisjoint(self.lines_with(name))

    def definitions_of(self, name: str) -> tuple[int, ...]:
        """Return the lines that look like those that define `name`."""
        return tuple(line for line in self.lines_with(name) if self._defines(line, name))

    def lines_of_quote(self, quote: str) -> tuple[tuple[int, int], ...]:
        """Return first and last line of each place that holds `quote`.

        White space does not count; `…` stands for what was left out, and so does a comment that
        is nothing else. Line numbers in front of quoted lines are not part of them.
        """
        if quote not in self._quotes:
            self._quotes[quote] = tuple(self._find_quote(quote))
        return self._quotes[quote]

    def has_lines(self, place: Span) -> bool:
        """Say whether all lines of a place are there."""
        return place.first_line >= 1 and place.last_line <= len(self._lines)

    def extend(self, place: Span, cited: Span) -> Span:
        """Return a place with as many lines as were cited, as far as there are any."""
        last = place.first_line + cited.last_line - cited.first_line
        last_line = max(place.last_line, min(last, len(self._lines)))
        return replace(place, last_line=last_line)

    def _defines(self, line: int, name: str) -> bool:
        text = self._lines[line - 1]
        return any(_DEFINING.search(text, 0, offset) for offset in _find_word(name, text))

    def _heads_of(self, line: int) -> frozenset[int]:
        """Return the lines above that are indented less than all that stands between."""
        text = self._lines[line - 1].expandtabs()
        # What closes a list of parameters or a body stands as far out as its head.
        depth = _indent_of(text) + (text.lstrip()[:1] in _CLOSERS)
        heads: list[int] = []
        for number in range(line - 1, max(0, line - _MAX_BLOCK), -1):
            text = self._lines[number - 1].expandtabs()
            if text.strip() and text.lstrip()[0] not in _CLOSERS and text[0] != "#":
                indent = _indent_of(text)
                if indent < depth:
                    heads.append(number)
                    depth = indent
            if depth == 0:
                break
        return frozenset(heads)

    def _find_quote(self, quote: str) -> Iterator[tuple[int, int]]:
        lines = quote.strip("\n").split("\n")
        if all(_LINE_NUMBER.match(line) for line in lines):
            quote = _LINE_NUMBER.sub("", quote)
        for wording in (quote, quote.rstrip(_END_OF_SENTENCE + " \n")):
            whole = list(self._find_parts([_compact(wording)]))
            if whole:
                return iter(whole)
        parts = [_compact(part) for part in _ELIDED.sub("…", quote).split("…")]
        if len(parts) == 1:
            parts = [_compact(part) for part in _ELLIPSIS.split(quote)]
        parts = [part for part in parts if part]
        return self._find_parts(parts) if len(parts) > 1 else iter(())

    def _find_parts(self, parts: Sequence[str]) -> Iterator[tuple[int, int]]:
        """Yield the lines where parts follow each other, not too far apart."""
        if max(map(len, parts)) < (_MIN_QUOTE if len(parts) == 1 else _MIN_ELIDED):
            return
        text, starts = self._compact_text
        position = -1
        for _ in range(_MAX_FOUND):
            position = text.find(parts[0], position + 1)
            if position < 0:
                return
            end = position + len(parts[0])
            for part in parts[1:]:
                limit = starts[min(bisect_right(starts, end) + _MAX_ELIDED, len(starts)) - 1]
                found = text.find(part, end, limit + len(part))
                if found < 0:
                    break
                end = found + len(part)
            else:
                yield bisect_right(starts, position), bisect_right(starts, end - 1)

    def _line_at(self, offset: int) -> int:
        return bisect_right(self._starts, offset)

    @cached_property
    def _starts(self) -> list[int]:
        """Where each line begins in the text."""
        return [0, *accumulate(map(len, split_lines(self._text, keep_ends=True)))]

    @cached_property
    def _compact_text(self) -> tuple[str, list[int]]:
        """The text without white space, and where each line begins in it."""
        lines = [_compact(line) for line in self._lines]
        return "".join(lines), [0, *accumulate(map(len, lines))][:-1]


def _find_word(word: str, text: str) -> Iterator[int]:
    """Yield where a word stands, not as a part of a longer one."""
    is_word = _IDENTIFIER.fullmatch(word) is not None
    offset = text.find(word)
    while offset >= 0:
        end = offset + len(word)
        around = text[max(offset - 1, 0) : offset], text[end : end + 1]
        if not (is_word and any(each.isalnum() or each == "_" for each in around)):
            yield offset
        offset = text.find(word, end)


def _indent_of(line: str) -> int:
    return len(line) - len(line.lstrip())


def _compact(text: str) -> str:
    return "".join(text.split())
