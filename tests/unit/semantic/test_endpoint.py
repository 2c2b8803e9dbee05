"""The endpoint's encoder over a real socket: what is sent, and what becomes of any answer."""

import base64
import json
import struct
import threading
import time
from collections.abc import Iterator

import pytest

from glossator.core.settings import SemanticSettings
from glossator.semantic.choosing import choose_encoder
from glossator.semantic.encoder import EncoderUnavailable
from glossator.semantic.endpoint import EndpointEncoder
from provider.server import Provider, Reply, head, refuse

KEY = "sk-embeddings-0123456789abcdef"


@pytest.fixture(scope="module")
def running() -> Iterator[Provider]:
    with Provider() as provider:
        yield provider


@pytest.fixture
def provider(running: Provider) -> Provider:
    running.clear()
    return running


@pytest.fixture
def encoder(provider: Provider) -> Iterator[EndpointEncoder]:
    found, problem = choose_encoder(
        SemanticSettings(source="endpoint", base_url=provider.base_url, api_key=KEY, model="bge")
    )
    assert isinstance(found, EndpointEncoder)
    assert problem == ""
    yield found
    found.close()


def answer(body: object, *, status: int = 200) -> Reply:
    text = body if isinstance(body, bytes) else json.dumps(body).encode()
    start = head(status, {"Content-Type": "application/json", "Content-Length": str(len(text))})
    return Reply((("send", start + text),))


def vectors(*rows: object) -> dict[str, object]:
    return {"data": [{"index": n, "embedding": row} for n, row in enumerate(rows)]}


def test_texts_go_to_the_address_with_its_key_and_nothing_else(
    provider: Provider, encoder: EndpointEncoder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_ORG_ID", "org-of-somebody")
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")
    provider.script(answer(vectors([3.0, 4.0], [0.0, 2.0])))

    found = encoder.encode(["缓存", "half \ud83d"], timeout_s=10)

    assert found.tolist() == [pytest.approx([0.6, 0.8]), [0.0, 1.0]]
    [request] = provider.requests()
    assert (request.method, request.path) == ("POST", "/v1/embeddings")
    assert request.body == {
        "model": "bge",
        "input": ["缓存", "half \ud83d"],
        "encoding_format": "float",
    }
    assert request.headers["authorization"] == f"Bearer {KEY}"
    assert not any("org" in value for value in request.headers.values())
    assert encoder.name == f"bge@{provider.base_url.removeprefix('http://').removesuffix('/v1')}"


def test_vectors_come_in_any_order_and_as_base64(
    provider: Provider, encoder: EndpointEncoder
) -> None:
    packed = base64.b64encode(struct.pack("<2f", 0.0, 5.0)).decode()
    provider.script(
        answer({"data": [{"index": 1, "embedding": packed}, {"index": 0, "embedding": [1, 0]}]})
    )

    found = encoder.encode(["a", "b"], timeout_s=10)

    assert found.tolist() == [[1.0, 0.0], [0.0, 1.0]]


def test_many_texts_go_in_several_requests(provider: Provider, encoder: EndpointEncoder) -> None:
    rows = [[1.0, float(n)] for n in range(40)]
    provider.script(answer(vectors(*rows[:32])), answer(vectors(*rows[32:])))

    found = encoder.encode([str(n) for n in range(40)], timeout_s=10)

    assert found.shape == (40, 2)
    assert [len(request.body["input"]) for request in provider.requests()] == [32, 8]


def test_a_batch_that_is_too_long_is_halved_and_a_text_shortened(
    provider: Provider, encoder: EndpointEncoder
) -> None:
    too_long = refuse(400, {"error": {"message": "maximum context length is 512 tokens"}})
    provider.script(too_long, answer(vectors([1.0, 0.0])), too_long, answer(vectors([0.0, 1.0])))

    found = encoder.encode(["short", "long " * 200], timeout_s=10)

    assert found.tolist() == [[1.0, 0.0], [0.0, 1.0]]
    assert [len(request.body["input"][-1]) for request in provider.requests()] == [
        1000,
        5,
        1000,
        500,
    ]


def test_what_may_pass_is_asked_again(provider: Provider, encoder: EndpointEncoder) -> None:
    provider.script(
        refuse(429, {"error": {"message": "slow down"}}, {"Retry-After": "0.05"}),
        refuse(503, "", {"Retry-After": "0"}),
        answer(vectors([1.0])),
    )

    assert encoder.encode(["a"], timeout_s=10).tolist() == [[1.0]]


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        (refuse(401, {"error": {"message": f"bad key {KEY}"}}), "does not accept the key"),
        (refuse(403, "no"), "does not allow this"),
        (refuse(404, "<html>not here</html>"), "has no `/embeddings` there, or no model `bge`"),
        (refuse(302, "", {"Location": "http://127.0.0.1:1/v1"}), "redirects to another place"),
        (refuse(407, ""), "A proxy on the way"),
        (refuse(429, "", {"Retry-After": "3600"}), "limits how much may be asked"),
        (refuse(500, "", {"Retry-After": "3600"}), "reports an error"),
        (refuse(418, "teapot"), "does not accept the request"),
        (answer(b"<html>sign in</html>"), "it is not JSON"),
        (answer(b"[" * 100_000), "it is not JSON"),
        (answer([]), "it holds no list `data`"),
        (answer({"error": {"message": "model is loading"}}), "it says “model is loading”"),
        (answer(vectors()), "it has 0 vectors for 1 texts"),
        (answer(vectors([1.0], [1.0])), "it has 2 vectors for 1 texts"),
        (answer({"data": [{"index": 7, "embedding": [1.0]}]}), "not numbered from 0"),
        (answer(vectors([])), "a vector is empty"),
        (answer(vectors(["x"])), "a vector is no list of numbers"),
        (answer(vectors(None)), "a vector is no list of numbers"),
        (answer(vectors([0.0, 0.0])), "a vector is all zeros"),
        (answer(b'{"data": [{"index": 0, "embedding": [NaN]}]}'), "no finite number"),
        (answer(b'{"data": [{"index": 0, "embedding": [1e999]}]}'), "no finite number"),
        (answer(b'{"data": [{"index": 0, "embedding": [1' + b"0" * 400 + b"]}]}"), "no finite"),
        (answer(vectors("AAA")), "no base64 of 32-bit numbers"),
        (answer(vectors("####")), "no base64 of 32-bit numbers"),
        (Reply((("send", head()), ("reset", None))), "gives no vectors"),
        (Reply((("send", b"SSH-2.0-OpenSSH\r\n"),)), "gives no vectors"),
    ],
)  # fmt: skip
def test_every_other_answer_is_a_problem_that_says_what_to_do(
    provider: Provider, encoder: EndpointEncoder, reply: Reply, said: str
) -> None:
    provider.answer_always(reply)

    with pytest.raises(EncoderUnavailable) as failure:
        encoder.encode(["a"], timeout_s=5)

    assert said in str(failure.value)
    assert KEY not in str(failure.value)
    assert "\n" not in str(failure.value)


