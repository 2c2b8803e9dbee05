"""Handles `exit`."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from glossator.lsp.serving import GlossatorServer


def end(server: "GlossatorServer", params: None) -> None:
    """End the process; without a shutdown before it that is an error."""
    server.end(0 if server.protocol.is_shut_down else 1, "the client said exit")
