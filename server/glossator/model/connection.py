"""The HTTP side of a model: the `openai` client, held to our endpoint and to our time limits.

`openai` takes about a second to import, so it is imported when the first request is made, or by
`preload` in a thread before that.
"""

import asyncio
import socket
import ssl
from collections.abc import AsyncIterator, Iterator
from contextlib import aclosing, suppress
from dataclasses import replace
from importlib import import_module
from typing import TYPE_CHECKING, Any

from glossator import __version__
from glossator.model.endpoints import Endpoint
from glossator.model.failures import Failure, Retry, add_quote, classify_response
from glossator.model.pauses import find_wait
from glossator.model.reports import leave_out_keys, strip_markup

if TYPE_CHECKING:
    import httpx2
    import openai

MAX_ERROR_BYTES = 64 * 1024
# A list of models is shorter by far.
_MAX_BODY_BYTES = 4 * 1024 * 1024
# What an error says must not be waited for as long as an answer.
_ERROR_BODY_S = 5.0
# The SDK asks for a key even where a local server needs none.
_NO_KEY = "none"
# These can be read piece by piece wherever Python runs.
_ENCODINGS = frozenset(("", "identity", "gzip", "deflate"))
_SENT_HEADERS = frozenset((
    "host", "connection", "accept", "content-type", "content-length", "transfer-encoding",
))  # fmt: skip


