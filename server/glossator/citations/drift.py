"""Where lines stand now that stood in an earlier version of a file."""

from collections import defaultdict
from collections.abc import Sequence
from functools import cached_property

_FEW_SIGNS = 4
_CONTEXT = 2


class Drift:
    """Follows lines from one version of a file to the next.

    What stands above or below every change is followed exactly; inside, the lines themselves are
    looked for, with their neighbours where they are too common to tell.
    """

    def __init__(self, before: Sequence[str], after: Sequence[str]) -> None:
        self._before = before
        self._after = after
        self._n_same = _count_same(before, after)
        rest = before[self._n_same :], after[self._n_same :]
        self._n_same_end = _count_same(rest[0][::-1], rest[1][::-1])

    def follow(self, first: int, last: int) -> tuple[int, int] | None:
        """Return where lines `first` to `last` stand now; None when they are gone."""
        if last <= self._n_same:
            return first, last
        shift = len(self._after) - len(self._before)
        if first > len(self._before) - self._n_same_end:
            return first + shift, last + shift
        for context in (0, _CONTEXT):
            above = min(context, first - 1)
            block = [line.split() for line in self._before[first - 1 - above : last + context]]
            if sum(len("".join(words)) for words in block) >= _FEW_SIGNS:
                found = self._find(block, first - above)
                if found is not None:
                    return found + above, found + above + last - first
        return None

    def _find(self, block: list[list[str]], wanted: int) -> int | None:
        """Return the line, nearest to `wanted`, where a block begins; white space may differ."""
        words = self._words
        found = [
            start + 1
            for start in self._starts["".join(block[0])]
            if words[start : start + len(block)] == block
        ]
        return min(found, key=lambda line: abs(line - wanted), default=None)

    @cached_property
    def _words(self) -> list[list[str]]:
        return [line.split() for line in self._after]

    @cached_property
    def _starts(self) -> dict[str, list[int]]:
        starts = defaultdict(list)
        for index, words in enumerate(self._words):
            starts["".join(words)].append(index)
        return starts


def _count_same(before: Sequence[str], after: Sequence[str]) -> int:
    n_same = 0
    for one, other in zip(before, after, strict=False):
        if one != other:
            break
        n_same += 1
    return n_same
