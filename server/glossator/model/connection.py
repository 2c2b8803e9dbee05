"""The HTTP side of a model: the `openai` client, held to our endpoint and to our time limits.

`openai` takes about a second to import, so it is imported when the first request is made, or by
`preload` in a thread before that.
"""

import asyncio
import socket
import ssl
from collections.abc import AsyncIterator, Iterator
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from importlib import import_module
from typing import TYPE_CHECKING, Any

from glossator import __version__
from glossator.model.endpoints import Endpoint
from glossator.model.failures import Failure, add_quote, classify_response
from glossator.model.reports import redact, strip_markup

if TYPE_CHECKING:
    import httpx2
    import openai

MAX_ERROR_BYTES = 64 * 1024
# The SDK asks for a key even where a local server needs none.
_NO_KEY = "none"
_SENT_HEADERS = frozenset((
    "host", "connection", "accept", "content-type", "content-length", "transfer-encoding",
))  # fmt: skip


class RequestFailed(Exception):
    """A request did not bring a whole answer; never leaves the package."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.message)
        self.failure = failure


def preload() -> None:
    """Import what a request needs; called in a thread once the server is up."""
    import_module("openai")
    # anyio imports its asyncio side at its first use, which would hold up the first request.
    anyio = import_module("anyio")
    anyio.run(anyio.sleep, 0)


class Connection:
    """Posts requests to one endpoint and hands out the bytes of the answers."""

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

    async def post(self, body: bytes) -> "httpx2.Response":
        """Post `body` and return the successful answer, whose bytes are not yet read.

        Raises:
            RequestFailed: there is no answer, or it refuses.
        """
        return await self._send(await self._open(), body)

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

        # Proxies of the environment are used, as everywhere on the user's machine. Without TLS
        # there is no need to spend a tenth of a second on reading the system's certificates.
        is_plain = self._endpoint.base_url.startswith("http://")
        http_client = openai.DefaultAsyncHttpx2Client(
            verify=ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT) if is_plain else True,
            follow_redirects=False,
            timeout=httpx2.Timeout(None, connect=self._connect_timeout_s),
            event_hooks={"request": [self._clean_headers], "response": [self._refuse]},
        )
        return openai.AsyncOpenAI(
            api_key=self._endpoint.api_key or _NO_KEY,
            base_url=self._endpoint.base_url,
            max_retries=0,
            timeout=http_client.timeout,
            http_client=http_client,
        )

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
        if response.status_code == 200:
            return
        body = bytearray()
        async for data in response.aiter_bytes():
            body += data
            if len(body) > MAX_ERROR_BYTES:
                break
        raise RequestFailed(
            classify_response(
                self._endpoint,
                response.status_code,
                body.decode("utf-8", "replace"),
                wait_s=find_wait(response.headers),
                location=response.headers.get("location", ""),
            )
        )

    async def _send(self, client: "openai.AsyncOpenAI", body: bytes) -> "httpx2.Response":
        import httpx2
        import openai

        try:
            # Bytes in, the bare response out: the SDK neither copies the history nor parses chunks.
            response: Any = await client.post(
                "/chat/completions",
                content=body,
                cast_to=httpx2.Response,
                options={"headers": {"Content-Type": "application/json"}},
                stream=True,
                stream_cls=openai.AsyncStream[Any],
            )
        except openai.APITimeoutError as error:
            reason = f"no connection within {self._connect_timeout_s:g} s"
            raise RequestFailed(self._describe_unreachable(error, reason)) from error
        except (openai.OpenAIError, httpx2.InvalidURL, UnicodeError) as error:
            reason = self._describe(error)
            raise RequestFailed(self._describe_unreachable(error, reason)) from error
        assert isinstance(response, httpx2.Response)
        return response

    def _describe_unreachable(self, error: Exception, reason: str) -> Failure:
        causes = list(_list_causes(error))
        remedy = "Check that the server runs, the base URL, and the network or proxy."
        if any(isinstance(cause, ssl.SSLCertVerificationError) for cause in causes):
            remedy = (
                "If your network has its own certificate authority, add it to the system's store "
                "or name it in `SSL_CERT_FILE`."
            )
        elif any(isinstance(cause, socket.gaierror) for cause in causes):
            remedy = "Check the host's name in the base URL, and the network."
        text = f"`{self._endpoint.host}` cannot be reached"
        return Failure("unreachable", add_quote(text, reason, remedy), remedy, "later")

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
        reason = strip_markup(reasons[-1]) if reasons else ""
        return redact(reason, self._endpoint.api_key)


def find_wait(headers: "httpx2.Headers") -> float | None:
    """Return the pause in seconds that a server asks for, in whichever form it does."""
    for name, unit_s in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        value = headers.get(name, "").strip()
        try:
            seconds = float(value) * unit_s
        except ValueError:
            continue
        if 0 <= seconds < float("inf"):
            return seconds
    try:
        moment = parsedate_to_datetime(headers.get("retry-after", ""))
    except (ValueError, TypeError):
        return None
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return max(0.0, (moment - datetime.now(UTC)).total_seconds())


def _list_causes(error: BaseException | None) -> Iterator[BaseException]:
    """Yield an error and what led to it, innermost last."""
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        yield error
        error = error.__cause__ or error.__context__
