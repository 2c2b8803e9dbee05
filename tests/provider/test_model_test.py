"""Testing a model: what a scripted provider does is told with its remedy, over a real socket."""

import asyncio
import socket
import ssl
from pathlib import Path

import pytest

from glossator.app.model_test import ModelCheck, ModelTest, WantedModel
from glossator.app.results import Opening
from glossator.compose import open_application
from provider.server import Provider, Reply, call, head, refuse, say

MODELS = {"object": "list", "data": [{"id": "tiny"}, {"id": "large"}]}
KEY = "sk-secret-0123456789"
TOOL_CALL = call("read_file", {"path": "README.md"})


def listing(body: object = MODELS) -> Reply:
    return refuse(200, body)


async def run_test(
    wanted: WantedModel | None, tmp_path: Path, *, lists_only: bool = False, locale: str = "en"
) -> ModelTest:
    application = open_application(Opening(roots=(tmp_path,), watch=False, locale=locale))
    try:
        async with asyncio.timeout(20):
            return await application.test_model(wanted, lists_only=lists_only)
    finally:
        await application.close()


def outcomes(test: ModelTest) -> dict[str, str]:
    return {check.stage: check.outcome for check in test.checks}


def check_of(test: ModelTest, stage: str) -> ModelCheck:
    return next(check for check in test.checks if check.stage == stage)


@pytest.fixture
def wanted(provider: Provider) -> WantedModel:
    return WantedModel(provider.base_url, "tiny", KEY)


async def test_all_is_well_with_names_of_models_streaming_and_a_tool_call(
    provider: Provider, wanted: WantedModel, tmp_path: Path
) -> None:
    provider.script(listing(), say("1 2 3 4 5 6 7 8 9 10"), TOOL_CALL)

    test = await run_test(wanted, tmp_path)

    assert set(outcomes(test).values()) == {"ok"}
    assert test.is_passed
    assert test.models == ("tiny", "large")
    assert test.first_token_ms is not None
    assert "streams" in check_of(test, "answer").text
    asked = provider.requests()
    assert [(each.method, each.path) for each in asked] == [
        ("GET", "/v1/models"),
        ("POST", "/v1/chat/completions"),
        ("POST", "/v1/chat/completions"),
    ]
    assert {each.headers["authorization"] for each in asked} == {f"Bearer {KEY}"}


async def test_a_refused_key_is_told_and_nothing_behind_it_is_claimed(
    provider: Provider, wanted: WantedModel, tmp_path: Path
) -> None:
    provider.answer_always(refuse(401, {"error": {"message": f"bad key {KEY}"}}))

    test = await run_test(wanted, tmp_path)

    assert outcomes(test) == {
        "reachable": "ok", "key": "failed", "model": "unknown", "answer": "unknown",
        "tools": "unknown",
    }  # fmt: skip
    assert "does not accept the key" in check_of(test, "key").text
    assert check_of(test, "key").remedy == "Check the key in the form."
    assert KEY not in repr(test)


async def test_an_unknown_model_is_told_beside_those_that_are_offered(
    provider: Provider, wanted: WantedModel, tmp_path: Path
) -> None:
    refusal = {"error": {"message": "The model `tiny` does not exist", "code": "model_not_found"}}
    provider.script(listing(), refuse(404, refusal))

    test = await run_test(wanted, tmp_path)

    assert outcomes(test)["key"] == "ok"
    assert outcomes(test)["model"] == "failed"
    assert "tiny" in check_of(test, "model").text
    assert test.models == ("tiny", "large")


async def test_a_model_without_tools_is_told_after_its_answer(
    provider: Provider, wanted: WantedModel, tmp_path: Path
) -> None:
    refusal = {"error": {"message": "registry/tiny does not support tools"}}
    provider.script(listing(), say("1 2 3 4 5 6 7"))
    provider.answer_always(refuse(400, refusal))

    test = await run_test(wanted, tmp_path)

    assert outcomes(test)["answer"] == "ok"
    assert outcomes(test)["tools"] == "failed"
    assert "tool calling" in check_of(test, "tools").remedy


async def test_a_model_that_answers_in_words_where_a_tool_was_asked_for_is_no_failure(
    provider: Provider, wanted: WantedModel, tmp_path: Path
) -> None:
    provider.script(listing(), say("1 2 3 4 5 6 7"), say("I cannot."))

    test = await run_test(wanted, tmp_path)

    assert outcomes(test)["tools"] == "unknown"
    assert check_of(test, "tools").remedy
    assert test.is_passed


async def test_a_server_without_a_list_is_tested_all_the_same(
    provider: Provider, wanted: WantedModel, tmp_path: Path
) -> None:
    provider.script(refuse(404, "no such page"), say("1 2 3 4 5 6 7"), TOOL_CALL)

    test = await run_test(wanted, tmp_path)

    assert test.is_passed
    assert test.models == ()


