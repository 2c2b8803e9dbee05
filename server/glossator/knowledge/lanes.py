"""What each section can score at most: a lane for each of them in one big number.

Python multiplies and adds big numbers at the speed of C, so a common word is weighed for all
sections of a segment at once. Lanes are rounded up: whatever may be among the best is found by
them, and scored exactly then.
"""

import heapq
import math
import sys
from array import array
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from glossator.knowledge.posting_lists import PostingList
from glossator.knowledge.weightings import Scale

_STEPS = 254
"""A gain is kept in so many steps of its bound, which with one for rounding up fit in a byte."""
_MANY = 255
"""So often or more."""
_N_PARTS = 4
"""Every fourth section is in the same number: there its byte has room to grow to a lane of four."""
_MOST = (1 << 32) - (1 << 22)
"""The most that the gains in a lane add up to; the rest is room for rounding up."""
_TOP_SHIFT = 24
_CROWD = 500
"""More sections than this on the same height are told apart by all their digits."""
_BUCKETS_PER_LOG = 24.0
_N_BUCKETS = 256
_ROUNDING = 1 + 1e-9
_DENSE_SHARE = 8
_KEPT_BYTES = 32_000_000
"""So much memory the gains of words may take that are kept for later questions."""

_AT_LEAST = tuple(bytes(t) + b"\1" * (256 - t) for t in range(256))
_BELOW = tuple(bytes(range(t)) for t in range(256))


@dataclass(frozen=True, slots=True)
class Gains:
    """What a word gives to each section: a byte of at most 255 steps, of which 254 are `bound`."""

    steps: int
    bound: float


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
            gains = Gains(self._list_steps(postings, bound), bound)
            while len(self._kept) >= _KEPT_BYTES // self.n_lanes:
                self._kept.pop(next(iter(self._kept)), None)
        self._kept[word] = gains  # The last to be forgotten.
        return gains

    def _list_steps(self, postings: PostingList, bound: float) -> int:
        tables, buckets = self._tables.setdefault(bound, _Tables(self.scale, bound)), self._buckets
        if len(postings) * _DENSE_SHARE > self.n_lanes:
            return self._list_all_steps(postings, tables)
        steps = bytearray(self.n_lanes)
        for i, count in postings.list_held():
            steps[i] = tables[min(count, _MANY)][buckets[i]]
        return int.from_bytes(steps, "little")

    def _list_all_steps(self, postings: PostingList, tables: "_Tables") -> int:
        """Go over all sections once for each count, which costs less where most hold the word."""
        counts = bytearray(self.n_lanes)
        for i, count in postings.list_held():
            counts[i] = min(count, _MANY)
        found = 0
        for count in set(counts) - {0}:
            has_count = counts.translate(bytes(count) + b"\xff" + bytes(255 - count))
            steps = self._buckets.translate(tables[count])
            found |= int.from_bytes(has_count, "little") & int.from_bytes(steps, "little")
        return found


class _Tables(dict[int, bytes]):
    """For each count the steps of the gain by the bucket of the section's size."""

    def __init__(self, scale: Scale, bound: float) -> None:
        self._scale = scale
        self._steps = _STEPS * _ROUNDING / bound

    def __missing__(self, count: int) -> bytes:
        gains = (self._scale.gain(count, _find_edge(bucket)) for bucket in range(_N_BUCKETS))
        table = bytes(min(_STEPS, int(gain * self._steps)) + 1 for gain in gains)
        self[count] = table = b"\xff" * _N_BUCKETS if count == _MANY else table
        return table


class Heights:
    """Lanes added up: how high each section may score, in units that fill the lanes."""

    def __init__(self, n_lanes: int, most: float) -> None:
        self._n_lanes = n_lanes
        self._n_rows = -(-n_lanes // _N_PARTS)
        self._unit = _MOST / most
        self._sums = [0] * _N_PARTS
        self._mask = int.from_bytes(b"\xff\0\0\0" * self._n_rows, "little")
        self._rows: tuple[bytes, ...] = ()
        self._top = b""
        self._n_without = 0

    def add(self, gains: Gains, weight: float) -> None:
        """Add what a word gives at most, `weight` times."""
        times = int(weight * gains.bound / _STEPS * self._unit * _ROUNDING) + 1
        for part in range(_N_PARTS):
            self._sums[part] += ((gains.steps >> (8 * part)) & self._mask) * times

    def add_scores(self, scores: Mapping[int, float]) -> None:
        """Add scores of single sections; those without a lane are left out."""
        n_lanes, unit = self._n_lanes, self._unit
        cells = [array("I", bytes(4 * self._n_rows)) for _ in range(_N_PARTS)]
        for i, score in scores.items():
            if i < n_lanes:
                cells[i % _N_PARTS][i // _N_PARTS] = int(score * unit) + 1
        for part, row in enumerate(cells):
            self._sums[part] += int.from_bytes(_little(row).tobytes(), "little")

    def settle(self, without: Collection[int]) -> None:
        """Be done with adding. Sections `without` are not asked for."""
        self._rows = tuple(each.to_bytes(4 * self._n_rows, "little") for each in self._sums)
        top = bytearray(_N_PARTS * self._n_rows)
        for part, row in enumerate(self._rows):
            top[part::_N_PARTS] = row[3::4]
        for i in without:
            top[i] = 0
        self._top, self._n_without = bytes(top[: self._n_lanes]), len(without)

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
        lanes = chain.from_iterable(_little(array("I", row)) for row in self._rows)
        return heapq.nlargest(limit + self._n_without, lanes)[-1]

    def list_from(self, score: float) -> Iterator[int]:
        """Yield the sections that may score so much, in ascending order; some cannot."""
        least, rows = int(score / _ROUNDING * self._unit), self._rows
        flags = self._top.translate(_AT_LEAST[least >> _TOP_SHIFT])
        place = flags.find(1)
        while place >= 0:
            start = 4 * (place // _N_PARTS)
            lane = rows[place % _N_PARTS][start : start + 4]
            if int.from_bytes(lane, "little") >= least:
                yield place
            place = flags.find(1, place + 1)


def _little(lanes: "array[int]") -> "array[int]":
    """Return lanes with their bytes in the order of big numbers here."""
    if sys.byteorder == "big":
        lanes.byteswap()
    return lanes


def _sort_into_buckets(sizes: Sequence[float]) -> bytes:
    """Return the bucket of each size; within one they differ by a few percent."""
    known = {size: _find_bucket(size) for size in set(sizes)}
    return bytes(map(known.__getitem__, sizes))


def _find_bucket(size: float) -> int:
    return min(_N_BUCKETS - 1, int(_BUCKETS_PER_LOG * math.log1p(size) / _ROUNDING))


def _find_edge(bucket: int) -> float:
    """Return the size below which none in the bucket is."""
    return math.expm1(bucket / _BUCKETS_PER_LOG)
