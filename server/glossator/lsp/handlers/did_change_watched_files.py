"""Handles `workspace/didChangeWatchedFiles`."""

from pathlib import PurePath
from typing import TYPE_CHECKING

from lsprotocol import types

from glossator.lsp.uris import path_from_uri

if TYPE_CHECKING:
    from glossator.lsp.serving import GlossatorServer


def hear_of_files(server: "GlossatorServer", params: types.DidChangeWatchedFilesParams) -> None:
    """Show nothing about deleted files, read changed knowledge again, heed another baseline.

    Our own watcher has heard of most of them: what is the same by then is not read twice.
    """
    for change in params.changes:
        if change.type == types.FileChangeType.Deleted:
            server.diagnostics.clear(change.uri)
    paths = [path_from_uri(change.uri) for change in params.changes]
    server.backend.hear_of_files(frozenset(path for path in paths if path is not None))
    baseline = PurePath(server.backend.known_settings().check.baseline)
    if baseline.parts and any(path and path.match(str(baseline)) for path in paths):
        server.diagnostics.check_again()
