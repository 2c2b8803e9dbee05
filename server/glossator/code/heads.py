"""The head of a definition: its range, signature, decorators and documentation."""

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

from tree_sitter import Node

from glossator.code.documentation import read_comments, read_docstring
from glossator.code.grammars import Grammar
from glossator.code.naming import Name
from glossator.code.positions import CodeText
from glossator.core.text import split_lines

_MAX_SIGNATURE = 1000
_MAX_DECORATOR = 300
_ASYNC = re.compile(r"(?<![\w$.])async(?![\w$])")
# Line breaks inside brackets, and the comma before the last one, go as if they had never been.
_BREAK_AT_BRACKET = re.compile(r"(?<=[(\[])\n|,?\n(?=[)\]])")
_BODY_TYPES = frozenset({"block", "statement_block"})


@dataclass(frozen=True, slots=True)
class Bounds:
    """From where to where a definition reaches, in byte offsets.

    `start` is before its decorators, `head_start` after them. `comments` are those that document
    it from above.
    """

    start: int
    head_start: int
    end: int
    comments: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Head:
    """What is read from a definition besides its name and bounds."""

    signature: str
    documentation: str
    decorators: tuple[str, ...]
    is_async: bool
    has_body: bool


@dataclass(slots=True)
class _Wrapper:
    """A node around a definition; `only` is the one definition that it can belong to."""

    node: Node
    start: int
    end: int
    only: tuple[int, int] | None = None
    is_read: bool = False


@dataclass(frozen=True, slots=True)
class _Aside:
    """A comment or a decorator."""

    start: int
    end: int
    is_comment: bool


