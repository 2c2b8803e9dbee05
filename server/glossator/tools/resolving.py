"""Which definition a call means, as far as names, imports and receivers tell.

The same file comes first, then what the file imports, then names that are unique in the
workspace. Types are not inferred: where several definitions remain, all are given, and where
nothing but a name everybody uses speaks for one, none is.
"""

from collections.abc import Callable, Iterator, Sequence
from pathlib import PurePosixPath

from glossator.code.outline import Call, Import
from glossator.tools.budget import Budget
from glossator.tools.common_names import COMMON_METHODS, PYTHON_BUILTINS
from glossator.tools.definition_search import (
    MAX_CANDIDATES,
    DefinitionSearch,
    any_file,
    is_included,
    pick,
    pick_first,
)
from glossator.tools.facts import Facts
from glossator.tools.module_paths import rate_module
from glossator.tools.return_types import find_return_type, split_chained_call
from glossator.tools.scopes import (
    IMPLICIT_SELF,
    SUPER_WORDS,
    Site,
    container_of,
    find_class,
    find_declared_type,
    find_in_scope,
    fold,
    is_constructor,
    is_member,
    is_named_by,
    is_plain_script,
    is_self_word,
    is_type_name,
    last_part,
    list_modules,
    owner_of,
    prefer_bodies,
    pure_path,
    split_receiver,
)
from glossator.tools.source_files import (
    Definition,
    SourceFile,
    SourceFiles,
)

# A bare name must be defined or imported in its file.
EXPLICIT_IMPORTS = frozenset({"python", "javascript", "typescript", "tsx", "rust"})
# What is imported under a name is that and nothing else.
_BINDING_IMPORTS = EXPLICIT_IMPORTS | {"go", "java", "php"}
# `import static a.B.f`
_IMPORTS_MEMBERS = frozenset({"java"})


