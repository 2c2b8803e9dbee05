"""Handles `window/workDoneProgress/cancel`."""

from typing import TYPE_CHECKING

from lsprotocol import types

if TYPE_CHECKING:
    from glossator.lsp.serving import GlossatorServer


def cancel_progress(server: "GlossatorServer", params: types.WorkDoneProgressCancelParams) -> None:
    """Cancel the request that reports under this token; an unknown token is none of ours."""
    if params.token in server.requests_by_token:
        server.protocol.cancel(server.requests_by_token[params.token])
