"""What no scenario file can show: requests, time limits, cancelling, environment, retries."""

import asyncio
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import aclosing
from dataclasses import replace

import pytest

from glossator.core.errors import IncompleteAnswer, ModelUnavailable
from glossator.core.messages import (
    Completion,
    Message,
    Piece,
    TextDelta,
    ToolCall,
    ToolSpec,
    Waiting,
)
from glossator.core.settings import ModelSettings
from glossator.model import openai_chat
from glossator.model.dialects import forget_lessons
from glossator.model.endpoints import Endpoint
from glossator.model.failures import ContextTooLong
from glossator.model.openai_chat import OpenAIChat
from provider.server import Provider, Reply, call, delta, event, head, refuse, say, stream

_HI = [Message("user", "hi")]
_TOOL = ToolSpec("read_file", "Read.", {"type": "object", "properties": {}})
_ROUND = [
    Message("system", "Be brief."),
    Message("user", "hi"),
    Message("assistant", "", (ToolCall("call_1", "read_file", '{"path": "a"}'),)),
    Message("tool", "text", call_id="call_1"),
]
_COMMENTS = tuple(step for _ in range(500) for step in (("send", b": ping\n\n"), ("pause", 0.02)))
_PROMPT = ModelSettings(max_retry_wait_s=0.0)

MakeChat = Callable[..., OpenAIChat]


@pytest.fixture
async def make_chat(provider: Provider) -> "Iterator[MakeChat]":
    forget_lessons()
    chats: list[OpenAIChat] = []

    def make(settings: ModelSettings = _PROMPT, base_url: str = "", **options: int) -> OpenAIChat:
        endpoint = Endpoint(base_url or provider.base_url, "secret-key", "tiny", "environment")
        chats.append(OpenAIChat(endpoint, settings, **options))
        return chats[-1]

    yield make
    for chat in chats:
        await chat.close()


async def _collect(
    chat: OpenAIChat, transcript: list[Message] = _HI, tools: tuple[ToolSpec, ...] = ()
) -> list[Piece]:
    async with asyncio.timeout(10), aclosing(chat.stream(transcript, tools)) as pieces:
        return [piece async for piece in pieces]


def _text(pieces: list[Piece]) -> str:
    return "".join(piece.text for piece in pieces if isinstance(piece, TextDelta))


# What goes out


async def test_nothing_of_the_environment_reaches_the_endpoint(
    provider: Provider, make_chat: MakeChat, monkeypatch: pytest.MonkeyPatch
) -> None:
    foreign = {
        "OPENAI_API_KEY": "sk-foreign",
        "OPENAI_ADMIN_KEY": "sk-foreign-admin",
        "OPENAI_BASE_URL": "http://127.0.0.1:9/foreign",
        "OPENAI_ORG_ID": "org-foreign",
        "OPENAI_PROJECT_ID": "proj-foreign",
        "OPENAI_CUSTOM_HEADERS": "X-Foreign: foreign\nAuthorization: Bearer foreign",
    }
    for name, value in foreign.items():
        monkeypatch.setenv(name, value)
    provider.script(say("hi"))

    assert _text(await _collect(make_chat())) == "hi"

    (request,) = provider.requests()
    assert "foreign" not in repr(request)
    assert request.headers["authorization"] == "Bearer secret-key"
    assert set(request.headers) == {
        "host", "connection", "accept", "accept-encoding", "authorization", "content-length",
        "content-type", "user-agent",
    }  # fmt: skip


