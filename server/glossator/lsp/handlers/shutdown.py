"""Handles `shutdown`."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from glossator.lsp.serving import GlossatorServer


async def shut_down(server: "GlossatorServer", params: None) -> None:
    """Cancel what runs, wait for it, show nothing more and take nothing more."""
    server.protocol.is_shut_down = True
    server.diagnostics.close()
    await server.protocol.cancel_all(timeout_s=0.3)
    await server.backend.close()
