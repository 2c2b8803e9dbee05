"""Whole turns against servers that are strict, each in its own way."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from glossator.agent.loop import Limits, StopReason, Turn, run_turn
from glossator.agent.pinning import Pinned
from glossator.agent.prompt import frame_material
from glossator.core.events import ignore_event
from glossator.core.messages import Message
from glossator.core.settings import ModelSettings
from glossator.model.dialects import forget_lessons
from glossator.model.endpoints import Endpoint
from glossator.model.openai_chat import OpenAIChat
from glossator.tools.toolbox import Toolbox, make_toolbox
from provider.server import Provider, Reply, call, delta, refuse, say, stream, usage
from provider.strict import SOME_SERVERS

SYSTEM = Message("system", "You help.")
# Known by the server's address, not learnt from a refusal.
_NOT_LEARNT = {"short-ids"}


@pytest.fixture
async def chat(provider: Provider) -> AsyncIterator[OpenAIChat]:
    forget_lessons()
    endpoint = Endpoint(provider.base_url, "key", "tiny", "environment")
    made = OpenAIChat(endpoint, ModelSettings(max_retry_wait_s=0.0))
    yield made
    await made.close()


def tools() -> Toolbox:
    async def look_up(word: str) -> str:
        """Look a word up."""
        return "" if word == "nothing" else f"{word}: found"

    return make_toolbox([look_up])


async def take_turn(
    chat: OpenAIChat, history: list[Message], *, rounds: int = 8, context_tokens: int = 0
) -> Turn:
    async with asyncio.timeout(20):
        turn = await run_turn(
            chat,
            [SYSTEM, *history, Message("user", "What is it?")],
            tools(),
            Limits(rounds, context_tokens=context_tokens),
            ignore_event,
        )
    history += [Message("user", "What is it?"), *turn.added]
    return turn


def call_look_up(*words: str) -> Reply:
    pairs = [part for word in words for part in ("look_up", {"word": word})]
    return call(*pairs)


@pytest.mark.parametrize("rule", sorted(set(SOME_SERVERS) - _NOT_LEARNT))
async def test_a_session_goes_on_whatever_a_server_refuses(
    provider: Provider, chat: OpenAIChat, rule: str
) -> None:
    """Two turns; the first calls a tool, and its last round offers none."""
    provider.be_strict(rule)
    takes_tools = rule != "no-tools"
    replies = [call_look_up("word", "nothing")] if takes_tools else []
    provider.script(*replies, say("First."), say("Second."))
    history: list[Message] = []

    first = await take_turn(chat, history, rounds=1)
    second = await take_turn(chat, history)

    assert (first.answer, second.answer) == ("First.", "Second.")
    assert first.is_without_tools is not takes_tools
    refused = [request for request in provider.requests() if request.violations]
    assert len(refused) <= 2
    assert provider.requests()[-1].violations == ()


async def test_the_last_round_names_tools_where_the_server_wants_them(
    provider: Provider, chat: OpenAIChat
) -> None:
    provider.be_strict("needs-tools")
    provider.script(call_look_up("word"), say("Found."))

    turn = await take_turn(chat, [], rounds=1)

    assert turn.stop_reason is StopReason.ROUND_LIMIT
    last = provider.requests()[-1]
    assert last.body["tool_choice"] == "none"
    assert last.violations == ()


async def test_a_call_that_is_cut_by_the_length_limit_leaves_a_valid_history(
    provider: Provider, chat: OpenAIChat
) -> None:
    provider.be_strict()
    half = {"index": 0, "id": "a", "function": {"name": "look_up", "arguments": '{"word": "ab'}}
    cut = stream(delta(content="Let me", tool_calls=[half]), delta(finish="length"), usage())
    provider.script(cut, call_look_up("word"), say("Found."))

    turn = await take_turn(chat, [])

    assert turn.stop_reason is StopReason.ANSWERED
    _, second, third = provider.requests()
    asked, answered = second.body["messages"][-2:]
    assert asked["content"] == "Let me"
    assert asked["tool_calls"][0]["function"] == {"name": "look_up", "arguments": "{}"}
    assert "smaller steps" in answered["content"]
    assert third.violations == ()


async def test_a_skill_stays_in_what_is_sent_whatever_the_server_refuses(
    provider: Provider, chat: OpenAIChat
) -> None:
    """The results of the rounds do not fit; each request is valid and has the skill once."""
    skill = Pinned("kind=skill name=sql", "    1| Bind every parameter.")
    framed = frame_material([(skill.label, skill.text)])
    history = [
        Message("user", f"{framed}\n\nBefore?"),
        Message("assistant", "word " * 3_000),
        Message("user", "Then?"),
        Message("assistant", "word " * 3_000),
    ]
    provider.be_strict("no-user-after-tool")
    provider.script(call_look_up("word " * 900), call_look_up("other " * 900), say("Found."))

    async with asyncio.timeout(20):
        turn = await run_turn(
            chat,
            [SYSTEM, *history, Message("user", "What is it?")],
            tools(),
            Limits(8, context_tokens=6_000),
            ignore_event,
            pin=lambda: (skill,),
        )

    assert turn.answer == "Found."
    accepted = [request for request in provider.requests() if not request.violations]
    assert len(accepted) == 3
    for request in accepted:
        said = "\n".join(str(message["content"]) for message in request.body["messages"])
        assert said.count(skill.text) == 1


async def test_the_context_that_a_server_names_is_kept_to(
    provider: Provider, chat: OpenAIChat
) -> None:
    error = {
        "message": "This model's maximum context length is 6000 tokens. However, your messages "
        "resulted in 9000 tokens.",
        "code": "context_length_exceeded",
    }
    provider.be_strict()
    provider.script(refuse(400, {"error": error}), say("Short."), say("Still short."))
    history = [Message("user", "Before?"), Message("assistant", "word " * 4_500)]

    first = await take_turn(chat, history)
    second = await take_turn(chat, history)

    assert (first.answer, second.answer) == ("Short.", "Still short.")
    assert first.trimmed.n_turns == second.trimmed.n_turns == 1
    assert len(provider.requests()) == 3
