"""What differs between two lists of lines: hunks, with the numbers of both sides.

The fewest changes are looked for as long as that is cheap. Where two texts have little in common,
lines that stand once in both divide them first; what is left then counts as replaced.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

_MAX_EDITS = 400
CONTEXT_LINES = 3

Sign = Literal[" ", "-", "+"]
# Lines first_old..end_old of one side and as many from first_new of the other are equal.
_Match = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class DiffLine:
    """A line of a hunk; the number of the side that it does not stand on is 0."""

    sign: Sign
    old_number: int
    new_number: int
    text: str


@dataclass(frozen=True, slots=True)
class Hunk:
    """Changes that stand close together, and the lines around them."""

    lines: tuple[DiffLine, ...]

    @property
    def header(self) -> str:
        """The hunk's place as unified diffs write it: `@@ -10,7 +10,9 @@`."""
        old = self._place([line.old_number for line in self.lines if line.sign != "+"], "-")
        new = self._place([line.new_number for line in self.lines if line.sign != "-"], "+")
        return f"@@ {old} {new} @@"

    @property
    def first_line(self) -> int:
        """The first line of the new side, 0 when nothing of it is left."""
        return next((line.new_number for line in self.lines if line.new_number), 0)

    @property
    def last_line(self) -> int:
        """The last line of the new side."""
        return max((line.new_number for line in self.lines), default=0)

    def _place(self, numbers: list[int], sign: str) -> str:
        if not numbers:
            return f"{sign}0,0"
        return f"{sign}{numbers[0]}" + (f",{len(numbers)}" if len(numbers) > 1 else "")


def find_hunks(
    old: Sequence[str],
    new: Sequence[str],
    is_over: Callable[[], bool] = lambda: False,
) -> tuple[Hunk, ...]:
    """Return what turns `old` into `new`; less finely once `is_over` says that time is up."""
    changes = list(find_changes(old, new, is_over))
    groups: list[list[tuple[int, int, int, int]]] = []
    for change in changes:
        if groups and change[0] - groups[-1][-1][1] <= 2 * CONTEXT_LINES:
            groups[-1].append(change)
        else:
            groups.append([change])
    return tuple(_make_hunk(group, old, new) for group in groups)


def count_changes(hunks: Sequence[Hunk]) -> tuple[int, int]:
    """Return how many lines were added and removed."""
    signs = Counter(line.sign for hunk in hunks for line in hunk.lines)
    return signs["+"], signs["-"]


def _make_hunk(
    changes: Sequence[tuple[int, int, int, int]], old: Sequence[str], new: Sequence[str]
) -> Hunk:
    first_old, _, first_new, _ = changes[0]
    n_before = min(CONTEXT_LINES, first_old)
    at_old, at_new = first_old - n_before, first_new - n_before
    lines: list[DiffLine] = []

    def keep(end_old: int) -> None:
        nonlocal at_old, at_new
        while at_old < end_old:
            lines.append(DiffLine(" ", at_old + 1, at_new + 1, new[at_new]))
            at_old += 1
            at_new += 1

    for start_old, end_old, start_new, end_new in changes:
        keep(start_old)
        lines += [DiffLine("-", n + 1, 0, old[n]) for n in range(start_old, end_old)]
        lines += [DiffLine("+", 0, n + 1, new[n]) for n in range(start_new, end_new)]
        at_old, at_new = end_old, end_new
    keep(min(at_old + CONTEXT_LINES, len(old)))
    return Hunk(tuple(lines))


def find_changes(
    old: Sequence[str], new: Sequence[str], is_over: Callable[[], bool] = lambda: False
) -> Iterator[tuple[int, int, int, int]]:
    """Yield the stretches that differ: start and end in the old lines, then in the new ones."""
    numbers: dict[str, int] = {}
    a = [numbers.setdefault(line, len(numbers)) for line in old]
    b = [numbers.setdefault(line, len(numbers)) for line in new]
    at_old = at_new = 0
    for start_old, start_new, size in [*_match(a, b, is_over), (len(a), len(b), 0)]:
        if start_old > at_old or start_new > at_new:
            yield at_old, start_old, at_new, start_new
        at_old, at_new = start_old + size, start_new + size


