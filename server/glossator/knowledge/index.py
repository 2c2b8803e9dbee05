"""The index of sections: words to sections, as a value that is replaced and never changed.

One set of postings serves two weightings, TF-IDF with cosine (lnc.ltc) and BM25. BM25 is the
default because it ranked better: MRR@10 of 0.50 against 0.49 on Chinese and 0.44 against 0.35 on
English framework documentation, with headings as questions and taken out of the text (measured
before words were cut as they are now).

The engine is our own and of the standard library alone: a flat segment that is read from a file
(`segment`), and above it an overlay of what changed since (`overlay`). A replaced document costs
that document and a copy of its words' postings; all else is shared with the index it came from. So
a running turn keeps the index that it began with.

In turns with other engines, which empty the processor's caches, a question took 0.85 ms on 2,000
sections and 3.6 ms on 50,000 (median), 0.36 and 0.09 of what SQLite FTS5 needed in the same run.
bm25s took 0.3 and 1.6 ms, but has to be built anew for each file that changes (`make bench`, part
`index`).
"""

import math
from array import array
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from glossator.knowledge.best_sections import Sought, find_best, keep_best, score_these
from glossator.knowledge.document_map import DocumentMap
from glossator.knowledge.documents import Document, Section
from glossator.knowledge.overlay import Overlay
from glossator.knowledge.posting_lists import HEADER_MARK, PostingList
from glossator.knowledge.scales import LanesByWeighting, Scales
from glossator.knowledge.segment import Holders, Segment, make_empty
from glossator.knowledge.snapshot import read_snapshot, write_snapshot
from glossator.knowledge.weightings import K1, Weighting

if TYPE_CHECKING:  # What cuts words is loaded when there is something to cut.
    from glossator.knowledge.confidence import Counts
    from glossator.knowledge.question import Question

HEADER_FACTOR = 0.3
"""A word that only the header of the document has (name, description, keywords) ranks so much less:
it speaks for all sections of the document alike."""

MOST_MENTIONED = 200
"""A word in the name of more documents than this tells nothing about which is asked for."""

_COMPACT_FROM = 500
"""An index is made flat when so many sections, and half of those below, came or went since."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A section that was found, and how surely it answers, from 0 to 1 (see `routing`)."""

    section: Section
    score: float


