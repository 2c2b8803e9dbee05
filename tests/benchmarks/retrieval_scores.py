"""Figures for ranked answers and for refusals."""

import math
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from statistics import mean

_LIMIT = 10


def rank_quality(
    ranks: Sequence[Sequence[str]], answers: Sequence[AbstractSet[str]]
) -> tuple[float, float]:
    """Return MRR@10 and nDCG@10 of ranked ids; an answer is right or not, nothing between."""
    pairs = list(zip(ranks, answers, strict=True))
    if not pairs:
        return 0.0, 0.0
    return (
        mean(_reciprocal_rank(ranked, right) for ranked, right in pairs),
        mean(_gain(ranked, right) for ranked, right in pairs),
    )


def false_refusals(known: Sequence[float], foreign: Sequence[float], true_share: float) -> float:
    """Return the share of known questions refused where `true_share` of foreign ones are.

    The threshold is the score below or at which that share of the foreign questions stays.
    """
    if not known or not foreign:
        return 0.0
    ordered = sorted(foreign)
    threshold = ordered[min(len(ordered) - 1, math.ceil(true_share * len(ordered)) - 1)]
    return sum(score <= threshold for score in known) / len(known)


def _reciprocal_rank(ranked: Sequence[str], right: AbstractSet[str]) -> float:
    places = (place for place, each in enumerate(ranked[:_LIMIT], 1) if each in right)
    first = next(places, None)
    return 0.0 if first is None else 1 / first


def _gain(ranked: Sequence[str], right: AbstractSet[str]) -> float:
    found = sum(
        1 / math.log2(place + 1) for place, each in enumerate(ranked[:_LIMIT], 1) if each in right
    )
    ideal = sum(1 / math.log2(place + 1) for place in range(1, min(len(right), _LIMIT) + 1))
    return found / ideal if ideal else 0.0
