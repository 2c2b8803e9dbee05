"""What each section can score at most: a lane for each of them in one big number.

Python multiplies and adds big numbers at the speed of C, so a common word is weighed for all
sections of a segment at once. Lanes are rounded up: whatever may be among the best is found by
them, and scored exactly then.
"""

import heapq
import math
import sys
from array import array
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
_MOST = 0xFFFF - 0x400
"""The most that the gains in a lane add up to; the rest is room for rounding up."""
_TOP_SHIFT = 8
_CROWD = 500
"""More sections than this on the same height are told apart by all their digits."""
_BUCKETS_PER_LOG = 24.0
_N_BUCKETS = 256
_ROUNDING = 1 + 1e-9
_DENSE_SHARE = 3
_KEPT_BYTES = 32_000_000
"""So much memory the gains of words may take that are kept for later questions."""

_TOPS = (0, 1, 2, 3, 4, 6, 8, 12, 16, 32, MANY)
_LEVELS = bytes(next(top for top in _TOPS if top >= count) for count in range(256))
"""Counts that differ little are taken for the highest of them, by the count."""

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
        self._buckets = _sort_into_buckets(sizes)
        self._tables: dict[float, _Tables] = {}
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
        """Return how often each of the sections `among` has a word, if that is kept.

        Sections that are not in the segment do not have it.
        """
        gains = self._kept.get(word)
        if gains is None:
            return None
        n_lanes, counts = self.n_lanes, gains.counts
        found = [counts[i] if i < n_lanes else 0 for i in among]
        return None if MANY in found else found

    def _make(self, postings: PostingList, bound: float) -> Gains:
        ids, held = postings.ids.tolist(), postings.counts.tolist()
        known = set(held)
        if max(known) > MANY:
            held = [min(count, MANY) for count in held]
            known = set(held)
        counts, buckets = bytearray(self.n_lanes), self._buckets
        tables = self._tables.get(bound)
        if tables is None:
            tables = self._tables[bound] = _Tables(self.scale, bound)
        if len(ids) * _DENSE_SHARE > self.n_lanes:
            for i, count in zip(ids, held, strict=True):
                counts[i] = count
            steps = _list_all_steps(counts, buckets, tables)
        else:
            steps, rows = bytearray(self.n_lanes), {count: tables[count] for count in known}
            for i, count in zip(ids, held, strict=True):
                counts[i] = count
                steps[i] = rows[count][buckets[i]]
        lanes = bytearray(_LANE_BYTES * self.n_lanes)
        lanes[::_LANE_BYTES] = steps
        return Gains(int.from_bytes(lanes, "little"), bytes(counts), bound)


def _list_all_steps(counts: bytearray, buckets: bytes, tables: "_Tables") -> bytearray:
    """Go over all sections once for each level, which costs less where most hold the word."""
    levels = counts.translate(_LEVELS)
    found = 0
    for level in set(levels) - {0}:
        is_level = levels.translate(bytes(level) + b"\xff" + bytes(255 - level))
        steps = buckets.translate(tables[level])
        found |= int.from_bytes(is_level, "little") & int.from_bytes(steps, "little")
    return bytearray(found.to_bytes(len(counts), "little"))


class _Tables(dict[int, bytes]):
    """For each count the steps of the gain by the bucket of the section's size."""

    def __init__(self, scale: Scale, bound: float) -> None:
        self._scale = scale
        self._steps = _STEPS * _ROUNDING / bound

    def __missing__(self, count: int) -> bytes:
        level = _LEVELS[count]
        self[count] = table = self._make(level) if level == count else self[level]
        return table

    def _make(self, level: int) -> bytes:
        if level == MANY:
            return b"\xff" * _N_BUCKETS
        gains = (self._scale.gain(level, _find_edge(bucket)) for bucket in range(_N_BUCKETS))
        return bytes(min(_STEPS, int(gain * self._steps)) + 1 for gain in gains)


class Heights:
    """Lanes added up: how high each section may score, in units that fill the lanes."""

    def __init__(self, n_lanes: int, most: float) -> None:
        self.n_lanes = n_lanes
        self._unit = _MOST / most
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


def _sort_into_buckets(sizes: Sequence[float]) -> bytes:
    """Return the bucket of each size; within one they differ by a few percent."""
    known = {size: _find_bucket(size) for size in set(sizes)}
    return bytes(map(known.__getitem__, sizes))


def _find_bucket(size: float) -> int:
    return min(_N_BUCKETS - 1, int(_BUCKETS_PER_LOG * math.log1p(size) / _ROUNDING))


def _find_edge(bucket: int) -> float:
    """Return the size below which none in the bucket is."""
    return math.expm1(bucket / _BUCKETS_PER_LOG)
