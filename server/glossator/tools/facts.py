"""Outlines of source files, kept by content, with what is in them found by name."""

import threading
from collections import OrderedDict, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePosixPath

from glossator.code.languages import Language
from glossator.code.outline import (
    Call,
    Function,
    Import,
    Outline,
    TypeDefinition,
    parse_outline,
)
from glossator.core.locations import Point

# Room for a workspace of five thousand files: with less, each question parses them anew.
MAX_KEPT_CHARACTERS = 64_000_000
# A million characters take seconds; what is larger was hardly written by anybody.
MAX_PARSED_CHARACTERS = 2_000_000
FAMILIES = {
    "javascript": "javascript",
    "typescript": "javascript",
    "tsx": "javascript",
    "c": "c",
    "cpp": "c",
}


@dataclass(frozen=True)
class Facts:
    """One file's outline, looked up by name.

    `path` is the real path with forward slashes, `native_path` as the system writes it.
    """

    path: str
    native_path: str
    outline: Outline

    @property
    def language(self) -> Language:
        """The file's language."""
        return self.outline.language

    @property
    def family(self) -> str:
        """Languages of one family call each other's functions."""
        return FAMILIES.get(self.language.id, self.language.id)

    @cached_property
    def pure_path(self) -> PurePosixPath:
        """The real path, for looking at its parts."""
        return PurePosixPath(self.path)

    @cached_property
    def functions(self) -> Mapping[str, list[Function]]:
        """Functions by name; one with a body comes before its declarations."""
        found: defaultdict[str, list[Function]] = defaultdict(list)
        for function in sorted(self.outline.functions, key=lambda item: not item.has_body):
            found[function.name].append(function)
        return dict(found)

    @cached_property
    def types(self) -> Mapping[str, list[TypeDefinition]]:
        """Types by name."""
        found: defaultdict[str, list[TypeDefinition]] = defaultdict(list)
        for item in self.outline.types:
            found[item.name].append(item)
        return dict(found)

    @cached_property
    def type_names(self) -> frozenset[str]:
        """Qualified names of the types that functions may stand in, namespaces left out."""
        return frozenset(
            item.qualified_name
            for item in self.outline.types
            if item.kind not in {"module", "namespace"}
        )

    @cached_property
    def calls(self) -> Mapping[str, list[tuple[Function | None, Call]]]:
        """Calls by the name called, with the function that each stands in."""
        found: defaultdict[str, list[tuple[Function | None, Call]]] = defaultdict(list)
        for function in self.outline.functions:
            for call in function.calls:
                found[call.name].append((function, call))
        for call in self.outline.module_calls:
            found[call.name].append((None, call))
        return dict(found)

    @cached_property
    def bindings(self) -> Mapping[str, list[Import]]:
        """Imports by the name that they bind in the file."""
        found: defaultdict[str, list[Import]] = defaultdict(list)
        for item in self.outline.imports:
            name = _find_bound_name(item, self.language.id)
            if name:
                found[name].append(item)
        return dict(found)

    def find_imports(self, name: str, function: Function | None) -> list[Import]:
        """Return the imports that give `name` its meaning inside `function`.

        One that stands in a function counts only there.
        """
        found = []
        for item in self.bindings.get(name, ()):
            around = self.outline.enclosing(Point(item.line, 1000))
            if around is None or (function is not None and function.range.start in around.range):
                found.append(item)
        return found

    @cached_property
    def star_imports(self) -> tuple[Import, ...]:
        """Imports that bring in every name of a module."""
        return tuple(item for item in self.outline.imports if item.name == "*" and not item.alias)

    def is_member(self, function: Function) -> bool:
        """Say whether a function is called on something: it stands in a type."""
        return function.kind in {"method", "constructor"} or function.container in self.type_names


class FactsCache:
    """Facts by path and content, the most recently used ones. For any thread at any time."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: OrderedDict[tuple[str, str, str], tuple[Facts, int]] = OrderedDict()
        self._n_characters = 0

    def find(self, path: str, language: Language, content_hash: str) -> Facts | None:
        """Return the facts of a content that was parsed before."""
        key = (path, language.id, content_hash)
        with self._lock:
            entry = self._kept.get(key)
            if entry is None:
                return None
            self._kept.move_to_end(key)
            return entry[0]

    def add(self, path: str, language: Language, content_hash: str, text: str) -> Facts:
        """Parse `text`, outside of the lock, and keep what is in it."""
        facts = Facts(path.replace("\\", "/"), path, parse_outline(text, language))
        key = (path, language.id, content_hash)
        with self._lock:
            if key not in self._kept:
                self._kept[key] = (facts, len(text))
                self._n_characters += len(text)
            while self._n_characters > MAX_KEPT_CHARACTERS and len(self._kept) > 1:
                _, (_, size) = self._kept.popitem(last=False)
                self._n_characters -= size
        return facts

    def clear(self) -> None:
        """Drop everything."""
        with self._lock:
            self._kept.clear()
            self._n_characters = 0


def _find_bound_name(item: Import, language_id: str) -> str:
    """Return the name under which a file knows what it imports; empty when there is none."""
    if item.alias:
        return item.alias
    if item.name not in {"", "*"}:
        return item.name
    if item.name == "*" or language_id in {"c", "cpp", "ruby", "csharp"}:
        return ""
    if language_id == "python":
        return item.module.partition(".")[0]
    return item.module.replace("\\", "/").replace("::", "/").rstrip("/").rpartition("/")[2]
