"""The best sections for weighted words, without reading all that is known about common words.

What rare words give is added up section by section. For the common ones it is first told from the
lanes (`lanes`) which sections can be among the best at all, and only these are scored. The scores
are those of reading everything, bit for bit: the order of the words, and so of the sums, depends on
nothing but the words and how many sections hold them.
"""

import heapq
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass

from glossator.knowledge.lanes import Heights, Lanes
from glossator.knowledge.posting_lists import PostingList
from glossator.knowledge.weightings import Scale

_FEW_POSTINGS = 600
"""So many postings are read sooner than lanes are added up."""
_RARE_SHARE = 32
"""A word that one section in so many holds is rare."""


@dataclass(frozen=True, slots=True)
class Sought:
    """A word that is looked for, with the sections that hold it and its weight."""

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


def put_in_order(words: Collection[Sought]) -> list[Sought]:
    """Return the words in the order in which they are read: the rarest first."""
    return sorted(words, key=lambda each: (len(each.postings), each.word))


def find_best(
    words: Sequence[Sought], scale: Scale, limit: int, ground: Ground | None = None
) -> dict[int, float]:
    """Return the scores of the `limit` best sections, and of all that are as good as the last."""
    n_rare = len(words) if ground is None else _count_rare(words, ground.lanes.n_lanes)
    scores: dict[int, float] = {}
    for each in words[:n_rare]:
        scale.add(scores, each.postings.list_held(), each.weight)
    if ground is None or n_rare == len(words):
        return keep_best(scores, limit)
    return _Search(words[n_rare:], scale, ground, scores).find(limit, words[:n_rare])


def _count_rare(words: Sequence[Sought], n_lanes: int) -> int:
    rare = [each for each in words if len(each.postings) * _RARE_SHARE <= n_lanes]
    n_left = sum(len(each.postings) for each in words[len(rare) :])
    return len(words) if n_left <= _FEW_POSTINGS else len(rare)


class _Search:
    """A search with common words in it. `scores` are what the rare words give."""

    def __init__(
        self, common: Sequence[Sought], scale: Scale, ground: Ground, scores: dict[int, float]
    ) -> None:
        self._scale = scale
        self._ground = ground
        self._scores = scores
        self._common = common

    def find(self, limit: int, rare: Sequence[Sought]) -> dict[int, float]:
        """Return the scores of the best sections."""
        heights = self._add_up(rare)
        height = heights.find_height(limit)
        found = self._complete(heights.list_from(height))
        found |= self._score_present()
        best = heapq.nlargest(limit, found.values())
        least = best[-1] if len(best) == limit else 0.0
        if least < height:
            found |= self._complete(i for i in heights.list_from(least) if i not in found)
        return keep_best(found, limit)

    def _add_up(self, rare: Sequence[Sought]) -> Heights:
        """Add up what each section may score at most."""
        lanes = self._ground.lanes
        grown = max(1.0, self._scale.average / lanes.scale.average)
        below = [(each, self._ground.find(each.word)) for each in self._common]
        weighed = [
            (lanes.find(each.word, postings), each.weight * grown)
            for each, postings in below
            if postings is not None
        ]
        most = sum(2 * gains.bound * weight for gains, weight in weighed)
        most += sum(each.weight * self._scale.bound(each.word, each.postings) for each in rare)
        heights = Heights(lanes.n_lanes, most or 1.0)
        for gains, weight in weighed:
            heights.add(gains, weight)
        heights.add_scores(self._scores)
        heights.settle(self._ground.changed)
        return heights

    def _complete(self, ids: Iterable[int]) -> dict[int, float]:
        """Return the scores of sections that are as the segment has them."""
        changed, get = self._ground.changed, self._scores.get
        found = {i: get(i, 0.0) for i in ids if i not in changed}
        for each in self._common:
            _look_up(found, each, self._scale)
        return {i: score for i, score in found.items() if score > 0}

    def _score_present(self) -> dict[int, float]:
        """Return the scores of all sections that the segment has not."""
        present, get = self._ground.present, self._scores.get
        found = {i: get(i, 0.0) for i in present}
        for each in self._common if found else ():
            _look_up(found, each, self._scale)
        return {i: score for i, score in found.items() if score > 0}


def score_these(words: Sequence[Sought], scale: Scale, ids: Collection[int]) -> dict[int, float]:
    """Return the scores of those of the sections `ids` that hold any of the words."""
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
