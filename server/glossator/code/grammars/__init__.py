"""What is particular to each language, as data: a tree-sitter query and a few node types.

A query finds the nodes that matter and names the role of each one with its capture:

| capture | role |
|---|---|
| `@function` `@method` `@constructor` | a definition with a name |
| `@prototype` | a declaration without a body; one inside a function is something else |
| `@binding` | a name with a value that is a function or a class |
| `@object` | a name with a value that holds definitions, such as an object literal |
| `@class` `@interface` `@struct` `@enum` `@trait` `@module` `@namespace` | a type |
| `@package` | a module that holds functions, not methods |
| `@impl` | the body of a type that is defined elsewhere |
| `@wrapper` | a node around one definition that belongs to it: `export …`, `template <…> …` |
| `@decorator` | a decorator, an annotation, an attribute |
| `@comment` | a comment |
| `@call` | a call whose callee is one of its children |
| `@send` | a call that carries receiver and name itself |
| `@token_call` | a name that looks called inside the unparsed arguments of a macro |
| `@import` | an import |

Patterns match one node, or a node and its children: deep patterns are slow on deep input.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from types import MappingProxyType
from typing import Literal

from tree_sitter import Language as TreeSitterLanguage
from tree_sitter import Query

from glossator.code.imports import ImportReader

ValueKind = Literal["function", "lambda", "class", "object"]
Fields = Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Grammar:
    """A language's query and node types.

    Where a field is asked for, "" means the first named child, "-1" the last one, and a name that
    no field has the first child of that type.
    """

    wheel: str
    entry: str = "language"
    query: str
    identifiers: frozenset[str]
    """Nodes that are a name."""
    members: Fields = field(default_factory=dict)
    """Nodes such as `a.b`, and the field of the name in them; what precedes it qualifies it."""
    shells: Fields = field(default_factory=dict)
    """Nodes around a name that say nothing about it, such as `*a` or `a<T>`."""
    function_shells: frozenset[str] = frozenset()
    """What the name of a function stands in directly, where macros look like functions."""
    calls: Fields = field(default_factory=dict)
    """Calls, and the field of their callee."""
    bodies: tuple[str, ...] = ("body",)
    """The fields of a definition in which its body may stand."""
    names: Fields = field(default_factory=dict)
    """Definitions, and the field of their name where it is not `name`."""
    owners: Fields = field(default_factory=dict)
    """Definitions with a field that says whose method they are, as Go's receiver."""
    bindings: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    """Bindings, and the fields of their name and value."""
    values: Mapping[str, ValueKind] = field(default_factory=dict)
    """What a value that is bound can be."""
    value_shells: Fields = field(default_factory=dict)
    """Nodes around such a value, as in `memo(() => …)`."""
    head_ends_with_parameters: bool = False
    """Whether the signature ends there, because nothing marks the beginning of the body."""
    head_stops: frozenset[str] = frozenset()
    """Children before which the signature ends, although the body begins later."""
    constructors: frozenset[str] = frozenset()
    """Names of methods that construct."""
    constructor_is_named_as_type: bool = False
    transparent: frozenset[str] = frozenset()
    """Qualifiers that add nothing to a qualified name, as JavaScript's `exports`."""
    constructing_message: str = ""
    """The name of a method that constructs its receiver, as Ruby's `new`."""
    doc_comments: tuple[str, ...] = ()
    """How comments begin that are documentation."""
    has_docstrings: bool = False
    is_async_known: bool = False
    read_imports: ImportReader


@dataclass(frozen=True, slots=True)
class LoadedGrammar:
    """A grammar with its parser tables and its compiled query; safe to share between threads."""

    grammar: Grammar
    language: TreeSitterLanguage
    query: Query


_MODULES: Mapping[str, str] = MappingProxyType(
    {
        "python": "python:PYTHON",
        "javascript": "javascript:JAVASCRIPT",
        "typescript": "javascript:TYPESCRIPT",
        "tsx": "javascript:TSX",
        "go": "go:GO",
        "java": "java:JAVA",
        "rust": "rust:RUST",
        "c": "c_family:C",
        "cpp": "c_family:CPP",
        "csharp": "csharp:CSHARP",
        "ruby": "ruby:RUBY",
        "php": "php:PHP",
    }
)


@cache
def load_grammar(language_id: str) -> LoadedGrammar:
    """Load one language; the others stay on the disk."""
    module, _, name = _MODULES[language_id].partition(":")
    grammar: Grammar = getattr(import_module(f"{__name__}.{module}"), name)
    entry: Callable[[], object] = getattr(import_module(grammar.wheel), grammar.entry)
    language = TreeSitterLanguage(entry())
    return LoadedGrammar(grammar, language, Query(language, grammar.query))
