"""An index in flat tables, built or read from a file, parsed only where it is asked.

Section ids are places in the table of sections, in the order of the paths and lines. A word is
found by its bucket: the first bits of a hash that is the same in each process. Words of headers
are in the buckets of the words without the mark, as both are asked for together.
"""

import json
import zlib
from array import array
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any, Final, Literal, TypeAlias

from glossator.knowledge.documents import Document, Section
from glossator.knowledge.posting_lists import HEADER_MARK, PostingList
from glossator.knowledge.records import decode, encode, unpack_document, unpack_section

TypeCode = Literal["B", "H", "I", "Q", "d"]

TABLES: Final[Mapping[str, TypeCode]] = {
    "words": "B",  # All words, one after the other,
    "word_ends": "Q",  # where each begins and ends,
    "buckets": "I",  # and the number of the first of each bucket.
    "posting_ends": "Q",  # Where the postings of each word begin and end,
    "ids": "I",  # the sections that hold it,
    "counts": "H",  # how often,
    "peaks": "d",  # and the largest share it has in one (see `PostingList`).
    "lengths": "I",  # Of each section the number of its words,
    "norms": "d",  # the length of its vector,
    "sections": "Q",  # and a row of SECTION_COLUMNS.
    "documents": "Q",  # Of each document a row of DOCUMENT_COLUMNS.
    "texts": "B",  # The texts of the documents,
    "infos": "B",  # and JSON: the headers of documents, the headings of sections.
    "facts": "B",  # JSON: paths, documents by mention, and those that join by themselves.
}
"""What a segment is made of, with the type code of each table."""

SECTION_COLUMNS = 8  # Document, first line, last line, text from-to, info from-to, is it found.
DOCUMENT_COLUMNS = 6  # Text from-to, header from-to, sections from-to.

Table: TypeAlias = "memoryview[Any]"
Holders: TypeAlias = tuple[PostingList | None, PostingList | None]
"""The sections that hold a word themselves, and those whose document's header holds it."""

_MARK = encode(HEADER_MARK)
_MEMO_WORDS = 4096
_MEMO_DOCUMENTS = 128
_MEMO_SECTIONS = 4096


