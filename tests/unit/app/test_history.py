"""Long sessions, and turns that reach their limits."""

import asyncio
from collections.abc import Sequence

import pytest

from glossator.core.errors import ModelUnavailable
from glossator.core.events import ContextTrimmed, RoundStarted, StepStarted, TextArrived, TurnEnded
from glossator.core.messages import Message, ToolCall, ToolSpec, Usage
from glossator.model.scripted import Reply, ScriptedModel
from workbench import OWN_ONLY, Bench, MakeBench

FILES = {"main.py": "def main():\n    return 1\n" + "# filler\n" * 400}
SMALL = {**OWN_ONLY, "model": {"contextTokens": 8_000}}
QUESTION = "What does `main` do?"
LONG = "It returns 1 (main.py:2). " + "More words. " * 500


async def ask_often(bench: Bench, times: int, question: str = QUESTION) -> list[str]:
    """Ask in one session and return the notices."""
    session_id, notices = "", []
    for _ in range(times):
        answer = await bench.application.ask(question, session_id=session_id, emit=bench.hear)
        session_id = answer.session_id
        notices.append(answer.notice)
    return notices


async def test_a_long_session_leaves_out_its_oldest_turns_and_says_so(
    make_bench: MakeBench,
) -> None:
    model = ScriptedModel([LONG] * 6)
    bench = make_bench(FILES, model=model, settings=SMALL)

    notices = await ask_often(bench, 6)

    assert notices[0] == ""
    assert "The conversation is too long for the model:" in notices[-1]
    assert "earlier turns left out" in notices[-1]
    last = model.transcripts[-1]
    assert len(last) < 2 + 2 * 5
    assert last[-1] == Message("user", last[-1].text)
    trimmed = bench.heard(ContextTrimmed)
    assert trimmed
    assert all(
        isinstance(event, ContextTrimmed) and event.budget_tokens <= 8_000 for event in trimmed
    )


async def test_a_chinese_session_is_told_in_chinese(make_bench: MakeBench) -> None:
    bench = make_bench(FILES, model=ScriptedModel([LONG] * 6), settings=SMALL)

    notices = await ask_often(bench, 6, "`main` 做什么？")

    assert "对话超出了模型的长度限制：省略了较早的" in notices[-1]


def summarize_or_answer(transcript: Sequence[Message], tools: Sequence[ToolSpec]) -> Reply:
    """Follow the context: a request for a summary has its own system message."""
    is_summary = transcript[0].text.startswith("You write down what has been said")
    return "They asked about `main` (main.py:1)." if is_summary else LONG


async def test_turns_that_no_longer_fit_are_summarised_once(make_bench: MakeBench) -> None:
    model = ScriptedModel([summarize_or_answer] * 20, usage=Usage(100, 10))
    settings = {**OWN_ONLY, "model": {"contextTokens": 16_000}, "agent": {"summarize": True}}
    bench = make_bench(FILES, model=model, settings=settings)

    notices = await ask_often(bench, 9)

    summaries = [t for t in model.transcripts if t[0].text.startswith("You write down")]
    assert 1 <= len(summaries) <= 4
    last = model.transcripts[-1]
    assert [message.role for message in last[:3]] == ["system", "user", "user"]
    assert "They asked about `main` (main.py:1)." in last[1].text
    assert "oldest turns of this session went as a summary." in notices[-1]
    assert StepStarted("Summarising the oldest turns") in bench.events
    shown = [event.text for event in bench.heard(TextArrived) if isinstance(event, TextArrived)]
    assert "They asked" not in "".join(shown)


@pytest.mark.parametrize("summary", [ModelUnavailable("It is down."), ""])
async def test_a_summary_that_fails_leaves_the_turns_out(
    make_bench: MakeBench, summary: Reply
) -> None:
    def fail_or_answer(transcript: Sequence[Message], tools: Sequence[ToolSpec]) -> Reply:
        reply = summarize_or_answer(transcript, tools)
        return summary if reply != LONG else reply

    model = ScriptedModel([fail_or_answer] * 20)
    settings = {**SMALL, "agent": {"summarize": True}}

    notices = await ask_often(make_bench(FILES, model=model, settings=settings), 6)

    assert "earlier turns left out" in notices[-1]


