"""Code actions that explain: the function at the cursor, its calls, or the selected text."""

from typing import Any

from glossator.lsp import from_lsp
from glossator.lsp.actions import Asked, Json, command_action
from glossator.lsp.handshake import CALL_CHAIN_KIND, EXPLAIN_KIND

EXPLAIN_TITLE = ("Explain this function", "解释此函数")
EXPLAIN_SELECTION_TITLE = ("Explain the selected text", "解释所选文本")
CALL_CHAIN_TITLE = ("Show call chain", "显示调用链")

Title = tuple[str, str]

# A parser keeps the interpreter to itself: in a larger text everything else would wait for it.
_MAX_CHARACTERS = 1_000_000


async def offer_explanations(asked: Asked) -> list[Json]:
    """Offer to explain what stands at the cursor."""
    # An editor that asks by itself draws a lightbulb for each answer: on every line of every
    # function there would be one. It gets these when it names them.
    if asked.only is None and asked.is_automatic:
        return []
    if not (asked.wants(EXPLAIN_KIND) or asked.wants(CALL_CHAIN_KIND)):
        return []
    place = await _find_place(asked)
    if place is None:
        return []
    title, argument, has_calls = place
    argument = {"uri": asked.uri, **argument}
    offers = [(title, EXPLAIN_KIND, "glossator.explain", argument)]
    if has_calls:
        offers.append((CALL_CHAIN_TITLE, CALL_CHAIN_KIND, "glossator.callChain", argument))
    say = asked.server.phrase()
    return [
        command_action(asked.server, say(*title), kind, command, argument)
        for title, kind, command, argument in offers
        if asked.wants(kind)
    ]


async def _find_place(asked: Asked) -> tuple[Title, dict[str, Any], bool] | None:
    """Return what can be explained there: a title, the argument, and whether it has calls."""
    # Imported here: grammars load when they are needed first, not at start-up.
    from glossator.code.languages import find_language

    server, document, source = asked.server, asked.document, asked.document.source
    language = find_language(source.name, source.language_id)
    ends = (
        from_lsp.position(asked.params.range.start),
        from_lsp.position(asked.params.range.end),
    )
    if language is None or len(source.text) > _MAX_CHARACTERS:
        if ends[0] == ends[1]:
            return None
        return EXPLAIN_SELECTION_TITLE, {**_position(ends[0]), "range": _range(ends)}, False
    start, end = asked.locate()
    functions = await server.syntax_trees.find_functions(document.uri, source, language, start, end)
    if any(start in function for function in functions):
        return EXPLAIN_TITLE, _position(ends[0]), True
    # A selection that begins above a function means the first function in it.
    inside = [function for function in functions if start <= function.name_range.start <= end]
    if not inside:
        return None
    name = server.backend.places().range_of(source, inside[0].name_range)
    return EXPLAIN_TITLE, {"position": name["start"]}, True


def _position(position: from_lsp.LspPosition) -> dict[str, Any]:
    return {"position": {"line": position[0], "character": position[1]}}


def _range(ends: from_lsp.LspRange) -> dict[str, Any]:
    start, end = ({"line": line, "character": units} for line, units in ends)
    return {"start": start, "end": end}
