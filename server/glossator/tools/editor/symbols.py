"""The outline of a text in a language of which we know no grammar, from the editor's symbols."""

from collections.abc import Sequence

from glossator.code.languages import Language
from glossator.code.outline import Function, FunctionKind, Outline, TypeDefinition, TypeKind
from glossator.core.locations import Point
from glossator.core.text import SourceText, shorten
from glossator.tools.editor.facts import Spot
from glossator.tools.escaping import escape_invisible

_MAX_NAME = 80
_MAX_SIGNATURE = 200
_FUNCTIONS: dict[int, FunctionKind] = {6: "method", 9: "constructor", 12: "function"}
_TYPES: dict[int, TypeKind] = {
    2: "module", 3: "namespace", 5: "class", 10: "enum", 11: "interface", 23: "struct",
}  # fmt: skip


def clean_name(name: str) -> str:
    """Return a name that others wrote so that it can stand in backticks, on one line."""
    line = escape_invisible(" ".join(name.split())).replace("`", "'")
    return shorten(line, _MAX_NAME) or "?"


def make_function(spot: Spot, source: SourceText, container: str = "") -> Function:
    """Return what the editor says of a function; its signature is the line of its name."""
    line = spot.name_range.start.line
    name = clean_name(spot.name)
    head = source.lines[line - 1].strip() if 0 < line <= len(source.lines) else name
    return Function(
        name=name,
        qualified_name=f"{container}.{name}" if container else name,
        kind=_FUNCTIONS.get(spot.kind, "function"),
        range=spot.range,
        name_range=spot.name_range,
        signature=shorten(head, _MAX_SIGNATURE),
        documentation="",
        decorators=(),
        is_async=False,
        container=container,
        calls=(),
    )


def make_outline(symbols: Sequence[Spot], source: SourceText) -> Outline | None:
    """Return the outline that the editor's symbols give; None when they name no function."""
    functions: list[Function] = []
    types: list[TypeDefinition] = []
    around: list[str] = []
    for spot in symbols:
        del around[spot.depth :]
        container = ".".join(around)
        name = clean_name(spot.name)
        around += [name]
        if spot.kind in _FUNCTIONS:
            functions.append(make_function(spot, source, container))
        elif spot.kind in _TYPES:
            qualified = f"{container}.{name}" if container else name
            kind = _TYPES[spot.kind]
            types.append(TypeDefinition(name, qualified, kind, spot.range, spot.name_range, ""))
    functions.sort(key=lambda function: function.range)
    if not functions:
        return None
    return Outline(
        language=_name_language(source),
        functions=tuple(functions),
        types=tuple(sorted(types, key=lambda item: item.range)),
        imports=(),
        module_calls=(),
        has_errors=False,
        # The indentation before a function counts as inside.
        anchors=tuple(Point(function.range.start.line, 0) for function in functions),
    )


def _name_language(source: SourceText) -> Language:
    name = source.language_id or source.name.rpartition(".")[2]
    return Language(id=name, name=name, extensions=())
