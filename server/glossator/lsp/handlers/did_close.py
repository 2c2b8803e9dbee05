"""Handles `textDocument/didClose`."""

from typing import TYPE_CHECKING

from lsprotocol import types

if TYPE_CHECKING:
    from glossator.lsp.serving import GlossatorServer


def close_document(server: "GlossatorServer", params: types.DidCloseTextDocumentParams) -> None:
    """Let the document go, with what is shown about it."""
    uri = params.text_document.uri
    document = server.documents.close(uri)
    server.syntax_trees.forget(uri)
    if document is not None:
        server.diagnostics.hear_of_close(document)
