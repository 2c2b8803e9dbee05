"""How surely a section answers a question: how much of what the question is about it covers.

Each word of the question that carries something is a unit that weighs by its rarity. What counts is
the share of the question that a section has at all, times how much it makes of it. Two things keep
foreign questions out that happen to share a word: a word that stands once and that hardly any other
section knows is an example rather than a subject, unless the section has the rest of the question
too; and a question of a single common word asks for too little to be sure of anything.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple, Protocol, TypeAlias

from glossator.knowledge.question import Unit

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


Counts: TypeAlias = tuple[Sequence[int], Sequence[int]]
"""How often each of some sections has a word, and how often the header of its document has it;
either may be empty where none has it."""


class Postings(Protocol):
    """What is asked of an index."""

    @property
    def n_sections(self) -> int:
        """How many sections there are."""
        ...

    def count_holders(self, word: str) -> int:
        """Return how many sections have `word`."""
        ...

    def find_counts(self, word: str, among: Sequence[int]) -> Counts:
        """Return how often each of the sections `among` has `word`, and the header above it."""
        ...

    def find_lengths(self, among: Sequence[int]) -> Sequence[float]:
        """Return the length of each of the sections `among`, in average lengths."""
        ...


_Shown: TypeAlias = tuple[int, float, float]
"""Words that show a unit: the number of their column of counts, how surely they do (0 to 1), and
how much a section can make of them at most."""


class _Sought(NamedTuple):
    """A unit of a question in an index: its share and weight, and what shows it.

    `others` is how many more sections know what is asked for, `expected` how many should, 0 where
    it is believed anyway.
    """

    share: float
    weight: float
    others: int
    expected: float
    in_text: list[_Shown]
    in_header: list[_Shown]


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
    slacks = [
        SATURATION * (1 - LENGTH_SHARE + LENGTH_SHARE * length)
        for length in postings.find_lengths(ids)
    ]
    rows = zip(slacks, *looked.columns, strict=True)
    sure = (_judge(sought, counts, slack, asked, total) for slack, *counts in rows)
    return [max(LEAST, confidence / (confidence + half_sure)) for confidence in sure]


def _judge(
    sought: Sequence[_Sought], counts: Sequence[int], slack: float, asked: float, total: float
) -> float:
    """Return how surely a section answers, by how often it has what the columns count."""
    covered = gained = trusted = had = 0.0
    for share, weight, others, expected, in_text, in_header in sought:
        credit = gain = believed = 0.0
        # A hundred times in a question, and `max` would take four times as long. What is passed
        # over has no more credit either: `most` grows with it, as it does not in headers.
        for column, surely, most in in_text:
            count = counts[column]
            if count and most > believed:
                made = most * count / (count + slack)
                mentions = count + others
                trust = made * (mentions / (mentions + expected))
                credit = surely if surely > credit else credit
                gain = made if made > gain else gain
                believed = trust if trust > believed else believed
        for column, surely, most in in_header:
            if counts[column]:
                trust = most * ((others + 1) / (others + 1 + expected))
                credit = surely if surely > credit else credit
                gain = most if most > gain else gain
                believed = trust if trust > believed else believed
        had += share * credit
        covered += weight * credit
        gained += weight * gain
        trusted += weight * believed
    if had > 1:
        # One word says nothing for itself. Chinese is counted by the character, two are a word.
        others_asked = asked - 1
        together = min(1.0, others_asked) * ((had - 1) / others_asked) ** TOGETHER_POWER
        trusted += together * (gained - trusted)
    return covered / (total or 1.0) * trusted / (total + VAGUE)


class _Looked:
    """Looks up what shows a unit in the sections that are judged: the words of a way once.

    `columns` say how often each of the sections has all of them; `find` adds to them.
    """

    def __init__(self, ids: Sequence[int], postings: Postings) -> None:
        self.columns: list[Sequence[int]] = []
        self._ids = ids
        self._postings = postings
        self._expected = MENTIONS_PER_SECTION * min(postings.n_sections, MOST_SECTIONS)
        self._numbers: dict[tuple[str, ...], tuple[int | None, int | None]] = {}
        self._n_sections = postings.n_sections + UNSEEN
        self._highest = math.log(1 + (self._n_sections + 0.5) / 0.5)

    def find(self, unit: Unit) -> _Sought:
        """Return the weight of a unit by its rarity, and the columns that show it."""
        n_known = max(map(self._postings.count_holders, unit.own))
        rarity = self._weigh_rarity(n_known) if n_known else 1.0
        weight = unit.share * rarity**RARITY_POWER
        in_text, in_header = [], []
        for words, credit, _ in unit.ways:
            text, header = self._find_columns(words)
            if text is not None:
                in_text.append((text, credit, credit * (SATURATION + 1)))
            if header is not None:
                credit *= HEADER_CREDIT
                in_header.append((header, credit, credit))
        # Names are always believed, and what is known here only by another name is a subject.
        expected = 0.0 if unit.is_name or not n_known else self._expected
        return _Sought(unit.share, weight, max(0, n_known - 1), expected, in_text, in_header)

    def _weigh_rarity(self, n_holders: int) -> float:
        """Return how rare a word of so many sections is, as a share of the rarest."""
        idf = math.log(1 + (self._n_sections - n_holders + 0.5) / (n_holders + 0.5))
        return idf / self._highest

    def _find_columns(self, words: tuple[str, ...]) -> tuple[int | None, int | None]:
        """Return the number of the column for what holds all `words`, and of that for headers.

        None where nothing does.
        """
        if words not in self._numbers:
            each = [self._postings.find_counts(word, self._ids) for word in words]
            in_text, in_header = each[0] if len(each) == 1 else map(_find_least, *each)
            self._numbers[words] = self._keep(in_text), self._keep(in_header)
        return self._numbers[words]

    def _keep(self, counts: Sequence[int]) -> int | None:
        if not any(counts):
            return None
        self.columns.append(counts)
        return len(self.columns) - 1


def _find_least(*columns: Sequence[int]) -> Sequence[int]:
    """Return how often the rarest of some words stands in each section."""
    return list(map(min, *columns))  # Empty where one of the columns is.
