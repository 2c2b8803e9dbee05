"""What each section can score at most: a lane for each of them in one big number.

Python multiplies and adds big numbers at the speed of C, so a common word is weighed for all
sections of a segment at once. Lanes are rounded up: whatever may be among the best is found by
them, and scored exactly then.
"""

import heapq
import math
import sys
from array import array
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from operator import itemgetter

from glossator.knowledge.posting_lists import PostingList
from glossator.knowledge.weightings import Scale

_STEPS = 254
"""A gain is kept in so many steps of its bound, which with one for rounding up fit in a byte."""
MANY = 255
"""A count that stands for itself and all above."""
_LANE_BYTES = 2
_MOST = 0xFFFF
"""The most that a lane holds."""
_TOP_SHIFT = 8
_CROWD = 500
"""More sections than this on the same height are told apart by all their digits."""
_ROUNDING = 1 + 1e-9
_KEPT_BYTES = 32_000_000
"""So much memory the gains of words may take that are kept for later questions."""

_TOPS = (0, 1, 2, 3, 4, 6, 8, 12, 16, 32, MANY)
"""Counts that differ little are taken for the highest of them."""
_N_BUCKETS = 256 // len(_TOPS)
"""By their size the sections are sorted into so many buckets, of about as many each, and taken for
the smallest of their bucket. A level of the count and a bucket fit in one byte together, so that a
table of 256 bytes says what they gain."""
_CODES = bytes(
    _N_BUCKETS * next(level for level, top in enumerate(_TOPS) if top >= count)
    for count in range(256)
)
"""By the count the code of its level, to which the bucket is added."""

_AT_LEAST = tuple(bytes(t) + b"\1" * (256 - t) for t in range(256))
_BELOW = tuple(bytes(range(t)) for t in range(256))


@dataclass(frozen=True, slots=True)
class Gains:
    """What a word gives to each section: at most 255 steps, of which 254 are `bound`.

    `steps` have a lane for each section; `counts` say how often each has the word, at most `MANY`
    times.
    """

    steps: int
    counts: bytes
    bound: float


def make_reader(among: Sequence[int]) -> Callable[[bytes], Sequence[int]]:
    """Return what takes from the counts of all sections those of the sections `among`."""
    if len(among) < 2:  # A getter of one place returns no tuple.
        return lambda counts: [counts[i] for i in among]
    return itemgetter(*among)


class Lanes:
    """The gains of words in the sections of a segment, made when they are asked for."""

    def __init__(self, scale: Scale, sizes: Sequence[float]) -> None:
        self.n_lanes = len(sizes)
        self.scale = scale
        self._edges, buckets = _sort_into_buckets(sizes)
        self._buckets = int.from_bytes(buckets, "little")
        self._tables: dict[float, bytes] = {}
        self._kept: dict[str, Gains] = {}

    def find(self, word: str, postings: PostingList) -> Gains:
        """Return the gains by a word; `postings` is its list in the segment."""
        gains = self._kept.pop(word, None)
        if gains is None:
            # Few bounds need few tables.
            bound = 2 ** (math.ceil(4 * math.log2(self.scale.bound(word, postings))) / 4)
            gains = self._make(postings, bound)
            while len(self._kept) >= _KEPT_BYTES // ((_LANE_BYTES + 1) * self.n_lanes):
                self._kept.pop(next(iter(self._kept)), None)
        self._kept[word] = gains  # The last to be forgotten.
        return gains

    def find_known_counts(self, word: str, among: Sequence[int]) -> Sequence[int] | None:
        """Return how often each of the sections `among` has a word, None if it takes looking up.

        Only for a word that is as the segment has it: sections beyond the segment count 0.
        """
        gains = self._kept.get(word)
        if gains is None:
            return None
        n_lanes, counts = self.n_lanes, gains.counts
        found = [counts[i] if i < n_lanes else 0 for i in among]
        return None if MANY in found else found

    def _make(self, postings: PostingList, bound: float) -> Gains:
        ids, held = postings.ids.tolist(), postings.counts.tolist()
        if max(held) > MANY:
            held = [min(count, MANY) for count in held]
        counts = bytearray(self.n_lanes)
        for i, count in zip(ids, held, strict=True):
            counts[i] = count
        codes = int.from_bytes(counts.translate(_CODES), "little") + self._buckets
        steps = codes.to_bytes(self.n_lanes, "little").translate(self._find_table(bound))
        lanes = bytearray(_LANE_BYTES * self.n_lanes)
        lanes[::_LANE_BYTES] = steps
        return Gains(int.from_bytes(lanes, "little"), bytes(counts), bound)

    def _find_table(self, bound: float) -> bytes:
        """Return the steps of a gain by the code of its count and size."""
        if bound not in self._tables:
            table = bytearray(256)
            for level, top in enumerate(_TOPS[1:], 1):
                for bucket, edge in enumerate(self._edges):
                    gain = bound if top == MANY else self.scale.gain(top, edge)
                    step = min(_STEPS, int(gain / bound * _STEPS * _ROUNDING)) + 1
                    table[level * _N_BUCKETS + bucket] = step
            self._tables[bound] = bytes(table)
        return self._tables[bound]


