"""Handles `workspace/didRenameFiles`."""

from typing import TYPE_CHECKING

from lsprotocol import types

if TYPE_CHECKING:
    from glossator.lsp.serving import GlossatorServer


def rename_files(server: "GlossatorServer", params: types.RenameFilesParams) -> None:
    """Move open documents along and show nothing under their old names."""
    for file in params.files:
        server.documents.rename(file.old_uri, file.new_uri)
        server.outlines.forget(file.old_uri)
        server.diagnostics.clear(file.old_uri)