class Resolver:
    """Finds definitions for the calls of one question."""

    def __init__(self, sources: SourceFiles, budget: Budget) -> None:
        self._sources = sources
        self._search = DefinitionSearch(sources, budget)
        self._named_like: dict[tuple[str, ...], list[Definition] | None] = {}
        self._returned: dict[tuple[str, int, str, str], frozenset[str]] = {}

    def resolve(self, call: Call, site: Site) -> list[Definition]:
        """Return what `call` may mean, () when that is not in the workspace or cannot be told."""
        parts = split_receiver(call.receiver)
        if not parts:
            return self._resolve_bare(call.name, site)
        if len(parts) == 1 and is_self_word(parts[0], site.language_id):
            return self._resolve_own(call.name, site, is_super=parts[0] in SUPER_WORDS)
        return self._resolve_member(call, parts, site)

    def rules_out(self, call: Call, site: Site, target: Definition) -> bool:
        """Say at little cost that `call` cannot mean `target`.

        A name that is imported from elsewhere is not ours, and a method that everybody has is
        called on something that its receiver's name tells.
        """
        return self._is_imported_from_elsewhere(
            call, site, target.facts
        ) or self._is_named_for_another(call, site, target)

    def is_crowded(self, name: str, target: Definition) -> bool:
        """Say whether too many types have a member of that name for the name alone to tell."""
        site = Site(target.facts, None)
        seen = set()
        for item in self._search.find_members(name, site):
            if item.function is not None and item.function.has_body:
                seen.add(item.key)
            if len(seen) > MAX_CANDIDATES:
                return True
        return False

    def _is_named_for_another(self, call: Call, site: Site, target: Definition) -> bool:
        """Say what `find_named_like` would say of a common name, without looking for others."""
        parts = split_receiver(call.receiver)
        if (
            call.name not in COMMON_METHODS
            or not parts
            or is_self_word(parts[0], site.language_id)
            or split_chained_call(call.receiver) is not None
            or site.facts.find_imports(parts[0], site.function)
        ):
            return False
        declared = find_declared_type(parts[0], site.function) if len(parts) == 1 else ""
        owner = declared or parts[-1]
        hint, own = fold(owner), fold(owner_of(target))
        return (
            hint != own and not is_named_by(target, owner) and not (len(hint) >= 4 and hint in own)
        )

    def _is_imported_from_elsewhere(self, call: Call, site: Site, target: Facts) -> bool:
        if site.language_id not in _BINDING_IMPORTS or site.facts.path == target.path:
            return False
        head = (split_receiver(call.receiver) or [call.name])[0]
        head = find_declared_type(head, site.function) or head
        imports = site.facts.find_imports(head, site.function)
        if not imports or any(
            rate_module(module, target.pure_path, site.facts.pure_path, site.language_id)
            for item in imports
            for module in list_modules(item, site.language_id)
        ):
            return False
        # An object that a module of the workspace holds may be of any type.
        return not (call.receiver and self._search.is_of_workspace(imports, site))

    # f()

    def _resolve_bare(self, name: str, site: Site) -> list[Definition]:
        found = find_in_scope(name, site)
        if found:
            return found
        imports = site.facts.find_imports(name, site.function)
        if imports:
            found = self._resolve_imports(imports, name, site)
            if found or site.language_id in _BINDING_IMPORTS:
                return found
        if site.language_id == "python" and name in PYTHON_BUILTINS:
            return []
        for item in site.facts.star_imports:
            found = self._search.find_in_module(item.module, name, site)
            if not found and site.language_id in _IMPORTS_MEMBERS:
                found = self._search.find_in_module(item.module, name, site, members=True)
            if found:
                return found
        if site.language_id in EXPLICIT_IMPORTS and not is_plain_script(site.facts):
            return []
        return self._resolve_package(name, site)

    def _resolve_package(self, name: str, site: Site) -> list[Definition]:
        """Look where names are seen without being imported: the package, the included files."""
        here = site.facts.pure_path.parent

        def is_near(file: SourceFile) -> bool:
            return pure_path(file.path).parent == here

        def find(accepts: Callable[[SourceFile], bool]) -> Iterator[Definition]:
            found = self._search.find_named(name, site, accepts)
            return (item for item in found if self._is_seen_bare(item, site))

        if site.language_id == "go":
            return pick(find(is_near))
        if name in COMMON_METHODS and site.language_id in IMPLICIT_SELF and _is_in_type(site):
            return []
        return (
            pick_first(
                find(lambda file: is_included(file, site)),
                find(is_near),
                find(any_file),
            )
            or []
        )

    @staticmethod
    def _is_seen_bare(item: Definition, site: Site) -> bool:
        """Say whether a definition can be called without a receiver, from another file."""
        if site.language_id not in IMPLICIT_SELF:
            return not is_member(item)
        return _is_in_type(site) or not is_member(item) or is_constructor(item)

    # self.f()

    def _resolve_own(self, name: str, site: Site, *, is_super: bool) -> list[Definition]:
        container = find_class(site)
        own = [
            function
            for function in site.facts.functions.get(name, [])
            if function.container == container
        ]
        if own and not is_super:
            return [Definition(site.facts, function) for function in prefer_bodies(own)]
        in_file = [
            function
            for function in site.facts.functions.get(name, [])
            if site.facts.is_member(function) and function.container != container
        ]
        if is_super and (name.startswith("__") or name in {"initialize", "constructor"}):
            # Everything has a constructor: only the one class beside it is likely to be meant.
            return [Definition(site.facts, in_file[0])] if len(in_file) == 1 else []
        if in_file:
            return [Definition(site.facts, function) for function in prefer_bodies(in_file)]
        # Inherited: the class it comes from is named in this file, mostly.
        stages = [self._search.find_mentioned(name, site)]
        if name not in COMMON_METHODS:
            stages.append(self._search.find_members(name, site))
        elsewhere = (
            (item for item in stage if item.facts.path != site.facts.path) for stage in stages
        )
        return pick_first(*elsewhere) or []

    # x.f()

    def _resolve_member(self, call: Call, parts: Sequence[str], site: Site) -> list[Definition]:
        chained = split_chained_call(call.receiver)
        if chained is not None:
            found = self._resolve_on_returned(call, *chained, site)
            if found is not None:
                return found
        declared = find_declared_type(parts[0], site.function) if len(parts) == 1 else ""
        parts = [declared] if declared else parts
        name, owner = call.name, parts[-1]
        imports = site.facts.find_imports(parts[0], site.function)
        if imports and site.language_id in _BINDING_IMPORTS:
            found = self._resolve_through_import(imports, parts, name, site)
            # Otherwise it is an object that a module of the workspace holds.
            if found or not self._search.is_of_workspace(imports, site):
                return found
        of_type = [
            Definition(site.facts, function)
            for function in prefer_bodies(site.facts.functions.get(name, []))
            if last_part(function.container) == owner
        ]
        if of_type:
            return of_type
        return self._resolve_by_owner(name, owner, site)

    def _resolve_by_owner(self, name: str, owner: str, site: Site) -> list[Definition]:
        """Look among all members of that name, led by what the receiver is called."""
        named = self.find_named_like(owner, name, site)
        # A type of the workspace may have inherited it; one from elsewhere has its own.
        if (
            named is not None
            or name in COMMON_METHODS
            or (is_type_name(owner) and not self._search.is_defined(owner, site))
        ):
            return named or []
        return (
            pick_first(
                self._search.find_mentioned(name, site), self._search.find_members(name, site)
            )
            or []
        )

    def find_named_like(self, owner: str, name: str, site: Site) -> list[Definition] | None:
        """Return the definitions whose type or place is named like a receiver, None for none."""
        key = (site.facts.family, name, owner)
        if key not in self._named_like:
            self._named_like[key] = self._find_named_like(owner, name, site)
        return self._named_like[key]

    def _find_named_like(self, owner: str, name: str, site: Site) -> list[Definition] | None:
        hint = fold(owner)
        is_common = name in COMMON_METHODS
        # What everybody has is looked for only where the receiver's name is known.
        words = {owner, "".join(part[:1].upper() + part[1:] for part in owner.split("_"))}

        def is_known(file: SourceFile) -> bool:
            return not is_common or any(self._sources.file_mentions(file, one) for one in words)

        def is_placed(file: SourceFile) -> bool:
            return self._search.may_name(owner, file) and is_known(file)

        placed = (
            item
            for item in self._search.find_named(name, site, is_placed)
            if not is_member(item) and is_named_by(item, owner)
        )
        return pick_first(
            self._search.find_members(name, site, lambda own: fold(own) == hint, is_known),
            placed,
            self._search.find_members(
                name, site, lambda own: len(hint) >= 4 and hint in fold(own), is_known
            ),
        )

    # f().g()

    def _resolve_on_returned(
        self, call: Call, receiver: str, called: str, site: Site
    ) -> list[Definition] | None:
        """Resolve a call on what another call returns; None when that is not told."""
        types = self._find_returned(Call(called, receiver, call.point, ""), site)
        if not types:
            return None
        members = pick_first(self._search.find_members(call.name, site, types.__contains__))
        if members is not None:
            return members
        # As above: inherited, or of a type from elsewhere.
        return None if any(self._search.is_defined(one, site) for one in types) else []

    def _find_returned(self, call: Call, site: Site) -> frozenset[str]:
        """Return the types that a call may return; none where one of its targets is silent."""
        start = site.function.range.start.line if site.function is not None else 0
        key = (site.facts.path, start, call.receiver, call.name)
        if key not in self._returned:
            types = {
                find_return_type(item.function, item.facts.language.id)
                if item.function is not None
                else last_part(item.type.qualified_name if item.type is not None else "")
                for item in self.resolve(call, site)
            }
            self._returned[key] = frozenset() if "" in types else frozenset(types)
        return self._returned[key]

    # Imports

    def _resolve_imports(
        self, imports: Sequence[Import], name: str, site: Site
    ) -> list[Definition]:
        for item in imports:
            wanted = name if item.name in {"", "*", "default"} else item.name
            found = self._search.find_in_module(item.module, wanted, site)
            if not found and site.language_id in _IMPORTS_MEMBERS:
                found = self._search.find_in_module(item.module, wanted, site, members=True)
            if not found and item.name == "default":
                found = self._find_only_file(item.module, wanted, site)
            if found:
                return found
        return []

    def _resolve_through_import(
        self, imports: Sequence[Import], parts: Sequence[str], name: str, site: Site
    ) -> list[Definition]:
        """Resolve `x.f()` where `x` was imported: a module, or a type in one."""
        rest = list(parts[1:])
        for item in imports:
            modules = list_modules(item, site.language_id)
            if site.language_id == "python" and item.name == "":
                # `import a.b` is called as `a.b.f()`, `import a.b as x` as `x.f()`.
                modules = [".".join([item.module, *rest] if item.alias else parts)]
            for module in modules:
                found = self._search.find_in_module(module, name, site)
                if found:
                    return found
            owner = rest[-1] if rest else item.name
            owner = parts[0] if owner in {"", "*", "default"} else owner
            for module in modules:
                members = self._search.find_in_module(module, name, site, members=True)
                found = [one for one in members if last_part(container_of(one)) == owner]
                if found:
                    return found
        return []

    def _find_only_file(self, module: str, name: str, site: Site) -> list[Definition]:
        """Find a default export that its file calls otherwise: by the file alone."""
        stem = PurePosixPath(module).name.partition(".")[0]
        return self._search.find_in_module(module, stem, site) if stem != name else []


def _is_in_type(site: Site) -> bool:
    return site.function is not None and bool(site.function.container)
