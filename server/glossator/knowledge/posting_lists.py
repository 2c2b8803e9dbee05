"""Posting lists: which sections hold a word, and how often. Values that are replaced as a whole."""

import math
from array import array
from bisect import bisect_left
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import TypeAlias

HEADER_MARK = "@"
"""What a word begins with that the header of a document has."""

MAX_COUNT = 65_535
"""A word counts at most so often in one section."""

_SCAN_FACTOR = 6
"""Looking one section up in a list costs as much as reading so many entries of it,"""
_EDIT_FACTOR = 16
"""and to edit one entry as much as to write so many anew."""

Numbers: TypeAlias = "array[int] | memoryview"


@dataclass(frozen=True, slots=True)
class PostingList:
    """The sections that hold one word: `ids` ascending, with the count in each.

    `peak` bounds what any of them gains in cosine: `dampen(count)` by the norm of the section.
    """

    ids: Numbers
    counts: Numbers
    peak: float

    def __len__(self) -> int:
        return len(self.ids)

    def list_held(self) -> Iterable[tuple[int, int]]:
        """Return all sections that hold the word, with how often."""
        return zip(self.ids.tolist(), self.counts.tolist(), strict=True)

    def find_counts(self, among: Collection[int]) -> dict[int, int]:
        """Return how often those of the sections `among` that hold the word hold it."""
        ids, counts, n = self.ids, self.counts, len(self.ids)
        if n < _SCAN_FACTOR * len(among):
            wanted = set(among)
            return {i: count for i, count in self.list_held() if i in wanted}
        places = [(i, bisect_left(ids, i)) for i in among]
        return {i: counts[place] for i, place in places if place < n and ids[place] == i}


class Draft:
    """Postings to be put into a list: ids must come in ascending order."""

    __slots__ = ("counts", "ids", "peak")

    def __init__(self) -> None:
        self.ids = array("I")
        self.counts = array("H")
        self.peak = 0.0

    def put(self, section_id: int, count: int, share: float) -> None:
        """Add a section; `share` is what it gains in cosine."""
        self.ids.append(section_id)
        self.counts.append(count)
        if share > self.peak:
            self.peak = share


DAMPENED = (0.0, *(1.0 + math.log(count) for count in range(1, 256)))
"""What most counts weigh in cosine, by the count."""


def dampen(count: int) -> float:
    """Return what a count weighs in cosine: the second mention says less than the first."""
    return DAMPENED[count] if count < len(DAMPENED) else 1.0 + math.log(count)


def revise(old: PostingList | None, gone: Iterable[int], draft: Draft | None) -> PostingList | None:
    """Return `old` without the sections that are `gone` and with those of `draft`, or None."""
    gone = list(gone)
    if old is None or len(gone) == len(old):
        return PostingList(draft.ids, draft.counts, draft.peak) if draft else None
    if draft and gone == draft.ids.tolist():
        return _recount(old, draft)
    ids, counts = array("I"), array("H")
    ids.frombytes(memoryview(old.ids).cast("B"))
    counts.frombytes(memoryview(old.counts).cast("B"))
    n_edits = len(gone) + (len(draft.ids) if draft else 0)
    if n_edits * _EDIT_FACTOR > len(old):
        ids, counts = _edit_all(ids, counts, gone, draft)
    else:
        _edit_each(ids, counts, gone, draft)
    return PostingList(ids, counts, max(old.peak, draft.peak) if draft else old.peak)


def _recount(old: PostingList, draft: Draft) -> PostingList:
    """Return `old` with other counts in sections that it has; its ids are shared."""
    counts, peak = old.counts, max(old.peak, draft.peak)
    if old.find_counts(draft.ids) != dict(zip(draft.ids, draft.counts, strict=True)):
        counts = array("H", counts.tobytes())
        for section_id, count in zip(draft.ids, draft.counts, strict=True):
            counts[bisect_left(old.ids, section_id)] = count
    return PostingList(old.ids, counts, peak)


def _edit_each(
    ids: "array[int]", counts: "array[int]", gone: Iterable[int], draft: Draft | None
) -> None:
    for section_id in gone:
        place = bisect_left(ids, section_id)
        del ids[place], counts[place]
    if draft:
        for section_id, count in zip(draft.ids, draft.counts, strict=True):
            place = bisect_left(ids, section_id)
            ids.insert(place, section_id)
            counts.insert(place, count)


def _edit_all(
    ids: "array[int]", counts: "array[int]", gone: Iterable[int], draft: Draft | None
) -> "tuple[array[int], array[int]]":
    held = dict(zip(ids, counts, strict=True))
    for section_id in gone:
        del held[section_id]
    if draft:
        held.update(zip(draft.ids, draft.counts, strict=True))
    return sort_postings(held)


def sort_postings(held: dict[int, int]) -> "tuple[array[int], array[int]]":
    """Return the ids in ascending order, and the counts in the same."""
    ids = sorted(held)
    return array("I", ids), array("H", map(held.__getitem__, ids))
