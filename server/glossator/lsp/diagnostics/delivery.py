"""How findings get to the editor: they are pushed, or pulled by those who can be told to.

A pull alone shows nothing that becomes known later: what a save brings to light, or a model says
seconds after. So it is for clients that can be asked to pull again, and for those that take
nothing else; all others are pushed to. Never both: an editor would show everything twice.
"""

import asyncio
import logging
from typing import TYPE_CHECKING, Any, Protocol

from lsprotocol import types

from glossator.lsp.client_requests import ClientRefused
from glossator.lsp.diagnostics.shown import Published

if TYPE_CHECKING:
    from glossator.lsp.serving import GlossatorServer

Json = dict[str, Any]
logger = logging.getLogger(__name__)

# What is found in many documents at once is pulled with one refresh; and an editor that pulls by
# itself when it saves needs none.
_REFRESH_AFTER_S = 0.05


class Delivery(Protocol):
    """Takes what is shown for a document to the client."""

    def show(self, uri: str, published: Published) -> None:
        """Show this from now on."""

    def withdraw(self, uri: str, *, is_open: bool) -> None:
        """Show nothing any more."""

    def note_pulled(self, uri: str, published: Published) -> None:
        """Know that the client has this, for it has asked."""


def make_delivery(server: "GlossatorServer") -> Delivery:
    """Return the one way that is right for the client."""
    return Pull(server) if server.client.pulls_diagnostics else Push(server)


class Push:
    """Sends what is shown; the same for the same version only once."""

    def __init__(self, server: "GlossatorServer") -> None:
        self._server = server
        self._sent: dict[str, tuple[int | None, list[Json]]] = {}

    def show(self, uri: str, published: Published) -> None:
        """Send the findings unless they were sent for this version."""
        sent = published.source.version, published.diagnostics
        if self._sent.get(uri) != sent:
            self._sent[uri] = sent
            self._send(uri, *sent)

    def withdraw(self, uri: str, *, is_open: bool) -> None:
        """Send that there are none, if there were any."""
        _, diagnostics = self._sent.pop(uri, (None, []))
        if diagnostics:
            self._send(uri, None, [])

    def note_pulled(self, uri: str, published: Published) -> None:
        """Do nothing: what is sent does not depend on it."""

    def _send(self, uri: str, version: int | None, diagnostics: list[Json]) -> None:
        params: Json = {"uri": uri, "diagnostics": diagnostics}
        if version is not None and self._server.client.diagnostic_versions:
            params["version"] = version
        self._server.protocol.send_notification(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS, params)


class Pull:
    """Asks the client to pull again when it has not what is shown now."""

    def __init__(self, server: "GlossatorServer") -> None:
        self._server = server
        self._pulled: dict[str, str] = {}
        self._news: dict[str, str] = {}
        self._refresh: asyncio.Task[None] | None = None

    def show(self, uri: str, published: Published) -> None:
        """Have the findings pulled, unless the client has them."""
        if self._pulled.get(uri) != published.result_id:
            self._note_news(uri, published.result_id)

    def withdraw(self, uri: str, *, is_open: bool) -> None:
        """Have nothing pulled for a document that is still open; a closed one shows nothing."""
        # What was withdrawn a moment ago may not have been told yet.
        is_untold = self._news.pop(uri, None) is not None
        if (self._pulled.pop(uri, "") or is_untold) and is_open:
            self._note_news(uri, "")

    def note_pulled(self, uri: str, published: Published) -> None:
        """Know that the client has this."""
        self._pulled[uri] = published.result_id

    def _note_news(self, uri: str, result_id: str) -> None:
        if not self._server.client.refreshes_diagnostics:
            return
        self._news[uri] = result_id
        if self._refresh is None or self._refresh.done():
            self._refresh = self._server.start_task("refresh", self._ask_to_pull())

    async def _ask_to_pull(self) -> None:
        while self._news:
            await asyncio.sleep(_REFRESH_AFTER_S)
            news, self._news = self._news, {}
            if all(self._pulled.get(uri, "") == result_id != "" for uri, result_id in news.items()):
                continue
            try:
                await self._server.protocol.ask_client(
                    types.WORKSPACE_DIAGNOSTIC_REFRESH, None, timeout_s=2.0
                )
            except ClientRefused as error:
                logger.info("The client does not pull diagnostics again: %s", error)
