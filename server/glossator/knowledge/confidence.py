"""How surely a section answers a question: how much of what the question is about it covers.

Each word of the question that carries something is a unit that weighs by its rarity. What counts is
the share of the question that a section has at all, times how much it makes of it. Two things keep
foreign questions out that happen to share a word: a word that stands once and that hardly any other
section knows is an example rather than a subject, unless the section has the rest of the question
too; and a question of a single common word asks for too little to be sure of anything.
"""

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol, TypeAlias

from glossator.knowledge.posting_lists import HEADER_MARK
from glossator.knowledge.question import Unit, Way

HEADER_CREDIT = 0.5
"""A word that only the header of the document has (name, description, keywords) covers so much
less: it speaks for all sections of the document alike."""

RARITY_POWER = 0.75
"""A word's weight is its share of the highest idf to this power."""
UNSEEN = 100
"""Rarity is weighed as if there were so many more sections without the word: in a small library
chance decides how many know it, and that none does says little."""

MENTIONS_PER_SECTION = 4 / 1000
"""A subject is expected to be mentioned by so many sections of a library, or as often by one; at
half of that it counts a third. Names of the code are always believed."""
MOST_SECTIONS = 20_000
"""A subject of a library beyond this size is no more widely known than in one of this size."""

TOGETHER_POWER = 4
"""Rare words that stand together are no chance: the share of the other words that a section has, to
this power, says how far a word is believed that hardly any section knows."""

VAGUE = 0.25
"""Weight that every question is short of: "what time is it" asks for next to nothing."""

SATURATION = 1.2
LENGTH_SHARE = 0.65
"""How often and in how long a text a word stands, as BM25 takes it (`index`)."""

HALF_SURE, HALF_SURE_EACH, MOST_HALF_SURE = 0.10, 0.02, 0.26
"""The confidence that is shown as a score of 0.5 grows with the logarithm of the number of
sections, up to some three thousand: the best of many has more by chance. `routing` says what is
made of scores."""

LEAST = 0.001
"""What a section is shown with that shares only words with the question that carry nothing."""


class Postings(Protocol):
    """What is asked of an index. Words of a document's header carry `HEADER_MARK`."""

    @property
    def n_sections(self) -> int:
        """How many sections there are."""
        ...

    def count_holders(self, word: str) -> int:
        """Return how many sections have `word`."""
        ...

    def find_counts(self, word: str, among: Sequence[int]) -> Mapping[int, int]:
        """Return how often those of the sections `among` that have `word` have it."""
        ...

    def find_lengths(self, among: Sequence[int]) -> Sequence[float]:
        """Return the length of each of the sections `among`, in average lengths."""
        ...


_Cover: TypeAlias = tuple[float, float, float]
"""How surely a section has a word at all (0 to 1), how much it makes of it, and how much of that is
believed."""


class _Sought(NamedTuple):
    """A unit of a question in an index: its share and weight, and how sections cover it."""

    share: float
    weight: float
    covers: Mapping[int, _Cover]


def judge_sections(
    units: Sequence[Unit], scored: Sequence[tuple[int, float]], postings: Postings
) -> list[float]:
    """Return how surely each of the `scored` sections answers, between 0 and 1."""
    ids = [section_id for section_id, _ in scored]
    looked = _Looked(ids, postings)
    sought = [looked.find(unit) for unit in units]
    asked = sum(unit.share for unit in sought)
    total = sum(unit.weight for unit in sought)
    half_sure = HALF_SURE + HALF_SURE_EACH * math.log(max(1, postings.n_sections))
    half_sure = min(half_sure, MOST_HALF_SURE)
    sure = (_judge(sought, section_id, asked, total) for section_id in ids)
    return [max(LEAST, confidence / (confidence + half_sure)) for confidence in sure]


