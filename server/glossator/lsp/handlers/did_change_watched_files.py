"""Handles `workspace/didChangeWatchedFiles`."""

import asyncio
from typing import TYPE_CHECKING

from lsprotocol import types

if TYPE_CHECKING:
    from glossator.lsp.serving import GlossatorServer

# Our own watcher hears of most changes; the client's word counts where that one is deaf.
_WAIT_FOR_OWN_WATCHER_S = 1.0


def hear_of_files(server: "GlossatorServer", params: types.DidChangeWatchedFilesParams) -> None:
    """Show nothing about deleted files, and read changed knowledge again."""
    for change in params.changes:
        if change.type == types.FileChangeType.Deleted:
            server.diagnostics.clear(change.uri)
    if any(change.uri.endswith(".md") for change in params.changes):
        server.start_task("read knowledge", _read_again(server))


async def _read_again(server: "GlossatorServer") -> None:
    n_rebuilds = server.backend.n_rebuilds
    await asyncio.sleep(_WAIT_FOR_OWN_WATCHER_S)
    if server.backend.n_rebuilds == n_rebuilds:
        application = await server.backend.application()
        await application.rebuild_index()
