"""Handles `textDocument/didChange`."""

from typing import TYPE_CHECKING

from lsprotocol import types

from glossator.lsp import from_lsp

if TYPE_CHECKING:
    from glossator.lsp.serving import GlossatorServer


def change_document(server: "GlossatorServer", params: types.DidChangeTextDocumentParams) -> None:
    """Apply the changes in order, and check what was typed if that is wanted."""
    identifier = params.text_document
    document = server.documents.change(
        identifier.uri, identifier.version, from_lsp.changes(params.content_changes)
    )
    if document is not None:
        server.diagnostics.hear_of_change(document)
