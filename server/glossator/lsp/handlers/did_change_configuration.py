"""Handles `workspace/didChangeConfiguration`."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from glossator.lsp.handlers.call_hierarchy import offer_call_hierarchy

if TYPE_CHECKING:
    from glossator.lsp.serving import GlossatorServer


def change_configuration(
    server: "GlossatorServer", params: types.DidChangeConfigurationParams
) -> None:
    """Use other settings: those the client pushes, or those it is asked for."""
    server.start_task("change settings", _change(server, params.settings))


async def _change(server: "GlossatorServer", pushed: Any) -> None:
    before = server.backend.settings
    if server.client.configuration:
        await server.backend.pull_settings()
    elif isinstance(pushed, Mapping):
        server.backend.put_settings(pushed.get("glossator", pushed))
    if server.backend.settings != before:
        await server.backend.use_settings()
        await offer_call_hierarchy(server)