async def test_the_key_of_the_environment_does_not_go_to_a_server_without_a_key(
    provider: Provider, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-foreign")
    provider.script(say("hi"))
    chat = OpenAIChat(Endpoint(provider.base_url, "", "tiny", "editor settings"), _PROMPT)

    await _collect(chat)
    await chat.close()

    assert provider.requests()[0].headers["authorization"] == "Bearer none"


async def test_a_request_is_what_strict_servers_accept(
    provider: Provider, make_chat: MakeChat
) -> None:
    provider.be_strict()
    provider.script(say("hi"))

    await _collect(make_chat(), _ROUND, (_TOOL,))

    (request,) = provider.requests()
    assert request.violations == ()
    assert (request.method, request.path) == ("POST", "/v1/chat/completions")
    assert request.body["stream"] is True
    assert request.body["temperature"] == 0
    assert request.body["tools"][0]["function"]["name"] == "read_file"


async def test_a_redirect_is_not_followed(provider: Provider, make_chat: MakeChat) -> None:
    with Provider() as elsewhere:
        provider.script(refuse(307, "", {"Location": f"{elsewhere.base_url}/chat/completions"}))

        with pytest.raises(ModelUnavailable, match="redirects to"):
            await _collect(make_chat())

        assert elsewhere.requests() == []


async def test_a_connection_is_used_again_for_the_next_round(
    provider: Provider, make_chat: MakeChat
) -> None:
    provider.script(say("one", keep_alive=True), say("two", keep_alive=True))
    chat = make_chat()

    texts = [_text(await _collect(chat)), _text(await _collect(chat))]

    assert texts == ["one", "two"]
    assert len({request.connection for request in provider.requests()}) == 1


async def test_another_model_of_the_server_is_asked_over_the_same_connection(
    provider: Provider, make_chat: MakeChat
) -> None:
    provider.script(say("one", keep_alive=True), say("two", keep_alive=True))
    chat = make_chat()
    light = chat.with_model("light")

    texts = [_text(await _collect(light)), _text(await _collect(chat))]
    await chat.close()

    await provider.wait_for_closing()
    assert texts == ["one", "two"]
    assert [request.body["model"] for request in provider.requests()] == ["light", "tiny"]
    assert len({request.connection for request in provider.requests()}) == 1


async def test_a_refusal_names_the_model_that_was_asked(
    provider: Provider, make_chat: MakeChat
) -> None:
    provider.be_strict("no-tools")

    with pytest.raises(ModelUnavailable, match="The model `light` takes no tools"):
        await _collect(make_chat().with_model("light"), _HI, (_TOOL,))


async def test_several_answers_may_be_read_at_once(provider: Provider, make_chat: MakeChat) -> None:
    provider.answer_always(say("the same for everybody"))
    chat = make_chat()

    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(_collect(chat)) for _ in range(5)]

    assert {_text(task.result()) for task in tasks} == {"the same for everybody"}


# What is learnt from refusals


@pytest.mark.parametrize(
    ("rule", "lacks", "has"),
    [
        ("no-stream-options", "stream_options", "temperature"),
        ("no-temperature", "temperature", "stream_options"),
        ("no-max-tokens", "max_tokens", "max_completion_tokens"),
    ],
)
async def test_a_refused_parameter_is_sent_once_and_never_again(
    provider: Provider, make_chat: MakeChat, rule: str, lacks: str, has: str
) -> None:
    provider.be_strict(rule)
    provider.script(say("one"), say("two"))

    await _collect(make_chat(max_tokens=100))
    await _collect(make_chat(max_tokens=100))

    bodies = [request.body for request in provider.requests()]
    assert [lacks in body for body in bodies] == [True, False, False]
    assert all(has in body for body in bodies[1:])


async def test_both_refused_parameters_are_learnt_in_one_turn(
    provider: Provider, make_chat: MakeChat
) -> None:
    provider.be_strict("no-stream-options", "no-temperature", "no-null-content", "needs-reasoning")
    provider.script(say("one"))

    pieces = await _collect(make_chat(), _ROUND, (_TOOL,))

    end = pieces[-1]
    assert isinstance(end, Completion)
    assert len(end.notes) == 4
    message = provider.requests()[-1].body["messages"][2]
    assert (message["content"], message["reasoning_content"]) == ("", " ")


async def test_tools_are_named_where_a_server_wants_them_beside_old_calls(
    provider: Provider, make_chat: MakeChat
) -> None:
    provider.be_strict("needs-tools")
    provider.script(say("one"))

    await _collect(make_chat(), _ROUND)

    body = provider.requests()[-1].body
    assert body["tool_choice"] == "none"
    assert [tool["function"]["name"] for tool in body["tools"]] == ["read_file"]


async def test_a_server_that_refuses_for_ever_is_not_asked_for_ever(
    provider: Provider, make_chat: MakeChat
) -> None:
    message = "stream_options temperature content reasoning_content tools max_tokens"
    provider.answer_always(refuse(400, {"error": message}))

    with pytest.raises(ModelUnavailable):
        await _collect(make_chat(max_tokens=10), _ROUND)

    assert len(provider.requests()) < 9


async def test_after_an_unreadable_call_the_model_is_told_so(
    provider: Provider, make_chat: MakeChat
) -> None:
    provider.script(refuse(500, "Failed to parse input at pos 1: <tool_call>"), say("hi"))

    await _collect(make_chat(), _ROUND, (_TOOL,))

    assert "valid JSON" in provider.requests()[-1].body["messages"][-1]["content"]