class Segment:
    """Documents, their sections and the words they hold. Never changes."""

    def __init__(self, tables: Mapping[str, Table]) -> None:
        self.tables = tables
        self._words, self._word_ends = tables["words"], tables["word_ends"]
        self._buckets, self._posting_ends = tables["buckets"], tables["posting_ends"]
        self._n_words = max(0, len(self._word_ends) - 1)
        self._n_bits = max(0, (len(self._buckets) - 1).bit_length() - 1)
        self._facts: Mapping[str, Any] = json.loads(bytes(tables["facts"]) or b"{}")
        self.paths: tuple[str, ...] = tuple(self._facts.get("paths", ()))
        self._found: dict[str, Holders] = {}
        self._made: dict[int, Document] = {}
        self._sections: dict[int, Section] = {}

    @property
    def n_found(self) -> int:
        """How many sections can be found."""
        return int(self._facts.get("n_found", 0))

    @cached_property
    def numbers(self) -> Mapping[str, int]:
        """The numbers of the documents by path."""
        return {path: number for number, path in enumerate(self.paths)}

    @cached_property
    def always(self) -> list[str]:
        """The paths of documents that join every question."""
        return list(self._facts.get("always", ()))

    @cached_property
    def manual(self) -> list[str]:
        """The paths of documents that count only when a question names them."""
        return list(self._facts.get("manual", ()))

    @cached_property
    def globs(self) -> Mapping[str, tuple[str, ...]]:
        """The globs of documents that speak of certain files, by path."""
        return {path: tuple(globs) for path, globs in self._facts.get("globs", {}).items()}

    @cached_property
    def keys(self) -> Mapping[str, list[int]]:
        """The numbers of documents by the words that mention them."""
        return dict(self._facts.get("keys", {}))

    def find(self, word: str) -> PostingList | None:
        """Return the sections that hold `word`, or None."""
        if word.startswith(HEADER_MARK):
            return self.find_both(word.removeprefix(HEADER_MARK))[1]
        return self.find_both(word)[0]

    def find_both(self, word: str) -> Holders:
        """Return the sections that hold `word` themselves, and by the header of their document."""
        found = self._found.get(word)
        if found is None:
            if len(self._found) >= _MEMO_WORDS:
                self._found.clear()
            found = self._found[word] = self._find_both(word)
        return found

    def _find_both(self, word: str) -> Holders:
        if not self._n_words:
            return None, None
        sought = encode(word)
        bucket = find_bucket(sought, self._n_bits)
        first, end = self._buckets[bucket : bucket + 2].tolist()
        begin, *ends = self._word_ends[first : end + 1].tolist()
        in_text = in_header = None
        for number, stop in enumerate(ends, first):
            n_more = stop - begin - len(sought)
            if n_more == 0 and self._words[begin:stop] == sought:
                in_text = self.postings(number)
            elif n_more == len(_MARK) and self._words[begin:stop] == _MARK + sought:
                in_header = self.postings(number)
            begin = stop
        return in_text, in_header

    def postings(self, number: int) -> PostingList:
        """Return the sections that hold the word of that number."""
        begin, end = self._posting_ends[number : number + 2].tolist()
        ids, counts = self.tables["ids"], self.tables["counts"]
        return PostingList(ids[begin:end], counts[begin:end], self.tables["peaks"][number])

    def list_words(self) -> Iterator[str]:
        """Yield every word, in the order of their numbers."""
        begin = 0
        for number in range(self._n_words):
            end = self._word_ends[number + 1]
            yield decode(self._words[begin:end])
            begin = end

    def section(self, section_id: int) -> Section:
        """Return a section, made from its row."""
        section = self._sections.get(section_id)
        if section is None:
            if len(self._sections) >= _MEMO_SECTIONS:
                self._sections.clear()
            section = self._sections[section_id] = self._make_section(section_id)
        return section

    def _make_section(self, section_id: int) -> Section:
        number, *lines, start, end, info, info_end, _ = self.section_row(section_id)
        packed, text = self.tables["infos"][info:info_end], self.tables["texts"][start:end]
        return unpack_section(self.paths[number], lines, packed, text)

    def place(self, section_id: int) -> tuple[str, int]:
        """Return the path and first line of a section."""
        row = self.section_row(section_id)
        return self.paths[row[0]], row[1]

    def section_row(self, section_id: int) -> list[int]:
        """Return the numbers of a section."""
        start = section_id * SECTION_COLUMNS
        return self.tables["sections"][start : start + SECTION_COLUMNS].tolist()

    def document(self, number: int) -> Document:
        """Make a document from its row."""
        document = self._made.get(number)
        if document is None:
            if len(self._made) >= _MEMO_DOCUMENTS:
                self._made.clear()
            document = self._made[number] = self._make_document(number)
        return document

    def _make_document(self, number: int) -> Document:
        start, end, header, header_end, first, last = self.document_row(number)
        return unpack_document(
            self.paths[number],
            bytes(self.tables["infos"][header:header_end]),
            decode(self.tables["texts"][start:end]),
            [self._make_section(section_id) for section_id in range(first, last)],
        )

    def document_row(self, number: int) -> list[int]:
        """Return the numbers of a document."""
        start = number * DOCUMENT_COLUMNS
        return self.tables["documents"][start : start + DOCUMENT_COLUMNS].tolist()

    def ids_of(self, number: int) -> list[int]:
        """Return the ids of the sections of a document that can be found."""
        first, last = self.document_row(number)[-2:]
        flags = self.tables["sections"][SECTION_COLUMNS - 1 + first * SECTION_COLUMNS :]
        return [first + n for n in range(last - first) if flags[n * SECTION_COLUMNS]]


def find_bucket(word: bytes, n_bits: int) -> int:
    """Return the bucket of a word among 2 ** `n_bits`, the same with and without a mark."""
    return zlib.crc32(word.removeprefix(_MARK)) >> (32 - n_bits)


def make_empty() -> Segment:
    """Return a segment with nothing in it."""
    return Segment({name: memoryview(array(code)) for name, code in TABLES.items()})