def _match(a: Sequence[int], b: Sequence[int], is_over: Callable[[], bool]) -> list[_Match]:
    """Return the stretches that are equal, in their order."""
    matches: list[_Match] = []
    waiting = [(0, len(a), 0, len(b), True)]
    while waiting:
        low_a, high_a, low_b, high_b, may_split = waiting.pop()
        n_equal = 0
        while low_a < high_a and low_b < high_b and a[low_a] == b[low_b]:
            low_a, low_b, n_equal = low_a + 1, low_b + 1, n_equal + 1
        if n_equal:
            matches.append((low_a - n_equal, low_b - n_equal, n_equal))
        n_equal = 0
        while low_a < high_a and low_b < high_b and a[high_a - 1] == b[high_b - 1]:
            high_a, high_b, n_equal = high_a - 1, high_b - 1, n_equal + 1
        if n_equal:
            matches.append((high_a, high_b, n_equal))
        if low_a == high_a or low_b == high_b or is_over():
            continue
        found = _find_fewest_edits(a[low_a:high_a], b[low_b:high_b])
        if found is not None:
            matches += [(low_a + i, low_b + j, size) for i, j, size in found]
        elif may_split:
            anchors = _find_anchors(a, b, low_a, high_a, low_b, high_b)
            edges = [(low_a - 1, low_b - 1), *anchors, (high_a, high_b)]
            matches += [(i, j, 1) for i, j in anchors]
            waiting += [
                (i + 1, next_i, j + 1, next_j, bool(anchors))
                for (i, j), (next_i, next_j) in pairwise(edges)
                if anchors
            ]
    return sorted(matches)


def _find_fewest_edits(a: Sequence[int], b: Sequence[int]) -> list[_Match] | None:
    """Return what stays when `a` becomes `b` by the fewest edits; None when these are many.

    The greedy algorithm of Myers: `furthest` has for each diagonal, an index of `a` less one of
    `b`, how far in `a` it is reached by the edits so far.
    """
    n, m = len(a), len(b)
    limit = min(n + m, _MAX_EDITS)
    middle = limit + 1
    furthest = [0] * (2 * middle + 1)
    history: list[list[int]] = []
    for n_edits in range(limit + 1):
        history.append(furthest[middle - n_edits - 1 : middle + n_edits + 2])
        for k in range(middle - n_edits, middle + n_edits + 1, 2):
            before, after = furthest[k - 1], furthest[k + 1]
            is_down = k == middle - n_edits or (k != middle + n_edits and before < after)
            i = after if is_down else before + 1
            j = i - k + middle
            while i < n and j < m and a[i] == b[j]:
                i += 1
                j += 1
            furthest[k] = i
            if i >= n and j >= m:
                return _walk_back(history, n, m)
    return None


def _walk_back(history: Sequence[list[int]], i: int, j: int) -> list[_Match]:
    """Return the equal stretches on the way to the end; of each step `history` has its start."""
    matches: list[_Match] = []
    for n_edits in range(len(history) - 1, 0, -1):
        furthest = history[n_edits]
        k = i - j + n_edits + 1
        before, after = furthest[k - 1], furthest[k + 1]
        is_down = k == 1 or (k != 2 * n_edits + 1 and before < after)
        start = after if is_down else before + 1
        if i > start:
            matches.append((start, start - i + j, i - start))
        i, j = (after, start - i + j - 1) if is_down else (before, start - i + j)
    if i:
        matches.append((0, 0, i))
    return matches[::-1]


def _find_anchors(
    a: Sequence[int], b: Sequence[int], low_a: int, high_a: int, low_b: int, high_b: int
) -> list[tuple[int, int]]:
    """Return pairs of lines that stand once on each side, as many as keep their order."""
    once_a = {line: i for i, line in _find_single(a, low_a, high_a)}
    pairs = sorted(
        (once_a[line], j) for j, line in _find_single(b, low_b, high_b) if line in once_a
    )
    # The longest run in which the second numbers rise as well.
    ends: list[int] = []
    tails: list[int] = []
    before: list[int] = []
    for number, (_, j) in enumerate(pairs):
        place = bisect_left(ends, j)
        before.append(tails[place - 1] if place else -1)
        ends[place : place + 1] = [j]
        tails[place : place + 1] = [number]
    anchors: list[tuple[int, int]] = []
    number = tails[-1] if tails else -1
    while number >= 0:
        anchors.append(pairs[number])
        number = before[number]
    return anchors[::-1]


def _find_single(lines: Sequence[int], low: int, high: int) -> Iterator[tuple[int, int]]:
    counts = Counter(lines[low:high])
    return ((i, lines[i]) for i in range(low, high) if counts[lines[i]] == 1)