async def test_a_server_that_repeats_the_text_is_known_the_next_time(
    provider: Provider, make_chat: MakeChat
) -> None:
    words = ["Glossator", " reads", " code", " with", " you."]
    first = ["".join(words[: n + 1]) for n in range(len(words))]
    short = ["No", "No."]
    for texts in (first, short):
        deltas = [delta(content=text) for text in texts]
        provider.script(stream(*deltas, delta(finish="stop")))

    answers = [_text(await _collect(make_chat())) for _ in range(2)]

    assert answers == ["Glossator reads code with you.", "No."]


async def test_a_quirk_is_logged_once(
    provider: Provider, make_chat: MakeChat, caplog: pytest.LogCaptureFixture
) -> None:
    provider.answer_always(stream(delta(content="hi"), delta(finish="because")))
    chat = make_chat()

    for _ in range(2):
        await _collect(chat)

    warnings = [record for record in caplog.records if record.levelname == "WARNING"]
    assert [record.getMessage().partition(": ")[2] for record in warnings] == [
        "unknown finish reason `because`"
    ]


# Retries


async def test_a_pause_is_shown_before_it_is_made(provider: Provider, make_chat: MakeChat) -> None:
    provider.script(refuse(503, "busy"), refuse(429, "slow", {"Retry-After": "0.01"}), say("hi"))

    pieces = await _collect(make_chat(replace(_PROMPT, max_retry_wait_s=0.02)))

    waits = [piece for piece in pieces if isinstance(piece, Waiting)]
    assert ["busy" in waits[0].reason, "slow" in waits[1].reason] == [True, True]
    assert waits[0].seconds <= 0.02
    assert waits[1].seconds == 0.01


async def test_a_date_in_retry_after_is_understood(provider: Provider, make_chat: MakeChat) -> None:
    provider.script(refuse(429, "slow", {"Retry-After": "Wed, 21 Oct 2099 07:28:00 GMT"}))

    with pytest.raises(ModelUnavailable, match="asks to wait"):
        await _collect(make_chat())


async def test_nothing_is_retried_once_text_was_shown(
    provider: Provider, make_chat: MakeChat
) -> None:
    provider.script(stream(delta(content="hi"), {"error": {"code": 503}}, done=False), say("again"))

    with pytest.raises(IncompleteAnswer):
        await _collect(make_chat())

    assert len(provider.requests()) == 1


async def test_an_unreachable_server_is_named_with_the_remedy(make_chat: MakeChat) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
        chat = make_chat(base_url=f"http://127.0.0.1:{port}/v1")

        with pytest.raises(ModelUnavailable) as caught:
            await _collect(chat)

    message = str(caught.value)
    assert f"127.0.0.1:{port}" in message
    assert "Check that the server runs" in message
    assert "Error" not in message


