"""Handles `textDocument/diagnostic`."""

from typing import TYPE_CHECKING, Any

from lsprotocol import types

if TYPE_CHECKING:
    from glossator.lsp.serving import GlossatorServer


async def pull_diagnostics(
    server: "GlossatorServer", params: types.DocumentDiagnosticParams
) -> dict[str, Any]:
    """Return what is shown for a document, or that it is what the client has.

    Nobody waits for a model: what it finds later is pulled when the client is asked to.
    """
    return await server.diagnostics.pull(params.text_document.uri, params.previous_result_id or "")