def _judge(sought: Sequence[_Sought], section_id: int, asked: float, total: float) -> float:
    covered = gained = trusted = had = 0.0
    for share, weight, covers in sought:
        if section_id in covers:
            credit, gain, believed = covers[section_id]
            had += share * credit
            covered += weight * credit
            gained += weight * gain
            trusted += weight * believed
    if had > 1:
        # One word says nothing for itself. Chinese is counted by the character, two are a word.
        others = asked - 1
        together = min(1.0, others) * ((had - 1) / others) ** TOGETHER_POWER
        trusted += together * (gained - trusted)
    return covered / (total or 1.0) * trusted / (total + VAGUE)


class _Looked:
    """Looks words up in the sections that are judged, each once."""

    def __init__(self, ids: Sequence[int], postings: Postings) -> None:
        self._postings = postings
        self._expected = MENTIONS_PER_SECTION * min(postings.n_sections, MOST_SECTIONS)
        self._slack = {
            section_id: SATURATION * (1 - LENGTH_SHARE + LENGTH_SHARE * length)
            for section_id, length in zip(ids, postings.find_lengths(ids), strict=True)
        }
        self._counts = _Counts(ids, postings)

    def find(self, unit: Unit) -> _Sought:
        """Weigh a unit by its rarity, and say how well each section covers it."""
        n_holders = [n for n in map(self._postings.count_holders, unit.own) if n]
        rarity = self._weigh_rarity(max(n_holders)) if n_holders else 1.0
        # What is known here only by another name is a subject.
        others = max(n_holders) - 1 if n_holders and not unit.is_name else None
        covers: dict[int, _Cover] = {}
        for way in unit.ways:
            self._cover(covers, way, others)
        return _Sought(unit.share, unit.share * rarity**RARITY_POWER, covers)

    def _weigh_rarity(self, n_holders: int) -> float:
        """Return how rare a word of so many sections is, as a share of the rarest."""
        n_sections = self._postings.n_sections + UNSEEN
        idf = math.log(1 + (n_sections - n_holders + 0.5) / (n_holders + 0.5))
        return idf / math.log(1 + (n_sections + 0.5) / 0.5)

    def _cover(self, covers: dict[int, _Cover], way: Way, others: int | None) -> None:
        """Add the sections that hold the words of `way`, where that is more than there is.

        `others` is how many more sections know what is asked for, None where that says nothing.
        """
        slack, expected, credit = self._slack, self._expected, way.credit
        most = credit * (SATURATION + 1)
        for section_id, count in self._counts.find_all(way.words, "").items():
            gain = most * count / (count + slack[section_id])
            mentions = count + others if others is not None else 0
            trust = mentions / (mentions + expected) if mentions else 1.0
            cover = credit, gain, gain * trust
            known = covers.get(section_id)
            covers[section_id] = cover if known is None else _join(known, cover)
        in_headers = self._counts.find_all(way.words, HEADER_MARK)
        if in_headers:
            trust = 1.0 if others is None else (others + 1) / (others + 1 + expected)
            credit *= HEADER_CREDIT
            cover = credit, credit, credit * trust
            for section_id in in_headers:
                known = covers.get(section_id)
                covers[section_id] = cover if known is None else _join(known, cover)


class _Counts(dict[str, Mapping[int, int]]):
    """How often the sections that are judged have a word, by the word."""

    def __init__(self, ids: Sequence[int], postings: Postings) -> None:
        self._ids = ids
        self._postings = postings

    def __missing__(self, word: str) -> Mapping[int, int]:
        counts = self[word] = self._postings.find_counts(word, self._ids)
        return counts

    def find_all(self, words: Sequence[str], mark: str) -> Mapping[int, int]:
        """Return the sections that hold all of `words`, with how often the rarest stands there."""
        found = self[mark + words[0]]
        for word in words[1:]:
            if not found:
                break
            counts = self[mark + word]
            found = {i: min(n, counts[i]) for i, n in found.items() if i in counts}
        return found


def _join(one: _Cover, other: _Cover) -> _Cover:
    """Return how surely a section covers a unit in two ways: what is most of each part.

    Without `max`, which takes four times as long: it is done a hundred times in each question.
    """
    return (
        one[0] if one[0] >= other[0] else other[0],
        one[1] if one[1] >= other[1] else other[1],
        one[2] if one[2] >= other[2] else other[2],
    )
