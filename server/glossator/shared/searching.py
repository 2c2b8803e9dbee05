"""A shared index as the local one is used: the same questions, the same words, the same scores.

The database adds up what each section scores and hands over the best. Those are scored once more
here, in the order in which the local index adds, so that both agree.
"""

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from glossator.knowledge.confidence import Counts, judge_sections
from glossator.knowledge.documents import Document, Section
from glossator.knowledge.index import HEADER_FACTOR, Hit, KnowledgeIndex
from glossator.knowledge.posting_lists import HEADER_MARK
from glossator.knowledge.question import Question, parse_question
from glossator.knowledge.weightings import K1, B
from glossator.shared.connecting import SharedUnavailable
from glossator.shared.documents import make_section, read_headers, show_path
from glossator.shared.schema import find_version, fingerprint_words, has_vectors, require_version
from glossator.shared.vectors import find_nearest, find_space

if TYPE_CHECKING:
    from glossator.semantic.encoder import Matrix
    from glossator.shared.connecting import Connection

_SPARE = 24
"""So many more sections than are wanted are scored here: the database adds in another order."""


@dataclass(frozen=True, slots=True)
class State:
    """A collection at one moment: how much there is, and the headers of its documents."""

    id: int
    name: str
    revision: int
    n_sections: int
    total_length: int
    headers: KnowledgeIndex


def read_state(
    connection: "Connection", collection: str, shown: str, before: State | None = None
) -> State:
    """Return the state of a collection; headers are taken from `before` if nothing changed.

    Raises:
        SharedUnavailable: there is no such collection, or another version has made it.
    """
    require_version(find_version(connection), shown)
    row = connection.execute(
        "SELECT id, words, revision, n_sections, total_length FROM glossator.collections"
        " WHERE name = %s",
        (collection,),
    ).fetchone()
    if row is None:
        raise SharedUnavailable(
            f"The shared index {shown} has no collection `{collection}`. Publish it with "
            "`glossator share`, or correct `shared.collection`."
        )
    if row[1] != fingerprint_words():
        raise SharedUnavailable(
            f"`{collection}` in the shared index {shown} was published by another version of "
            "Glossator. Use the same version, or publish it again with `glossator share`."
        )
    if before is not None and (before.id, before.revision) == (row[0], row[2]):
        return before
    headers = KnowledgeIndex.build(read_headers(connection, row[0], collection).values())
    return State(row[0], collection, row[2], row[3], row[4], headers)


