"""The outline of a document: its functions, types and imports, and the function at a position."""

import re
from bisect import bisect_right
from dataclasses import dataclass, field
from functools import cached_property

from tree_sitter import Parser

from glossator.code.definitions import (
    Call,
    Function,
    FunctionKind,
    Import,
    TypeDefinition,
    TypeKind,
)
from glossator.code.grammars import load_grammar
from glossator.code.languages import LANGUAGES, Language
from glossator.code.positions import CodeText
from glossator.code.structure import read_structure
from glossator.core.locations import Point

__all__ = [
    "Call",
    "Function",
    "FunctionKind",
    "Import",
    "Outline",
    "TypeDefinition",
    "TypeKind",
    "parse_outline",
]

# Headers of C++ are often named `.h`.
_CPP = next(language for language in LANGUAGES if language.id == "cpp")
_LOOKS_LIKE_CPP = re.compile(
    r"^[ \t]*(?:class\s+\w+|namespace\b|template\s*<|(?:public|private|protected)\s*:)|\bstd::",
    re.MULTILINE,
)


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
    loaded = load_grammar(language.id)
    source = CodeText(text)
    tree = Parser(loaded.language).parse(source.read_piece)
    if language.id == "c" and tree.root_node.has_error and _LOOKS_LIKE_CPP.search(text):
        return parse_outline(text, _CPP)
    structure = read_structure(tree.root_node, loaded, source)
    return Outline(
        language=language,
        functions=structure.functions,
        types=structure.types,
        imports=structure.imports,
        module_calls=structure.module_calls,
        has_errors=tree.root_node.has_error or source.is_cut,
        anchors=structure.anchors,
    )
