"""Definitions by name across the workspace: files that may hold them are parsed one by one.

Whoever has enough stops asking, and the files that are left stay closed.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain

from glossator.code.outline import Import
from glossator.tools.budget import Budget
from glossator.tools.module_paths import EXACT, rate_module
from glossator.tools.scopes import (
    Site,
    is_constructor,
    is_member,
    last_module_name,
    list_modules,
    owner_of,
    pure_path,
)
from glossator.tools.source_files import Definition, SourceFile, SourceFiles, list_definitions

MAX_CANDIDATES = 5


def any_file(file: SourceFile) -> bool:
    """Accept every file."""
    return True


def _any_owner(owner: str) -> bool:
    return True


class DefinitionSearch:
    """Finds definitions by their names for one question; what was found is kept."""

    def __init__(self, sources: SourceFiles, budget: Budget) -> None:
        self._sources = sources
        self._budget = budget
        self._in_modules: dict[tuple[str, ...], list[Definition]] = {}
        self._known_modules: dict[tuple[str, ...], bool] = {}
        self._definers: dict[tuple[str, str], list[SourceFile]] = {}

    def find_named(
        self, name: str, site: Site, accepts: Callable[[SourceFile], bool]
    ) -> Iterator[Definition]:
        """Yield the definitions of `name` in the files that are accepted.

        Each file is parsed when its turn comes: whoever has enough stops asking.
        """
        key = (name, site.facts.family)
        if key not in self._definers:
            self._definers[key] = self._sources.definers(*key)
        for file in self._definers[key]:
            if accepts(file):
                facts = self._sources.facts_at(file, name, "definition", self._budget)
                if facts is not None:
                    yield from list_definitions(facts, name)

    def find_members(
        self,
        name: str,
        site: Site,
        is_owner: Callable[[str], bool] = _any_owner,
        is_accepted: Callable[[SourceFile], bool] = any_file,
    ) -> Iterator[Definition]:
        """Yield the members of that name, of the types whose name `is_owner` accepts."""

        def accepts(file: SourceFile) -> bool:
            return is_accepted(file) and (
                is_owner is _any_owner or any(map(is_owner, self._sources.owners(file)))
            )

        for item in self.find_named(name, site, accepts):
            if is_member(item) and is_owner(owner_of(item)):
                yield item

    def find_mentioned(self, name: str, site: Site) -> Iterator[Definition]:
        """Yield the members of that name whose type is named in the file of the call."""
        return self.find_members(name, site, lambda own: self._sources.mentions(site.facts, own))

    def is_defined(self, name: str, site: Site) -> bool:
        """Say whether anything in the workspace has that name."""
        return next(self.find_named(name, site, any_file), None) is not None

    def may_name(self, owner: str, file: SourceFile) -> bool:
        """Say whether a receiver called `owner` may be named for a file or for what it holds."""
        path = pure_path(file.path)
        return owner in {
            path.name.partition(".")[0],
            path.parent.name,
        } or owner in self._sources.owners(file)

    def is_of_workspace(self, imports: Sequence[Import], site: Site) -> bool:
        """Say whether something is imported from a file of the workspace."""
        path, language_id = site.facts.pure_path, site.language_id
        for item in imports:
            key = (item.module, item.name, language_id, str(path.parent))
            if key not in self._known_modules:
                self._known_modules[key] = any(
                    rate_module(module, pure_path(file.path), path, language_id)
                    for module in list_modules(item, language_id)
                    for last in (last_module_name(module),)
                    for file in self._sources.index.files
                    if last in file.path
                )
            if self._known_modules[key]:
                return True
        return False

    def find_in_module(
        self, module: str, name: str, site: Site, *, members: bool = False
    ) -> list[Definition]:
        """Return definitions of `name` in the files that `module` may be, the exact ones first."""
        path, language_id = site.facts.pure_path, site.language_id
        key = (module, name, language_id, str(path.parent))
        if key not in self._in_modules:

            def is_module(file: SourceFile) -> bool:
                return rate_module(module, pure_path(file.path), path, language_id) > 0

            self._in_modules[key] = list(self.find_named(name, site, is_module))
        found = [
            item
            for item in self._in_modules[key]
            if is_member(item) is members or (not members and is_constructor(item))
        ]
        exact = [
            item
            for item in found
            if rate_module(module, item.facts.pure_path, path, language_id) == EXACT
        ]
        return pick(exact or found)


def is_included(file: SourceFile, site: Site) -> bool:
    """Say whether the file of a call includes another, or imports all that is in it."""
    return any(
        rate_module(one.module, pure_path(file.path), site.facts.pure_path, site.language_id)
        for one in site.facts.outline.imports
    )


def pick_first(*stages: Iterator[Definition]) -> list[Definition] | None:
    """Pick from the first stage that has any; the files of later ones stay closed."""
    for stage in stages:
        first = next(stage, None)
        if first is not None:
            return pick(chain([first], stage))
    return None


def pick(found: Iterable[Definition]) -> list[Definition]:
    """Return distinct definitions, or none when there are too many to mean anything."""
    distinct: dict[tuple[str, int], Definition] = {}
    with_body: dict[tuple[str, int], Definition] = {}
    for item in found:
        distinct[item.key] = item
        if item.function is None or item.function.has_body:
            with_body[item.key] = item
        if len(with_body) > MAX_CANDIDATES:
            return []
    picked = with_body or distinct
    return list(picked.values()) if len(picked) <= MAX_CANDIDATES else []