class SharedIndex:
    """The sections of a collection by their words. For one transaction, which sees one moment."""

    def __init__(self, connection: "Connection", state: State) -> None:
        self._connection = connection
        self._state = state
        self._average = state.total_length / max(1, state.n_sections)
        self._rarity: dict[str, int] = {}

    @property
    def documents(self) -> Mapping[str, Document]:
        """The headers of the documents by path; sections only where there are globs."""
        return self._state.headers.documents

    @property
    def n_sections(self) -> int:
        """How many sections can be found."""
        return self._state.n_sections

    def search(
        self,
        question: str | Question,
        *,
        limit: int = 8,
        among: Collection[str] | None = None,
    ) -> tuple[Hit, ...]:
        """Return the best sections by BM25, best first; `among` names the paths searched."""
        if isinstance(question, str):
            question = parse_question(question)
        self._count_sections(_list_words(question))
        weighted = self._weigh(question)
        ids = self._find_best(weighted, limit + _SPARE, among)
        postings = self._read_postings(_list_words(question), ids)
        scored = [(id_, postings.score(id_, weighted)) for id_ in ids]
        sections = self._read_sections(ids)
        scored.sort(
            key=lambda each: (-each[1], sections[each[0]].path, sections[each[0]].first_line)
        )
        scored = scored[:limit]
        sure = judge_sections(question.units, scored, postings)
        return tuple(
            Hit(sections[id_], score) for (id_, _), score in zip(scored, sure, strict=True)
        )

    def find_nearest(
        self, encoder: str, question: "Matrix", limit: int
    ) -> tuple[list[tuple[Section, float]], float] | None:
        """Return the sections nearest in meaning with their cosines, and which one is close.

        None when nobody has published vectors of this encoder.
        """
        if not has_vectors(self._connection):
            return None
        space = find_space(self._connection, self._state.id, encoder)
        if space is None or space.dimension != question.shape[1]:
            return None
        found = find_nearest(self._connection, space, question, limit)
        sections = self._read_sections([id_ for id_, _ in found])
        return [(sections[id_], cosine) for id_, cosine in found], space.needed

    @property
    def always(self) -> frozenset[str]:
        """The paths of the documents that join every question."""
        return self._state.headers.always

    @property
    def globs(self) -> Mapping[str, tuple[str, ...]]:
        """The globs of the documents that speak of certain files, by path."""
        return self._state.headers.globs

    @property
    def manual(self) -> frozenset[str]:
        """The paths of the documents that count only when a question names them."""
        return self._state.headers.manual

    def find_mentioned(self, said: Collection[str]) -> tuple[Document, ...]:
        """Return the documents that a question with the words `said` may mention."""
        return self._state.headers.find_mentioned(said)

    def _weigh_rarity(self, word: str) -> float:
        """Return how rare a word is, as the local index does."""
        n_with = self._rarity.get(word, 0)
        return math.log(1 + (self.n_sections - n_with + 0.5) / (n_with + 0.5))

    def count_holders(self, word: str) -> int:
        """Return how many sections hold `word`."""
        self._count_sections((word,))
        return self._rarity[word]

    def _count_sections(self, words: Iterable[str]) -> None:
        """Learn how many sections have each of the words."""
        unknown = [word for word in words if word not in self._rarity]
        if not unknown:
            return
        self._rarity |= dict.fromkeys(unknown, 0)
        self._rarity |= dict(
            self._connection.execute(
                "SELECT word, count(*) FROM glossator.postings"
                " WHERE collection_id = %s AND word = ANY(%s) GROUP BY word",
                (self._state.id, unknown),
            ).fetchall()
        )

    def _weigh(self, question: Question) -> list[tuple[float, str]]:
        return sorted(
            (
                (weight * factor * self._weigh_rarity(word), word)
                for plain, weight in question.terms
                for word, factor in ((plain, 1.0), (HEADER_MARK + plain, HEADER_FACTOR))
            ),
            reverse=True,
        )

    def _find_best(
        self, weighted: Sequence[tuple[float, str]], limit: int, among: Collection[str] | None
    ) -> list[int]:
        base, slope = _length_terms(self._average)
        allowed = ""
        paths: list[str] = []
        if among is not None:
            start = len(show_path(self._state.name, ""))
            paths = [path[start:] for path in among]
            allowed = (
                " AND p.section_id IN (SELECT s.id FROM glossator.sections s"
                " JOIN glossator.documents d ON d.id = s.document_id"
                " WHERE d.collection_id = %(collection)s AND d.path = ANY(%(paths)s))"
            )
        rows = self._connection.execute(
            "SELECT p.section_id FROM unnest(%(words)s::text[], %(gains)s::float8[])"
            " AS w (word, gain) JOIN glossator.postings p"
            f" ON p.collection_id = %(collection)s AND p.word = w.word{allowed}"
            " GROUP BY p.section_id ORDER BY"
            " sum(w.gain * p.count / (p.count + %(base)s + %(slope)s * p.length)) DESC,"
            " p.section_id LIMIT %(limit)s",
            {
                "words": [word for _, word in weighted],
                "gains": [weight * (K1 + 1) for weight, _ in weighted],
                "collection": self._state.id,
                "paths": paths,
                "base": base,
                "slope": slope,
                "limit": limit,
            },
        ).fetchall()
        return [int(row[0]) for row in rows]

    def _read_postings(self, words: Collection[str], ids: Sequence[int]) -> "_Postings":
        counts: dict[str, dict[int, int]] = {}
        lengths: dict[int, int] = {}
        for word, id_, count, length in self._connection.execute(
            "SELECT word, section_id, count, length FROM glossator.postings"
            " WHERE collection_id = %s AND word = ANY(%s) AND section_id = ANY(%s)",
            (self._state.id, list(words), list(ids)),
        ).fetchall():
            counts.setdefault(word, {})[id_] = count
            lengths[id_] = length
        return _Postings(self, counts, lengths, self._average)

    def _read_sections(self, ids: Sequence[int]) -> dict[int, Section]:
        sections = {}
        for id_, path, *columns in self._connection.execute(
            "SELECT s.id, d.path, s.heading_path, s.first_line, s.last_line, s.text"
            " FROM glossator.sections s JOIN glossator.documents d ON d.id = s.document_id"
            " WHERE s.id = ANY(%s)",
            (list(ids),),
        ).fetchall():
            shown = show_path(self._state.name, path)
            sections[int(id_)] = make_section(self.documents[shown].name, shown, columns)
        return sections


class _Postings:
    """The words of a few sections, as `judge_sections` asks for them."""

    def __init__(
        self,
        index: SharedIndex,
        counts: dict[str, dict[int, int]],
        lengths: Mapping[int, int],
        average: float,
    ) -> None:
        self._index = index
        self._counts = counts
        self._lengths = lengths
        self._average = max(1.0, average)
        self._base, self._slope = _length_terms(average)

    @property
    def n_sections(self) -> int:
        """How many sections there are."""
        return self._index.n_sections

    def score(self, section_id: int, weighted: Sequence[tuple[float, str]]) -> float:
        """Return what BM25 gives a section, added up in the order of the words."""
        score = 0.0
        for weight, word in weighted:
            count = self._counts.get(word, {}).get(section_id)
            if count is not None:
                length = self._lengths[section_id]
                gain = weight * (K1 + 1)
                score += gain * count / (count + self._base + self._slope * length)
        return score

    def count_holders(self, word: str) -> int:
        """Return how many sections hold `word`."""
        return self._index.count_holders(word)

    def find_counts(self, word: str, among: Sequence[int]) -> Counts:
        """Return how often each of the sections `among` has `word`, and the header above it."""
        return self._count(word, among), self._count(HEADER_MARK + word, among)

    def _count(self, word: str, among: Sequence[int]) -> Sequence[int]:
        counts = self._counts.get(word)
        return [counts.get(section_id, 0) for section_id in among] if counts else ()

    def find_lengths(self, among: Sequence[int]) -> list[float]:
        """Return the length of each of the sections `among` through the average one."""
        return [self._lengths[section_id] / self._average for section_id in among]


def _length_terms(average: float) -> tuple[float, float]:
    """Return the parts of BM25 that tell long sections from short ones."""
    return K1 * (1 - B), K1 * B / max(1.0, average)


def _list_words(question: Question) -> list[str]:
    """Return every word that is asked for: of the terms, and of what covers a unit."""
    words = {word for word, _ in question.terms}
    for unit in question.units:
        words.update(unit.own)
        words.update(word for way in unit.ways for word in way.words)
    return [*words, *(HEADER_MARK + word for word in words)]
