"""What a server may send without end is bounded, in memory and in time, and this is said."""

import asyncio
import gzip
import tracemalloc
from contextlib import aclosing
from dataclasses import replace

import pytest

from glossator.core.errors import IncompleteAnswer, ModelUnavailable
from glossator.core.messages import Message, TextDelta
from glossator.core.settings import ModelSettings
from glossator.model import answers, connection, sse
from glossator.model.endpoints import Endpoint
from glossator.model.openai_chat import OpenAIChat
from provider.server import Provider, Reply, delta, event, head

_PROMPT = ModelSettings(max_retry_wait_s=0.0)


async def _read(
    provider: Provider, reply: Reply, settings: ModelSettings = _PROMPT
) -> tuple[int, ModelUnavailable]:
    """Return how much text came, and the error that ended it."""
    provider.answer_always(reply)
    chat = OpenAIChat(Endpoint(provider.base_url, "", "tiny", "environment"), settings)
    n_characters = 0
    try:
        async with (
            asyncio.timeout(20),
            aclosing(chat.stream([Message("user", "hi")], ())) as pieces,
        ):
            async for piece in pieces:
                if isinstance(piece, TextDelta):
                    n_characters += len(piece.text)
    except ModelUnavailable as error:
        return n_characters, error
    finally:
        await chat.close()
    raise AssertionError("the answer ended well")


async def test_pieces_without_end_are_cut_and_the_text_stays(
    provider: Provider, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(answers, "MAX_ANSWER_BYTES", 2 * 1024 * 1024)
    piece = event(delta(content="word "))
    n_most = 5 * (2 * 1024 * 1024 // len(piece))

    n_characters, error = await _read(provider, Reply((("send", head()), ("endless", piece))))

    await provider.wait_for_leaving()
    assert isinstance(error, IncompleteAnswer)
    assert "sent more than the 2 MB that an answer may have" in str(error)
    assert n_most / 2 < n_characters <= n_most


@pytest.mark.parametrize(
    "piece", [b"data: x", b"data: x\n", b"<p>\n", b"x"], ids=["line", "lines", "page", "nothing"]
)
async def test_an_event_without_end_is_cut(
    provider: Provider, monkeypatch: pytest.MonkeyPatch, piece: bytes
) -> None:
    monkeypatch.setattr(sse, "MAX_EVENT_BYTES", 500_000)

    _, error = await _read(provider, Reply((("send", head()), ("endless", piece))))

    assert "more than" in str(error)


async def test_comments_without_end_are_cut(
    provider: Provider, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(answers, "MAX_ANSWER_BYTES", 1024 * 1024)

    _, error = await _read(provider, Reply((("send", head()), ("endless", b": x\n\n"))))

    assert "1 MB" in str(error)


async def test_headers_without_end_are_cut(provider: Provider) -> None:
    start = b"HTTP/1.1 200 OK\r\n"

    _, error = await _read(provider, Reply((("send", start), ("endless", b"X-A: b\r\n"))))

    assert "does not answer in HTTP" in str(error)


async def test_a_header_that_never_comes_is_not_waited_for(provider: Provider) -> None:
    settings = replace(_PROMPT, first_token_timeout_s=0.2)

    _, error = await _read(
        provider, Reply((("send", b"HTTP/1.1 200 OK\r\nX-A"), ("hold", "for ever"))), settings
    )

    assert "`model.firstTokenTimeoutS`" in str(error)


async def test_what_unpacks_to_a_thousandfold_takes_no_memory(provider: Provider) -> None:
    bomb = gzip.compress(bytes(100 * 1024 * 1024), 9, mtime=0)
    reply = Reply((("send", head(headers={"Content-Encoding": "gzip"})), ("send", bomb)))
    await _read(provider, Reply((("send", head()),)))  # What is imported takes memory, too.

    tracemalloc.start()
    try:
        _, error = await _read(provider, reply)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert "more than" in str(error)
    assert peak < 64 * 1024 * 1024


async def test_an_error_that_talks_for_ever_is_still_told(provider: Provider) -> None:
    start = head(401, {"Content-Type": "text/plain"})

    _, error = await _read(provider, Reply((("send", start), ("endless", b"no "))))

    assert "does not accept the key, HTTP 401 (“no no" in str(error)


async def test_an_error_that_does_not_end_is_still_told(
    provider: Provider, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connection, "_ERROR_BODY_S", 0.1)
    start = head(401, {"Content-Type": "text/plain"}) + b"who are you?"

    _, error = await _read(provider, Reply((("send", start), ("hold", "for ever"))))

    assert "HTTP 401 (“who are you?”)" in str(error)
