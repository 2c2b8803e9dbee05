"""Asks the client what the editor's other language servers say of code."""

import asyncio
from typing import TYPE_CHECKING, Any

from glossator.core.locations import Point
from glossator.core.text import SourceText
from glossator.lsp.client_requests import ClientRefused, ClientTooSlow
from glossator.lsp.diagnostics import SOURCE
from glossator.lsp.editor_answers import read_answer
from glossator.lsp.places import lsp_position
from glossator.lsp.uris import uri_from_path
from glossator.tools.editor.facts import EditorSilent, Facts, Subject, select_offers
from glossator.tools.workspace import Workspace

if TYPE_CHECKING:
    from glossator.lsp.serving import GlossatorServer

_AT_ONCE = 4


class EditorFacts:
    """The `Editor` behind the client. Only a few questions are under way at a time."""

    def __init__(self, server: "GlossatorServer") -> None:
        self.offers: frozenset[Subject] = select_offers(server.client.editor_offers)
        self._server = server
        self._turnstile = asyncio.Semaphore(_AT_ONCE)
        self._n_about_calls = 0

    @property
    def asks_about_calls(self) -> bool:
        """Whether a question about calls is open: what we know would come back as the editor's."""
        return self._n_about_calls > 0

    async def ask(
        self,
        subject: Subject,
        source: SourceText,
        point: Point | None,
        workspace: Workspace,
        *,
        timeout_s: float,
    ) -> Facts | None:
        """Return what is known of `source`, or of what stands at `point`; None: nobody knows.

        Raises:
            EditorSilent: there is no answer in time, or none that fits this text.
        """
        if source.path is None:
            return None
        encoding = self._server.documents.encoding
        document = self._server.documents.find(source.path)
        if document is not None and document.version != source.version:
            raise EditorSilent("stale")
        uri = document.uri if document is not None else uri_from_path(source.path)
        params: dict[str, Any] = {"textDocument": {"uri": uri, "version": source.version}}
        if point is not None:
            params["position"] = lsp_position(point, source.lines, encoding)
        is_about_calls = subject in ("incomingCalls", "outgoingCalls")
        self._n_about_calls += is_about_calls
        try:
            async with asyncio.timeout(timeout_s), self._turnstile:
                answer = await self._server.protocol.client_requests.ask(
                    f"glossator/editor/{subject}", params, timeout_s=None
                )
        except (TimeoutError, ClientTooSlow):
            raise EditorSilent("slow") from None
        except ClientRefused:
            raise EditorSilent("refused") from None
        finally:
            self._n_about_calls -= is_about_calls
        return await asyncio.to_thread(
            read_answer,
            answer,
            subject,
            source,
            encoding,
            read=workspace.read,
            own_source=SOURCE,
        )
