"""The source files of a workspace as the code map sees them: found by word, parsed when needed.

An open document stands in place of its file. Before a file is parsed its text is looked at: does
the word stand there as a definition or a call can stand? Most files are spared by that.
"""

import threading
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, TypeVar

from glossator.code.grammars import load_grammar
from glossator.code.languages import Language, find_language
from glossator.code.outline import Function, TypeDefinition
from glossator.core.errors import GlossatorError
from glossator.core.text import SourceText
from glossator.tools.budget import Budget
from glossator.tools.decoding import decode_text
from glossator.tools.facts import FAMILIES, MAX_PARSED_CHARACTERS, Facts, FactsCache
from glossator.tools.glances import (
    Purpose,
    find_word,
    holds_word,
    list_declared_types,
    list_module_names,
    list_owners,
    list_receivers,
    may_stand,
)
from glossator.tools.word_index import IndexedFile, WordIndex
from glossator.tools.workspace import Workspace

MAX_REMEMBERED = 100_000

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file that may matter; `document` when it is open in the editor, else `indexed`."""

    path: str
    language: Language
    indexed: IndexedFile | None = None
    document: SourceText | None = None

    @property
    def family(self) -> str:
        """The family of languages that call each other."""
        return FAMILIES.get(self.language.id, self.language.id)


@dataclass(frozen=True, slots=True)
class Definition:
    """A function or, where a type without a constructor is called, the type."""

    facts: Facts
    function: Function | None
    type: TypeDefinition | None = None

    @property
    def line(self) -> int:
        """The 1-based line of the name."""
        named = self.function or self.type
        return named.name_range.start.line if named is not None else 1

    @property
    def key(self) -> tuple[str, int]:
        """Path and line: equal for the same definition."""
        return (self.facts.path, self.line)


class SourceFiles:
    """Source files by word, and their facts. Not safe for threads: the code map locks."""

    def __init__(self, workspace: Workspace, *, revalidate_after_s: float) -> None:
        self._workspace = workspace
        self.index = WordIndex(workspace, revalidate_after_s=revalidate_after_s)
        self._cache = FactsCache()
        self._hashes: dict[int, str] = {}
        self._verdicts: dict[tuple[int, str, Purpose], bool] = {}
        self._owners: dict[int, frozenset[str]] = {}
        self._modules: dict[int, frozenset[str] | None] = {}
        self._on_disk: dict[tuple[str, str], list[SourceFile]] = {}
        self._definers: dict[tuple[str, str], list[SourceFile]] = {}
        self._generation = -1
        self._documents: dict[str, SourceFile] = {}

    def forget(self) -> None:
        """Drop everything that was learned."""
        self.index.forget()
        self._cache.clear()
        for remembered in self._remembered():
            remembered.clear()

    def refresh(self, stop: threading.Event | None = None) -> None:
        """Look at the disk and the editor again."""
        is_first = self.index.n_files == 0
        self.index.refresh(stop)
        if is_first:
            # The first question waits for the disk anyway: no later one waits for a grammar.
            for language_id in {file.language.id for file in self.index.files}:
                load_grammar(language_id)
        if self._generation != self.index.generation:
            self._generation = self.index.generation
            self._on_disk.clear()
            self._definers.clear()
        self._documents = {}
        for path, source in self._workspace.open_documents().items():
            language = find_language(path.name, source.language_id)
            if language is not None:
                self._documents[str(path)] = SourceFile(str(path), language, document=source)
        for remembered in self._remembered():
            if len(remembered) > MAX_REMEMBERED:
                remembered.clear()

    def _remembered(self) -> tuple[dict[Any, Any], ...]:
        """Return what is known of contents by their numbers."""
        return (
            self._hashes, self._verdicts, self._owners, self._modules, self._on_disk, self._definers
        )  # fmt: skip

    def facts_of(self, source: SourceText) -> Facts | None:
        """Return what is in a text, or None when its structure is not understood."""
        language = find_language(
            source.path.name if source.path else source.name, source.language_id
        )
        if language is None or len(source.text) > MAX_PARSED_CHARACTERS:
            return None
        path = str(source.path or source.name)
        found = self._cache.find(path, language, source.content_hash)
        return found or self._cache.add(path, language, source.content_hash, source.text)

    def find_words(self, folded: str) -> Iterator[str]:
        """Yield names and words that have `folded` in them, whatever their case."""
        for word in self.index.list_words():
            if folded in word.casefold():
                yield word
        yield from (name for name in self._list_document_names() if folded in name.casefold())

    def find_known(self, words: Iterable[str]) -> Iterator[str]:
        """Yield those of `words` that stand in a source file, or are defined in a document."""
        in_documents = set(self._list_document_names())
        return (word for word in words if word in in_documents or self.index.holds(word))

    def _list_document_names(self) -> Iterator[str]:
        for file in self._documents.values():
            facts = self.facts_of(file.document) if file.document is not None else None
            if facts is not None:
                yield from (item.name for item in facts.outline.functions)
                yield from (item.name for item in facts.outline.types)

    def files_with(self, word: str, family: str) -> Iterator[SourceFile]:
        """Yield the files of a family of languages that hold `word`, open documents first."""
        word = find_word(word)
        yield from self._documents_with(word, family)
        yield from self._closed(self._files_on_disk_with(word, family))

    def _documents_with(self, word: str, family: str) -> Iterator[SourceFile]:
        for file in self._documents.values():
            if file.family == family and file.document and holds_word(file.document.text, word):
                yield file

    def _closed(self, files: list[SourceFile]) -> Iterator[SourceFile]:
        return (file for file in files if file.path not in self._documents)

    def _files_on_disk_with(self, word: str, family: str) -> list[SourceFile]:
        key = (word, family)
        if key not in self._on_disk:
            files = [SourceFile(each.path, each.language, each) for each in self.index.find(word)]
            self._on_disk[key] = [file for file in files if file.family == family]
        return self._on_disk[key]

    def mentions(self, facts: Facts, word: str) -> bool:
        """Say whether the file that `facts` are about holds `word`."""
        path = facts.native_path
        file = self._documents.get(path)
        if file is None:
            file = SourceFile(path, facts.language, self.index.get(path))
        return self.file_mentions(file, word)

    def file_mentions(self, file: SourceFile, word: str) -> bool:
        """Say whether a file holds `word`."""
        word = find_word(word)
        if file.document is not None:
            return holds_word(file.document.text, word)
        return file.indexed is not None and self.index.mentions(file.indexed, word)

    def facts_at(
        self, file: SourceFile, word: str, purpose: Purpose, budget: Budget
    ) -> Facts | None:
        """Return what is in a file, unless it cannot have `word` for that purpose."""
        known = self.known_facts(file)
        if known is not None:
            return known
        if file.indexed is None or not self.may_hold(file, word, purpose):
            return None
        text = self._text_of(file)
        if len(text) > MAX_PARSED_CHARACTERS:
            budget.n_skipped += 1
            return None
        content_hash = SourceText(file.path, text).content_hash
        found = self._cache.find(file.path, file.language, content_hash)
        if found is None:
            if not budget.take():
                return None
            found = self._cache.add(file.path, file.language, content_hash, text)
        self._hashes[file.indexed.number] = content_hash
        return found

    def may_hold(self, file: SourceFile, word: str, purpose: Purpose) -> bool:
        """Say whether a file may have `word` for that purpose, without parsing it."""
        if file.indexed is None:
            return True
        key = (file.indexed.number, word, purpose)
        if key not in self._verdicts:
            text = self._text_of(file)
            self._verdicts[key] = may_stand(text, word, purpose, file.language.id)
        return self._verdicts[key]

    def _text_of(self, file: SourceFile) -> str:
        """Return what a file holds, "" when that cannot be had."""
        if file.document is not None:
            return file.document.text
        if file.indexed is not None and file.indexed.data is not None:
            data = file.indexed.data
            if data.isascii() and b"\0" not in data:
                return data.decode("ascii")
            decoded = decode_text(data)
            return "" if decoded is None else decoded.text
        try:
            return self._workspace.read_walked(file.path).text
        except GlossatorError:
            return ""

    def known_facts(self, file: SourceFile) -> Facts | None:
        """Return what is in a file if it was parsed already."""
        if file.document is not None:
            return self.facts_of(file.document)
        content_hash = self._hashes.get(file.indexed.number) if file.indexed else None
        if content_hash is None:
            return None
        return self._cache.find(file.path, file.language, content_hash)

    def owners(self, file: SourceFile) -> frozenset[str]:
        """Return the names of what functions of a file may be members of."""
        return self._glance(file, self._owners, list_owners)

    def modules(self, file: SourceFile) -> frozenset[str] | None:
        """Return the modules that a file may import; None when that cannot be told."""
        return self._glance(file, self._modules, list_module_names)

    def receivers(self, file: SourceFile, name: str) -> frozenset[str]:
        """Return what `name` may be called on in a file (see `list_receivers`)."""
        return list_receivers(self._text_of(file), name, file.language.id)

    def declared_types(self, file: SourceFile, name: str) -> Iterator[str]:
        """Yield the types that a file gives to parameters called `name`."""
        return list_declared_types(name, self._text_of(file))

    def _glance(
        self, file: SourceFile, remembered: dict[int, _T], look: Callable[[str, str], _T]
    ) -> _T:
        if file.indexed is None:
            return look(self._text_of(file), file.language.id)
        number = file.indexed.number
        if number not in remembered:
            remembered[number] = look(self._text_of(file), file.language.id)
        return remembered[number]

    def families(self) -> list[str]:
        """Return the families of languages that the workspace holds."""
        files = [SourceFile(file.path, file.language, file) for file in self.index.files]
        return sorted({file.family for file in [*files, *self._documents.values()]})

    def definers(self, name: str, family: str) -> list[SourceFile]:
        """Return the files that may define `name`, open documents first."""
        key, word = (name, family), find_word(name)
        if key not in self._definers:
            self._definers[key] = [
                file
                for file in self._files_on_disk_with(word, family)
                if self.may_hold(file, name, "definition")
            ]
        return [*self._documents_with(word, family), *self._closed(self._definers[key])]


def list_definitions(facts: Facts, name: str) -> list[Definition]:
    """Return the functions and types of that name in one file.

    A type stands for its constructor where it has one; prototypes are left out where the
    function itself stands in the same file.
    """
    functions = facts.functions.get(name, [])
    with_body = [function for function in functions if function.has_body]
    found = [Definition(facts, function) for function in with_body or functions]
    for item in facts.types.get(name, []):
        constructors = [
            function
            for function in facts.outline.functions
            if function.kind == "constructor" and function.container == item.qualified_name
        ]
        if not constructors:
            found.append(Definition(facts, None, item))
        elif constructors[0].name != name:
            found.append(Definition(facts, constructors[0]))
    return found