class KnowledgeIndex:
    """All sections by their words. Immutable: `replace` returns another index."""

    __slots__ = ("_changed", "_documents", "_note", "_overlay", "_segment", "scales")

    def __init__(
        self,
        segment: Segment | None = None,
        overlay: Overlay | None = None,
        note: bytes = b"",
        lanes: LanesByWeighting | None = None,
    ) -> None:
        self._segment = segment or make_empty()
        self._overlay = overlay or _lay_nothing_over(self._segment)
        self._note = note
        self._documents = DocumentMap(self._segment, self._overlay)
        self.scales = Scales(self._segment, self._overlay, {} if lanes is None else lanes)
        nothing: dict[str, PostingList | None] = {}
        self._changed = self._overlay.words if self._overlay.documents else nothing

    @classmethod
    def build(cls, documents: Iterable[Document]) -> "KnowledgeIndex":
        """Return an index of `documents`; of two with the same path the later counts."""
        return cls().replace(documents)

    @classmethod
    def load(cls, path: Path) -> "KnowledgeIndex":
        """Return the index that was saved in a file; its documents are made when asked for.

        Raises:
            SnapshotUnusable: the file is missing, damaged, or was made by another version.
        """
        segment, note = read_snapshot(path)
        return cls(segment, note=note)

    def save(self, path: Path, *, note: bytes = b"") -> "KnowledgeIndex":
        """Write the index; return it made flat. `note` is kept beside it.

        Raises OSError. Takes seconds for tens of thousands of sections: call it in a thread.
        """
        segment = self._compact()
        write_snapshot(path, segment, note)
        lanes = self.scales.lanes if segment is self._segment else None
        return KnowledgeIndex(segment, note=note, lanes=lanes)

    def _compact(self) -> Segment:
        if not self._overlay.documents:
            return self._segment
        from glossator.knowledge.compacting import compact

        return compact(self._segment, self._overlay)

    @property
    def note(self) -> bytes:
        """What was given to `save`."""
        return self._note

    @property
    def documents(self) -> Mapping[str, Document]:
        """The documents by path, in the order of the paths; each is made when it is asked for."""
        return self._documents

    @property
    def n_sections(self) -> int:
        """How many sections can be found."""
        return self._overlay.n_sections

    @property
    def always(self) -> frozenset[str]:
        """The paths of the documents that join every question."""
        return self._documents.always

    @property
    def manual(self) -> frozenset[str]:
        """The paths of the documents that count only when a question names them."""
        return self._documents.manual

    @property
    def globs(self) -> Mapping[str, tuple[str, ...]]:
        """The globs of the documents that speak of certain files, by path."""
        return self._documents.globs

    def find_mentioned(self, said: Collection[str]) -> tuple[Document, ...]:
        """Return the documents that a question with the words `said` may mention, by path.

        A few of them it does not (see `mentions`). A word that names more than `MOST_MENTIONED`
        names none.
        """
        paths = self._documents.list_mentioned(frozenset(said), MOST_MENTIONED)
        return tuple(self._documents[path] for path in paths)

    def replace(
        self,
        changed: Iterable[Document] = (),
        removed: Iterable[str] = (),
        on_step: Callable[[], None] = lambda: None,
    ) -> "KnowledgeIndex":
        """Return an index with `changed` documents put in and the paths of `removed` taken out.

        `on_step` is called now and then, and may raise to give up.
        """
        wanted = {document.path: document for document in changed}
        gone = {path for path in removed if path not in wanted and path in self._documents}
        new = [each for path, each in wanted.items() if self._documents.get(path) != each]
        if not gone and not new:
            return self
        from glossator.knowledge.compacting import compact
        from glossator.knowledge.revising import Revision

        revision = Revision(self._segment, self._overlay, on_step)
        for path in gone:
            revision.take_out(path)
        revision.put_in(new)
        overlay = revision.finish()
        if self._is_outgrown(overlay):
            return KnowledgeIndex(compact(self._segment, overlay, on_step), note=self._note)
        return KnowledgeIndex(self._segment, overlay, self._note, self.scales.lanes)

    def _is_outgrown(self, overlay: Overlay) -> bool:
        """Say whether so much came or went that the segment holds little of what is in force."""
        n_below = self._segment.n_found
        n_put = len(overlay.sections)
        n_gone = n_below - (overlay.n_sections - n_put)
        return max(n_put, n_gone) >= max(_COMPACT_FROM, n_below // 2)

    def search(
        self,
        question: "str | Question",
        *,
        limit: int = 8,
        among: Collection[str] | None = None,
        weighting: Weighting = "bm25",
    ) -> tuple[Hit, ...]:
        """Return the best sections, best first; `among` names the paths that are searched."""
        parse_question, judge_sections = _load_asking()
        if isinstance(question, str):
            question = parse_question(question)
        best = self._rank(question, limit, among, weighting)
        sure = [score for _, score in best]
        if weighting == "bm25":
            sure = judge_sections(question.units, best, self)
        return tuple(
            Hit(self._section(section_id), score)
            for (section_id, _), score in zip(best, sure, strict=True)
        )

    def score(
        self, question: "Question", *, limit: int, weighting: Weighting
    ) -> tuple[tuple[Section, float], ...]:
        """Return the best sections with what the formula gives them."""
        best = self._rank(question, limit, None, weighting)
        return tuple((self._section(section_id), score) for section_id, score in best)

    def _rank(
        self,
        question: "Question",
        limit: int,
        among: Collection[str] | None,
        weighting: Weighting,
    ) -> list[tuple[int, float]]:
        if limit < 1:
            return []
        words, scale = self._weigh(question, weighting), self.scales.find(weighting)
        if among is None:
            scores = find_best(words, scale, limit, self.scales.find_ground(weighting))
        else:
            ids = [section_id for path in set(among) for section_id in self._list_ids(path)]
            scores = keep_best(score_these(words, scale, ids), limit)
        if not self._overlay.documents:
            # In a segment alone sections are in the order of their places.
            return sorted(scores.items(), key=lambda item: (-item[1], item[0]))[:limit]
        ranked = sorted(scores.items(), key=lambda item: (-item[1], self._place(item[0])))
        return ranked[:limit]

    def _weigh(self, question: "Question", weighting: Weighting) -> list[Sought]:
        """Return the words of a question that are known, the rarest first.

        Each with its weight: what it can give to a section at most.
        """
        scale = K1 + 1 if weighting == "bm25" else 1 / (self._find_norm(question) or 1.0)
        found = []
        for word, importance in question.terms:
            in_text, in_header = self._find_both(word)
            if in_text is not None:
                n_holders = len(in_text.ids)
                weight = importance * self._weigh_rarity(n_holders)
                found.append(Sought(n_holders, word, weight * scale, in_text))
            if in_header is not None:
                n_holders = len(in_header.ids)
                weight = importance * HEADER_FACTOR * self._weigh_rarity(n_holders)
                found.append(Sought(n_holders, HEADER_MARK + word, weight * scale, in_header))
        return sorted(found)

    def _find_norm(self, question: "Question") -> float:
        """Return the length of the vector of a question; words that no section has count too."""
        weights = []
        for word, importance in question.terms:
            in_text, in_header = self._find_both(word)
            weights += [
                importance * self._weigh_rarity(len(in_text or ())),
                importance * HEADER_FACTOR * self._weigh_rarity(len(in_header or ())),
            ]
        return math.sqrt(math.fsum(weight**2 for weight in weights))

    def _find(self, word: str) -> PostingList | None:
        return self._changed[word] if word in self._changed else self._segment.find(word)

    def _find_both(self, word: str) -> Holders:
        """Return the sections that hold `word` themselves, and by the header of their document."""
        if self._changed:
            return self._find(word), self._find(HEADER_MARK + word)
        return self._segment.find_both(word)

    def _list_ids(self, path: str) -> Sequence[int]:
        placed = self._overlay.documents.get(path)
        if placed is not None:
            return placed.ids
        number = self._segment.numbers.get(path)
        if number is None or path in self._overlay.documents:
            return ()
        return self._segment.ids_of(number)

    def _section(self, section_id: int) -> Section:
        section = self._overlay.sections.get(section_id)
        return self._segment.section(section_id) if section is None else section

    def _place(self, section_id: int) -> tuple[str, int]:
        section = self._overlay.sections.get(section_id)
        if section is None:
            return self._segment.place(section_id)
        return section.path, section.first_line

    def _weigh_rarity(self, n_with: int) -> float:
        return math.log(1 + (self.n_sections - n_with + 0.5) / (n_with + 0.5))

    def count_holders(self, word: str) -> int:
        """Return how many sections have `word`."""
        postings = self._find(word)
        return 0 if postings is None else len(postings.ids)

    def find_counts(self, word: str, among: Sequence[int]) -> "Counts":
        """Return how often each of the sections `among` has `word`, and the header above it."""
        in_text, in_header = self._find_both(word)
        return (
            () if in_text is None else self._count(word, in_text, among),
            () if in_header is None else self._count(HEADER_MARK + word, in_header, among),
        )

    def _count(self, word: str, postings: PostingList, among: Sequence[int]) -> Sequence[int]:
        if word not in self._changed:
            known = self.scales.find_known_counts(word, among)
            if known is not None:
                return known
        held = postings.find_counts(among)
        return [held.get(section_id, 0) for section_id in among] if held else ()

    def find_lengths(self, among: Sequence[int]) -> list[float]:
        """Return the length of each of the sections `among`, in average lengths."""
        lengths = self._overlay.lengths
        average = max(1.0, self._overlay.total_length / max(1, self.n_sections))
        return [lengths[section_id] / average for section_id in among]


@cache
def _load_asking() -> "tuple[Callable[[str], Question], Callable[..., list[float]]]":
    """Return what takes a question apart and what judges its sections.

    Kept, as two imports take 50 µs where the processor's caches hold something else.
    """
    from glossator.knowledge.confidence import judge_sections
    from glossator.knowledge.question import parse_question

    return parse_question, judge_sections


def _lay_nothing_over(segment: Segment) -> Overlay:
    lengths = array("I", segment.tables["lengths"].tobytes())
    norms = array("d", segment.tables["norms"].tobytes())
    return Overlay(
        lengths=lengths,
        norms=norms,
        n_sections=segment.n_found,
        total_length=sum(lengths),
        free=(),
    )
