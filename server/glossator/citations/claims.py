"""What an answer names or shows beside a place: what should stand there."""

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from glossator.citations.fences import Fence

_MAX_NAMED = 5
_MAX_AROUND = 2_000
_MAX_BETWEEN = 60
_LITTLE = 12
_IN_TICKS = re.compile(r"(?<!`)`([^`\n]{1,200})`(?!`)|``([^\n]{1,200}?)``")
_IN_QUOTES = re.compile(r"[“「『]([^”」』\n]{3,200})[”」』]|(?<![\w\"])\"([^\"\n]{3,200})\"(?!\w)")
_SENTENCE_END = re.compile(r"[.!?](?=[ \t]+[^\Wa-z]|[ \t]+[`*“「(])|[。！？；;]|\|")
_NOTHING_SAID = re.compile(r"(?:[\W_]|\band\b|\bor\b|\bsee\b|和|及|与|以及|或|见)*", re.IGNORECASE)
_OPENING_BRACKETS = frozenset("(（[【")
_SEPARATOR = re.compile(r"[\\/]")

Spans = Sequence[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Claim:
    """What belongs to one place: `named` nearest first, and a `block` of code shown for it."""

    named: tuple[str, ...] = ()
    block: str = ""


def read_claims(
    answer: str, fences: Sequence[Fence], places: Spans, is_place: Callable[[str], bool]
) -> list[Claim]:
    """Return the claim of each place, given as offsets in the order of the answer."""
    claims = list(_Reader(answer, places, is_place).read())
    for index, fence in _assign_blocks(answer, fences, places):
        claims[index] = replace(claims[index], block=fence.body)
    return claims


class _Reader:
    """Reads the names beside places, one place after the other."""

    def __init__(self, answer: str, places: Spans, is_place: Callable[[str], bool]) -> None:
        self._answer = answer
        self._places = places
        self._is_place = is_place

    def read(self) -> Iterator[Claim]:
        """Yield the claims without blocks.

        A claim mostly stands in front of its place, back to the place before it. Only in a line
        that begins with a place does what follows it in its sentence count.
        """
        claim, is_place_first, before = Claim(), False, 0
        for index, (start, end) in enumerate(self._places):
            before = max(before, start - _MAX_AROUND)
            line_start = self._answer.rfind("\n", before, start) + 1
            is_first = not index or line_start > 0
            if is_first or not self._says_nothing(before, start):
                named = self._names(max(before, line_start), start)[::-1]
                if is_first:
                    is_in_brackets = self._answer[start - 1 : start] in _OPENING_BRACKETS
                    is_place_first = not named and not is_in_brackets
                if is_place_first:
                    named = self._names(end, self._end_of_claim(index))
                    is_place_first = bool(named)
                claim = Claim(tuple(named[:_MAX_NAMED]))
            yield claim
            before = end

    def _says_nothing(self, first: int, last: int) -> bool:
        """Say whether nothing is said between two places: both stand for the same claim."""
        is_short = last - first < _MAX_BETWEEN
        return is_short and _NOTHING_SAID.fullmatch(self._answer, first, last) is not None

    def _end_of_claim(self, index: int) -> int:
        end = self._places[index][1]
        last = min(end + _MAX_AROUND, len(self._answer))
        if index + 1 < len(self._places):
            last = min(last, self._places[index + 1][0])
        line_end = self._answer.find("\n", end, last)
        last = last if line_end < 0 else line_end
        sentence_end = _SENTENCE_END.search(self._answer, end, last)
        return sentence_end.start() if sentence_end else last

    def _names(self, first: int, last: int) -> list[str]:
        found = []
        for pattern in (_IN_TICKS, _IN_QUOTES):
            for match in pattern.finditer(self._answer, first, last):
                name = next(filter(None, match.groups())).strip()
                # A path is no name, but `a / b` may be code.
                is_path = _SEPARATOR.search(name) and not re.search(r"\s", name)
                if name and not is_path and not self._is_place(name):
                    found.append((match.start(), name))
        return [name for _, name in sorted(found)]


def _assign_blocks(
    answer: str, fences: Sequence[Fence], places: Spans
) -> Iterator[tuple[int, Fence]]:
    """Give each block to the place at the end of the line above, or else just below it."""
    starts = [start for start, _ in places]
    for fence in fences:
        below = bisect_left(starts, fence.start)
        above = below - 1
        if above >= 0 and _is_close(answer[places[above][1] : fence.start], _MAX_BETWEEN):
            yield above, fence
        elif below < len(places) and _is_close(answer[fence.end : places[below][0]], _LITTLE):
            yield below, fence


def _is_close(between: str, limit: int) -> bool:
    return len(between) <= limit and "\n" not in between.strip()
