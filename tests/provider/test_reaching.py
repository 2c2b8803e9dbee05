"""Ways to a server that lead nowhere, and ways that must not be taken."""

import asyncio
import socket
import ssl
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager
from pathlib import Path
from typing import Any, NoReturn

import pytest

from glossator.core.errors import ModelUnavailable
from glossator.core.messages import Message, TextDelta
from glossator.core.settings import ModelSettings
from glossator.model.endpoints import Endpoint, choose_endpoint
from glossator.model.openai_chat import OpenAIChat
from provider.server import Provider, say

_CERTIFICATE = Path(__file__).with_name("self_signed.pem")
_PROMPT = ModelSettings(max_retry_wait_s=0.0)
_PROXY_VARIABLES = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY")


@pytest.fixture(autouse=True)
def _no_proxies(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in _PROXY_VARIABLES:
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)


async def _ask(base_url: str, settings: ModelSettings = _PROMPT) -> str:
    endpoint, _ = choose_endpoint(settings, {"OPENAI_BASE_URL": base_url, "MODEL": "tiny"}, None)
    assert isinstance(endpoint, Endpoint), endpoint.message
    chat = OpenAIChat(endpoint, settings)
    try:
        async with (
            asyncio.timeout(15),
            aclosing(chat.stream([Message("user", "hi")], ())) as pieces,
        ):
            return "".join([each.text async for each in pieces if isinstance(each, TextDelta)])
    finally:
        await chat.close()


async def _fail(base_url: str, settings: ModelSettings = _PROMPT) -> str:
    with pytest.raises(ModelUnavailable) as caught:
        await _ask(base_url, settings)
    return str(caught.value)


@asynccontextmanager
async def _serve_over_tls() -> AsyncIterator[tuple[str, list[bytes]]]:
    """Answer everybody over TLS; yield the address and the list of what they sent."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(_CERTIFICATE)
    seen: list[bytes] = []

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        seen.append(await reader.readuntil(b"\r\n\r\n"))
        for _, data in say("hi").steps:
            writer.write(data)
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0, ssl=context)
    async with server:
        yield f"https://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1", seen


# TLS


async def test_a_certificate_that_nobody_trusts_is_named_and_nothing_is_sent() -> None:
    async with _serve_over_tls() as (base_url, seen):
        message = await _fail(base_url)

    assert "certificate that is not trusted (“certificate: self-signed" in message
    assert "`SSL_CERT_FILE`" in message
    assert seen == []


async def test_a_certificate_that_the_environment_names_is_trusted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(_CERTIFICATE))

    async with _serve_over_tls() as (base_url, _):
        assert await _ask(base_url) == "hi"


async def test_tls_at_a_port_without_it_says_so() -> None:
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(1)
        writer.write(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")
        writer.close()

    async with await asyncio.start_server(answer, "127.0.0.1", 0) as server:
        message = await _fail(f"https://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1")

    assert "does not answer in TLS" in message
    assert "`http://`" in message


async def test_no_tls_at_a_port_that_wants_it_says_so() -> None:
    async with _serve_over_tls() as (base_url, _):
        message = await _fail(base_url.replace("https://", "http://"))

    assert "`https://`" in message


async def test_a_handshake_that_never_ends_is_given_up_and_the_setting_is_named() -> None:
    with socket.create_server(("127.0.0.1", 0)) as mute:
        settings = ModelSettings(max_retry_wait_s=0.0, connect_timeout_s=0.1)
        message = await _fail(f"https://127.0.0.1:{mute.getsockname()[1]}/v1", settings)

    assert "took no connection within 0.1 s" in message
    assert "`model.connectTimeoutS`" in message


# Names of hosts


@pytest.fixture
def asked_names(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """No name is known; which ones were asked for."""
    names: list[object] = []

    def refuse(host: object, *args: Any, **kwargs: Any) -> NoReturn:
        names.append(host)
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    return names


async def test_a_name_that_nobody_knows_is_named_with_the_remedy(
    asked_names: list[object],
) -> None:
    message = await _fail("https://models.example/v1")

    assert "`models.example` cannot be reached (“Name or service not known”)" in message
    assert "Check the host's name" in message


async def test_a_name_outside_of_ascii_is_asked_for_as_it_is_registered(
    asked_names: list[object],
) -> None:
    message = await _fail("HTTPS://Bücher.Example/v1/")

    assert {name.decode() if isinstance(name, bytes) else name for name in asked_names} == {
        "xn--bcher-kva.example"
    }
    assert "`bücher.example`" in message


@pytest.mark.parametrize(
    "host",
    [
        "xn--", "xn--a", "☃.example", "a..b", ".a", "-a", "a_b", "%41", "*", "1.2.3.4.5",
        "999.1.1.1", "٣.example", "a" * 70, "a." * 150 + "example", "\u200b.example", "[::1]:0",
        "[fe80::1%25eth0]", "a:0", "a|b", "a`b",
    ],
)  # fmt: skip
async def test_no_host_whatever_it_is_called_raises_anything_else(
    asked_names: list[object], host: str
) -> None:
    message = await _fail(f"http://{host}/v1")

    assert len(message) <= 300
    assert message.endswith(".")


# Proxies


async def test_a_server_on_this_machine_is_asked_without_the_proxy(
    provider: Provider, monkeypatch: pytest.MonkeyPatch
) -> None:
    provider.script(say("hi"))
    with Provider() as proxy:
        address = proxy.base_url.removesuffix("/v1")
        for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
            monkeypatch.setenv(name, address)

        text = await _ask(provider.base_url)

        assert proxy.requests() == []
    assert text == "hi"


async def test_a_server_elsewhere_is_asked_through_the_proxy(
    provider: Provider, monkeypatch: pytest.MonkeyPatch
) -> None:
    provider.script(say("hi"))
    monkeypatch.setenv("HTTP_PROXY", provider.base_url.removesuffix("/v1"))

    assert await _ask("http://models.example/v1") == "hi"

    assert provider.requests()[0].path == "http://models.example/v1/chat/completions"


@pytest.mark.parametrize("scheme", ["http", "https"])
async def test_a_proxy_that_refuses_is_named_without_its_password(
    provider: Provider, monkeypatch: pytest.MonkeyPatch, scheme: str
) -> None:
    address = provider.base_url.removeprefix("http://").removesuffix("/v1")
    monkeypatch.setenv(f"{scheme.upper()}_PROXY", f"http://me:secret-word@{address}")

    message = await _fail(f"{scheme}://models.example/v1")

    assert "secret-word" not in message
    assert len(message) <= 300


async def test_a_proxy_address_that_is_none_is_named_without_its_password(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("ALL_PROXY", "gopher://me:secret-word@proxy.example:1")

    message = await _fail("http://models.example/v1")

    assert "proxy variables" in message
    assert "secret-word" not in message
