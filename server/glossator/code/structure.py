"""From the nodes that a query found to functions, types, imports and calls.

One sweep over the nodes in source order with a stack of what is open: no recursion and no walk
up a tree, so that neither deep nor wide code is slow.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

from tree_sitter import Node

from glossator.code.calls import read_call
from glossator.code.captures import (
    Captured,
    Captures,
    capture,
    capture_around,
    order_captures,
)
from glossator.code.definitions import (
    Call,
    Function,
    FunctionExtent,
    FunctionKind,
    Import,
    TypeDefinition,
    TypeKind,
)
from glossator.code.grammars import Grammar, LoadedGrammar
from glossator.code.heads import Bounds, HeadReader
from glossator.code.naming import (
    Name,
    find_child,
    find_name,
    join_names,
    normalise_qualifier,
    read_owner,
    read_receiver,
)
from glossator.code.positions import CodeText
from glossator.core.locations import Point

_TYPE_KINDS: dict[str, TypeKind] = {
    "class": "class",
    "interface": "interface",
    "struct": "struct",
    "enum": "enum",
    "trait": "trait",
    "module": "module",
    "package": "module",
    "namespace": "namespace",
}
_HOLDS_METHODS = frozenset(
    {"class", "interface", "struct", "enum", "trait", "module", "impl", "object"}
)
_MAX_VALUE_SHELLS = 8
_MAX_IMPORT = 20_000
_MAX_ODD_NAME = 80

_MUTED = -2
_NO_FUNCTION = -1


@dataclass(frozen=True, slots=True)
class Structure:
    """What `read_structure` found, each in source order."""

    functions: tuple[Function, ...]
    types: tuple[TypeDefinition, ...]
    imports: tuple[Import, ...]
    module_calls: tuple[Call, ...]
    anchors: tuple[Point, ...]


@dataclass(slots=True)
class _Scope:
    """Something that is open: definitions up to `end` belong to it."""

    end: int
    name: str
    kind: str
    function: int = _NO_FUNCTION
    is_rest_of_file: bool = False


@dataclass(slots=True)
class _Draft:
    """A function whose calls are still being collected, and whose head was not read."""

    node: Node
    value: Node
    name: Name
    bounds: Bounds
    container: str
    kind: FunctionKind
    calls: list[Call] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _TypeDraft:
    """A type whose head was not read."""

    node: Node
    value: Node
    name: Name
    bounds: Bounds
    qualified_name: str
    kind: TypeKind


def read_structure(root: Node, loaded: LoadedGrammar, source: CodeText) -> Structure:
    """Return the structure of a parsed text."""
    captures = capture(root, loaded)
    sweep = _sweep(captures, loaded.grammar, source)
    return sweep.finish(_read_imports(captures.get("import", ()), loaded.grammar, source))


def find_extents(
    root: Node, loaded: LoadedGrammar, source: CodeText, start: int, end: int
) -> tuple[FunctionExtent, ...]:
    """Return the extents of the functions that touch a part of a parsed text, in source order."""
    captures = capture_around(root, loaded, source.data, start, end)
    return _sweep(captures, loaded.grammar, source).find_extents()


def _sweep(captures: Captures, grammar: Grammar, source: CodeText) -> "_Sweep":
    heads = HeadReader(grammar, source, captures.get("comment", ()), captures.get("decorator", ()))
    sweep = _Sweep(grammar, source, heads)
    sweep.run(order_captures(captures))
    return sweep


class _Sweep:
    """The state of one pass over the nodes of a text."""

    def __init__(self, grammar: Grammar, source: CodeText, heads: HeadReader) -> None:
        self._grammar = grammar
        self._source = source
        self._heads = heads
        self._scopes = [_Scope(len(source.data) + 1, "", "")]
        self._drafts: list[_Draft] = []
        self._types: list[_TypeDraft] = []
        self._module_calls: list[Call] = []
        self._bound: set[tuple[int, int]] = set()

    def run(self, nodes: Iterable[Captured]) -> None:
        scopes = self._scopes
        for start, negative_end, _, _, role, node in nodes:
            while scopes[-1].end <= start:
                scopes.pop()
            if role in ("call", "send", "token_call"):
                self._add_call(node, role)
            elif role == "wrapper":
                self._heads.open_wrapper(node)
            elif role == "decorator":
                self._open_decorator(node, -negative_end)
            elif role in ("binding", "object"):
                self._add_binding(node, role)
            elif role in _TYPE_KINDS:
                self._add_type(node, role, self._find_definition_name(node), node)
            elif role == "impl":
                self._open_impl(node)
            elif (start, -negative_end) not in self._bound:
                self._add_function(node, role, self._find_definition_name(node), node)

    def finish(self, imports: tuple[Import, ...]) -> Structure:
        drafts = self._order_drafts()
        return Structure(
            functions=tuple(self._finish_function(draft) for draft in drafts),
            types=tuple(self._finish_type(draft) for draft in self._types),
            imports=imports,
            module_calls=_order_calls(self._module_calls),
            anchors=tuple(self._find_anchor(draft.bounds.start) for draft in drafts),
        )

    def find_extents(self) -> tuple[FunctionExtent, ...]:
        source = self._source
        return tuple(
            FunctionExtent(
                self._find_anchor(draft.bounds.start),
                source.point(draft.bounds.end),
                source.range(draft.name.start, draft.name.end),
            )
            for draft in self._order_drafts()
        )

    def _order_drafts(self) -> list[_Draft]:
        return sorted(self._drafts, key=lambda draft: draft.bounds.start)

    def _find_definition_name(self, node: Node) -> Name | None:
        """Return the name of a definition, "" is no name and neither is a piece of broken code."""
        field_name = self._grammar.names.get(node.type, "name")
        name = find_name(find_child(node, field_name), self._grammar)
        if name is None or name.is_identifier:
            return name
        text = self._source.data[name.start : name.end]
        return name if len(text) <= _MAX_ODD_NAME and b"\n" not in text else None

    def _read_container(self, node: Node, name: Name) -> tuple[str, str]:
        """Return what a definition stands in, and the part of it that its own head says."""
        grammar, source = self._grammar, self._source
        if (owner_field := grammar.owners.get(node.type)) is not None:
            owner_node = find_child(node, owner_field)
            owner = ""
            if owner_node is not None:
                text = source.slice(owner_node.start_byte, owner_node.end_byte)
                owner = read_owner(text, grammar)
        else:
            owner = normalise_qualifier(read_receiver(name, source), grammar)
        return join_names(self._scopes[-1].name, owner), owner

    def _add_function(self, node: Node, role: str, name: Name | None, value: Node) -> None:
        scope = self._scopes[-1]
        if name is None or not self._is_function(node, role, name, scope):
            return
        container, owner = self._read_container(node, name)
        text = self._source.slice(name.start, name.end)
        is_method = bool(owner) or scope.kind in _HOLDS_METHODS
        bounds = self._heads.find_bounds(node)
        kind = self._find_kind(role, text, container, is_method=is_method)
        self._drafts.append(_Draft(node, value, name, bounds, container, kind))
        function = len(self._drafts) - 1
        end = max(node.end_byte, bounds.end)
        self._scopes.append(_Scope(end, join_names(container, text), "function", function))

    def _is_function(self, node: Node, role: str, name: Name, scope: _Scope) -> bool:
        """Say whether this is what it looks like: variables and macros can look the same."""
        shells = self._grammar.function_shells
        if shells and role in ("function", "prototype") and name.shell not in shells:
            return False
        if role != "prototype":
            return True
        if not shells or node.child_by_field_name("type") is not None:
            return scope.function < 0
        # Without a type it is a constructor, or the use of a macro.
        text = self._source.slice(name.start, name.end)
        return not text.isidentifier() or text == scope.name.rpartition(".")[2]

    def _find_kind(self, role: str, name: str, container: str, *, is_method: bool) -> FunctionKind:
        grammar = self._grammar
        if role == "constructor":
            return "constructor"
        if not is_method:
            return "lambda" if role == "lambda" else "method" if role == "method" else "function"
        if name in grammar.constructors:
            return "constructor"
        if grammar.constructor_is_named_as_type and name == container.rpartition(".")[2]:
            return "constructor"
        return "method"

    def _add_binding(self, node: Node, role: str) -> None:
        grammar, source = self._grammar, self._source
        name_field, value_field = grammar.bindings[node.type]
        value = self._find_value(find_child(node, value_field))
        name = find_name(find_child(node, name_field), grammar)
        if value is None or name is None or not name.is_identifier:
            return
        kind = grammar.values.get(value.type)
        if kind is None and role == "binding":
            return
        if kind is None or kind == "object" or role == "object":
            container, _ = self._read_container(node, name)
            text = normalise_qualifier(source.slice(name.start, name.end), grammar)
            scope = self._scopes[-1]
            self._scopes.append(
                _Scope(node.end_byte, join_names(container, text), "object", scope.function)
            )
            return
        self._bound.add((value.start_byte, value.end_byte))
        if source.slice(name.start, name.end) in grammar.transparent:
            name = find_name(value.child_by_field_name("name"), grammar) or name
        if kind == "class":
            self._add_type(node, "class", name, value)
        else:
            self._add_function(node, kind, name, value)

    def _find_value(self, node: Node | None) -> Node | None:
        grammar = self._grammar
        for _ in range(_MAX_VALUE_SHELLS):
            if node is None or node.type in grammar.values:
                return node
            if (shell := grammar.value_shells.get(node.type)) is None:
                return node
            node = find_child(node, shell)
        return node

    def _add_type(self, node: Node, role: str, name: Name | None, value: Node) -> None:
        if (value is node and (node.start_byte, node.end_byte) in self._bound) or name is None:
            return
        kind = _TYPE_KINDS[role]
        is_rest_of_file = kind == "namespace" and value.child_by_field_name("body") is None
        if is_rest_of_file and self._scopes[-1].is_rest_of_file:
            self._scopes.pop()
        scope = self._scopes[-1]
        container, _ = self._read_container(node, name)
        text = self._source.slice(name.start, name.end)
        qualified_name = join_names(container, normalise_qualifier(text, self._grammar) or text)
        bounds = self._heads.find_bounds(node)
        self._types.append(_TypeDraft(node, value, name, bounds, qualified_name, kind))
        end = len(self._source.data) + 1 if is_rest_of_file else max(node.end_byte, bounds.end)
        self._scopes.append(_Scope(end, qualified_name, role, scope.function, is_rest_of_file))

    def _open_impl(self, node: Node) -> None:
        scope = self._scopes[-1]
        type_node = find_child(node, self._grammar.names[node.type])
        text = ""
        if type_node is not None:
            text = self._source.slice(type_node.start_byte, type_node.end_byte)
        name = join_names(scope.name, read_owner(text, self._grammar))
        self._scopes.append(_Scope(node.end_byte, name, "impl", scope.function))

    def _open_decorator(self, node: Node, end: int) -> None:
        """Count a decorator as called where the definition stands, an annotation as nothing."""
        scope = self._scopes[-1]
        is_called = node.type in self._grammar.calls
        owner = scope.function if is_called else _MUTED
        self._scopes.append(_Scope(end, scope.name, "decorator", owner))
        if is_called:
            self._add_call(node, "call")

    def _add_call(self, node: Node, role: str) -> None:
        owner = self._scopes[-1].function
        if owner == _MUTED:
            return
        call = read_call(node, role, self._grammar, self._source)
        if call is not None:
            calls = self._module_calls if owner == _NO_FUNCTION else self._drafts[owner].calls
            calls.append(call)

    def _finish_function(self, draft: _Draft) -> Function:
        source, name, bounds = self._source, draft.name, draft.bounds
        head = self._heads.read(draft.node, name, draft.value, bounds)
        text = source.slice(name.start, name.end)
        return Function(
            name=text,
            qualified_name=join_names(draft.container, text),
            kind=draft.kind,
            range=source.range(bounds.start, bounds.end),
            name_range=source.range(name.start, name.end),
            signature=head.signature,
            documentation=head.documentation,
            decorators=head.decorators,
            is_async=head.is_async,
            container=draft.container,
            calls=_order_calls(draft.calls),
            has_body=head.has_body,
        )

    def _finish_type(self, draft: _TypeDraft) -> TypeDefinition:
        source, name, bounds = self._source, draft.name, draft.bounds
        head = self._heads.read(draft.node, name, draft.value, bounds)
        return TypeDefinition(
            name=source.slice(name.start, name.end),
            qualified_name=draft.qualified_name,
            kind=draft.kind,
            range=source.range(bounds.start, bounds.end),
            name_range=source.range(name.start, name.end),
            documentation=head.documentation,
        )

    def _find_anchor(self, start: int) -> Point:
        line_start = self._source.line_start(start)
        is_indented = self._source.is_blank(line_start, start)
        return self._source.point(line_start if is_indented else start)


def _order_calls(calls: list[Call]) -> tuple[Call, ...]:
    """Order by name: in a chain `a().b()` the first call is the last one to begin to be read."""
    return tuple(sorted(calls, key=lambda call: (call.point.line, call.point.column)))


def _read_imports(nodes: Iterable[Node], grammar: Grammar, source: CodeText) -> tuple[Import, ...]:
    imports: list[Import] = []
    for node in sorted(nodes, key=lambda node: node.start_byte):
        line = source.point(node.start_byte).line
        text = source.slice(node.start_byte, min(node.end_byte, node.start_byte + _MAX_IMPORT))
        imports.extend(
            Import(module, name, alias, line) for module, name, alias in grammar.read_imports(text)
        )
    return tuple(imports)
