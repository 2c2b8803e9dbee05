"""Handles `textDocument/didOpen`."""

from typing import TYPE_CHECKING

from lsprotocol import types

if TYPE_CHECKING:
    from glossator.lsp.serving import GlossatorServer


def open_document(server: "GlossatorServer", params: types.DidOpenTextDocumentParams) -> None:
    """Take the document up, and check it if that is wanted."""
    item = params.text_document
    document = server.documents.open(item.uri, item.language_id, item.version, item.text)
    server.diagnostics.hear_of_open(document)
