"""The outline of a document: its functions, types and imports, and the function at a position."""

from bisect import bisect_right
from dataclasses import dataclass, field
from functools import cached_property

from glossator.code.definitions import (
    Call,
    Function,
    FunctionExtent,
    FunctionKind,
    Import,
    TypeDefinition,
    TypeKind,
)
from glossator.code.grammars import load_grammar
from glossator.code.languages import Language
from glossator.code.structure import find_extents, read_structure
from glossator.code.syntax import Syntax, parse_syntax
from glossator.core.locations import Point

__all__ = [
    "Call",
    "Function",
    "FunctionExtent",
    "FunctionKind",
    "Import",
    "Outline",
    "TypeDefinition",
    "TypeKind",
    "find_functions",
    "parse_outline",
]


@dataclass(frozen=True)
class Outline:
    """The structure of one text. `functions` and `types` are in source order.

    `module_calls` are the calls outside any function. `anchors` has for each function where its
    range begins when the indentation before it is counted in.
    """

    language: Language
    functions: tuple[Function, ...]
    types: tuple[TypeDefinition, ...]
    imports: tuple[Import, ...]
    module_calls: tuple[Call, ...]
    has_errors: bool
    anchors: tuple[Point, ...] = field(repr=False, compare=False)

    def enclosing(self, point: Point) -> Function | None:
        """Return the innermost function at `point`.

        Its decorators, its name, the indentation before it and the position just after it count
        as inside.
        """
        index = bisect_right(self.anchors, point) - 1
        while index >= 0:
            if point <= self.functions[index].range.end:
                return self.functions[index]
            index = self._parents[index]
        return None

    @cached_property
    def _parents(self) -> list[int]:
        """For each function the index of the one around it, -1 for none."""
        parents: list[int] = []
        around: list[int] = []
        for index, function in enumerate(self.functions):
            while around and self.functions[around[-1]].range.end < function.range.end:
                around.pop()
            parents.append(around[-1] if around else -1)
            around.append(index)
        return parents


def parse_outline(text: str, language: Language) -> Outline:
    """Return the outline of `text`, whatever it holds; broken code still gives names."""
    syntax = parse_syntax(text, language)
    loaded = load_grammar(syntax.language.id)
    structure = read_structure(syntax.tree.root_node, loaded, syntax.source)
    return Outline(
        language=syntax.language,
        functions=structure.functions,
        types=structure.types,
        imports=structure.imports,
        module_calls=structure.module_calls,
        has_errors=syntax.has_errors,
        anchors=structure.anchors,
    )


def find_functions(syntax: Syntax, start: Point, end: Point) -> tuple[FunctionExtent, ...]:
    """Return the functions that a cursor or a selection touches, in source order.

    The last one that holds a point is the one that `Outline.enclosing` finds, without the time
    that an outline of the whole text takes.
    """
    root, source = syntax.tree.root_node, syntax.source
    loaded = load_grammar(syntax.language.id)
    return find_extents(root, loaded, source, source.offset(start), source.offset(end))
