"""Which definition a call means, as far as names, imports and receivers tell.

The same file comes first, then what the file imports, then names that are unique in the
workspace. Types are not inferred: where several definitions remain, all are given, and where
nothing but a name everybody uses speaks for one, none is.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import PurePosixPath

from glossator.code.outline import Call, Function, Import
from glossator.tools.common_names import COMMON_METHODS, PYTHON_BUILTINS
from glossator.tools.facts import Facts
from glossator.tools.library import (
    Budget,
    Definition,
    SourceFile,
    SourceLibrary,
    list_definitions,
)
from glossator.tools.module_paths import EXACT, rate_module

MAX_CANDIDATES = 5
_SUPER = frozenset({"super", "super()", "parent", "base"})
_SELF = frozenset({"self", "this", "cls", "Self", "static"}) | _SUPER
# A bare name may be a member of the class around it, or of what that extends.
_IMPLICIT_SELF = frozenset({"java", "csharp", "cpp", "ruby"})
# A bare name must be defined or imported in its file.
_EXPLICIT_IMPORTS = frozenset({"python", "javascript", "typescript", "tsx", "rust"})
# What is imported under a name is that and nothing else.
_BINDING_IMPORTS = _EXPLICIT_IMPORTS | {"go", "java", "php"}
_SEPARATOR = re.compile(r"\?\.|\.|::|->|\\")


@dataclass(frozen=True, slots=True)
class Site:
    """Where a call stands."""

    facts: Facts
    function: Function | None

    @property
    def language_id(self) -> str:
        """The language of the file."""
        return self.facts.language.id


class Resolver:
    """Finds definitions for the calls of one question."""

    def __init__(self, library: SourceLibrary, budget: Budget) -> None:
        self._library = library
        self._budget = budget
        self._in_modules: dict[tuple[str, ...], list[Definition]] = {}
        self._known_modules: dict[tuple[str, ...], bool] = {}
        self._by_owner: dict[tuple[str, ...], list[Definition]] = {}
        self._by_name: dict[tuple[str, ...], list[Definition]] = {}

    def resolve(self, call: Call, site: Site) -> list[Definition]:
        """Return what `call` may mean, () when that is not in the workspace or cannot be told."""
        parts = _split_receiver(call.receiver)
        if not parts:
            return self._resolve_bare(call.name, site)
        if len(parts) == 1 and parts[0] in _SELF:
            return self._resolve_own(call.name, site, is_super=parts[0] in _SUPER)
        return self._resolve_member(call, parts, site)

    def rules_out(self, call: Call, site: Site, target: Facts) -> bool:
        """Say at little cost that `call` cannot mean anything in the file `target`.

        Only imports are looked at: a name that is imported from elsewhere is not ours.
        """
        if site.language_id not in _BINDING_IMPORTS or site.facts.path == target.path:
            return False
        head = (_split_receiver(call.receiver) or [call.name])[0]
        imports = site.facts.find_imports(head, site.function)
        return bool(imports) and not any(
            rate_module(item.module, target.pure_path, site.facts.pure_path, site.language_id)
            for item in imports
        )

    # f()

    def _resolve_bare(self, name: str, site: Site) -> list[Definition]:
        found = _find_in_scope(name, site)
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
            if found:
                return found
        if site.language_id in _EXPLICIT_IMPORTS and not _is_plain_script(site.facts):
            return []
        return self._resolve_package(name, site)

    def _resolve_package(self, name: str, site: Site) -> list[Definition]:
        """Look where names are seen without being imported: the package, the included files."""
        here = site.facts.pure_path.parent
        if site.language_id == "go":
            return self._pick(
                [
                    item
                    for item in self._definitions(name, site, folder=here)
                    if not _is_member(item)
                ]
            )
        found = self._definitions(name, site)
        if site.language_id not in _IMPLICIT_SELF:
            found = [item for item in found if not _is_member(item)]
        elif site.function is None or not site.function.container:
            found = [item for item in found if not _is_member(item) or _is_constructor(item)]
        elif name in COMMON_METHODS:
            return []
        near = [item for item in found if item.facts.pure_path.parent == here]
        included = [item for item in found if self._is_included(item, site)]
        return self._pick(included or near or found)

    # self.f()

    def _resolve_own(self, name: str, site: Site, *, is_super: bool) -> list[Definition]:
        container = _find_class(site)
        own = [
            function
            for function in site.facts.functions.get(name, [])
            if function.container == container
        ]
        if own and not is_super:
            return [Definition(site.facts, function) for function in _prefer_bodies(own)]
        in_file = [
            function
            for function in site.facts.functions.get(name, [])
            if site.facts.is_member(function) and function.container != container
        ]
        if in_file:
            return [Definition(site.facts, function) for function in _prefer_bodies(in_file)]
        # Inherited: the class it comes from is named in this file, mostly.
        members = [
            item
            for item in self._definitions(name, site)
            if _is_member(item) and item.facts.path != site.facts.path
        ]
        mentioned = [item for item in members if self._is_mentioned(item, site)]
        if mentioned:
            return self._pick(mentioned)
        return [] if name in COMMON_METHODS else self._pick(members)

    # x.f()

    def _resolve_member(self, call: Call, parts: Sequence[str], site: Site) -> list[Definition]:
        name, owner = call.name, parts[-1]
        imports = site.facts.find_imports(parts[0], site.function)
        if imports and site.language_id in _BINDING_IMPORTS:
            found = self._resolve_through_import(imports, parts, name, site)
            # Otherwise it is an object that a module of the workspace holds.
            if found or not self._is_of_workspace(imports, site):
                return found
        of_type = [
            Definition(site.facts, function)
            for function in _prefer_bodies(site.facts.functions.get(name, []))
            if _last_part(function.container) == owner
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
        hint = _fold(owner)
        found = self._definitions(name, site, hint=owner if is_common else "")
        members = [item for item in found if _is_member(item)]
        named = [item for item in members if _fold(_owner_name(item)) == hint]
        if not named:
            named = [item for item in found if not _is_member(item) and _is_of(item, owner)]
        if not named and len(hint) >= 4:
            named = [item for item in members if hint in _fold(_owner_name(item))]
        if named:
            return self._pick(named)
        if is_common:
            return []
        mentioned = [item for item in members if self._is_mentioned(item, site)]
        return self._pick(mentioned or members)

    # Imports

    def _resolve_imports(
        self, imports: Sequence[Import], name: str, site: Site
    ) -> list[Definition]:
        for item in imports:
            wanted = name if item.name in {"", "*", "default"} else item.name
            found = self._find_in_module(item.module, wanted, site)
            if not found and item.name == "default":
                found = self._find_only_file(item.module, wanted, site)
            if found:
                return found
        return []

    def _resolve_through_import(
        self, imports: Sequence[Import], parts: Sequence[str], name: str, site: Site
    ) -> list[Definition]:
        """Resolve `x.f()` where `x` was imported: a module, or a type in one."""
        for item in imports:
            rest = parts[1:]
            separator = {"rust": "::", "php": "\\"}.get(site.language_id, ".")
            module = item.module
            if item.name not in {"", "*", "default"}:
                joiner = "" if module.endswith(separator) else separator
                module = f"{module}{joiner}{item.name}"
            elif not item.alias and site.language_id == "python":
                module = ".".join(parts[: max(1, len(item.module.split(".")))])
            elif rest and site.language_id == "python":
                module = ".".join([module, *rest])
            found = self._find_in_module(module, name, site)
            if not found:
                owner = parts[-1] if rest else (item.name or parts[0])
                owner = parts[0] if owner in {"*", "default"} else owner
                found = [
                    one
                    for one in self._find_in_module(item.module, name, site, members=True)
                    if _last_part(_container(one)) == owner
                ]
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
            self._in_modules[key] = self._library.definitions(
                name,
                site.facts.family,
                self._budget,
                lambda file: rate_module(module, _pure_path(file.path), path, language_id) > 0,
            )
        found = [
            item
            for item in self._in_modules[key]
            if _is_member(item) is members or (not members and _is_constructor(item))
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
            if folder is not None and _pure_path(file.path).parent != folder:
                return False
            return not hint or any(self._library.file_mentions(file, owner) for owner in owners)

        owners = {hint, "".join(part[:1].upper() + part[1:] for part in hint.split("_"))}
        key = (name, site.facts.family, str(folder), hint)
        if key not in self._by_name:
            self._by_name[key] = self._library.definitions(
                name, site.facts.family, self._budget, accepts
            )
        return self._by_name[key]

    def _is_mentioned(self, item: Definition, site: Site) -> bool:
        owner = _owner_name(item)
        return bool(owner) and self._library.mentions(site.facts, owner)

    def _is_included(self, item: Definition, site: Site) -> bool:
        return any(
            rate_module(one.module, item.facts.pure_path, site.facts.pure_path, site.language_id)
            for one in site.facts.outline.imports
        )

    def _is_of_workspace(self, imports: Sequence[Import], site: Site) -> bool:
        """Say whether something is imported from a file of the workspace."""
        path, language_id = site.facts.pure_path, site.language_id
        for item in imports:
            key = (item.module, language_id, str(path.parent))
            if key not in self._known_modules:
                self._known_modules[key] = any(
                    rate_module(item.module, _pure_path(file.path), path, language_id)
                    for file in self._library.index.files
                    if _last_name(item.module) in file.path
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


def _find_in_scope(name: str, site: Site) -> list[Definition]:
    """Return what a bare name means in its own file, the innermost scope first."""
    definitions = list_definitions(site.facts, name)
    if not definitions:
        return []
    scopes = _list_scopes(site)
    for scope in scopes:
        is_type = scope in site.facts.type_names
        if is_type and site.language_id not in _IMPLICIT_SELF:
            continue
        found = [
            item
            for item in definitions
            if _container(item) == scope and not (_is_constructor(item) and is_type)
        ]
        if found:
            return found
    # A type, by its constructor or itself; or a function of a namespace that is open.
    return [item for item in definitions if not _is_member(item) or _is_constructor(item)][:1]


def _list_scopes(site: Site) -> list[str]:
    scopes = []
    scope = site.function.qualified_name if site.function is not None else ""
    while scope:
        scopes.append(scope)
        scope = scope.rpartition(".")[0]
    return [*scopes, ""]


def _find_class(site: Site) -> str:
    """Return the qualified name of the type around a site."""
    for scope in _list_scopes(site)[1:]:
        if scope in site.facts.type_names:
            return scope
    return site.function.container if site.function is not None else ""


def _split_receiver(receiver: str) -> list[str]:
    """Return the names of `client.users`; an opaque part (a call, an index) as `…`."""
    if not receiver:
        return []
    if receiver in _SELF:
        return [receiver]
    bare = re.sub(r"\([^()]*\)|\[[^\[\]]*\]", "…", receiver.lstrip("$&*@!(").removeprefix("await "))
    return [part.lstrip("$&*@") or "…" for part in _SEPARATOR.split(bare) if part] or ["…"]


def _prefer_bodies(functions: Sequence[Function]) -> list[Function]:
    return [function for function in functions if function.has_body] or list(functions)


def _container(item: Definition) -> str:
    if item.function is None:
        return item.type.qualified_name.rpartition(".")[0] if item.type is not None else ""
    return item.function.container


def _owner_name(item: Definition) -> str:
    return _last_part(item.function.container) if item.function is not None else ""


def _is_member(item: Definition) -> bool:
    return item.function is not None and item.facts.is_member(item.function)


def _is_constructor(item: Definition) -> bool:
    return item.function is None or item.function.kind == "constructor"


def _is_of(item: Definition, owner: str) -> bool:
    """Say whether `owner::f` or `owner.f` names a free function: by namespace or file."""
    path = item.facts.pure_path
    return owner in {_last_part(_container(item)), path.name.partition(".")[0], path.parent.name}


def _is_plain_script(facts: Facts) -> bool:
    """Say whether a JavaScript file is an old-style script, whose names are global."""
    return facts.family == "javascript" and not facts.outline.imports


def _last_part(name: str) -> str:
    return name.rpartition(".")[2]


def _last_name(module: str) -> str:
    """Return the last name of a module, which its path has to hold; empty when there is none."""
    return re.split(r"[./\\:]+", module)[-1] if not module.endswith((".", "/")) else ""


def _fold(name: str) -> str:
    return name.replace("_", "").lower()


@lru_cache(maxsize=32768)
def _pure_path(path: str) -> PurePosixPath:
    return PurePosixPath(path.replace("\\", "/"))