class RequestFailed(Exception):
    """A request did not bring a whole answer; never leaves the package."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.message)
        self.failure = failure


class _Refused(Exception):
    """The answer is no success; `body` is the beginning of what it says."""

    def __init__(self, status: int, headers: "httpx2.Headers", body: str) -> None:
        super().__init__(status)
        self.status, self.headers, self.body = status, headers, body


def preload() -> None:
    """Import what a request needs; called in a thread once the server is up."""
    import_module("openai")
    # anyio imports its asyncio side at its first use, which would hold up the first request.
    anyio = import_module("anyio")
    anyio.run(anyio.sleep, 0)


class Connection:
    """Posts requests to one server and hands out the bytes of the answers.

    Several models of that server may share it; `endpoint` is that of one of them.
    """

    def __init__(self, endpoint: Endpoint, connect_timeout_s: float) -> None:
        self._endpoint = endpoint
        self._connect_timeout_s = connect_timeout_s
        self._client: openai.AsyncOpenAI | None = None
        self._opening = asyncio.Lock()

    async def close(self) -> None:
        """Close all sockets. A later request opens new ones."""
        client, self._client = self._client, None
        if client is not None:
            await client.close()

    async def post(self, body: bytes, model: str) -> "httpx2.Response":
        """Post `body`, which asks `model`, and return the successful answer, not yet read.

        Raises:
            RequestFailed: there is no answer, or it refuses.
        """
        return await self._request("POST", "/chat/completions", body, model)

    async def get(self, path: str) -> bytes:
        """Return what stands at `path` below the base address, a bounded part of it.

        Raises:
            RequestFailed: there is no answer, or it refuses.
        """
        response = await self._request("GET", path, b"", self._endpoint.model)
        body = bytearray()
        try:
            async with aclosing(response.aiter_bytes()) as chunks:
                while len(body) <= _MAX_BODY_BYTES and (data := await self.read(chunks)):
                    body += data
        finally:
            await response.aclose()
        return bytes(body[:_MAX_BODY_BYTES])

    async def _request(self, method: str, path: str, body: bytes, model: str) -> "httpx2.Response":
        try:
            return await self._send(await self._open(), method, path, body)
        except _Refused as refused:
            failure = classify_response(
                replace(self._endpoint, model=model),
                refused.status,
                refused.body,
                wait_s=find_wait(refused.headers),
                location=refused.headers.get("location", ""),
            )
            raise RequestFailed(failure) from refused

    async def read(self, chunks: AsyncIterator[bytes]) -> bytes | None:
        """Return the next bytes of an answer, None at its end.

        Raises:
            RequestFailed: the connection broke.
        """
        import anyio
        import httpx2

        try:
            return await anext(chunks, None)
        except (httpx2.HTTPError, httpx2.StreamError, OSError, anyio.EndOfStream) as error:
            text = f"The connection to `{self._endpoint.host}` broke within the answer"
            cause = add_quote(text, self._describe(error), "Ask again.")
            raise RequestFailed(Failure("broken-stream", cause, "Ask again.", "once")) from error

    async def _open(self) -> "openai.AsyncOpenAI":
        async with self._opening:
            if self._client is None:
                try:
                    # Importing and reading the certificates would hold up the event loop.
                    self._client = await asyncio.to_thread(self._make_client)
                except (ImportError, OSError, ValueError) as error:
                    remedy = "Check the proxy variables and `SSL_CERT_FILE` in the environment."
                    reason = self._describe(error)
                    cause = add_quote("The HTTP client cannot be set up", reason, remedy)
                    raise RequestFailed(Failure("unreachable", cause, remedy)) from error
            return self._client

    def _make_client(self) -> "openai.AsyncOpenAI":
        preload()
        import httpx2
        import openai

        # Proxies of the environment are used, as everywhere on the user's machine, but not for a
        # server on this machine: that one would be another's, and the code would leave. Without
        # TLS there is no need to spend a tenth of a second on reading the system's certificates.
        is_plain = self._endpoint.base_url.startswith("http://")
        no_proxies = dict.fromkeys(("all://", "http://", "https://"))
        http_client = openai.DefaultAsyncHttpx2Client(
            verify=ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT) if is_plain else True,
            mounts=no_proxies if self._endpoint.is_local else None,
            follow_redirects=False,
            timeout=httpx2.Timeout(None, connect=self._connect_timeout_s),
            event_hooks={"request": [self._clean_headers], "response": [self._refuse]},
        )
        try:
            return openai.AsyncOpenAI(
                api_key=self._endpoint.api_key or _NO_KEY,
                base_url=self._endpoint.base_url,
                max_retries=0,
                timeout=http_client.timeout,
                http_client=http_client,
            )
        except httpx2.InvalidURL as error:
            raise RequestFailed(self._describe_unreachable(error)) from error

    async def _clean_headers(self, request: "httpx2.Request") -> None:
        """Leave only what our own request needs.

        The client adds what it finds in `OPENAI_ORG_ID`, `OPENAI_PROJECT_ID` and
        `OPENAI_CUSTOM_HEADERS`, which belongs to whatever server the user had in mind there.
        """
        for name in list(request.headers):
            if name not in _SENT_HEADERS:
                del request.headers[name]
        request.headers["authorization"] = f"Bearer {self._endpoint.api_key or _NO_KEY}"
        request.headers["user-agent"] = f"glossator/{__version__}"
        request.headers["accept"] = "text/event-stream, application/json"
        # Compression would hold pieces of the answer back.
        request.headers["accept-encoding"] = "identity"

    async def _refuse(self, response: "httpx2.Response") -> None:
        """Read the answer that is no success here: a bounded part of it, and never a redirect."""
        encoding = response.headers.get("content-encoding", "identity").lower()
        if response.is_success and encoding not in _ENCODINGS:
            text = f"`{self._endpoint.host}` compresses its answer, which was not asked for"
            remedy = "Turn that off at the server or at the proxy before it."
            cause = add_quote(text, strip_markup(encoding), remedy)
            raise RequestFailed(Failure("not-a-stream", cause, remedy))
        if response.is_success:
            return
        import httpx2

        body = bytearray()
        # Whatever can be read of it serves the message.
        with suppress(TimeoutError, httpx2.HTTPError):
            async with asyncio.timeout(_ERROR_BODY_S):
                async for data in response.aiter_bytes():
                    body += data
                    if len(body) > MAX_ERROR_BYTES:
                        break
        raise _Refused(response.status_code, response.headers, body.decode("utf-8", "replace"))

    async def _send(
        self, client: "openai.AsyncOpenAI", method: str, path: str, body: bytes
    ) -> "httpx2.Response":
        import httpx2
        import openai

        # The bare response out: the SDK neither copies the history nor parses chunks.
        raw, chunks = httpx2.Response, openai.AsyncStream[Any]
        try:
            if method == "GET":
                response: Any = await client.get(path, cast_to=raw, stream=True, stream_cls=chunks)
            else:
                response = await client.post(
                    path,
                    content=body,
                    cast_to=raw,
                    options={"headers": {"Content-Type": "application/json"}},
                    stream=True,
                    stream_cls=chunks,
                )
        except openai.APITimeoutError as error:
            raise RequestFailed(self._describe_slow_connection()) from error
        except (openai.OpenAIError, httpx2.InvalidURL, UnicodeError) as error:
            raise RequestFailed(self._describe_unreachable(error)) from error
        assert isinstance(response, httpx2.Response)
        return response

    def _describe_slow_connection(self) -> Failure:
        return Failure(
            "timeout",
            f"`{self._endpoint.host}` took no connection within {self._connect_timeout_s:g} s",
            "Check that it runs, the base URL and the network, or raise `model.connectTimeoutS`.",
            "later",
        )

    def _describe_unreachable(self, error: Exception) -> Failure:
        import httpx2

        causes = list(_list_causes(error))
        retry: Retry = "never"
        if _has(causes, ssl.SSLCertVerificationError):
            what = "shows a certificate that is not trusted"
            remedy = (
                "If your network or server has its own certificate authority, add it to the "
                "system's store or name it in `SSL_CERT_FILE`."
            )
        elif _has(causes, ssl.SSLError):
            what = "does not answer in TLS"
            remedy = "Check the base URL: its port, and `http://` if the server has no TLS."
        elif _has(causes, httpx2.InvalidURL):
            what = "is no host that can be asked"
            remedy = "Check the base URL."
        elif _has(causes, httpx2.ProxyError):
            what = "cannot be reached through the proxy"
            remedy = (
                "Check the proxy variables in the environment; `NO_PROXY` names hosts that are "
                "reached without."
            )
        elif _has(causes, httpx2.RemoteProtocolError):
            what, retry = "does not answer in HTTP", "later"
            remedy = "Check the base URL: its port, and `https://` if the server has TLS."
        elif _has(causes, socket.gaierror):
            what, retry = "cannot be reached", "later"
            remedy = "Check the host's name in the base URL, and the network."
        else:
            what, retry = "cannot be reached", "later"
            remedy = "Check that the server runs, the base URL, and the network or proxy."
        text = f"`{self._endpoint.host}` {what}"
        cause = add_quote(text, self._describe(error), remedy)
        return Failure("unreachable", cause, remedy, retry)

    def _describe(self, error: BaseException) -> str:
        """Return the innermost reason in a few words, without names of classes."""
        reasons = []
        for cause in _list_causes(error):
            if isinstance(cause, ssl.SSLCertVerificationError):
                reasons.append(f"certificate: {cause.verify_message}")
            elif isinstance(cause, OSError) and cause.strerror:
                reasons.append(cause.strerror)
            elif str(cause):
                reasons.append(str(cause))
        # h11 quotes the bytes that it does not understand.
        reason = strip_markup(reasons[-1].partition(": bytearray(")[0]) if reasons else ""
        return leave_out_keys(reason, self._endpoint.api_key)


def _has(causes: list[BaseException], kind: type[BaseException]) -> bool:
    return any(isinstance(cause, kind) for cause in causes)


def _list_causes(error: BaseException | None) -> Iterator[BaseException]:
    """Yield an error and what led to it, innermost last."""
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        yield error
        error = error.__cause__ or error.__context__
