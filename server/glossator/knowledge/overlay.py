"""What is different from the segment below: the changed documents, and the words they hold.

An overlay is a value. A later one shares with it all words, documents and sections that did not
change in between. A word that it has counts as it is here, whatever the segment says of it.
"""

from array import array
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from glossator.knowledge.documents import Document, Section
from glossator.knowledge.posting_lists import PostingList

_N_PARTS = 4096
_EMPTY: dict[str, PostingList | None] = {}

Words = Mapping[str, PostingList | None]
"""Posting lists; None for a word that no section holds any more."""


@dataclass(frozen=True, slots=True)
class Placed:
    """A document in the index, with the ids of the sections that can be found."""

    document: Document
    ids: tuple[int, ...]
    sections: tuple[Section, ...]
    keys: frozenset[str]


class WordTable:
    """Posting lists by word, in parts, so that a change copies a few parts and not the table."""

    __slots__ = ("_parts",)

    def __init__(self, parts: list[dict[str, PostingList | None]] | None = None) -> None:
        self._parts = parts or [_EMPTY] * _N_PARTS

    def __contains__(self, word: str) -> bool:
        return word in self._parts[hash(word) % _N_PARTS]

    def __getitem__(self, word: str) -> PostingList | None:
        return self._parts[hash(word) % _N_PARTS][word]

    def items(self) -> Iterator[tuple[str, PostingList | None]]:
        """Yield every word with its list."""
        for part in self._parts:
            yield from part.items()

    def update(self, changed: Words, is_below: Callable[[str], bool]) -> "WordTable":
        """Return a table in which the words of `changed` are as they are there.

        A word that no section holds is only remembered where the segment below `is_below` has it.
        """
        parts = list(self._parts)
        own: set[int] = set()
        for word, postings in changed.items():
            number = hash(word) % _N_PARTS
            if number not in own:
                own.add(number)
                parts[number] = dict(parts[number])
            if postings is not None or is_below(word):
                parts[number][word] = postings
            else:
                parts[number].pop(word, None)
        for number in own:
            parts[number] = parts[number] or _EMPTY
        return WordTable(parts)


@dataclass(frozen=True, slots=True)
class Overlay:
    """`documents` are by path, None for one that was taken out; `sections` are by id.

    `lengths` and `norms` are of all sections by id, those of the segment too; `free` are ids that
    no section has. `keys` are paths by the words that mention them (see `mentions`).
    """

    lengths: "array[int]"
    norms: "array[float]"
    n_sections: int = 0
    total_length: int = 0
    words: WordTable = field(default_factory=WordTable)
    documents: Mapping[str, Placed | None] = field(default_factory=dict)
    sections: Mapping[int, Section] = field(default_factory=dict)
    free: tuple[int, ...] = ()
    keys: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
