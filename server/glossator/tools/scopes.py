"""Names and scopes in one file: what a call's receiver says, and what a bare name means."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import PurePosixPath

from glossator.code.outline import Function, Import
from glossator.tools.facts import Facts
from glossator.tools.glances import list_declared_types
from glossator.tools.source_files import Definition, list_definitions

SUPER_WORDS = frozenset({"super", "super()", "parent", "base"})
SELF_WORDS = frozenset({"self", "this", "cls", "Self", "static"}) | SUPER_WORDS
# In other languages these are names like any other.
_NAMES_ELSEWHERE = {
    "parent": {"php"},
    "base": {"csharp"},
    "cls": {"python"},
    "static": {"php"},
    "self": {"python", "rust", "ruby", "php"},
}
# A bare name may be a member of the class around it, or of what that extends.
IMPLICIT_SELF = frozenset({"java", "csharp", "cpp", "ruby"})
_SEPARATOR = re.compile(r"\?\.|\.|::|->|\\")
# `Store()`, `new shop.Store(1)`, `&Store{}`: an object of that type, by the capital letter.
_CONSTRUCTION = re.compile(
    r"[(&*\s]*(?:await\s+)?(?:new\s+)?(?P<type>(?:[\w$]+(?:\.|::|\\))*[A-Z]\w*)"
    r"(?:<[^<>]*>)?(?:\([^()]*\)|\{[^{}]*\})\)*"
)
# `((Store) thing)`, `(thing as Store)`.
_CAST = re.compile(
    r"\(\s*(?:\(\s*(?P<before>(?:\w+\.)*[A-Z]\w*)(?:<[^<>]*>)?\s*\)\s*[\w.$]+(?:\([^()]*\))?"
    r"|[\w.$]+\s+as\s+(?P<behind>(?:\w+\.)*[A-Z]\w*)(?:<[^<>]*>)?)\s*\)"
)


@dataclass(frozen=True, slots=True)
class Site:
    """Where a call stands."""

    facts: Facts
    function: Function | None

    @property
    def language_id(self) -> str:
        """The language of the file."""
        return self.facts.language.id


def list_modules(item: Import, language_id: str) -> list[str]:
    """Return what an import may name as a module: with the imported name in it, and without."""
    if item.name in {"", "*", "default"}:
        return [item.module]
    separator = {"rust": "::", "php": "\\"}.get(language_id, ".")
    if language_id in {"javascript", "typescript", "tsx"}:
        return [item.module]
    joiner = "" if item.module.endswith(separator) else separator
    return [f"{item.module}{joiner}{item.name}", item.module]


def find_in_scope(name: str, site: Site) -> list[Definition]:
    """Return what a bare name means in its own file, the innermost scope first."""
    definitions = list_definitions(site.facts, name)
    if not definitions:
        return []
    scopes = _list_scopes(site)
    for scope in scopes:
        is_type = scope in site.facts.type_names
        if is_type and site.language_id not in IMPLICIT_SELF:
            continue
        found = [
            item
            for item in definitions
            if container_of(item) == scope and not (is_constructor(item) and is_type)
        ]
        if found:
            return found
    # A type, by its constructor or itself; or a function of a namespace that is open.
    return [item for item in definitions if not is_member(item) or is_constructor(item)][:1]


def _list_scopes(site: Site) -> list[str]:
    scopes = []
    scope = site.function.qualified_name if site.function is not None else ""
    while scope:
        scopes.append(scope)
        scope = scope.rpartition(".")[0]
    return [*scopes, ""]


def find_class(site: Site) -> str:
    """Return the qualified name of the type around a site."""
    for scope in _list_scopes(site)[1:]:
        if scope in site.facts.type_names:
            return scope
    return site.function.container if site.function is not None else ""


def split_receiver(receiver: str) -> list[str]:
    """Return the names of `client.users`; an opaque part (a call, an index) as `…`."""
    if not receiver:
        return []
    if receiver in SELF_WORDS:
        return [receiver]
    made = _CONSTRUCTION.fullmatch(receiver)
    cast = _CAST.fullmatch(receiver)
    if made:
        receiver = made["type"]
    elif cast:
        receiver = cast["before"] or cast["behind"]
    bare = re.sub(r"\([^()]*\)|\[[^\[\]]*\]", "…", receiver.lstrip("$&*@!(").removeprefix("await "))
    return [part.lstrip("$&*@") or "…" for part in _SEPARATOR.split(bare) if part] or ["…"]


def is_self_word(name: str, language_id: str) -> bool:
    """Say whether a receiver is the object around, or what its class extends."""
    return name in SELF_WORDS and language_id in _NAMES_ELSEWHERE.get(name, {language_id})


def find_declared_type(name: str, function: Function | None) -> str:
    """Return the type that a function's head gives to its parameter `name`, "" when none.

    Types begin with a capital letter here: `store: "Store"`, `Store store`, `store *shop.Store`.
    """
    if function is None or not name.isidentifier():
        return ""
    return next(list_declared_types(name, function.signature), "")


def prefer_bodies(functions: Sequence[Function]) -> list[Function]:
    return [function for function in functions if function.has_body] or list(functions)


def container_of(item: Definition) -> str:
    if item.function is None:
        return item.type.qualified_name.rpartition(".")[0] if item.type is not None else ""
    return item.function.container


def owner_of(item: Definition) -> str:
    return last_part(item.function.container) if item.function is not None else ""


def is_member(item: Definition) -> bool:
    return item.function is not None and item.facts.is_member(item.function)


def is_constructor(item: Definition) -> bool:
    return item.function is None or item.function.kind == "constructor"


def is_named_by(item: Definition, owner: str) -> bool:
    """Say whether `owner::f` or `owner.f` names a free function: by namespace or file."""
    path = item.facts.pure_path
    return owner in {last_part(container_of(item)), path.name.partition(".")[0], path.parent.name}


def is_plain_script(facts: Facts) -> bool:
    """Say whether a JavaScript file is an old-style script, whose names are global."""
    return facts.family == "javascript" and not facts.outline.imports


def is_type_name(name: str) -> bool:
    """Say whether a receiver is written like a type, whose members are found by its name."""
    return name[:1].isupper() and not name.isupper() and "…" not in name


def last_part(name: str) -> str:
    return name.rpartition(".")[2]


def last_module_name(module: str) -> str:
    """Return the last name of a module, which its path has to hold; empty when there is none."""
    return re.split(r"[./\\:]+", module)[-1] if not module.endswith((".", "/")) else ""


def fold(name: str) -> str:
    return name.replace("_", "").lower()


@lru_cache(maxsize=32768)
def pure_path(path: str) -> PurePosixPath:
    return PurePosixPath(path.replace("\\", "/"))
