"""The two weightings of one set of postings: BM25, and TF-IDF with cosine (lnc.ltc)."""

from array import array
from collections.abc import Iterable, Sequence
from typing import Literal, Protocol

from glossator.knowledge.posting_lists import DAMPENED, HEADER_MARK, PostingList, dampen

Weighting = Literal["bm25", "cosine"]

K1 = 1.2
B = 0.65


Held = Iterable[tuple[int, int]]
"""Sections that hold a word, each with how often."""


class Scale(Protocol):
    """What a section gains by a word, as a part of what a word can give: 0 to `bound`.

    Gains shrink with the size of a section, and grow with the `average` size, if that matters.
    """

    average: float

    def bound(self, word: str, postings: PostingList) -> float:
        """Return what no section gains more than by this word."""
        ...

    def gain(self, count: int, size: float) -> float:
        """Return what a section of a size gains that holds a word so often."""
        ...

    def add(self, scores: dict[int, float], held: Held, weight: float) -> None:
        """Add to the scores of sections that hold a word, `weight` times their gain."""
        ...

    def find_slacks(self, ids: Sequence[int]) -> Sequence[float]:
        """Return what lessens the gains of each section by its size, as `add_up` takes it."""
        ...

    def add_up(
        self, scores: Sequence[float], counts: Sequence[int], slacks: Sequence[float], weight: float
    ) -> list[float]:
        """Return `scores`, each with `weight` times the gain of a section by a word added.

        `counts` say how often each section has the word; 0 gains nothing.
        """
        ...


class Bm25:
    """The gain of BM25, which grows with the count towards 1 and shrinks with the length."""

    __slots__ = ("_base", "_offsets", "_slope", "average")

    def __init__(self, lengths: Sequence[int], n_sections: int, total_length: int) -> None:
        self.average = max(1.0, total_length / max(1, n_sections))
        self._base = base = K1 * (1 - B)
        self._slope = slope = K1 * B / self.average
        self._offsets = array("d", [base + slope * length for length in lengths])

    def bound(self, word: str, postings: PostingList) -> float:
        return 1 / (1 + self._base) if word.startswith(HEADER_MARK) else 1.0

    def gain(self, count: int, size: float) -> float:
        return count / (count + self._base + self._slope * size)

    def add(self, scores: dict[int, float], held: Held, weight: float) -> None:
        offsets = self._offsets
        for i, count in held:
            gain = weight * (count / (count + offsets[i]))
            if i in scores:
                scores[i] += gain
            else:
                scores[i] = gain

    def find_slacks(self, ids: Sequence[int]) -> list[float]:
        offsets = self._offsets
        return [offsets[i] for i in ids]

    def add_up(
        self, scores: Sequence[float], counts: Sequence[int], slacks: Sequence[float], weight: float
    ) -> list[float]:
        return [
            score + weight * (count / (count + offset)) if count else score
            for score, count, offset in zip(scores, counts, slacks, strict=True)
        ]


class Cosine:
    """The gain of the cosine: the dampened count, by the length of the section's vector."""

    __slots__ = ("_norms", "average")

    def __init__(self, norms: Sequence[float]) -> None:
        self._norms = norms
        self.average = 1.0

    def bound(self, word: str, postings: PostingList) -> float:
        return postings.peak

    def gain(self, count: int, size: float) -> float:
        return dampen(count) / max(1.0, size)

    def add(self, scores: dict[int, float], held: Held, weight: float) -> None:
        get, norms, n_dampened, dampened = scores.get, self._norms, len(DAMPENED), DAMPENED
        for i, count in held:
            gain = dampened[count] if count < n_dampened else dampen(count)
            scores[i] = get(i, 0.0) + weight * (gain / norms[i])

    def find_slacks(self, ids: Sequence[int]) -> list[float]:
        norms = self._norms
        return [norms[i] for i in ids]

    def add_up(
        self, scores: Sequence[float], counts: Sequence[int], slacks: Sequence[float], weight: float
    ) -> list[float]:
        return [
            score + weight * (dampen(count) / norm) if count else score
            for score, count, norm in zip(scores, counts, slacks, strict=True)
        ]
