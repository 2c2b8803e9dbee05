"""The source files of a workspace as the code map sees them: found by word, parsed when needed.

An open document stands in place of its file. Before a file is parsed its text is looked at: does
the word stand there as a definition or a call can stand? Most files are spared by that.
"""

import re
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from glossator.code.languages import Language, find_language
from glossator.code.outline import Function, TypeDefinition
from glossator.core.errors import GlossatorError
from glossator.core.text import SourceText
from glossator.tools.budget import Budget
from glossator.tools.facts import FAMILIES, MAX_PARSED_CHARACTERS, Facts, FactsCache
from glossator.tools.word_index import IndexedFile, WordIndex
from glossator.tools.workspace import Workspace

Purpose = Literal["definition", "call"]
MAX_REMEMBERED = 100_000
# So far from a name its definition or call may begin and end: a receiver, a type, parameters.
_AROUND = 400


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
        self._documents: dict[str, SourceFile] = {}

    def forget(self) -> None:
        """Drop everything that was learned."""
        self.index.forget()
        self._cache.clear()
        self._hashes.clear()
        self._verdicts.clear()

    def refresh(self, stop: threading.Event | None = None) -> None:
        """Look at the disk and the editor again."""
        self.index.refresh(stop)
        self._documents = {}
        for path, source in self._workspace.open_documents().items():
            language = find_language(path.name, source.language_id)
            if language is not None:
                self._documents[str(path)] = SourceFile(str(path), language, document=source)
        if len(self._verdicts) > MAX_REMEMBERED:
            self._verdicts.clear()
        if len(self._hashes) > MAX_REMEMBERED:
            self._hashes.clear()

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

    def files_with(self, word: str, family: str) -> Iterator[SourceFile]:
        """Yield the files of a family of languages that hold `word`, open documents first."""
        word = find_word(word)
        for file in self._documents.values():
            if file.family == family and file.document and _holds(file.document.text, word):
                yield file
        for indexed in self.index.find(word):
            file = SourceFile(indexed.path, indexed.language, indexed)
            if file.family == family and indexed.path not in self._documents:
                yield file

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
            return _holds(file.document.text, word)
        return file.indexed is not None and self.index.mentions(file.indexed, word)

    def facts_at(
        self, file: SourceFile, word: str, purpose: Purpose, budget: Budget
    ) -> Facts | None:
        """Return what is in a file, unless it cannot have `word` for that purpose."""
        if file.document is not None:
            return self.facts_of(file.document)
        known = self.known_facts(file)
        if known is not None:
            return known
        assert file.indexed is not None
        number = file.indexed.number
        if self._verdicts.get((number, word, purpose)) is False:
            return None
        try:
            source = self._workspace.read_walked(file.path)
        except GlossatorError:
            return None
        may = _may_stand(source.text, word, purpose, file.language.id)
        self._verdicts[number, word, purpose] = may
        if may and len(source.text) > MAX_PARSED_CHARACTERS:
            self._verdicts[number, word, purpose] = False
            budget.n_skipped += 1
            return None
        if not may or not budget.take():
            return None
        self._hashes[number] = source.content_hash
        return self._cache.find(file.path, file.language, source.content_hash) or self._cache.add(
            file.path, file.language, source.content_hash, source.text
        )

    def known_facts(self, file: SourceFile) -> Facts | None:
        """Return what is in a file if it was parsed already."""
        if file.document is not None:
            return self.facts_of(file.document)
        content_hash = self._hashes.get(file.indexed.number) if file.indexed else None
        if content_hash is None:
            return None
        return self._cache.find(file.path, file.language, content_hash)

    def families(self) -> list[str]:
        """Return the families of languages that the workspace holds."""
        files = [SourceFile(file.path, file.language, file) for file in self.index.files]
        return sorted({file.family for file in [*files, *self._documents.values()]})

    def definitions(
        self,
        name: str,
        family: str,
        budget: Budget,
        accepts: Callable[[SourceFile], bool] = lambda file: True,
    ) -> list[Definition]:
        """Return the functions and types of that name in the files that are accepted."""
        found: list[Definition] = []
        for file in self.files_with(name, family):
            if accepts(file):
                facts = self.facts_at(file, name, "definition", budget)
                if facts is not None:
                    found += list_definitions(facts, name)
        return found


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


def find_word(name: str) -> str:
    """Return a name as it stands among words: Ruby's `empty?` and JavaScript's `#key` have more."""
    return name.strip("?!=#$@") or name


def _holds(text: str, word: str) -> bool:
    return word in text and _whole_word(word).search(text) is not None


@lru_cache(maxsize=512)
def _whole_word(word: str) -> "re.Pattern[str]":
    return re.compile(rf"(?<!\w){re.escape(word)}(?!\w)")


def _may_stand(text: str, word: str, purpose: Purpose, language_id: str) -> bool:
    word = find_word(word)
    pattern = _standing(word, purpose, language_id)
    return any(pattern.search(text, *window) for window in _find_windows(text, word))


def _find_windows(text: str, word: str) -> Iterator[tuple[int, int]]:
    """Yield the surroundings of `word`: to look there alone is many times faster."""
    position = text.find(word)
    while position >= 0:
        start = position - _AROUND
        end = position
        while 0 <= position <= end + _AROUND:
            end = position + len(word)
            position = text.find(word, end)
        yield max(start, 0), end + _AROUND


_KEYWORDS = {
    "python": r"(?:def|class)\s+{0}\b|\b{0}\s*(?::[^=\n]*)?=\s*\(*\s*lambda",
    "go": r"(?:func\s*(?:\([^)]*\)\s*)?|type\s+){0}\b|\b{0}\s*(?::=|=)\s*func|^\s*{0}\(",
    "rust": r"(?:fn|struct|enum|trait|type|union|mod|macro_rules!|let|mut)\s+{0}\b",
    "ruby": r"(?:def\s+(?:[\w.]+\.)?|class\s+(?:\w+::)*|module\s+(?:\w+::)*|\b)(?:{0})\b",
    "php": r"(?:function\s*&?\s*|class\s+|interface\s+|trait\s+|enum\s+){0}\b|\${0}\s*=",
}
# A name behind a type or keyword, or first on its line, and then a parameter list or a value.
_DECLARED = (
    r"(?:^|[\w>\]*&~,;{{}}()])[ \t\r\n*&:~#]*\b{0}\s*(?:<[^<>;{{}}]*>\s*)?[(=:]"
    r"|(?:class|interface|struct|enum|record|namespace|type|union|object|module)\s+{0}\b"
)
# Called, or imported under another name that is called.
_CALLED = r"\b{0}\s*(?:\(|<|\?\.|!|`|::|\{{|\[|as\b)"
_DECORATES = _CALLED + r"|@\s*(?:\w+\s*\.\s*)*{0}\b"


@lru_cache(maxsize=512)
def _standing(word: str, purpose: Purpose, language_id: str) -> "re.Pattern[str]":
    """Return a pattern that every definition (or call) of `word` matches; some others may too."""
    if purpose == "definition":
        template = _KEYWORDS.get(language_id, _DECLARED)
    elif language_id == "ruby" or word[:1].isupper():
        # Components and C++ objects are made without parentheses behind the type's name.
        template = r"\b{0}\b"
    else:
        template = _DECORATES if language_id == "python" else _CALLED
    return re.compile(template.format(re.escape(word)), re.MULTILINE)
