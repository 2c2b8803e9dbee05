"""The best sections for weighted words, without reading all that is known about common words.

What rare words give is added up section by section. For the common ones it is first told from the
lanes (`lanes`) which sections can be among the best at all, and only these are scored. The scores
are those of reading everything, bit for bit: the order of the words, and so of the sums, depends on
nothing but the words and how many sections hold them.
"""

import heapq
import math
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import add
from typing import NamedTuple

from glossator.knowledge.lanes import MANY, Heights, Lanes, make_reader
from glossator.knowledge.posting_lists import PostingList
from glossator.knowledge.weightings import Scale

_FEW_POSTINGS = 600
"""So many postings are read sooner than lanes are added up."""
_RARE_SHARE = 64
"""A word that one section in so many holds is rare."""


class Sought(NamedTuple):
    """A word that is looked for, with the sections that hold it and its weight.

    Sorted, they are in the order in which they are read: the rarest first, those of as many by the
    word. No two have the same word, so `postings` are never compared.
    """

    n_holders: int
    word: str
    weight: float
    postings: PostingList


@dataclass(frozen=True, slots=True)
class Ground:
    """Where common words are looked up: the lanes of a segment, and what is different from it.

    `find` returns the list of a word in the segment. The sections `changed` are not as the segment
    has them, or are no more; `present` are those that take their place, and others.
    """

    lanes: Lanes
    find: Callable[[str], PostingList | None]
    changed: Collection[int] = ()
    present: Collection[int] = ()


def find_best(
    words: Sequence[Sought], scale: Scale, limit: int, ground: Ground | None = None
) -> dict[int, float]:
    """Return the scores of the `limit` best sections, and of all that are as good as the last.

    The `words` come in the order in which they are read: the rarest first.
    """
    n_rare = len(words) if ground is None else _count_rare(words, ground.lanes.n_lanes)
    scores: dict[int, float] = {}
    for each in words[:n_rare]:
        scale.add(scores, each.postings.list_held(), each.weight)
    if ground is None or n_rare == len(words):
        return keep_best(scores, limit)
    return _Search(words[n_rare:], scale, ground, scores).find(limit)


def _count_rare(words: Sequence[Sought], n_lanes: int) -> int:
    n_rare = sum(each.n_holders * _RARE_SHARE <= n_lanes for each in words)
    n_left = sum(each.n_holders for each in words[n_rare:])
    return len(words) if n_left <= _FEW_POSTINGS else n_rare


class _Search:
    """A search with common words in it. `scores` are what the rare words give."""

    def __init__(
        self, common: Sequence[Sought], scale: Scale, ground: Ground, scores: dict[int, float]
    ) -> None:
        self._scale = scale
        self._ground = ground
        self._scores = scores
        below = [(each, ground.find(each.word)) for each in common]
        self._common = [
            (each, None if postings is None else ground.lanes.find(each.word, postings))
            for each, postings in below
        ]

    def find(self, limit: int) -> dict[int, float]:
        """Return the scores of the best sections."""
        heights = self._add_up()
        reach = self._find_reach(heights)
        height = max(heights.find_height(limit), _find_least(reach, limit))
        found = self._complete(self._list_from(height, heights, reach)) | self._score_present()
        least = _find_least(found, limit)
        if least < height:
            others = (i for i in self._list_from(least, heights, reach) if i not in found)
            found |= self._complete(others)
        return keep_best(found, limit)

    def _find_reach(self, heights: Heights) -> dict[int, float]:
        """Return how much the sections with rare words may score that are in the segment."""
        scores, ground = self._scores, self._ground
        held: Collection[int] = scores
        if ground.present or ground.changed:
            held = [i for i in scores if i < heights.n_lanes and i not in ground.changed]
        most = map(add, map(scores.__getitem__, held), heights.find(held))
        return dict(zip(held, most, strict=True))

    def _list_from(
        self, score: float, heights: Heights, reach: Mapping[int, float]
    ) -> Iterator[int]:
        """Yield the sections of the segment that may score so much; some cannot."""
        yield from (i for i, most in reach.items() if most >= score)
        changed = self._ground.changed
        yield from (i for i in heights.list_from(score) if i not in reach and i not in changed)

    def _add_up(self) -> Heights:
        """Add up what the common words give to each section at most."""
        lanes = self._ground.lanes
        grown = max(1.0, self._scale.average / lanes.scale.average)
        weighed = [(gains, each.weight * grown) for each, gains in self._common if gains]
        most = math.fsum(gains.bound * weight for gains, weight in weighed)
        heights = Heights(lanes.n_lanes, most or 1.0, len(weighed))
        for gains, weight in weighed:
            heights.add(gains, weight)
        heights.settle(self._ground.changed)
        return heights

    def _complete(self, ids: Iterable[int]) -> dict[int, float]:
        """Return the scores of sections that are as the segment has them."""
        places = tuple(ids)
        if not places:
            return {}
        scores = [self._scores.get(i, 0.0) for i in places]
        slacks = self._scale.find_slacks(places)
        read = make_reader(places)
        for each, gains in self._common:
            if gains is not None:
                counts = read(gains.counts)
                if MANY in counts:
                    held = each.postings.find_counts(places)
                    counts = [held.get(i, 0) for i in places]
                scores = self._scale.add_up(scores, counts, slacks, each.weight)
        return {i: score for i, score in zip(places, scores, strict=True) if score > 0}

    def _score_present(self) -> dict[int, float]:
        """Return the scores of all sections that the segment has not."""
        present, get = self._ground.present, self._scores.get
        found = {i: get(i, 0.0) for i in present}
        for each, _ in self._common if found else ():
            _look_up(found, each, self._scale)
        return {i: score for i, score in found.items() if score > 0}


def _find_least(scores: Mapping[int, float], limit: int) -> float:
    """Return the score of the last of the `limit` best, 0 where there are fewer."""
    best = heapq.nlargest(limit, scores.values())
    return best[-1] if len(best) == limit else 0.0


def score_these(words: Sequence[Sought], scale: Scale, ids: Collection[int]) -> dict[int, float]:
    """Return the scores of those of the sections `ids` that hold any of the words.

    The `words` come in the order in which they are read: the rarest first.
    """
    scores = dict.fromkeys(ids, 0.0)
    for each in words:
        _look_up(scores, each, scale)
    return {section_id: score for section_id, score in scores.items() if score > 0}


def keep_best(scores: dict[int, float], limit: int) -> dict[int, float]:
    """Leave out what is worse than the last of the `limit` best."""
    if len(scores) <= limit:
        return scores
    last = heapq.nlargest(limit, scores.values())[-1]
    return {section_id: score for section_id, score in scores.items() if score >= last}


def _look_up(scores: dict[int, float], sought: Sought, scale: Scale) -> None:
    """Add what a word gives to the sections that have a score, and to no others."""
    scale.add(scores, sought.postings.find_counts(scores).items(), sought.weight)
