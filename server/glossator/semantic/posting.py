"""Requests to an embeddings endpoint: one address, one key, and a time limit that holds.

The key goes to that address alone: no redirect is followed, nothing of the environment but its
proxies is used, and those not for a server on this machine.
"""

import asyncio
import ssl
import threading
from collections.abc import Coroutine
from concurrent.futures import CancelledError, Future
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

from glossator import __version__
from glossator.model.reports import leave_out_keys, strip_markup

if TYPE_CHECKING:
    import httpx2

T = TypeVar("T")

MAX_ERROR_BYTES = 64 * 1024
_CONNECT_S = 5.0


class NoAnswer(Exception):
    """There is no whole answer: `reason` says why, in a few words."""


@dataclass(frozen=True, slots=True)
class Address:
    """Where to post. An empty key is a server that needs none."""

    url: str
    host: str
    is_local: bool
    api_key: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer of the server; `body` is cut at the limit when `is_cut`."""

    status: int
    headers: "httpx2.Headers"
    body: bytes
    is_cut: bool = False


class Poster:
    """Posts from any thread. Its own event loop, in a thread, makes that time limits hold."""

    def __init__(self, address: Address) -> None:
        self._address = address
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._client: httpx2.AsyncClient | None = None
        self._is_closed = False

    def post(self, body: bytes, *, timeout_s: float, max_bytes: int) -> Reply:
        """Post JSON and return the answer, whatever its status.

        Raises:
            NoAnswer: it did not come in time, or not at all.
        """
        try:
            return self._start(self._post(body, timeout_s, max_bytes)).result()
        except CancelledError as error:
            raise NoAnswer("it was closed") from error

    def close(self) -> None:
        """Cancel what waits, and end the thread."""
        with self._lock:
            self._is_closed = True
            loop, self._loop = self._loop, None
        if loop is not None:
            asyncio.run_coroutine_threadsafe(self._finish(), loop).add_done_callback(
                lambda _: loop.call_soon_threadsafe(loop.stop)
            )

    def _start(self, work: Coroutine[Any, Any, T]) -> "Future[T]":
        with self._lock:
            if self._is_closed:
                work.close()
                raise NoAnswer("it was closed")
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                threading.Thread(
                    target=_run, args=(self._loop,), name="embeddings", daemon=True
                ).start()
            return asyncio.run_coroutine_threadsafe(work, self._loop)

    async def _post(self, body: bytes, timeout_s: float, max_bytes: int) -> Reply:
        import httpx2

        try:
            async with asyncio.timeout(timeout_s):
                client = self._open()
                async with client.stream("POST", self._address.url, content=body) as response:
                    limit = max_bytes if response.is_success else MAX_ERROR_BYTES
                    return await _read(response, limit)
        except TimeoutError as error:
            raise NoAnswer(f"no answer within {timeout_s:g} s") from error
        except (httpx2.HTTPError, httpx2.StreamError, httpx2.InvalidURL, OSError) as error:
            reason = strip_markup(str(error).partition(": bytearray(")[0])[:120]
            reason = leave_out_keys(reason, self._address.api_key)
            raise NoAnswer(reason or type(error).__name__) from error

    def _open(self) -> "httpx2.AsyncClient":
        import httpx2

        if self._client is None:
            is_plain = self._address.url.startswith("http://")
            no_proxies = dict.fromkeys(("all://", "http://", "https://"))
            self._client = httpx2.AsyncClient(
                # Without TLS there is no need to read the system's certificates.
                verify=ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT) if is_plain else True,
                mounts=no_proxies if self._address.is_local else None,
                follow_redirects=False,
                timeout=httpx2.Timeout(None, connect=_CONNECT_S),
                headers=self._headers(),
            )
        return self._client

    def _headers(self) -> dict[str, str]:
        headers = {
            "content-type": "application/json",
            "accept": "application/json",
            "accept-encoding": "identity",
            "user-agent": f"glossator/{__version__}",
        }
        if self._address.api_key:
            headers["authorization"] = f"Bearer {self._address.api_key}"
        return headers

    async def _finish(self) -> None:
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        if others:
            await asyncio.wait(others, timeout=2)
        if self._client is not None:
            await self._client.aclose()


def _run(loop: asyncio.AbstractEventLoop) -> None:
    asyncio.set_event_loop(loop)
    try:
        loop.run_forever()
    finally:
        loop.close()


async def _read(response: "httpx2.Response", limit: int) -> Reply:
    body = bytearray()
    async for data in response.aiter_bytes():
        body += data
        if len(body) > limit:
            return Reply(response.status_code, response.headers, bytes(body[:limit]), is_cut=True)
    return Reply(response.status_code, response.headers, bytes(body))
