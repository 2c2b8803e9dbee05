"""Handles `textDocument/didSave`."""

from typing import TYPE_CHECKING

from lsprotocol import types

if TYPE_CHECKING:
    from glossator.lsp.serving import GlossatorServer


def save_document(server: "GlossatorServer", params: types.DidSaveTextDocumentParams) -> None:
    """Check the document if that is wanted."""
    document = server.documents.get(params.text_document.uri)
    if document is not None:
        server.diagnostics.check_soon(document, on="save")
        server.code_lenses.refresh_soon()