async def test_a_proxy_that_cannot_be_used_is_named(
    make_chat: MakeChat, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ALL_PROXY", "gopher://127.0.0.1:9")

    with pytest.raises(ModelUnavailable, match="proxy"):
        await _collect(make_chat())


async def test_a_long_conversation_says_by_how_much(
    provider: Provider, make_chat: MakeChat
) -> None:
    text = "maximum context length is 8192 tokens, however you requested 9000 tokens"
    provider.script(refuse(400, {"error": {"message": text, "code": "context_length_exceeded"}}))

    with pytest.raises(ContextTooLong) as caught:
        await _collect(make_chat())

    assert (caught.value.n_tokens, caught.value.limit) == (9000, 8192)


# Time limits


@pytest.mark.parametrize(
    ("steps", "settings", "says"),
    [
        # The request has to be there before it is given up; `openai` takes its time to load.
        ((("hold", "x"),), {"first_token_timeout_s": 3.0}, "firstTokenTimeoutS"),
        ((("send", head()), *_COMMENTS), {"first_token_timeout_s": 0.1}, "firstTokenTimeoutS"),
        (
            (("send", head() + event(delta(role="assistant"))), *_COMMENTS),
            {"first_token_timeout_s": 0.1},
            "firstTokenTimeoutS",
        ),
        (
            (("send", head() + event(delta(content="hi"))), *_COMMENTS),
            {"idle_timeout_s": 0.1},
            "idleTimeoutS",
        ),
        (
            (
                ("send", head()),
                *(500 * (("send", event(delta(content="x"))), ("pause", 0.02))),
            ),
            {"idle_timeout_s": 5.0, "total_timeout_s": 0.2},
            "totalTimeoutS",
        ),
    ],
    ids=["no-head", "comments", "role-only", "comments-after-text", "endless"],
)
async def test_silence_ends_and_the_limit_is_named(
    provider: Provider,
    make_chat: MakeChat,
    steps: tuple[tuple[str, object], ...],
    settings: dict[str, float],
    says: str,
) -> None:
    provider.script(Reply(steps))

    with pytest.raises(ModelUnavailable, match=says):
        await _collect(make_chat(replace(_PROMPT, **settings)))

    await provider.wait_for_leaving()


async def test_what_the_listener_does_meanwhile_is_not_silence(
    provider: Provider, make_chat: MakeChat
) -> None:
    provider.script(
        Reply((
            ("send", head() + event(delta(content="a"))),
            ("hold", "go on"),
            ("send", event(delta(content="b", finish="stop")) + event("[DONE]")),
        ))
    )  # fmt: skip
    chat = make_chat(replace(_PROMPT, idle_timeout_s=0.5))

    async with aclosing(chat.stream(_HI, ())) as pieces:
        await anext(pieces)
        await asyncio.sleep(0.6)  # A slow listener is what is tested here.
        provider.release("go on")
        rest = [piece async for piece in pieces]

    assert isinstance(rest[-1], Completion)


async def test_a_finish_with_every_piece_does_not_cut_an_answer_that_pauses(
    provider: Provider, make_chat: MakeChat, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(openai_chat, "_GRACE_S", 0.2)
    provider.script(
        Reply((
            ("send", head() + event(delta(content="a", finish="stop"))),
            ("hold", "first read"),
            ("send", event(delta(content="b", finish="stop"))),
            ("hold", "paused"),
            ("send", event(delta(content="c", finish="stop")) + event("[DONE]")),
        ))
    )  # fmt: skip
    shown = ""

    async with aclosing(make_chat(_PROMPT).stream(_HI, ())) as pieces:
        async for piece in pieces:
            shown += piece.text if isinstance(piece, TextDelta) else ""
            if shown == "a":
                provider.release("first read")
            elif shown == "ab":
                # The pause is longer than what a finish leaves for the end.
                asyncio.get_running_loop().call_later(0.3, provider.release, "paused")

    assert shown == "abc"


# Cancelling


@pytest.mark.parametrize("text", ["", "hi"], ids=["before-text", "after-text"])
async def test_cancelling_ends_the_request_at_once(
    provider: Provider, make_chat: MakeChat, text: str
) -> None:
    provider.script(Reply((("send", head() + event(delta(content=text))), ("hold", "never"))))
    task = asyncio.create_task(_collect(make_chat()))
    await provider.wait_for_requests()

    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await provider.wait_for_leaving()

    assert asyncio.all_tasks() == {asyncio.current_task()}


async def test_closing_the_generator_ends_the_request(
    provider: Provider, make_chat: MakeChat
) -> None:
    provider.script(Reply((("send", head() + event(delta(content="hi"))), ("hold", "never"))))
    pieces = make_chat().stream(_HI, ())
    await anext(pieces)

    await pieces.aclose()

    await provider.wait_for_leaving()
    assert asyncio.all_tasks() == {asyncio.current_task()}


async def test_a_pause_can_be_cancelled(provider: Provider, make_chat: MakeChat) -> None:
    provider.script(refuse(429, "slow", {"Retry-After": "25"}))
    pieces = make_chat(ModelSettings()).stream(_HI, ())
    assert isinstance(await anext(pieces), Waiting)
    task = asyncio.create_task(anext(pieces))
    await asyncio.sleep(0)

    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_after_a_cancelled_answer_the_next_one_works(
    provider: Provider, make_chat: MakeChat
) -> None:
    provider.script(
        Reply((("send", head() + event(delta(content="hi"))), ("hold", "never"))), say("well")
    )
    chat = make_chat()
    pieces = chat.stream(_HI, ())
    await anext(pieces)
    await pieces.aclose()

    assert _text(await _collect(chat)) == "well"


# Calls


async def test_ids_of_earlier_turns_are_not_used_again(
    provider: Provider, make_chat: MakeChat
) -> None:
    provider.script(call("read_file", {"path": "b"}, ids=("call_1",)))

    pieces = await _collect(make_chat(), _ROUND, (_TOOL,))

    (made,) = [piece for piece in pieces if isinstance(piece, ToolCall)]
    assert made.id != "call_1"
    assert made.arguments == '{"path": "b"}'


def test_importing_the_module_does_not_import_the_client() -> None:
    code = (
        "import sys, glossator.model.openai_chat, glossator.model.scripted;"
        "print([name for name in ('openai', 'httpx2', 'anyio') if name in sys.modules])"
    )

    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=30
    )

    assert done.stdout.strip() == "[]"
