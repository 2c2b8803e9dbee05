"""The encoder behind an OpenAI-compatible `/embeddings` endpoint."""

import json
import threading
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from glossator.model.pauses import find_wait
from glossator.model.reports import cut, read_report
from glossator.semantic.embeddings import Malformed, read_embeddings
from glossator.semantic.encoder import EncoderUnavailable
from glossator.semantic.posting import Address, NoAnswer, Poster, Reply

if TYPE_CHECKING:
    from glossator.semantic.encoder import Matrix

_MAX_BATCH_CHARS = 60_000
_MAX_TRIES = 3
_BYTES_PER_VECTOR = 512 * 1024
_SHORTEST_CHARS = 200
_LONG_WAIT_S = 600.0
"""What does not pass by itself (a wrong key, no such address) is tried again after so long."""

_LONGEST_PAUSE_S = 20.0
_TOO_LONG = r"too (long|large|many)|maximum|exceed|context|token|length|超|过长"


class _Refused(Exception):
    """The server does not answer with success; `kind` decides what is done about it."""

    def __init__(self, reply: Reply, text: str) -> None:
        super().__init__(text)
        self.status = reply.status
        self.wait_s = find_wait(reply.headers)
        self.is_too_long = reply.status == 413 or (
            reply.status in (400, 422, 500) and read_report(text).says(_TOO_LONG)
        )
        self.may_pass = reply.status in (408, 409, 429) or reply.status >= 500


class EndpointEncoder:
    """Posts texts to one address. What is too long for the model is asked again, shortened."""

    batch_size = 32
    least_cosine = 0.0

    def __init__(self, address: Address, model: str) -> None:
        self.name = f"{model}@{address.host}"
        self._address = address
        self._model = model
        self._poster = Poster(address)
        self._dimension: int | None = None
        self._closed = threading.Event()

    def encode(self, texts: Sequence[str], *, timeout_s: float) -> "Matrix":
        """Return a row for each text, in as many requests as that takes.

        Raises:
            EncoderUnavailable: there is no whole answer in time.
        """
        import numpy as np

        until = time.monotonic() + timeout_s
        return np.concatenate([self._encode(batch, until) for batch in _split(texts)])

    def close(self) -> None:
        """Cancel what waits for an answer."""
        self._closed.set()
        self._poster.close()

    def _encode(self, texts: list[str], until: float) -> "Matrix":
        import numpy as np

        try:
            return self._try(texts, until)
        except _Refused as refused:
            if not refused.is_too_long:
                raise self._explain(refused) from refused
            if len(texts) > 1:
                half = len(texts) // 2
                parts = (texts[:half], texts[half:])
                return np.concatenate([self._encode(part, until) for part in parts])
            if len(texts[0]) <= _SHORTEST_CHARS:
                raise self._explain(refused) from refused
            return self._encode([texts[0][: len(texts[0]) // 2]], until)

    def _try(self, texts: list[str], until: float) -> "Matrix":
        """Ask, and ask again after a pause what may pass, as long as there is time."""
        for number in range(1, _MAX_TRIES + 1):
            try:
                return self._ask(texts, until - time.monotonic())
            except _Refused as refused:
                pause = 0.5 * 2**number if refused.wait_s is None else refused.wait_s
                is_late = time.monotonic() + pause >= until or pause > _LONGEST_PAUSE_S
                if refused.is_too_long or not refused.may_pass or is_late or number == _MAX_TRIES:
                    raise
                self._closed.wait(pause)
        raise AssertionError("the last try returns or raises")

    def _ask(self, texts: list[str], timeout_s: float) -> "Matrix":
        # A plain ASCII body carries halves of characters, too, which edited files may hold.
        wanted = {"model": self._model, "input": texts, "encoding_format": "float"}
        body = json.dumps(wanted).encode("ascii")
        limit = (len(texts) + 1) * _BYTES_PER_VECTOR
        try:
            reply = self._poster.post(body, timeout_s=max(0.01, timeout_s), max_bytes=limit)
        except NoAnswer as error:
            raise EncoderUnavailable(
                f"`{self._address.host}` gives no vectors ({error}). Check that it runs, "
                "`semantic.baseUrl`, and the network or proxy."
            ) from error
        if not 200 <= reply.status < 300:
            report = read_report(reply.body.decode("utf-8", "replace"), self._address.api_key)
            raise _Refused(reply, cut(report.text, 120))
        try:
            if reply.is_cut:
                raise Malformed("it is far too long")
            vectors = read_embeddings(reply.body, len(texts), self._dimension)
        except Malformed as error:
            raise EncoderUnavailable(
                f"`{self._address.host}` answers with no usable vectors: {error}. Check "
                "`semantic.baseUrl`, which usually ends in `/v1`, and `semantic.model`.",
                wait_s=_LONG_WAIT_S,
            ) from error
        self._dimension = vectors.shape[1]
        return vectors

    def _explain(self, refused: _Refused) -> EncoderUnavailable:
        host, status = f"`{self._address.host}`", refused.status
        if status == 401:
            said = f"{host} does not accept the key. Check `semantic.apiKey`."
        elif status == 403:
            said = f"{host} does not allow this. Check what `semantic.apiKey` may do."
        elif status == 404:
            said = (
                f"{host} has no `/embeddings` there, or no model `{cut(self._model, 60)}`. Check "
                "`semantic.baseUrl`, which usually ends in `/v1`, and `semantic.model`."
            )
        elif status == 407:
            said = f"A proxy on the way to {host} asks who you are. Check the proxy variables."
        elif 300 <= status < 400:
            said = (
                f"{host} redirects to another place; neither text nor key is sent there. If that "
                "is the server you want, set it as `semantic.baseUrl`."
            )
        elif status == 429:
            said = f"{host} limits how much may be asked. It is asked again later."
        elif status >= 500:
            said = f"{host} reports an error. It is asked again later."
        else:
            said = f"{host} does not accept the request. Check `semantic.model`."
        quoted = f"{status}: “{refused}”" if str(refused) else str(status)
        wait_s = refused.wait_s if refused.may_pass else _LONG_WAIT_S
        return EncoderUnavailable(f"{said} (HTTP {quoted})", wait_s=wait_s)


def _split(texts: Sequence[str]) -> list[list[str]]:
    """Cut into batches that servers take: by number and by length."""
    batches: list[list[str]] = [[]]
    size = 0
    for text in texts:
        is_full = len(batches[-1]) == EndpointEncoder.batch_size or (
            batches[-1] and size + len(text) > _MAX_BATCH_CHARS
        )
        if is_full:
            batches.append([])
            size = 0
        # Some servers refuse an empty text, and with it the whole batch.
        batches[-1].append(text or " ")
        size += len(text)
    return batches
