import asyncio

import pytest

from glossator.core.errors import ModelUnavailable
from glossator.core.messages import Completion, Message, TextDelta, ToolCall
from glossator.model.scripted import ScriptedModel

_HI = [Message("user", "hi")]


async def test_replies_are_played_in_order_and_recorded() -> None:
    call = ToolCall("a", "r", "{}")
    model = ScriptedModel([["Looking.", call], "Done.", ModelUnavailable("no")])

    first = [piece async for piece in model.stream(_HI, ())]
    second = [piece async for piece in model.stream(_HI, ())]
    with pytest.raises(ModelUnavailable, match="no"):
        await anext(model.stream(_HI, ()))

    assert first == [TextDelta("Looking."), call, Completion("tool_calls")]
    assert second == [TextDelta("Done."), Completion("stop")]
    assert model.transcripts == [tuple(_HI)] * 3


async def test_a_reply_may_follow_its_context() -> None:
    model = ScriptedModel([lambda transcript, tools: f"{transcript[-1].text}, {len(tools)} tools"])

    assert await anext(model.stream(_HI, ())) == TextDelta("hi, 0 tools")


async def test_a_reply_may_wait_for_an_event() -> None:
    may_go_on = asyncio.Event()
    model = ScriptedModel([["a", may_go_on, "b"]])
    pieces = model.stream(_HI, ())

    assert await anext(pieces) == TextDelta("a")
    waiting = asyncio.create_task(anext(pieces))
    await asyncio.sleep(0)
    assert not waiting.done()
    may_go_on.set()
    assert await waiting == TextDelta("b")


async def test_a_script_that_is_used_up_says_so() -> None:
    with pytest.raises(ModelUnavailable, match="no reply left"):
        await anext(ScriptedModel([]).stream(_HI, ()))
