"""Calls: what is called, and on what."""

import re

from tree_sitter import Node

from glossator.code.definitions import Call
from glossator.code.grammars import Grammar
from glossator.code.naming import find_child, find_name, read_receiver
from glossator.code.positions import CodeText

_MAX_TEXT = 160
_LOOK_BACK = 80
_TOKEN_RECEIVER = re.compile(r"([\w:]+(?:\.[\w:]+)*|[)\]?}])\s*(?:\.|::)\s*\Z")
_SEPARATORS = frozenset({".", "::"})
_CONSTRUCTED = frozenset({"constant", "scope_resolution"})


def read_call(node: Node, role: str, grammar: Grammar, source: CodeText) -> Call | None:
    """Return the call that `node` is, or None when what is called has no name."""
    if role == "token_call":
        return _read_token_call(node, source)
    callee = node if role == "send" else find_child(node, grammar.calls[node.type])
    name = find_name(callee, grammar)
    if name is None or not name.is_identifier:
        return None
    if grammar.constructing_message:
        receiver_node = node.child_by_field_name("receiver")
        if (
            receiver_node is not None
            and receiver_node.type in _CONSTRUCTED
            and source.data[name.start : name.end] == grammar.constructing_message.encode()
        ):
            name = find_name(receiver_node, grammar) or name
    start, end = node.start_byte, node.end_byte
    text = source.slice(start, min(end, start + _MAX_TEXT))
    return Call(
        name=source.slice(name.start, name.end),
        receiver=read_receiver(name, source),
        point=source.point(name.start),
        text=" ".join(text.split()) + ("…" if end > start + _MAX_TEXT else ""),
    )


def _read_token_call(node: Node, source: CodeText) -> Call:
    """Read a name before parentheses in a macro's arguments, where no tree says what is called."""
    start, end = node.start_byte, node.end_byte
    name = source.slice(start, end)
    line_start = source.line_start(start)
    before = source.slice(max(line_start, start - _LOOK_BACK), start)
    if before.strip() in _SEPARATORS:
        # A chain that goes on from the line above.
        before = source.slice(max(0, start - _LOOK_BACK), start)
    match = _TOKEN_RECEIVER.search(before)
    receiver = ""
    if match is not None:
        receiver = match[1] if match[1][-1].isalnum() or match[1][-1] == "_" else "…"
    written = before[match.start() :].strip() if match and receiver != "…" else ""
    return Call(name, receiver, source.point(start), f"{written}{name}(…)")
