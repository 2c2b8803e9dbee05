"""The library as a value: what the use cases look things up in."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from glossator.app.library.items import Item
from glossator.app.library.listing import ShelfLook
from glossator.app.library.shelf import Kind
from glossator.app.results import IndexReport, Problem
from glossator.knowledge.documents import Document
from glossator.knowledge.index import KnowledgeIndex
from glossator.rules.matching import RuleSet
from glossator.rules.rule import Rule
from glossator.skills.skill import Skill

Standing = Literal["used", "shadowed", "untrusted", "no-skill"]


@dataclass(frozen=True, slots=True)
class FoundFile:
    """A file of a shelf, and whether it counts; `shadowed_by` shows the one that hides it."""

    file: Path
    kind: Kind
    document: Document
    standing: Standing = "used"
    shadowed_by: str = ""


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of the files, so that those that are the same need not be read again.

    `aside` are the documents that are not in the index, by shown path. `unsettled` are files that
    were empty a moment after they had text: they are being written. `read_at_s` is when the index
    last became another one, in seconds since 1970; 0 when that is not known.
    """

    key: tuple[tuple[str, ...], ...] = ()
    items: Mapping[str, Item] = field(default_factory=dict)
    index: KnowledgeIndex = field(default_factory=KnowledgeIndex)
    aside: Mapping[str, Document] = field(default_factory=dict)
    looks: tuple[ShelfLook, ...] = ()
    unsettled: frozenset[str] = frozenset()
    read_at_s: float = 0.0

    def has_document(self, path: str) -> bool:
        """Say whether the document with this shown path is at hand."""
        return path in self.index.documents or path in self.aside

    def document(self, path: str) -> Document:
        """Return the document with this shown path."""
        return self.aside[path] if path in self.aside else self.index.documents[path]


class Files(Mapping[str, Path]):
    """Shown paths to files; a path is made when it is asked for."""

    def __init__(self, files: Mapping[str, str]) -> None:
        self._files = files

    def __getitem__(self, shown: str) -> Path:
        return Path(self._files[shown])

    def __contains__(self, shown: object) -> bool:
        return shown in self._files

    def __iter__(self) -> Iterator[str]:
        return iter(self._files)

    def __len__(self) -> int:
        return len(self._files)

    def is_same(self, other: Mapping[str, Path]) -> bool:
        """Say whether `other` leads to the same files."""
        return isinstance(other, Files) and self._files == other._files


@dataclass(frozen=True, slots=True)
class Library:
    """What the team knows and demands. `files` maps shown paths to files.

    `instructions` are what the workspace tells assistants, in the order of the shelves. `withheld`
    are documents that are read and not used, as nobody trusts the workspace yet. `report` is the
    one of the library before when nothing is different.
    """

    index: KnowledgeIndex
    skills: tuple[Skill, ...]
    rules: tuple[Rule, ...]
    rule_set: RuleSet
    files: Mapping[str, Path]
    problems: tuple[Problem, ...]
    report: IndexReport
    instructions: tuple[Document, ...] = ()
    withheld: tuple[Document, ...] = ()
    shadowed: Mapping[str, str] = field(default_factory=dict)
    known: Known = field(default_factory=Known, repr=False)

    def holds(self, file: Path) -> bool:
        """Say whether a file was read, whether it counts or not."""
        return str(file) in self.known.items

    def list_found(self) -> Iterator[FoundFile]:
        """Yield every file that was read, with its document, also those that do not count."""
        for item in self.known.items.values():
            if not self.known.has_document(item.path):
                continue
            document = self.known.document(item.path)
            standing: Standing = "used"
            if not item.is_used:
                standing = "untrusted"
            elif item.path in self.shadowed:
                standing = "shadowed"
            elif item.path in self.known.aside:
                standing = "no-skill"
            shadow = self.shadowed.get(item.path, "")
            yield FoundFile(Path(item.file), item.kind, document, standing, shadow)
