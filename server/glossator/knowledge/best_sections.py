"""The best sections for weighted words, without reading all that is known about common words.

Rare words are read first. As soon as the words that are left could not lift a section that was not
seen among the best, they are only looked up for the sections that still can be (MaxScore). The
scores are those of reading everything, bit for bit: the order of the words, and so of the sums,
depends on nothing but the words, their weights and how many sections hold them.
"""

import heapq
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import islice

from glossator.knowledge.posting_lists import PostingList
from glossator.knowledge.weightings import Scale

_LOOK_AFTER = 1_000
"""So many postings are read before it is first estimated what the best will reach."""
_ROUNDING = 1 + 1e-9


@dataclass(frozen=True, slots=True)
class Sought:
    """A word that is looked for, with the sections that hold it and its weight."""

    word: str
    weight: float
    postings: PostingList


def put_in_order(words: Collection[Sought]) -> list[Sought]:
    """Return the words in the order in which they are read: much weight for few sections first."""
    return sorted(words, key=lambda each: (-each.weight / len(each.postings), each.word))


def find_best(words: Sequence[Sought], scale: Scale, limit: int) -> dict[int, float]:
    """Return the scores of the `limit` best sections, and of all that are as good as the last."""
    rest = _bound_rests(words, scale)
    n_left = sum(len(each.postings) for each in words)
    scores: dict[int, float] = {}
    least, n_read, look_after = 0.0, 0, _LOOK_AFTER
    for position, each in enumerate(words):
        if n_read >= look_after and n_left > _LOOK_AFTER and len(scores) >= limit:
            least = max(least, _estimate_last(scores, words[position:], scale, limit))
            look_after = 2 * n_read
        if rest[position] < least:
            return keep_best(
                _complete(scores, words[position:], scale, rest[position:], least), limit
            )
        scale.add(scores, each.postings.list_held(), each.weight)
        n_read += len(each.postings)
        n_left -= len(each.postings)
    return keep_best(scores, limit)


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


def _bound_rests(words: Sequence[Sought], scale: Scale) -> list[float]:
    """Return for each word what it and those behind it can give together, at most."""
    rest = [0.0]
    for each in reversed(words):
        rest.append(rest[-1] + each.weight * scale.bound(each.word, each.postings) * _ROUNDING)
    return rest[:0:-1]


def _estimate_last(
    scores: dict[int, float], left: Sequence[Sought], scale: Scale, limit: int
) -> float:
    """Return a score that at least `limit` sections reach: that of the best so far, completed."""
    last = heapq.nlargest(limit, scores.values())[-1]
    best = dict(islice((item for item in scores.items() if item[1] >= last), limit))
    for each in left:
        _look_up(best, each, scale)
    return min(best.values()) / _ROUNDING


def _complete(
    scores: dict[int, float],
    left: Sequence[Sought],
    scale: Scale,
    rest: Sequence[float],
    least: float,
) -> dict[int, float]:
    """Return the final scores of all sections that can reach `least`."""
    for each, most in zip(left, rest, strict=True):
        needed = least - most
        scores = {section_id: score for section_id, score in scores.items() if score >= needed}
        _look_up(scores, each, scale)
    return scores


def _look_up(scores: dict[int, float], sought: Sought, scale: Scale) -> None:
    """Add what a word gives to the sections that have a score, and to no others."""
    scale.add(scores, sought.postings.find_counts(scores).items(), sought.weight)
