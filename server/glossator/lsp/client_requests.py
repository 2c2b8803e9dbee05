"""Requests of our own to the client, with plain JSON both ways."""

import asyncio
import logging
import uuid
from collections.abc import Callable, Mapping
from typing import Any

from lsprotocol import types

logger = logging.getLogger(__name__)

Send = Callable[[dict[str, Any]], None]


class ClientRefused(Exception):
    """The client does not do what it was asked for.

    `code` is the protocol's number, 0 when there was no answer; `data` is what came with it.
    """

    def __init__(self, message: str, code: int = 0, data: Any = None) -> None:
        super().__init__(message)
        self.code = code
        self.data = data


class ClientTooSlow(ClientRefused):
    """The client did not answer in time."""


class ClientRequests:
    """The requests that the client has not answered yet. Lives on one event loop."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._waiting: dict[str, asyncio.Future[Any]] = {}

    async def ask(self, method: str, params: Mapping[str, Any], *, timeout_s: float | None) -> Any:
        """Send a request and return its result as it came.

        Who cancels the call, or loses patience, lets the client know.

        Raises:
            ClientTooSlow: there is no answer in time.
            ClientRefused: the client answers with an error.
        """
        request_id = f"glossator-{uuid.uuid4()}"
        future: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._waiting[request_id] = future
        self._send({"jsonrpc": "2.0", "id": request_id, "method": method, "params": params})
        try:
            async with asyncio.timeout(timeout_s):
                return await future
        except TimeoutError:
            raise ClientTooSlow(f"no answer to `{method}` in {timeout_s or 0:g} s") from None
        finally:
            if self._waiting.pop(request_id, None) is not None:
                cancel = {"method": types.CANCEL_REQUEST, "params": {"id": request_id}}
                self._send({"jsonrpc": "2.0", **cancel})

    def receive(self, message: Mapping[str, Any]) -> bool:
        """Take an answer; say whether it was one to these requests, late or not."""
        request_id = message.get("id")
        if not isinstance(request_id, str) or not request_id.startswith("glossator-"):
            return False
        future = self._waiting.pop(request_id, None)
        if future is None or future.done():
            logger.debug("The client answers too late.")
        elif "error" in message:
            future.set_exception(_read_error(message["error"]))
        else:
            future.set_result(message.get("result"))
        return True


def _read_error(error: Any) -> ClientRefused:
    fields = error if isinstance(error, Mapping) else {}
    code = fields.get("code")
    return ClientRefused(
        str(fields.get("message") or error),
        code if type(code) is int else 0,
        fields.get("data"),
    )
