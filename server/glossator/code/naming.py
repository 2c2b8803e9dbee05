"""Where the name of a definition or of a callee stands, and what stands before it."""

import re
from typing import NamedTuple

from tree_sitter import Node

from glossator.code.grammars import Grammar
from glossator.code.positions import CodeText

_MAX_STEPS = 64
_MAX_QUALIFIER = 200
_MAX_RECEIVER = 160
_QUOTED_NAMES = frozenset({"string", "simple_symbol", "template_string", "string_literal"})
_SEPARATOR = re.compile(
    r"\s*[?!&]?(?:\.\*?|::|->\*?|\\|:)"
    r"(?:\s|//[^\n]*\n|/\*(?:[^*]|\*(?!/))*\*/|\\\r?\n|template\b)*\Z"
)
_GENERICS = re.compile(r"<[^<>]*>|\[[^\[\]]*\]")
_PLAIN_NAME = re.compile(r"[\w$@?!~]+(?:\.[\w$@?!~]+)*")
_OWNER_WORD = re.compile(r"[\w.]+")


class Name(NamedTuple):
    """A name between two byte offsets. What qualifies it begins at `qualified_start`.

    `shell` is the type of the last node that was opened to reach the name, "" for none.
    """

    start: int
    end: int
    qualified_start: int
    shell: str
    is_identifier: bool


def find_child(node: Node, name: str) -> Node | None:
    """Return the child that a grammar's table asks for (see `Grammar`)."""
    if name == "":
        return next((child for child in node.named_children if not child.is_extra), None)
    if name == "-1":
        return node.named_child(node.named_child_count - 1) if node.named_child_count else None
    found = node.child_by_field_name(name)
    if found is None:
        found = next((child for child in node.children if child.type == name), None)
    return found


def find_name(node: Node | None, grammar: Grammar) -> Name | None:
    """Open `node` until its name is reached: `b` in `(*a.b<T>)`."""
    shell, qualified_start, is_qualified = "", node.start_byte if node is not None else 0, False
    for _ in range(_MAX_STEPS):
        if node is None:
            return None
        node_type = node.type
        if (member := grammar.members.get(node_type)) is not None:
            is_qualified = True
            node = find_child(node, member)
        elif (inner := grammar.shells.get(node_type)) is not None:
            shell = node_type
            node = find_child(node, inner)
            if node is not None and not is_qualified:
                qualified_start = node.start_byte
        else:
            return _make_name(node, node_type, qualified_start, shell, grammar)
    return None


def _make_name(
    node: Node, node_type: str, qualified_start: int, shell: str, grammar: Grammar
) -> Name | None:
    start, end = node.start_byte, node.end_byte
    is_identifier = node_type in grammar.identifiers
    if node_type in _QUOTED_NAMES:
        is_identifier = True
        qualified_start = start = start + 1
        end -= node_type != "simple_symbol"
    elif node_type == "operator_cast":
        shell, parameters = node_type, node.child_by_field_name("declarator")
        end = parameters.start_byte if parameters is not None else end
    if start >= end:
        return None
    return Name(start, end, min(qualified_start, start), shell, is_identifier)


def read_receiver(name: Name, source: CodeText) -> str:
    """Return what stands before a name, without the dot or arrow, on one line, cut when long."""
    start = name.qualified_start
    if start == name.start:
        return ""
    text = source.slice(start, min(name.start, start + _MAX_RECEIVER))
    if name.start > start + _MAX_RECEIVER:
        return " ".join(text.split()) + "…"
    return " ".join(_SEPARATOR.sub("", text).split())


def normalise_qualifier(text: str, grammar: Grammar) -> str:
    """Return a qualifier as a dotted name: `ns::Foo<T>` becomes `ns.Foo`; "" if it is none."""
    text = text[:_MAX_QUALIFIER]
    if not text or text in grammar.transparent:
        return ""
    previous = None
    while previous != text:
        previous, text = text, _GENERICS.sub("", text)
    text = re.sub(r"\s*(?:::|\\|->|\.)\s*", ".", text).strip(". ")
    text = text.removesuffix(".prototype")
    for prefix in grammar.transparent:
        text = text.removeprefix(f"{prefix}.")
    return text if _PLAIN_NAME.fullmatch(text) and text not in grammar.transparent else ""


def read_owner(text: str, grammar: Grammar) -> str:
    """Return the type in a receiver: `Server` for Go's `(s *Server[T])` and Rust's `&'a Server`."""
    text = text[:_MAX_QUALIFIER]
    if text in grammar.transparent:
        return ""
    words = _OWNER_WORD.findall(_GENERICS.sub("", text).replace("::", "."))
    return words[-1] if words else ""


def join_names(container: str, *names: str) -> str:
    """Join names by dots; a name that hundreds of nested definitions make long loses its start."""
    joined = ".".join(part for part in (container, *names) if part)
    return joined if len(joined) <= 2 * _MAX_QUALIFIER else "…" + joined[-_MAX_QUALIFIER:]
