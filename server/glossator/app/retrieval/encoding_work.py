"""What there is to encode of a library: its sections by the hash of their text."""

import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from glossator.knowledge.documents import Document, Section
from glossator.knowledge.index import KnowledgeIndex
from glossator.knowledge.section_words import select_sections
from glossator.semantic.nearest import Place, hash_text, text_to_encode


@dataclass(frozen=True, slots=True)
class HashedDocument:
    """The version of a document, and the first line and the hash of each of its sections."""

    version: str
    sections: tuple[tuple[int, bytes], ...]


class Work:
    """What is left to encode of one library."""

    def __init__(
        self,
        index: KnowledgeIndex,
        wanted: list[tuple[Place, bytes]],
        missing: dict[bytes, Place],
    ) -> None:
        self.wanted = wanted
        self.left = missing
        self.found: dict[bytes, bytes] = {}
        self.shown_at = time.monotonic()
        self._index = index

    def take(self, n_texts: int) -> dict[bytes, str]:
        """Return the next texts by their hashes."""
        texts: dict[bytes, str] = {}
        for hash_, place in list(self.left.items())[:n_texts]:
            section = find_section(self._index, place, hash_)
            if section is None:
                del self.left[hash_]
            else:
                texts[hash_] = text_to_encode(section.heading_path, section.text)
        return texts

    def postpone(self, texts: Mapping[bytes, str]) -> None:
        """Take these texts last."""
        for hash_ in texts:
            if hash_ in self.left:
                self.left[hash_] = self.left.pop(hash_)

    def add(self, vectors: Mapping[bytes, bytes]) -> None:
        """Put vectors to those that were found."""
        self.found |= vectors
        for hash_ in vectors:
            self.left.pop(hash_, None)


def hash_sections(
    index: KnowledgeIndex, versions: Mapping[str, str], known: Mapping[str, HashedDocument]
) -> dict[str, HashedDocument]:
    """Hash what would be encoded of each section; of documents that are the same nothing is."""
    hashed: dict[str, HashedDocument] = {}
    for path in index.documents:
        before, version = known.get(path), versions.get(path, "")
        # An index makes its documents when they are asked for: what is the same is not.
        if before is None or not version or before.version != version:
            sections = tuple(
                (section.first_line, hash_text(text_to_encode(section.heading_path, section.text)))
                for section in select_sections(index.documents[path])
            )
            before = HashedDocument(version, sections)
        hashed[path] = before
    return hashed


def find_section(index: KnowledgeIndex, place: Place, hash_: bytes) -> Section | None:
    """Return the section at a place, if it still says what was encoded of it."""
    document = index.documents.get(place[0])
    for section in document.sections if document else ():
        if section.first_line == place[1]:
            text = text_to_encode(section.heading_path, section.text)
            return section if hash_text(text) == hash_ else None
    return None


def list_texts(documents: Iterable[Document]) -> dict[bytes, str]:
    """Return what is encoded of documents, by its hash."""
    texts: dict[bytes, str] = {}
    for document in documents:
        for section in select_sections(document):
            text = text_to_encode(section.heading_path, section.text)
            texts[hash_text(text)] = text
    return texts
