"""Handles `workspace/didRenameFiles`."""

from typing import TYPE_CHECKING

from lsprotocol import types

if TYPE_CHECKING:
    from glossator.lsp.serving import GlossatorServer


def rename_files(server: "GlossatorServer", params: types.RenameFilesParams) -> None:
    """Move open documents and their findings along; show nothing under their old names."""
    for file in params.files:
        old_uris = server.documents.rename(file.old_uri, file.new_uri)
        server.syntax_trees.forget(file.old_uri)
        for old_uri in old_uris:
            document = server.documents.get(file.new_uri + old_uri[len(file.old_uri) :])
            if document is not None:
                server.diagnostics.move(old_uri, document)
        server.diagnostics.clear(file.old_uri)
