"""Which lines of a Python text a coverage report counts, for reports that only say what ran.

As coverage.py does with its default settings: a statement counts by its first line, a docstring
and a declaration do not count, and what is marked `pragma: no cover` is left out with its body.
"""

import re
from dataclasses import dataclass

from tree_sitter import Node

from glossator.code.languages import Language
from glossator.code.syntax import parse_syntax

# Heads of blocks; each counts by itself, whatever its body does.
_COMPOUND = frozenset(
    {"if_statement", "for_statement", "while_statement", "with_statement", "try_statement",
     "match_statement", "function_definition", "class_definition"}
)  # fmt: skip
_CLAUSES = frozenset(
    {"elif_clause", "else_clause", "except_clause", "except_group_clause", "finally_clause",
     "case_clause"}
)  # fmt: skip
_UNCOUNTED = frozenset({"else_clause", "finally_clause"})
_SIMPLE = frozenset(
    {"expression_statement", "return_statement", "pass_statement", "break_statement",
     "continue_statement", "raise_statement", "assert_statement", "delete_statement",
     "import_statement", "import_from_statement", "future_import_statement", "print_statement",
     "exec_statement", "type_alias_statement"}
)  # fmt: skip
_STRINGS = frozenset({"string", "concatenated_string"})
_PRAGMA = re.compile(r"#\s*(?:pragma|PRAGMA)[:\s]?\s*(?:no|NO)\s*(?:cover|COVER)")
_STUB = re.compile(r"^\s*(?:(?:(?:async )?def .*?)?\)(?:\s*->.*?)?:\s*)?\.\.\.\s*(?:#|$)")
_TYPE_CHECKING = re.compile(r"if (?:typing\.)?TYPE_CHECKING:")
_MAX_DEPTH = 1000


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement that counts. It ran when any of its own lines did; a body is none of them."""

    first_line: int
    last_line: int


def list_statements(text: str, python: Language) -> tuple[Statement, ...]:
    """Return the statements of a Python text that count, in the order of their lines."""
    return _Reader(text, python).read()


class _Reader:
    def __init__(self, text: str, python: Language) -> None:
        self._syntax = parse_syntax(text, python)
        self._lines = self._syntax.source.text.split("\n")
        self._found: dict[int, int] = {}

    def read(self) -> tuple[Statement, ...]:
        waiting = [(self._syntax.tree.root_node, 0)]
        while waiting:
            node, depth = waiting.pop()
            inner = self._enter(node)
            if depth < _MAX_DEPTH:
                waiting += [(child, depth + 1) for child in inner]
        return tuple(Statement(first, last) for first, last in sorted(self._found.items()))

    def _enter(self, node: Node) -> list[Node]:
        """Count a node if it is a statement; return the nodes in it that may hold others."""
        kind = node.type
        if kind == "decorated_definition":
            is_excluded = self._is_excluded(node, node.child_by_field_name("definition") or node)
            return [] if is_excluded else node.named_children
        if kind in _COMPOUND or kind in _CLAUSES:
            if self._is_excluded(node, node):
                # What is left out ends with its block: another clause is one of its own.
                return [child for child in node.named_children if child.type in _CLAUSES]
            if kind not in _UNCOUNTED:
                self._add(node, self._find_head_end(node))
            return node.named_children
        if kind in _SIMPLE or kind == "decorator":
            if kind == "decorator" or self._counts(node):
                self._add(node, self._line_at(node.end_byte))
            return []
        return node.named_children

    def _add(self, node: Node, last_line: int) -> None:
        first = self._line_at(node.start_byte)
        self._found[first] = max(self._found.get(first, 0), last_line)

    def _line_at(self, offset: int) -> int:
        return self._syntax.source.point(offset).line

    def _find_head_end(self, node: Node) -> int:
        body = node.child_by_field_name("body") or node.child_by_field_name("consequence")
        if body is None:
            body = next((child for child in node.named_children if child.type == "block"), None)
        first = self._line_at(node.start_byte)
        if body is None:
            return first
        start = self._line_at(body.start_byte)
        return start if start == first else max(start - 1, first)

    def _counts(self, node: Node) -> bool:
        """Say whether a simple statement leaves anything that could run."""
        if self._has_mark(self._line_at(node.start_byte), self._line_at(node.end_byte)):
            return False
        if node.type != "expression_statement":
            return True
        values = [child for child in node.named_children if child.type != "comment"]
        value = values[0] if len(values) == 1 else node
        if value.type == "assignment" and value.child_by_field_name("right") is None:
            target = value.child_by_field_name("left")
            is_name = target is not None and target.type == "identifier"
            return not (is_name and self._is_in_function(node))
        return value.type not in _STRINGS or not _is_docstring(node)

    def _is_in_function(self, node: Node) -> bool:
        above = node.parent
        while above is not None and above.type != "class_definition":
            if above.type == "function_definition":
                return True
            above = above.parent
        return False

    def _is_excluded(self, node: Node, head: Node) -> bool:
        return self._has_mark(self._line_at(node.start_byte), self._find_head_end(head))

    def _has_mark(self, first: int, last: int) -> bool:
        return any(
            _PRAGMA.search(line) or _STUB.search(line) or _TYPE_CHECKING.search(line)
            for line in self._lines[first - 1 : last]
        )


def _is_docstring(node: Node) -> bool:
    """Say whether a string stands first in a module, class or function."""
    block = node.parent
    if block is None or any(
        child.type != "comment"
        for child in block.named_children
        if child.end_byte <= node.start_byte
    ):
        return False
    owner = block.parent
    return owner is None or owner.type in {"function_definition", "class_definition"}
