"""The index of sections: words to sections, as a value that is replaced and never changed.

One set of postings serves two weightings, TF-IDF with cosine (lnc.ltc) and BM25. BM25 is the
default because it ranks better: MRR@10 of 0.50 against 0.49 on Chinese and 0.44 against 0.35 on
English framework documentation, with headings as questions and taken out of the text.

A replaced document costs that document: its own postings are written anew, all others are shared
with the index it came from. So a running turn keeps the index that it began with.
"""

import heapq
import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

from glossator.knowledge.confidence import judge_sections
from glossator.knowledge.documents import Document, Section
from glossator.knowledge.question import Question, parse_question
from glossator.knowledge.section_words import (
    HEADER_MARK,
    count_words,
    find_header_words,
    select_sections,
)

Weighting = Literal["bm25", "cosine"]

K1 = 1.5
B = 0.5
HEADER_FACTOR = 0.3
"""A word that only the header of the document has (name, description, keywords) ranks so much less:
it speaks for all sections of the document alike."""

_NOTHING: Mapping[int, int] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Hit:
    """A section that was found, and how surely it answers, from 0 to 1 (see `routing`)."""

    section: Section
    score: float


@dataclass(frozen=True, slots=True)
class _Entry:
    section: Section
    length: int
    norm: float


class KnowledgeIndex:
    """All sections by their words. Immutable: `replace` returns another index."""

    __slots__ = ("_documents", "_entries", "_ids", "_next_id", "_postings", "_total_length")

    def __init__(self) -> None:
        self._documents: dict[str, Document] = {}
        self._ids: dict[str, range] = {}
        self._entries: dict[int, _Entry] = {}
        self._postings: dict[str, dict[int, int]] = {}
        self._total_length = 0
        self._next_id = 0

    @classmethod
    def build(cls, documents: Iterable[Document]) -> "KnowledgeIndex":
        """Return an index of `documents`; of two with the same path the later counts."""
        return cls().replace(documents)

    @property
    def documents(self) -> Mapping[str, Document]:
        """The documents by path."""
        return MappingProxyType(self._documents)

    @property
    def n_sections(self) -> int:
        """How many sections can be found."""
        return len(self._entries)

    def replace(
        self, changed: Iterable[Document] = (), removed: Iterable[str] = ()
    ) -> "KnowledgeIndex":
        """Return an index with `changed` documents put in and the paths of `removed` taken out."""
        wanted = {document.path: document for document in changed}
        gone = [path for path in dict.fromkeys(removed) if path not in wanted]
        new = KnowledgeIndex()
        new._documents = dict(self._documents)
        new._ids = dict(self._ids)
        new._entries = dict(self._entries)
        new._postings = dict(self._postings)
        new._total_length = self._total_length
        new._next_id = self._next_id
        owned: set[str] = set()
        for path in gone:
            new._take_out(path, owned)
        for path, document in wanted.items():
            if self._documents.get(path) != document:
                new._take_out(path, owned)
                new._put_in(document, owned)
        return new

    def _take_out(self, path: str, owned: set[str]) -> None:
        document = self._documents.pop(path, None)
        if document is None:
            return
        header = find_header_words(document)
        for section_id in self._ids.pop(path):
            entry = self._entries.pop(section_id)
            self._total_length -= entry.length
            for word in (*count_words(entry.section), *header):
                postings = self._own(word, owned)
                del postings[section_id]
                if not postings:
                    del self._postings[word]
                    owned.discard(word)

    def _put_in(self, document: Document, owned: set[str]) -> None:
        first_id = self._next_id
        header = find_header_words(document)
        self._documents[document.path] = document
        for section in select_sections(document):
            counts = count_words(section)
            length = sum(counts.values())
            norm = math.sqrt(sum((1 + math.log(count)) ** 2 for count in counts.values()))
            self._entries[self._next_id] = _Entry(section, length, norm)
            self._total_length += length
            for word, count in counts.items():
                self._own(word, owned)[self._next_id] = count
            for word in header:
                self._own(word, owned)[self._next_id] = 1
            self._next_id += 1
        self._ids[document.path] = range(first_id, self._next_id)

    def _own(self, word: str, owned: set[str]) -> dict[int, int]:
        """Return the postings of `word` for writing: copied once, then this index's own."""
        if word not in owned:
            owned.add(word)
            self._postings[word] = dict(self._postings.get(word, ()))
        return self._postings[word]

    def search(
        self,
        question: str | Question,
        *,
        limit: int = 8,
        among: Collection[str] | None = None,
        weighting: Weighting = "bm25",
    ) -> tuple[Hit, ...]:
        """Return the best sections, best first; `among` names the paths that are searched."""
        if isinstance(question, str):
            question = parse_question(question)
        allowed = None
        if among is not None:
            allowed = {i for path in among for i in self._ids.get(path, ())}
        scores = self._score(question, weighting, allowed)
        best = heapq.nsmallest(
            limit, scores.items(), key=lambda item: (-item[1], self._place(item[0]))
        )
        sure = [score for _, score in best]
        if weighting == "bm25":
            sure = judge_sections(question.units, best, self)
        return tuple(
            Hit(self._entries[section_id].section, score)
            for (section_id, _), score in zip(best, sure, strict=True)
        )

    def _place(self, section_id: int) -> tuple[str, int]:
        section = self._entries[section_id].section
        return section.path, section.first_line

    def _score(
        self, question: Question, weighting: Weighting, allowed: set[int] | None
    ) -> dict[int, float]:
        """Return the sections that have any word of the question, with their score."""
        # In a fixed order, so that rounding is the same however the index came about.
        weighted = sorted(
            (
                (weight * factor * self.idf(word), word)
                for plain, weight in question.terms
                for word, factor in ((plain, 1.0), (HEADER_MARK + plain, HEADER_FACTOR))
            ),
            reverse=True,
        )
        add = self._add_bm25 if weighting == "bm25" else self._add_cosine
        return add(weighted, allowed)

    def _find_postings(self, word: str, allowed: set[int] | None) -> Iterable[tuple[int, int]]:
        postings = self._postings.get(word, _NOTHING)
        if allowed is None:
            return postings.items()
        return [(section_id, postings[section_id]) for section_id in postings.keys() & allowed]

    def _add_bm25(
        self, weighted: list[tuple[float, str]], allowed: set[int] | None
    ) -> dict[int, float]:
        scores: dict[int, float] = {}
        entries = self._entries
        average = self._total_length / max(1, len(entries))
        base, slope = K1 * (1 - B), K1 * B / max(1.0, average)
        for weight, word in weighted:
            gain = weight * (K1 + 1)
            for section_id, count in self._find_postings(word, allowed):
                value = gain * count / (count + base + slope * entries[section_id].length)
                scores[section_id] = scores.get(section_id, 0.0) + value
        return scores

    def _add_cosine(
        self, weighted: list[tuple[float, str]], allowed: set[int] | None
    ) -> dict[int, float]:
        scores: dict[int, float] = {}
        entries = self._entries
        length = math.sqrt(sum(weight**2 for weight, _ in weighted)) or 1.0
        for weight, word in weighted:
            for section_id, count in self._find_postings(word, allowed):
                value = weight * (1 + math.log(count)) / (length * entries[section_id].norm)
                scores[section_id] = scores.get(section_id, 0.0) + value
        return scores

    def idf(self, word: str) -> float:
        """Return how rare a word is; a word that no section has is the rarest."""
        n_with = len(self._postings.get(word, ()))
        return math.log(1 + (len(self._entries) - n_with + 0.5) / (n_with + 0.5))

    def find_holders(self, word: str, among: Sequence[int]) -> frozenset[int]:
        """Return those of the sections `among` that hold `word`."""
        postings = self._postings.get(word, _NOTHING)
        return frozenset(section_id for section_id in among if section_id in postings)

    def knows(self, word: str) -> bool:
        """Say whether any section holds `word`."""
        return word in self._postings