class HeadReader:
    """Finds bounds in source order, so that wrappers are known before what they wrap.

    Heads are read in any order afterwards: not everyone who asks for bounds needs them.
    """

    def __init__(
        self,
        grammar: Grammar,
        source: CodeText,
        comments: Sequence[Node],
        decorators: Sequence[Node],
    ) -> None:
        self._grammar = grammar
        self._source = source
        self._wrappers: list[_Wrapper] = []
        asides = [_Aside(node.start_byte, node.end_byte, True) for node in comments]
        asides.extend(_Aside(node.start_byte, node.end_byte, False) for node in decorators)
        self._asides = sorted(asides, key=lambda aside: aside.start)
        self._starts = [aside.start for aside in self._asides]

    def open_wrapper(self, node: Node) -> None:
        """Remember a wrapper for the definitions that follow."""
        self._wrappers.append(_Wrapper(node, node.start_byte, node.end_byte))

    def find_bounds(self, node: Node) -> Bounds:
        """Return the bounds of a definition."""
        head_start, end = self._unwrap(node.start_byte, node.end_byte)
        start, comments = self._read_before(head_start)
        return Bounds(start, head_start, end, comments)

    def read(self, node: Node, name: Name, value: Node, bounds: Bounds) -> Head:
        """Return the head of `node`; `value` is the part of it with parameters and body."""
        body = self._find_body(value)
        start = bounds.head_start
        head_end = self._find_head_end(node, name, value, body)
        return Head(
            signature=self._read_signature(start, name, head_end),
            documentation=self._read_documentation(body, bounds.comments),
            decorators=self._read_decorators(bounds.start, name.start),
            is_async=self._grammar.is_async_known and self._is_async(start, name, value),
            has_body=head_end < node.end_byte,
        )

    def _unwrap(self, start: int, end: int) -> tuple[int, int]:
        """Widen a range to the wrappers that hold this definition and no other."""
        while self._wrappers and self._wrappers[-1].end <= start:
            self._wrappers.pop()
        for wrapper in reversed(self._wrappers):
            if not wrapper.is_read:
                wrapper.only, wrapper.is_read = find_only_definition(wrapper.node), True
            if wrapper.only != (start, end):
                break
            start, end = wrapper.start, wrapper.end
        return start, end

    def _read_before(self, start: int) -> tuple[int, tuple[str, ...]]:
        """Return where decorators above `start` begin, and the documentation comments there."""
        comments: list[str] = []
        begin = position = start
        source = self._source
        for aside in reversed(self._asides[: bisect_left(self._starts, start)][-200:]):
            gap = source.data[aside.end : position]
            if gap.strip() or (aside.is_comment and gap.count(b"\n") > 1):
                break
            position = aside.start
            if not aside.is_comment:
                begin = position
                continue
            if not source.is_blank(source.line_start(position), position):
                break
            text = source.slice(position, aside.end)
            if text.startswith(self._grammar.doc_comments) and not text.startswith("/**/"):
                comments.append(text)
        return begin, tuple(reversed(comments))

    def _find_body(self, value: Node) -> Node | None:
        for field in self._grammar.bodies:
            if (body := value.child_by_field_name(field)) is not None:
                return body
        count = value.named_child_count
        last = value.named_child(count - 1) if count else None
        return last if last is not None and last.type in _BODY_TYPES else None

    def _find_head_end(self, node: Node, name: Name, value: Node, body: Node | None) -> int:
        grammar = self._grammar
        if grammar.head_ends_with_parameters:
            parameters = value.child_by_field_name("parameters")
            if parameters is not None:
                return parameters.end_byte
            return name.end if value == node else value.start_byte
        end = body.start_byte if body is not None else node.end_byte
        if grammar.head_stops:
            stops = (
                child.start_byte for child in value.children if child.type in grammar.head_stops
            )
            end = min(end, *stops, end)
        return end

    def _read_signature(self, start: int, name: Name, end: int) -> str:
        """Return the text of a head on one line, without its comments and decorators."""
        pieces: list[str] = []
        cut = end > start + _MAX_SIGNATURE
        end = min(end, start + _MAX_SIGNATURE)
        position = start
        for aside in self._asides[
            bisect_left(self._starts, start) : bisect_left(self._starts, end)
        ]:
            if aside.start >= position and (aside.is_comment or aside.start < name.start):
                pieces.append(self._source.slice(position, aside.start))
                position = aside.end
        pieces.append(self._source.slice(position, max(position, end)))
        lines = (" ".join(line.split()) for line in split_lines(" ".join(pieces)))
        text = "\n".join(line for line in lines if line)
        text = _BREAK_AT_BRACKET.sub("", text).replace("\n", " ")
        return text + " …" if cut else text.rstrip(" {:;,")

    def _read_documentation(self, body: Node | None, comments: Sequence[str]) -> str:
        if not self._grammar.has_docstrings:
            return read_comments(comments)
        if body is None:
            return ""
        for child in body.named_children[:1]:
            literal = child.named_child(0) if child.type == "expression_statement" else child
            if literal is not None and literal.type == "string":
                return read_docstring(self._source.slice(literal.start_byte, literal.end_byte))
        return ""

    def _read_decorators(self, start: int, end: int) -> tuple[str, ...]:
        decorators: list[str] = []
        position = start
        for aside in self._asides[
            bisect_left(self._starts, start) : bisect_left(self._starts, end)
        ]:
            if not aside.is_comment and aside.start >= position:
                position = aside.end
                stop = min(aside.end, aside.start + _MAX_DECORATOR)
                decorators.append(" ".join(self._source.slice(aside.start, stop).split()))
        return tuple(decorators)

    def _is_async(self, start: int, name: Name, value: Node) -> bool:
        """Say whether `async` stands in the head outside the name and the parameters."""
        parameters = value.child_by_field_name("parameters") or value.child_by_field_name(
            "parameter"
        )
        end = parameters.start_byte if parameters is not None else name.end
        end = min(end, start + _MAX_SIGNATURE)
        data = self._source.data
        if b"async" not in data[start:end]:
            return False
        around = self._source.slice(start, name.start) + " | " + self._source.slice(name.end, end)
        return _ASYNC.search(around) is not None


def find_only_definition(wrapper: Node) -> tuple[int, int] | None:
    """Return where the one definition begins and ends that a wrapper can belong to."""
    children = [child for child in wrapper.named_children if not child.is_extra]
    if not children or (len(children) > 1 and children[-2].type == children[-1].type):
        return None
    return children[-1].start_byte, children[-1].end_byte
