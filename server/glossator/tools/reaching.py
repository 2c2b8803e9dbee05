"""Which files may call a function at all, as far as their text tells: the others stay unparsed.

Nobody calls a function without importing its file, naming its type, or holding something that is
called like it. This follows what `resolving` looks at, and may only say yes more often.
"""

import re
from collections.abc import Set
from functools import cached_property
from itertools import combinations, takewhile

from glossator.tools.common_names import COMMON_METHODS
from glossator.tools.glances import SOMETHING
from glossator.tools.module_paths import rate_module
from glossator.tools.resolving import (
    EXPLICIT_IMPORTS,
    Resolver,
)
from glossator.tools.scopes import (
    Site,
    container_of,
    fold,
    is_member,
    last_part,
    owner_of,
    pure_path,
)
from glossator.tools.source_files import Definition, SourceFile, SourceFiles

# Fewer files are parsed sooner than judged.
_MAX_FEW = 8
_NAME_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_a-zA-Z]+")


class Reach:
    """What a file must hold to call `target` by `name`. `files` hold it, the nearest first."""

    def __init__(
        self, target: Definition, name: str, sources: SourceFiles, resolver: Resolver
    ) -> None:
        self._target = target
        self._name = name
        self._sources = sources
        self._path = target.facts.pure_path
        self._owner = owner_of(target)
        self._resolver = resolver
        self._is_member = is_member(target)
        self._is_constructor = target.function is not None and target.function.kind == "constructor"
        self._places = {
            last_part(container_of(target)),
            self._path.name.partition(".")[0],
            self._path.parent.name,
        }
        # What a parameter is declared to be begins with a capital letter.
        self._place_types = [name for name in self._places if name[:1].isupper()]
        found = sources.files_with(name, target.facts.family)
        self.files = sorted(found, key=self._measure_distance)
        self._is_open = len(self.files) <= _MAX_FEW or (
            # What a prototype stands for may be defined elsewhere.
            target.function is not None and not target.function.has_body
        )
        self._is_crowded = (
            not self._is_open
            and self._is_member
            and (name in COMMON_METHODS or resolver.is_crowded(name, target))
        )

    def _measure_distance(self, file: SourceFile) -> int:
        """Count the folders between a file and the target: near callers come first."""
        if file.path == self._target.facts.native_path:
            return -1
        folders, own = pure_path(file.path).parts[:-1], self._path.parts[:-1]
        shared = takewhile(lambda pair: pair[0] == pair[1], zip(folders, own, strict=False))
        return len(folders) + len(own) - 2 * sum(1 for _ in shared)

    def may_call(self, file: SourceFile) -> bool:
        """Say whether calls in `file` may mean the target."""
        if self._is_open or file.path == self._target.facts.native_path:
            return True
        receivers = self._sources.receivers(file, self._name)
        if "" in receivers and self._may_be_bare(file):
            return True
        called_on = receivers - {""}
        if not called_on:
            return False
        if not self._is_member:
            return (
                SOMETHING in called_on
                or not called_on.isdisjoint(self._places)
                or self._may_import(file)
                or any(self._sources.file_mentions(file, each) for each in self._place_types)
            )
        return (
            self._is_constructor
            or SOMETHING in called_on
            or self._sources.file_mentions(file, self._owner)
            or any(self._may_mean(each) for each in called_on)
            or self._is_declared(called_on, file)
        )

    def _may_mean(self, receiver: str) -> bool:
        """Say whether a receiver of no known type may be of the target's."""
        found = None
        if self._is_akin(receiver):
            site = Site(self._target.facts, None)
            found = self._resolver.find_named_like(receiver, self._name, site)
        if found is None:
            return not self._is_crowded
        return any(item.key == self._target.key for item in found)

    def _is_akin(self, name: str) -> bool:
        hint, own = fold(name), fold(self._owner)
        return hint == own or (len(hint) >= 4 and hint in own)

    def _is_declared(self, receivers: Set[str], file: SourceFile) -> bool:
        """Say whether a receiver is declared to be of a type that is taken for the target's."""
        if not any(self._sources.file_mentions(file, each) for each in self._types):
            return False
        return any(
            self._is_akin(declared)
            for each in receivers
            for declared in self._sources.declared_types(file, each)
        )

    def _may_be_bare(self, file: SourceFile) -> bool:
        language_id = file.language.id
        if language_id == "go":
            near = pure_path(file.path).parent == self._path.parent
            return not self._is_member and (near or self._may_import(file))
        if language_id not in EXPLICIT_IMPORTS:
            return True
        # Names of old-style scripts are global.
        return self._may_import(file) or (
            self._target.facts.family == "javascript" and not self._sources.modules(file)
        )

    def _may_import(self, file: SourceFile) -> bool:
        modules = self._sources.modules(file)
        site = pure_path(file.path)
        return modules is None or any(
            rate_module(module, self._path, site, file.language.id) for module in modules
        )

    @cached_property
    def _types(self) -> list[str]:
        """Return what a type may be called that is taken for the owner: `User` for `UserStore`."""
        parts = [match.span() for match in _NAME_PART.finditer(self._owner)]
        spans = [*((each, each) for each in parts), *combinations(parts, 2)]
        return [self._owner[first[0] : last[1]] for first, last in spans]
