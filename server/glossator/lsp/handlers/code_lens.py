"""Handles `textDocument/codeLens` and `codeLens/resolve`."""

from typing import TYPE_CHECKING, Any

from lsprotocol import types

from glossator.core.errors import InvalidArguments
from glossator.lsp.from_lsp import Arguments

if TYPE_CHECKING:
    from glossator.lsp.serving import GlossatorServer


async def list_code_lenses(
    server: "GlossatorServer", params: types.CodeLensParams
) -> list[dict[str, Any]]:
    """Return the lenses of a document, none where they are not wanted."""
    document = server.documents.get(params.text_document.uri)
    return [] if document is None else await server.code_lenses.list(document)


async def resolve_code_lens(
    server: "GlossatorServer", params: types.CodeLens
) -> "dict[str, Any] | types.CodeLens":
    """Return a lens with its command; what has one already is returned as it is."""
    if params.command is not None:
        return params
    if not isinstance(params.data, dict):
        say = server.phrase()
        raise InvalidArguments(
            say(
                "`codeLens/resolve`: the lens is none of Glossator's.",
                "`codeLens/resolve`：这不是 Glossator 的 CodeLens。",
            )
        )
    data = Arguments(params.data, "codeLens/resolve")
    line, character = data.position("position")
    start, end = params.range.start, params.range.end
    lens = {
        "range": {
            "start": {"line": start.line, "character": start.character},
            "end": {"line": end.line, "character": end.character},
        },
        "data": {
            "uri": data.text("uri"),
            "position": {"line": line, "character": character},
            "version": params.data.get("version"),
        },
    }
    return await server.code_lenses.resolve(lens)
