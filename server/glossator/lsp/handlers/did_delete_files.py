"""Handles `workspace/didDeleteFiles`."""

from typing import TYPE_CHECKING

from lsprotocol import types

if TYPE_CHECKING:
    from glossator.lsp.serving import GlossatorServer


def forget_files(server: "GlossatorServer", params: types.DeleteFilesParams) -> None:
    """Show nothing about files and folders that are gone."""
    for file in params.files:
        server.diagnostics.clear(file.uri)