@pytest.mark.parametrize(
    "garbage", ["<html>Sign in</html>", "[1, null, {}]", '{"data": "x"}', "[" * 5_000]
)
async def test_a_list_that_is_none_is_taken_for_none(
    provider: Provider, wanted: WantedModel, tmp_path: Path, garbage: str
) -> None:
    provider.script(refuse(200, garbage), say("1 2 3 4 5 6 7"), TOOL_CALL)

    test = await run_test(wanted, tmp_path)

    assert test.models == ()
    assert test.is_passed


async def test_an_answer_that_is_no_answer_is_told_with_the_address_to_check(
    provider: Provider, wanted: WantedModel, tmp_path: Path
) -> None:
    page = head(200, {"Content-Type": "text/html"}) + b"<html><body>Sign in</body></html>"
    provider.answer_always(Reply((("send", page),)))

    test = await run_test(wanted, tmp_path)

    assert outcomes(test)["answer"] == "failed"
    assert "`text/html` instead of a stream" in check_of(test, "answer").text
    assert "`/v1`" in check_of(test, "answer").remedy


async def test_a_redirect_is_not_followed_and_names_its_target(
    provider: Provider, wanted: WantedModel, tmp_path: Path
) -> None:
    provider.answer_always(refuse(302, "", {"Location": "https://elsewhere.example/v1"}))

    test = await run_test(wanted, tmp_path)

    assert outcomes(test)["reachable"] == "failed"
    assert "elsewhere.example" in check_of(test, "reachable").text
    assert len(provider.requests()) == 1


async def test_a_port_where_nobody_listens_is_told_after_one_try(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]

    test = await run_test(WantedModel(f"http://127.0.0.1:{port}/v1", "tiny"), tmp_path)

    assert outcomes(test)["reachable"] == "failed"
    assert "cannot be reached" in check_of(test, "reachable").text
    assert "Check that the server runs" in check_of(test, "reachable").remedy


async def test_a_certificate_that_nobody_trusts_is_told(tmp_path: Path) -> None:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(Path(__file__).with_name("self_signed.pem"))

    def hang_up(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.close()

    async with await asyncio.start_server(hang_up, "127.0.0.1", 0, ssl=context) as server:
        address = f"https://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"
        test = await run_test(WantedModel(address, "tiny", KEY), tmp_path)

    assert outcomes(test)["reachable"] == "failed"
    assert "certificate that is not trusted" in check_of(test, "reachable").text
    assert "`SSL_CERT_FILE`" in check_of(test, "reachable").remedy


async def test_the_chinese_interface_is_told_in_chinese(
    provider: Provider, wanted: WantedModel, tmp_path: Path
) -> None:
    provider.answer_always(refuse(401, {"error": {"message": "no"}}))

    test = await run_test(wanted, tmp_path, locale="zh-cn")

    assert "不接受该密钥，HTTP 401（“no”）" in check_of(test, "key").text
    assert check_of(test, "key").remedy == "请检查密钥（表单）。"


async def test_a_list_alone_costs_one_request_and_proves_no_key(
    provider: Provider, tmp_path: Path
) -> None:
    provider.script(listing())

    test = await run_test(WantedModel(provider.base_url), tmp_path, lists_only=True)

    assert test.models == ("tiny", "large")
    assert outcomes(test) == {
        "reachable": "ok", "key": "unknown", "model": "unknown", "answer": "unknown",
        "tools": "unknown",
    }  # fmt: skip
    assert [each.method for each in provider.requests()] == ["GET"]


async def test_cancelling_leaves_the_server_alone(
    provider: Provider, wanted: WantedModel, tmp_path: Path
) -> None:
    provider.script(listing())
    provider.answer_always(Reply((("send", head()), ("hold", "never"))))
    application = open_application(Opening(roots=(tmp_path,), watch=False))
    task = asyncio.get_running_loop().create_task(application.test_model(wanted))
    await provider.wait_for_requests(2)

    task.cancel()

    with pytest.raises(asyncio.CancelledError):
        await task
    await provider.wait_for_leaving()
    await application.close()


async def test_without_a_model_in_use_nothing_is_asked_and_the_way_is_told(tmp_path: Path) -> None:
    test = await run_test(None, tmp_path)

    assert outcomes(test)["reachable"] == "failed"
    assert "No model is set up" in check_of(test, "reachable").remedy


async def test_an_answer_that_came_whole_is_told_as_not_streamed(
    provider: Provider, wanted: WantedModel, tmp_path: Path
) -> None:
    choices = [{"message": {"role": "assistant", "content": "1 2 3"}, "finish_reason": "stop"}]
    whole = refuse(200, {"object": "chat.completion", "choices": choices})
    provider.script(listing(), whole, TOOL_CALL)

    test = await run_test(wanted, tmp_path)

    assert "without streaming" in check_of(test, "answer").text
