"""Which definition a call means, as far as names, imports and receivers tell.

The same file comes first, then what the file imports, then names that are unique in the
workspace. Types are not inferred: where several definitions remain, all are given, and where
nothing but a name everybody uses speaks for one, none is.
"""

from collections.abc import Sequence
from pathlib import PurePosixPath

from glossator.code.outline import Call, Import
from glossator.tools.budget import Budget
from glossator.tools.common_names import COMMON_METHODS, PYTHON_BUILTINS
from glossator.tools.facts import Facts
from glossator.tools.module_paths import EXACT, rate_module
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
    last_module_name,
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

MAX_CANDIDATES = 5
# A bare name must be defined or imported in its file.
_EXPLICIT_IMPORTS = frozenset({"python", "javascript", "typescript", "tsx", "rust"})
# What is imported under a name is that and nothing else.
_BINDING_IMPORTS = _EXPLICIT_IMPORTS | {"go", "java", "php"}
# `import static a.B.f`
_IMPORTS_MEMBERS = frozenset({"java"})


class Resolver:
    """Finds definitions for the calls of one question."""

    def __init__(self, sources: SourceFiles, budget: Budget) -> None:
        self._sources = sources
        self._budget = budget
        self._in_modules: dict[tuple[str, ...], list[Definition]] = {}
        self._known_modules: dict[tuple[str, ...], bool] = {}
        self._by_owner: dict[tuple[str, ...], list[Definition]] = {}
        self._by_name: dict[tuple[str, ...], list[Definition]] = {}
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

    def _is_named_for_another(self, call: Call, site: Site, target: Definition) -> bool:
        """Say what `_find_by_owner` would say of a common name, without looking for others."""
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
        return not (call.receiver and self._is_of_workspace(imports, site))

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
            found = self._find_in_module(item.module, name, site)
            if not found and site.language_id in _IMPORTS_MEMBERS:
                found = self._find_in_module(item.module, name, site, members=True)
            if found:
                return found
        if site.language_id in _EXPLICIT_IMPORTS and not is_plain_script(site.facts):
            return []
        return self._resolve_package(name, site)

    def _resolve_package(self, name: str, site: Site) -> list[Definition]:
        """Look where names are seen without being imported: the package, the included files."""
        here = site.facts.pure_path.parent
        if site.language_id == "go":
            return self._pick(
                [item for item in self._definitions(name, site, folder=here) if not is_member(item)]
            )
        found = self._definitions(name, site)
        if site.language_id not in IMPLICIT_SELF:
            found = [item for item in found if not is_member(item)]
        elif site.function is None or not site.function.container:
            found = [item for item in found if not is_member(item) or is_constructor(item)]
        elif name in COMMON_METHODS:
            return []
        near = [item for item in found if item.facts.pure_path.parent == here]
        included = [item for item in found if self._is_included(item, site)]
        return self._pick(included or near or found)

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
        members = [
            item
            for item in self._definitions(name, site)
            if is_member(item) and item.facts.path != site.facts.path
        ]
        mentioned = [item for item in members if self._is_mentioned(item, site)]
        if mentioned:
            return self._pick(mentioned)
        return [] if name in COMMON_METHODS else self._pick(members)

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
            if found or not self._is_of_workspace(imports, site):
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
        key = (site.facts.path, name, owner)
        if key not in self._by_owner:
            self._by_owner[key] = self._find_by_owner(name, owner, site)
        return self._by_owner[key]

    def _find_by_owner(self, name: str, owner: str, site: Site) -> list[Definition]:
        is_common = name in COMMON_METHODS
        hint = fold(owner)
        found = self._definitions(name, site, hint=owner if is_common else "")
        members = [item for item in found if is_member(item)]
        named = [item for item in members if fold(owner_of(item)) == hint]
        if not named:
            named = [item for item in found if not is_member(item) and is_named_by(item, owner)]
        if not named and len(hint) >= 4:
            named = [item for item in members if hint in fold(owner_of(item))]
        if named:
            return self._pick(named)
        # A type of the workspace may have inherited it; one from elsewhere has its own.
        if is_common or (is_type_name(owner) and not self._definitions(owner, site)):
            return []
        mentioned = [item for item in members if self._is_mentioned(item, site)]
        return self._pick(mentioned or members)

    # f().g()

    def _resolve_on_returned(
        self, call: Call, receiver: str, called: str, site: Site
    ) -> list[Definition] | None:
        """Resolve a call on what another call returns; None when that is not told."""
        types = self._find_returned(Call(called, receiver, call.point, ""), site)
        if not types:
            return None
        members = [
            item
            for item in self._definitions(call.name, site)
            if is_member(item) and owner_of(item) in types
        ]
        if members:
            return self._pick(members)
        # As above: inherited, or of a type from elsewhere.
        return None if any(self._definitions(one, site) for one in types) else []

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
            found = self._find_in_module(item.module, wanted, site)
            if not found and site.language_id in _IMPORTS_MEMBERS:
                found = self._find_in_module(item.module, wanted, site, members=True)
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
                found = self._find_in_module(module, name, site)
                if found:
                    return found
            owner = rest[-1] if rest else item.name
            owner = parts[0] if owner in {"", "*", "default"} else owner
            for module in modules:
                members = self._find_in_module(module, name, site, members=True)
                found = [one for one in members if last_part(container_of(one)) == owner]
                if found:
                    return found
        return []

    def _find_in_module(
        self, module: str, name: str, site: Site, *, members: bool = False
    ) -> list[Definition]:
        """Return definitions of `name` in the files that `module` may be, the exact ones first."""
        path, language_id = site.facts.pure_path, site.language_id
        key = (module, name, language_id, str(path.parent))
        if key not in self._in_modules:
            self._in_modules[key] = self._sources.definitions(
                name,
                site.facts.family,
                self._budget,
                lambda file: rate_module(module, pure_path(file.path), path, language_id) > 0,
            )
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
        return self._pick(exact or found)

    def _find_only_file(self, module: str, name: str, site: Site) -> list[Definition]:
        """Find a default export that its file calls otherwise: by the file alone."""
        stem = PurePosixPath(module).name.partition(".")[0]
        return self._find_in_module(module, stem, site) if stem != name else []

    # Small judgements

    def _definitions(
        self, name: str, site: Site, *, folder: PurePosixPath | None = None, hint: str = ""
    ) -> list[Definition]:
        def accepts(file: SourceFile) -> bool:
            if folder is not None and pure_path(file.path).parent != folder:
                return False
            return not hint or any(self._sources.file_mentions(file, owner) for owner in owners)

        owners = {hint, "".join(part[:1].upper() + part[1:] for part in hint.split("_"))}
        key = (name, site.facts.family, str(folder), hint)
        if key not in self._by_name:
            self._by_name[key] = self._sources.definitions(
                name, site.facts.family, self._budget, accepts
            )
        return self._by_name[key]

    def _is_mentioned(self, item: Definition, site: Site) -> bool:
        owner = owner_of(item)
        return bool(owner) and self._sources.mentions(site.facts, owner)

    def _is_included(self, item: Definition, site: Site) -> bool:
        return any(
            rate_module(one.module, item.facts.pure_path, site.facts.pure_path, site.language_id)
            for one in site.facts.outline.imports
        )

    def _is_of_workspace(self, imports: Sequence[Import], site: Site) -> bool:
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

    @staticmethod
    def _pick(found: list[Definition]) -> list[Definition]:
        """Return distinct definitions, or none when there are too many to mean anything."""
        with_body = [item for item in found if item.function is None or item.function.has_body]
        distinct = list({item.key: item for item in with_body or found}.values())
        return distinct if len(distinct) <= MAX_CANDIDATES else []
