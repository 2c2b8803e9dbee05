import pytest

from glossator.agent.loop import Limits, StopReason, Turn, run_turn
from glossator.agent.prompt import NO_TOOLS
from glossator.core.events import ignore_event
from glossator.core.messages import Completion, Message, ToolCall
from glossator.model.failures import ContextTooLong, ToolsUnsupported
from glossator.model.scripted import ScriptedModel
from glossator.tools.toolbox import Toolbox, make_toolbox

SYSTEM = Message("system", "You help.")
EARLIER = (Message("user", "earlier question"), Message("assistant", "earlier answer"))
QUESTION = Message("user", "What is it?")


def tools() -> Toolbox:
    async def look_up(word: str) -> str:
        """Look a word up."""
        if word == "broken":
            raise ZeroDivisionError("a defect of ours")
        return f"{word}: found " * 1000

    return make_toolbox([look_up])


def look_up(word: str, call_id: str = "1") -> ToolCall:
    return ToolCall(call_id, "look_up", f'{{"word": "{word}"}}')


async def take_turn(model: ScriptedModel, *, rounds: int = 8) -> Turn:
    transcript = [SYSTEM, *EARLIER, QUESTION]
    return await run_turn(model, transcript, tools(), Limits(rounds), ignore_event)


async def test_a_conversation_that_is_too_long_is_asked_once_more_without_its_past() -> None:
    model = ScriptedModel([ContextTooLong("too long"), "Answer."])

    turn = await take_turn(model)

    assert (turn.answer, turn.is_shortened) == ("Answer.", True)
    assert model.transcripts[1] == (SYSTEM, QUESTION)


async def test_what_tools_returned_is_cut_when_it_makes_the_turn_too_long() -> None:
    model = ScriptedModel([[look_up("word")], ContextTooLong("too long"), "Answer."])

    turn = await take_turn(model)

    *_, result = model.transcripts[2]
    assert turn.is_shortened
    assert result.call_id == "1"
    assert len(result.text) < 2_100
    assert "more characters were left out" in result.text


async def test_a_conversation_that_stays_too_long_is_given_up() -> None:
    model = ScriptedModel([ContextTooLong("too long"), ContextTooLong("still too long")])

    with pytest.raises(ContextTooLong, match="still too long"):
        await take_turn(model)


async def test_a_model_without_tools_is_asked_once_more_without_them_and_told_so() -> None:
    model = ScriptedModel([ToolsUnsupported("no tools"), "Answer."])

    turn = await take_turn(model)

    assert (turn.answer, turn.is_without_tools) == ("Answer.", True)
    assert model.tools_offered[1] == ()
    assert model.transcripts[1][-1] == Message("user", NO_TOOLS)


async def test_calls_that_were_not_offered_are_neither_run_nor_kept() -> None:
    model = ScriptedModel([[look_up("a")], ["So far.", look_up("b", "2")]])

    turn = await take_turn(model, rounds=1)

    assert (turn.answer, turn.stop_reason) == ("So far.", StopReason.ROUND_LIMIT)
    assert turn.added[-1].tool_calls == ()


@pytest.mark.parametrize("finish", ["length", "content_filter", "refusal"])
async def test_calls_of_an_answer_that_is_not_whole_are_not_run(finish: str) -> None:
    model = ScriptedModel([["Half", look_up("a"), Completion(finish)]])  # type: ignore[arg-type] # parametrized

    turn = await take_turn(model)

    assert [message.role for message in turn.added] == ["assistant"]
    assert turn.added[0].tool_calls == ()


async def test_a_defect_in_a_tool_is_raised_as_it_is() -> None:
    model = ScriptedModel([[look_up("fine"), look_up("broken", "2")]])

    with pytest.raises(ZeroDivisionError, match="a defect of ours"):
        await take_turn(model)


async def test_one_round_with_the_same_call_three_times_is_no_circle() -> None:
    calls = [look_up("word", str(number)) for number in range(3)]
    model = ScriptedModel([calls, "Answer."])

    turn = await take_turn(model)

    assert turn.stop_reason is StopReason.ANSWERED
    assert "You made this call before" not in model.transcripts[1][-1].text
