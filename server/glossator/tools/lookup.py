"""What a name means in one file: the definitions that people and models ask for."""

from glossator.code.languages import find_language
from glossator.code.outline import Function, Outline, TypeDefinition
from glossator.core.errors import InvalidArguments
from glossator.core.text import SourceText, shorten
from glossator.tools.code_map import CodeMap
from glossator.tools.escaping import quote_name

_MAX_NAMED = 40
_MAX_INDENT = 20

Named = Function | TypeDefinition


def require_outline(code_map: CodeMap, source: SourceText) -> Outline:
    """Return the outline of a text.

    Raises:
        InvalidArguments: its language is not known, or it is too large.
    """
    outline = code_map.understand(source)
    if outline is None:
        reason = "too large" if find_language(source.name) else "no known language"
        raise InvalidArguments(
            f"The structure of {quote_name(source.name)} is not understood ({reason}). "
            "Read the file instead."
        )
    return outline


def sort_definitions(outline: Outline) -> list[Named]:
    """Return functions and types in source order."""
    both: list[Named] = [*outline.functions, *outline.types]
    return sorted(both, key=lambda item: item.range)


def render_definition(item: Named, n_characters: int) -> str:
    """Write the lines of a definition and its head, indented as deep as it is nested."""
    indent = "  " * min(item.qualified_name.count("."), _MAX_INDENT)
    head = item.signature if isinstance(item, Function) else f"{item.kind} {item.name}"
    span = f"{item.range.start.line}-{item.range.end.line}"
    return f"{span:>11}| {indent}{shorten(head, n_characters)}"


def find_definitions(source: SourceText, outline: Outline, name: str) -> list[Named]:
    """Return what `name` means: qualified, else plain, else whatever its case.

    Raises:
        InvalidArguments: nothing has that name; the text says what there is.
    """
    named = sort_definitions(outline)
    dotted = name.replace("::", ".").replace("#", ".").removesuffix("()")
    last = dotted.rpartition(".")[2]
    for matches in (
        [item for item in named if item.qualified_name == dotted],
        [item for item in named if item.qualified_name.endswith(f".{dotted}")],
        [item for item in named if item.name == dotted],
        [item for item in named if item.name.lower() == last.lower()],
    ):
        if matches:
            return matches
    names = list(dict.fromkeys(item.qualified_name for item in named))
    there = ", ".join(quote_name(one) for one in names[:_MAX_NAMED]) or "nothing"
    more = f" and {len(names) - _MAX_NAMED} more" if len(names) > _MAX_NAMED else ""
    raise InvalidArguments(
        f"{quote_name(source.name)} has no {quote_name(name)}. It defines {there}{more}."
    )
