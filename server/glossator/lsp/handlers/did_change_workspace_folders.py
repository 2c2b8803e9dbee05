"""Handles `workspace/didChangeWorkspaceFolders`."""

from typing import TYPE_CHECKING

from lsprotocol import types

if TYPE_CHECKING:
    from glossator.lsp.serving import GlossatorServer


def change_workspace_folders(
    server: "GlossatorServer", params: types.DidChangeWorkspaceFoldersParams
) -> None:
    """Use the folders that are open now; removing one that is not there changes nothing."""
    removed = {folder.uri for folder in params.event.removed}
    kept = [uri for uri in server.backend.folders if uri not in removed]
    added = [folder.uri for folder in params.event.added]
    folders = tuple(dict.fromkeys([*kept, *added]))
    if folders != server.backend.folders:
        server.start_task("change folders", server.backend.use_folders(folders))
