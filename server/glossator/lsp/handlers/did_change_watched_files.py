"""Handles `workspace/didChangeWatchedFiles`."""

from pathlib import PurePath
from typing import TYPE_CHECKING

from lsprotocol import types

from glossator.lsp.uris import path_from_uri

if TYPE_CHECKING:
    from glossator.lsp.serving import GlossatorServer


def hear_of_files(server: "GlossatorServer", params: types.DidChangeWatchedFilesParams) -> None:
    """Show nothing about deleted files, read changed knowledge again, heed another baseline.

    Our own watcher has heard of most of them: what is the same by then is not read twice. What is
    deleted and made anew, as some programs save and Git switches branches, is not gone.
    """
    for uri, change_type in {change.uri: change.type for change in params.changes}.items():
        document = server.documents.get(uri)
        if change_type == types.FileChangeType.Deleted:
            server.diagnostics.clear(uri)
        elif document is not None:
            server.diagnostics.hear_of_return(document)
    paths = [path_from_uri(change.uri) for change in params.changes]
    server.backend.hear_of_files(frozenset(path for path in paths if path is not None))
    baseline = PurePath(server.backend.known_settings().check.baseline)
    if baseline.parts and any(path and path.match(str(baseline)) for path in paths):
        server.diagnostics.check_again()