def test_vectors_of_another_size_than_before_are_refused(
    provider: Provider, encoder: EndpointEncoder
) -> None:
    provider.script(answer(vectors([1.0, 0.0])), answer(vectors([1.0, 0.0, 0.0])))
    encoder.encode(["a"], timeout_s=10)

    with pytest.raises(EncoderUnavailable, match="have 3 numbers, earlier ones 2"):
        encoder.encode(["b"], timeout_s=10)


@pytest.mark.parametrize(
    "steps",
    [
        (("hold", "ever"),),
        (("send", head(200)), ("hold", "ever")),
        (("send", head(200)), ("stamped", [1000, 0.05])),
    ],
)
def test_a_time_limit_holds_however_slowly_the_answer_comes(
    provider: Provider, encoder: EndpointEncoder, steps: tuple[tuple[str, object], ...]
) -> None:
    provider.script(Reply(steps))

    began = time.monotonic()
    with pytest.raises(EncoderUnavailable, match=r"no answer within 0\.\d+ s"):
        encoder.encode(["a"], timeout_s=0.4)
    assert time.monotonic() - began < 3
    provider.release("ever")


def test_an_answer_without_an_end_is_not_read_to_it(
    provider: Provider, encoder: EndpointEncoder
) -> None:
    provider.script(Reply((("send", head(200)), ("endless", b" " * 65536))))

    with pytest.raises(EncoderUnavailable, match="far too long"):
        encoder.encode(["a"], timeout_s=20)


async def test_closing_ends_a_request_that_waits(
    provider: Provider, encoder: EndpointEncoder
) -> None:
    provider.script(Reply((("hold", "ever"),)))
    failures: list[str] = []

    def ask() -> None:
        try:
            encoder.encode(["a"], timeout_s=60)
        except EncoderUnavailable as error:
            failures.append(str(error))

    thread = threading.Thread(target=ask)
    thread.start()
    await provider.wait_for_requests()
    encoder.close()
    thread.join(10)

    assert not thread.is_alive()
    assert "it was closed" in failures[0]