class Heights:
    """Lanes added up: how high each section may score, in units that fill the lanes.

    They have room for `n_words` (256 at most), which give `most` together; each may be rounded up
    by a step.
    """

    def __init__(self, n_lanes: int, most: float, n_words: int) -> None:
        self.n_lanes = n_lanes
        room = _MOST / (_STEPS + 1) - n_words
        self._unit = room * _STEPS / (most * _ROUNDING**2)
        self._sum = 0
        self._lanes = array("H")
        self._top = b""
        self._n_without = 0

    def add(self, gains: Gains, weight: float) -> None:
        """Add what a word gives at most, `weight` times."""
        times = int(weight * gains.bound / _STEPS * self._unit * _ROUNDING) + 1
        self._sum += gains.steps * times

    def settle(self, without: Collection[int]) -> None:
        """Be done with adding. Sections `without` are not asked for."""
        lanes = self._sum.to_bytes(_LANE_BYTES * self.n_lanes, "little")
        self._lanes = array("H", lanes)
        if sys.byteorder == "big":
            self._lanes.byteswap()
        top = bytearray(lanes[1::_LANE_BYTES])
        for i in without:
            top[i] = 0
        self._top, self._n_without = bytes(top), len(without)

    def find(self, places: Iterable[int]) -> list[float]:
        """Return for each section a score that it does not exceed."""
        worth = _ROUNDING / self._unit
        return [(lane + 1) * worth for lane in map(self._lanes.__getitem__, places)]

    def find_height(self, limit: int) -> float:
        """Return a score that at least `limit` sections may reach, and not many more."""
        level, above, high = 0, 256, self._top
        while above - level > 1:
            middle = (level + above) // 2
            higher = high.translate(None, _BELOW[middle])
            if len(higher) >= limit:
                level, high = middle, higher
            else:
                above = middle
        least = level << _TOP_SHIFT
        if len(high) > _CROWD:
            # Too many to be looked at one by one.
            least = max(least, self._find_last(limit))
        return least / self._unit

    def _find_last(self, limit: int) -> int:
        """Return the lowest of the highest lanes, by all their digits."""
        return heapq.nlargest(limit + self._n_without, self._lanes)[-1]

    def list_from(self, score: float) -> Iterator[int]:
        """Yield the sections that may score so much, in ascending order; some cannot."""
        least, lanes = int(score / _ROUNDING * self._unit), self._lanes
        flags = self._top.translate(_AT_LEAST[min(least >> _TOP_SHIFT, 255)])
        place = flags.find(1)
        while place >= 0:
            if lanes[place] >= least:
                yield place
            place = flags.find(1, place + 1)


def _sort_into_buckets(sizes: Sequence[float]) -> tuple[list[float], bytes]:
    """Return the least size in each bucket, and the bucket of each size."""
    ranked = sorted(sizes)
    edges = sorted({ranked[n * len(ranked) // _N_BUCKETS] for n in range(_N_BUCKETS)})
    buckets = {size: bisect_right(edges, size) - 1 for size in set(sizes)}
    return edges, bytes(map(buckets.__getitem__, sizes))
