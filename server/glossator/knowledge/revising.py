"""An overlay changed: documents taken out and put in, at the cost of those documents."""

import math
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

from glossator.knowledge.documents import Document, Section
from glossator.knowledge.mentions import find_keys
from glossator.knowledge.overlay import Overlay, Placed
from glossator.knowledge.posting_lists import (
    MAX_COUNT,
    Draft,
    PostingList,
    dampen,
    revise,
)
from glossator.knowledge.section_words import count_words, find_header_words, select_sections
from glossator.knowledge.segment import Segment


@dataclass(frozen=True, slots=True)
class Counted:
    """The words of a section, how many they are together, and the length of their vector."""

    counts: Mapping[str, int]
    length: int
    norm: float


def count_section(section: Section) -> Counted:
    """Count the words of a section, as they are weighed."""
    counts = {word: min(count, MAX_COUNT) for word, count in count_words(section).items()}
    norm = math.sqrt(math.fsum(dampen(count) ** 2 for count in counts.values()))
    return Counted(counts, sum(counts.values()), norm or 1.0)


@dataclass(frozen=True, slots=True)
class _Plan:
    """A document to put in: its sections, and the ids of those whose words are in already."""

    document: Document
    sections: tuple[Section, ...]
    kept: Mapping[int, int]


class Revision:
    """The making of one overlay from another: first `take_out`, then `put_in`, then `finish`.

    `on_step` is called between two documents, and may raise to give up.
    """

    def __init__(
        self, segment: Segment, overlay: Overlay, on_step: Callable[[], None] = lambda: None
    ) -> None:
        self._segment = segment
        self._on_step = on_step
        self._before = overlay
        self._documents = dict(overlay.documents)
        self._sections = dict(overlay.sections)
        self._lengths = overlay.lengths[:]
        self._norms = overlay.norms[:]
        self._n_sections = overlay.n_sections
        self._total_length = overlay.total_length
        self._free: list[int] = list(overlay.free)
        self._freed: list[int] = []
        self._gone: dict[str, list[int]] = {}
        self._drafts: dict[str, Draft] = {}
        self._keys_gone: dict[str, set[str]] = {}
        self._keys_put: dict[str, list[str]] = {}

    def take_out(self, path: str) -> None:
        """Take a document out, if it is there."""
        placed = self._find_placed(path)
        if placed is not None:
            self._take_sections(placed, frozenset())

    def _find_placed(self, path: str) -> Placed | None:
        if path in self._documents:
            return self._documents[path]
        number = self._segment.numbers.get(path)
        if number is None:
            return None
        document, ids = self._segment.document(number), self._segment.ids_of(number)
        return Placed(document, tuple(ids), tuple(select_sections(document)), frozenset())

    def _take_sections(self, placed: Placed, kept: Collection[int]) -> None:
        """Take a document out but for the words of its sections with the ids `kept`."""
        header = find_header_words(placed.document)
        for section_id, section in zip(placed.ids, placed.sections, strict=True):
            if section_id not in kept:
                self._take_section(section_id, count_section(section), header)
        path = placed.document.path
        for key in placed.keys:
            self._keys_gone.setdefault(key, set()).add(path)
        if path in self._segment.numbers:
            self._documents[path] = None
        else:
            del self._documents[path]

    def _take_section(self, section_id: int, counted: Counted, header: Iterable[str]) -> None:
        for word in (*counted.counts, *header):
            self._gone.setdefault(word, []).append(section_id)
        self._sections.pop(section_id, None)
        self._total_length -= counted.length
        self._n_sections -= 1
        self._freed.append(section_id)

    def put_in(self, documents: Iterable[Document]) -> None:
        """Put documents in, in the place of those with the same paths. Only once."""
        plans = [self._plan(document) for document in documents]
        ids = iter(self._choose_ids(sum(len(plan.sections) - len(plan.kept) for plan in plans)))
        for plan in plans:
            self._on_step()
            self._put_document(plan, ids)

    def _plan(self, document: Document) -> _Plan:
        """Make room for a document; sections that are as before keep their ids and words."""
        sections = tuple(select_sections(document))
        placed = self._find_placed(document.path)
        if placed is None:
            return _Plan(document, sections, {})
        kept: dict[int, int] = {}
        if find_header_words(placed.document) == find_header_words(document):
            kept = _match(placed, sections)
        self._take_sections(placed, frozenset(kept.values()))
        return _Plan(document, sections, kept)

    def _choose_ids(self, n_ids: int) -> list[int]:
        """Return ids that no section has, ascending: those just freed first."""
        free = sorted(self._freed) + self._free
        chosen, self._free = free[:n_ids], free[n_ids:]
        n_more = n_ids - len(chosen)
        chosen += range(len(self._lengths), len(self._lengths) + n_more)
        self._lengths.extend([0] * n_more)
        self._norms.extend([1.0] * n_more)
        return sorted(chosen)

    def _put_document(self, plan: _Plan, new_ids: Iterator[int]) -> None:
        document, header = plan.document, find_header_words(plan.document)
        ids: list[int] = []
        for position, section in enumerate(plan.sections):
            section_id = plan.kept.get(position)
            if section_id is None:
                section_id = next(new_ids)
                self._put_section(section_id, count_section(section), header)
            self._sections[section_id] = section
            ids.append(section_id)
        keys = find_keys(document)
        for key in keys:
            self._keys_put.setdefault(key, []).append(document.path)
        self._documents[document.path] = Placed(document, tuple(ids), plan.sections, keys)

    def _put_section(self, section_id: int, counted: Counted, header: Iterable[str]) -> None:
        for word, count in counted.counts.items():
            self._draft(word).put(section_id, count, dampen(count) / counted.norm)
        for word in header:
            self._draft(word).put(section_id, 1, 1 / counted.norm)
        self._lengths[section_id] = counted.length
        self._norms[section_id] = counted.norm
        self._total_length += counted.length
        self._n_sections += 1

    def _draft(self, word: str) -> Draft:
        draft = self._drafts.get(word)
        if draft is None:
            draft = self._drafts[word] = Draft()
        return draft

    def finish(self) -> Overlay:
        """Return the overlay as it has become."""
        self._trim()
        words = dict(self._revise_words())
        return Overlay(
            lengths=self._lengths,
            norms=self._norms,
            n_sections=self._n_sections,
            total_length=self._total_length,
            words=self._before.words.update(words, lambda word: bool(self._segment.find(word))),
            documents=self._documents,
            sections=self._sections,
            free=tuple(self._free),
            keys=self._revise_keys(),
        )

    def _trim(self) -> None:
        """Forget the highest ids where no section has them."""
        self._free.sort()
        while self._free and self._free[-1] == len(self._lengths) - 1:
            self._free.pop()
            self._lengths.pop()
            self._norms.pop()

    def _revise_words(self) -> Iterator[tuple[str, PostingList | None]]:
        words = self._before.words
        for word in {**self._gone, **self._drafts}:
            old = words[word] if word in words else self._segment.find(word)
            new = revise(old, self._gone.get(word, ()), self._drafts.get(word))
            yield word, new

    def _revise_keys(self) -> dict[str, tuple[str, ...]]:
        keys = dict(self._before.keys)
        for key in {**self._keys_gone, **self._keys_put}:
            gone = self._keys_gone.get(key, ())
            kept = [path for path in keys.get(key, ()) if path not in gone]
            keys[key] = (*kept, *self._keys_put.get(key, ()))
            if not keys[key]:
                del keys[key]
        return keys


def _match(placed: Placed, sections: Iterable[Section]) -> dict[int, int]:
    """Return the ids of sections that say the same as before, by their place among `sections`."""
    ids: dict[tuple[str, tuple[str, ...]], list[int]] = {}
    for section_id, section in zip(placed.ids, placed.sections, strict=True):
        ids.setdefault((section.text, section.heading_path), []).append(section_id)
    found: dict[int, int] = {}
    for position, section in enumerate(sections):
        same = ids.get((section.text, section.heading_path))
        if same:
            found[position] = same.pop(0)
    return found