async def test_what_earlier_turns_looked_at_is_still_there(make_bench: MakeBench) -> None:
    call = ToolCall("1", "read_file", '{"path": "main.py", "last_line": 2}')
    model = ScriptedModel([call, "It returns 1 (main.py:2).", "Nobody."])

    await ask_often(make_bench(FILES, model=model, settings=OWN_ONLY), 2)

    roles = [message.role for message in model.transcripts[-1]]
    assert roles == ["system", "user", "assistant", "tool", "assistant", "user"]
    before, after = model.transcripts[1], model.transcripts[2]
    assert after[: len(before) - 1] == before[:-1]


async def test_a_turn_out_of_time_keeps_what_was_written_and_says_so(
    make_bench: MakeBench,
) -> None:
    model = ScriptedModel([["It returns (main.py:2)", asyncio.Event()]])
    settings = {**OWN_ONLY, "agent": {"turnTimeoutS": 1}}
    bench = make_bench(FILES, model=model, settings=settings)
    await bench.application.start()

    answer = await bench.application.ask(QUESTION, emit=bench.hear)

    assert answer.markdown == "It returns (main.py:2)"
    assert answer.stop_reason == "time-limit"
    assert "`agent.turnTimeoutS`" in answer.notice
    assert [event.stop_reason for event in bench.heard(TurnEnded)] == ["time-limit"]
    assert bench.application.runs.turns == ()


async def test_a_model_that_says_nothing_in_time_leaves_the_facts(make_bench: MakeBench) -> None:
    settings = {**OWN_ONLY, "agent": {"turnTimeoutS": 1}}
    bench = make_bench(FILES, model=ScriptedModel([asyncio.Event()]), settings=settings)
    await bench.application.start()

    answer = await bench.application.ask("`main` 做什么？")

    assert (answer.by_model, answer.stop_reason) == (False, "time-limit")
    assert "已到时间上限" in answer.notice


async def test_a_turn_out_of_tokens_gives_its_best_answer(make_bench: MakeBench) -> None:
    call = ToolCall("1", "read_file", '{"path": "main.py"}')
    model = ScriptedModel([call, "It returns 1 (main.py:2)."], usage=Usage(50_000, 10, 40_000))
    settings = {**OWN_ONLY, "agent": {"turnTokens": 60_000}}

    answer = await make_bench(FILES, model=model, settings=settings).application.ask(QUESTION)

    assert answer.stop_reason == "token-limit"
    assert "`agent.turnTokens`" in answer.notice
    assert answer.usage == Usage(100_000, 20, 80_000)


async def test_a_lighter_model_looks_and_the_stronger_one_answers(make_bench: MakeBench) -> None:
    call = ToolCall("1", "read_file", '{"path": "main.py"}')
    light = ScriptedModel([call, "Light."], name="light")
    strong = ScriptedModel(["It returns 1 (main.py:2)."], name="strong")
    bench = make_bench(FILES, model=strong, tools_model=light, settings=OWN_ONLY)

    answer = await bench.application.ask(QUESTION, emit=bench.hear)

    assert answer.markdown == "It returns 1 (main.py:2)."
    rounds = [event for event in bench.heard(RoundStarted) if isinstance(event, RoundStarted)]
    assert [event.model for event in rounds] == ["light", "light", "strong"]


@pytest.mark.parametrize(("name", "is_there"), [("", False), ("m", False), ("light", True)])
def test_a_setting_names_the_lighter_model(
    make_bench: MakeBench, name: str, is_there: bool
) -> None:
    server = {"baseUrl": "http://127.0.0.1:9/v1", "name": "m", "toolsName": name}
    bench = make_bench(FILES, settings={"model": server})

    tools_model = bench.application._environment.parts.tools_model

    assert (tools_model is not None) is is_there
