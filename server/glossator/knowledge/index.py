"""The index of sections: words to sections, as a value that is replaced and never changed.

One set of postings serves two weightings, TF-IDF with cosine (lnc.ltc) and BM25. BM25 is the
default because it ranks better: MRR@10 of 0.50 against 0.49 on Chinese and 0.44 against 0.35 on
English framework documentation, with headings as questions and taken out of the text.

A replaced document costs that document: its own postings are written anew, all others are shared
with the index it came from. So a running turn keeps the index that it began with.
"""

import heapq
import math
import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

from glossator.knowledge.documents import Document, Section
from glossator.knowledge.question import Question, Unit, parse_question
from glossator.knowledge.words import find_words

Weighting = Literal["bm25", "cosine"]

K1 = 1.5
B = 0.5
HEADING_WEIGHT = 3
"""A word of a heading counts as often as this many in the text."""

HEADER_MARK = "@"
HEADER_FACTOR = 0.3
HEADER_CREDIT = 0.5
"""A word that only the header of the document has (name, description, keywords) ranks and covers
so much less: it speaks for all sections of the document alike."""

HALF_SURE = 0.28
"""The confidence that is shown as a score of 0.5; see `routing` for what is made of scores."""

_EXAMPLE = re.compile(
    r"^[ \t]*(?P<mark>`{3,}|~{3,})[ \t]*(?:check|(?:[^\s`~]+[ \t]+)?(?:good|bad))\b[^\n`]*\n"
    r"(?:.*?^[ \t]*(?P=mark)[ \t]*$|.*)",
    re.MULTILINE | re.DOTALL,
)

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
        header = _find_header_words(document)
        for section_id in self._ids.pop(path):
            entry = self._entries.pop(section_id)
            self._total_length -= entry.length
            for word in (*_count_words(entry.section), *header):
                postings = self._own(word, owned)
                del postings[section_id]
                if not postings:
                    del self._postings[word]
                    owned.discard(word)

    def _put_in(self, document: Document, owned: set[str]) -> None:
        first_id = self._next_id
        header = _find_header_words(document)
        self._documents[document.path] = document
        for section in _select_sections(document):
            counts = _count_words(section)
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
        units = [self._look_up(unit) for unit in question.units]
        return tuple(
            Hit(
                self._entries[section_id].section,
                _judge(units, section_id, score) if weighting == "bm25" else score,
            )
            for section_id, score in best
        )

    def _place(self, section_id: int) -> tuple[str, int]:
        section = self._entries[section_id].section
        return section.path, section.first_line

    def _idf(self, word: str) -> float:
        n_with = len(self._postings.get(word, ()))
        return math.log(1 + (len(self._entries) - n_with + 0.5) / (n_with + 0.5))

    def _score(
        self, question: Question, weighting: Weighting, allowed: set[int] | None
    ) -> dict[int, float]:
        """Return the sections that have any word of the question, with their score."""
        # In a fixed order, so that rounding is the same however the index came about.
        weighted = sorted(
            (
                (weight * factor * self._idf(word), word)
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

    def _look_up(self, unit: Unit) -> "_Sought":
        """Weigh a unit by its rarity, and find the postings that show it, surest first.

        What no section has weighs most.
        """
        known = [self._idf(word) for word in unit.own if word in self._postings]
        weight = unit.share * min(known, default=self._idf(""))
        ways = []
        for way in unit.ways:
            for mark, credit in (("", way.credit), (HEADER_MARK, way.credit * HEADER_CREDIT)):
                found = [self._postings.get(mark + word) for word in way.words]
                if all(found):
                    ways.append((credit, tuple(postings for postings in found if postings)))
        ways.sort(key=lambda way: -way[0])
        return _Sought(weight, tuple(ways))


@dataclass(frozen=True, slots=True)
class _Sought:
    """A unit of a question in an index: its weight, and credits with the postings they need."""

    weight: float
    ways: tuple[tuple[float, tuple[Mapping[int, int], ...]], ...]


def _judge(units: list[_Sought], section_id: int, score: float) -> float:
    """Return how surely a section answers, between 0 and 1."""
    covered = total = 0.0
    for unit in units:
        total += unit.weight
        for credit, needed in unit.ways:
            if all(section_id in postings for postings in needed):
                covered += unit.weight * credit
                break
    coverage = covered / total if total else 0.0
    confidence = math.log1p(score) * coverage**2
    return confidence / (confidence + HALF_SURE)


def _select_sections(document: Document) -> list[Section]:
    """Leave out headings without text of their own; what stands below them carries their words."""
    with_text = [s for s in document.sections if s.first_line < s.last_line or not s.heading_path]
    return with_text or list(document.sections)


def _count_words(section: Section) -> Counter[str]:
    """Count the words of a section's text and of the headings above it.

    The checks and examples of its rules are code: a `boss` in a query is not what they are about.
    """
    counts = Counter(find_words(_EXAMPLE.sub("", section.text)))
    for heading in section.heading_path[-1:]:
        for word in find_words(heading):
            counts[word] += HEADING_WEIGHT - 1
    for word in set(find_words("\n".join(section.heading_path[:-1]))):
        counts[word] += 1
    return counts


def _find_header_words(document: Document) -> set[str]:
    """Return the words of a document's header, marked: they are true of all its sections alike."""
    header = "\n".join((document.name, document.description, *document.keywords))
    return {HEADER_MARK + word for word in find_words(header)}
