"""Handles `textDocument/codeAction`."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from glossator.core.locations import Point, Range
from glossator.core.text import SourceText
from glossator.lsp import from_lsp
from glossator.lsp.diagnostics import SOURCE, Published, Shown
from glossator.lsp.documents import Document
from glossator.lsp.handshake import CALL_CHAIN_KIND, EXPLAIN_KIND, FIX_ALL_KIND, FIX_KIND

if TYPE_CHECKING:
    from glossator.lsp.places import Places
    from glossator.lsp.serving import GlossatorServer

EXPLAIN_TITLE = "Explain this function"
EXPLAIN_SELECTION_TITLE = "Explain the selected text"
CALL_CHAIN_TITLE = "Show call chain"
FIX_ALL_TITLES = ("Fix all that is sure (Glossator)", "修复所有确定的问题（Glossator）")

# A parser keeps the interpreter to itself: in a larger text everything else would wait for it.
_MAX_CHARACTERS = 1_000_000


async def offer_code_actions(
    server: "GlossatorServer", params: types.CodeActionParams
) -> list[dict[str, Any]] | None:
    """Offer repairs of findings, and to explain what stands at the cursor."""
    document = server.documents.get(params.text_document.uri)
    if document is None:
        return None
    fixes = await _offer_fixes(server, document, params)
    return fixes + await _offer_explanations(server, document, params)


async def _offer_explanations(
    server: "GlossatorServer", document: Document, params: types.CodeActionParams
) -> list[dict[str, Any]]:
    only = params.context.only
    # An editor that asks by itself draws a lightbulb for each answer: on every line of every
    # function there would be one. It gets these when it names them.
    if only is None and params.context.trigger_kind == types.CodeActionTriggerKind.Automatic:
        return []
    if not (_is_wanted(EXPLAIN_KIND, only) or _is_wanted(CALL_CHAIN_KIND, only)):
        return []
    place = await _find_place(server, document, params.range)
    if place is None:
        return []
    title, argument, has_calls = place
    argument = {"uri": params.text_document.uri, **argument}
    offers = [(title, EXPLAIN_KIND, "glossator.explain", argument)]
    if has_calls:
        offers.append((CALL_CHAIN_TITLE, CALL_CHAIN_KIND, "glossator.callChain", argument))
    return [_command_action(server, *offer) for offer in offers if _is_wanted(offer[1], only)]


async def _find_place(
    server: "GlossatorServer", document: Document, lsp_range: types.Range
) -> tuple[str, dict[str, Any], bool] | None:
    """Return what can be explained there: a title, the argument, and whether it has calls."""
    # Imported here: grammars load when they are needed first, not at start-up.
    from glossator.code.languages import find_language

    source = document.source
    language = find_language(source.name, source.language_id)
    ends = (from_lsp.position(lsp_range.start), from_lsp.position(lsp_range.end))
    if language is None or len(source.text) > _MAX_CHARACTERS:
        if ends[0] == ends[1]:
            return None
        return EXPLAIN_SELECTION_TITLE, {**_position(ends[0]), "range": _range(ends)}, False
    start, end = _locate(server, document, ends)
    functions = await server.syntax_trees.find_functions(document.uri, source, language, start, end)
    if any(start in function for function in functions):
        return EXPLAIN_TITLE, _position(ends[0]), True
    # A selection that begins above a function means the first function in it.
    inside = [function for function in functions if start <= function.name_range.start <= end]
    if not inside:
        return None
    name = server.backend.places().range_of(source, inside[0].name_range)
    return EXPLAIN_TITLE, {"position": name["start"]}, True


async def _offer_fixes(
    server: "GlossatorServer", document: Document, params: types.CodeActionParams
) -> list[dict[str, Any]]:
    only = params.context.only
    wants_all = _wants_fix_all(params.context)
    if not server.client.code_action_literals or not (wants_all or _is_wanted(FIX_KIND, only)):
        return []
    published = server.diagnostics.current(document)
    is_stale = any(each.source == SOURCE for each in params.context.diagnostics)
    if published is None and (is_stale or (wants_all and only is not None)):
        # The editor still shows a finding of the text before it was edited.
        published = await server.diagnostics.recheck(document)
    if published is None:
        return []
    fixes = list(_make_fixes(server, document, params, published))
    if wants_all:
        fixes += _make_fix_all(server, document, params.text_document.uri, published)
    return [fix for fix in fixes if _is_wanted(fix["kind"], only)]


def _make_fixes(
    server: "GlossatorServer",
    document: Document,
    params: types.CodeActionParams,
    published: Published,
) -> Iterator[dict[str, Any]]:
    source = published.source
    ends = (from_lsp.position(params.range.start), from_lsp.position(params.range.end))
    start, end = _locate(server, document, ends)
    places = server.backend.places()
    for shown in published.findings:
        if not shown.edits or shown.range.start > end or start > shown.range.end:
            continue
        edits = _text_edits(shown, source, places)
        action: dict[str, Any] = {
            "title": shown.title,
            "kind": FIX_KIND,
            "diagnostics": [shown.diagnostic],
            "edit": _workspace_edit(server, params.text_document.uri, document.version, edits),
        }
        if server.client.preferred_actions:
            action["isPreferred"] = True
        yield action


def _make_fix_all(
    server: "GlossatorServer", document: Document, uri: str, published: Published
) -> list[dict[str, Any]]:
    """Offer all repairs at once that need no looking at and do not touch each other."""
    places = server.backend.places()
    edits: list[dict[str, Any]] = []
    taken: list[Range] = []
    for shown in published.findings:
        wanted = [place for place, _ in shown.edits]
        if shown.is_sure and not any(_touch(one, two) for one in wanted for two in taken):
            taken += wanted
            edits += _text_edits(shown, published.source, places)
    if not edits:
        return []
    is_chinese = server.client.locale.lower().startswith("zh")
    edit = _workspace_edit(server, uri, document.version, edits)
    return [{"title": FIX_ALL_TITLES[is_chinese], "kind": FIX_ALL_KIND, "edit": edit}]


def _touch(one: Range, other: Range) -> bool:
    return one.start <= other.end and other.start <= one.end


def _text_edits(shown: Shown, source: SourceText, places: "Places") -> list[dict[str, Any]]:
    return [
        {"range": places.range_of(source, range_), "newText": text} for range_, text in shown.edits
    ]


def _wants_fix_all(context: types.CodeActionContext) -> bool:
    """Say whether all repairs at once are asked for: by name, or by somebody who opens the menu."""
    if context.only is not None:
        return _is_wanted(FIX_ALL_KIND, context.only)
    return context.trigger_kind == types.CodeActionTriggerKind.Invoked


def _workspace_edit(
    server: "GlossatorServer", uri: str, version: int, edits: list[dict[str, Any]]
) -> dict[str, Any]:
    if server.client.document_changes:
        identifier = {"uri": uri, "version": version}
        return {"documentChanges": [{"textDocument": identifier, "edits": edits}]}
    return {"changes": {uri: edits}}


def _command_action(
    server: "GlossatorServer", title: str, kind: str, command: str, argument: dict[str, Any]
) -> dict[str, Any]:
    call = {"title": title, "command": command, "arguments": [argument]}
    if not server.client.code_action_literals:
        return call
    return {"title": title, "kind": kind, "command": call}


def _is_wanted(kind: str, only: Sequence[str] | None) -> bool:
    """Say whether a client that asks for these kinds gets this one; a kind covers its sub-kinds."""
    if only is None:
        return True
    names = [entry.value if isinstance(entry, types.CodeActionKind) else entry for entry in only]
    return any(name in ("", kind) or kind.startswith(f"{name}.") for name in names)


def _locate(
    server: "GlossatorServer", document: Document, ends: from_lsp.LspRange
) -> tuple[Point, Point]:
    start, end = sorted(document.locate(*end, server.documents.encoding) for end in ends)
    return start, end


def _position(position: from_lsp.LspPosition) -> dict[str, Any]:
    return {"position": {"line": position[0], "character": position[1]}}


def _range(ends: from_lsp.LspRange) -> dict[str, Any]:
    start, end = ({"line": line, "character": units} for line, units in ends)
    return {"start": start, "end": end}
