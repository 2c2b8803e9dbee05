"""How surely a section answers a question: how much of what the question is about it covers."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from glossator.knowledge.question import Unit
from glossator.knowledge.section_words import HEADER_MARK

HEADER_CREDIT = 0.5
"""A word that only the header of the document has (name, description, keywords) covers so much
less: it speaks for all sections of the document alike."""

HALF_SURE = 0.28
"""The confidence that is shown as a score of 0.5; see `routing` for what is made of scores."""


class Postings(Protocol):
    """What is asked of an index. Words of a document's header carry `HEADER_MARK`."""

    def idf(self, word: str) -> float:
        """Return how rare a word is; a word that no section has is the rarest."""
        ...

    def find_holders(self, word: str, among: Sequence[int]) -> frozenset[int]:
        """Return those of the sections `among` that hold `word`."""
        ...

    def knows(self, word: str) -> bool:
        """Say whether any section holds `word`."""
        ...


@dataclass(frozen=True, slots=True)
class _Sought:
    """A unit of a question in an index: its weight, and the sections that earn each credit."""

    weight: float
    ways: tuple[tuple[float, frozenset[int]], ...]


def judge_sections(
    units: Sequence[Unit], scored: Sequence[tuple[int, float]], postings: Postings
) -> list[float]:
    """Return how surely each of the `scored` sections answers, between 0 and 1."""
    ids = [section_id for section_id, _ in scored]
    sought = [_look_up(unit, ids, postings) for unit in units]
    return [_judge(sought, section_id, score) for section_id, score in scored]


def _look_up(unit: Unit, ids: Sequence[int], postings: Postings) -> _Sought:
    """Weigh a unit by its rarity: what no section has weighs most."""
    known = [postings.idf(word) for word in unit.own if postings.knows(word)]
    weight = unit.share * min(known, default=postings.idf(""))
    ways: list[tuple[float, frozenset[int]]] = []
    for way in unit.ways:
        for mark, credit in (("", way.credit), (HEADER_MARK, way.credit * HEADER_CREDIT)):
            holders = [postings.find_holders(mark + word, ids) for word in way.words]
            if all(holders) and holders:
                ways.append((credit, frozenset.intersection(*holders)))
    ways.sort(key=lambda way: -way[0])
    return _Sought(weight, tuple(ways))


def _judge(units: Sequence[_Sought], section_id: int, score: float) -> float:
    covered = total = 0.0
    for unit in units:
        total += unit.weight
        covered += next(
            (unit.weight * credit for credit, holders in unit.ways if section_id in holders), 0.0
        )
    coverage = covered / total if total else 0.0
    confidence = math.log1p(score) * coverage**2
    return confidence / (confidence + HALF_SURE)
