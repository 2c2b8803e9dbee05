import asyncio
import json
from collections.abc import Sequence
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glossator.agent.budget import Budget
from glossator.agent.capacity import forget_capacities, recall_capacity
from glossator.agent.loop import Limits, StopReason, Turn, run_turn
from glossator.agent.prompt import LAST_ROUND, NO_TOOLS
from glossator.core.errors import IncompleteAnswer, ModelUnavailable
from glossator.core.events import (
    ContextTrimmed,
    Event,
    ReasoningArrived,
    RoundEnded,
    RoundStarted,
    TextArrived,
    WaitingForModel,
    ignore_event,
)
from glossator.core.messages import (
    Completion,
    Message,
    ReasoningDelta,
    TextDelta,
    ToolCall,
    Usage,
    Waiting,
)
from glossator.model.dialects import Dialect, Learnt
from glossator.model.failures import ContextTooLong, ToolsUnsupported
from glossator.model.scripted import Part, ScriptedModel
from glossator.model.sending import NO_RESULT, make_body
from glossator.tools.toolbox import Toolbox, make_toolbox
from provider.strict import find_violations

SYSTEM = Message("system", "You help.")
EARLIER = (Message("user", "earlier question"), Message("assistant", "earlier answer " * 900))
QUESTION = Message("user", "What is it?")


def tools() -> Toolbox:
    async def look_up(word: str) -> str:
        """Look a word up."""
        if word == "broken":
            raise ZeroDivisionError("a defect of ours")
        return f"{word}: found\n" * (1_500 if word.startswith("long") else 1)

    return make_toolbox([look_up])


def look_up(word: str, call_id: str = "1") -> ToolCall:
    return ToolCall(call_id, "look_up", f'{{"word": "{word}"}}')


async def take_turn(
    model: ScriptedModel,
    *,
    rounds: int = 8,
    limits: Limits | None = None,
    events: list[Event] | None = None,
    budget: Budget | None = None,
    tools_model: ScriptedModel | None = None,
    reminders: Sequence[str] = (),
) -> Turn:
    coming = iter(reminders)
    async with asyncio.timeout(20):
        return await run_turn(
            model,
            [SYSTEM, *EARLIER, QUESTION],
            tools(),
            limits or Limits(rounds),
            ignore_event if events is None else events.append,
            budget=budget,
            tools_model=tools_model,
            remind=lambda: next(coming, ""),
        )


def refuse(n_tokens: int | None = None, limit: int | None = None) -> ContextTooLong:
    error = ContextTooLong("too long")
    error.n_tokens, error.limit = n_tokens, limit
    return error


# What does not fit


async def test_a_conversation_that_is_too_long_is_asked_once_more_without_its_past() -> None:
    model = ScriptedModel([ContextTooLong("too long"), "Answer."])
    events: list[Event] = []

    turn = await take_turn(model, events=events)

    assert (turn.answer, turn.trimmed.n_turns) == ("Answer.", 1)
    assert model.transcripts[1] == (SYSTEM, QUESTION)
    [trimmed] = [event for event in events if isinstance(event, ContextTrimmed)]
    assert (trimmed.n_turns_left_out, trimmed.is_summarized) == (1, False)


async def test_the_limit_that_a_refusal_names_is_known_in_the_next_turn() -> None:
    first = ScriptedModel([refuse(5_000, 4_000), "Answer."])
    await take_turn(first)
    second = ScriptedModel(["Answer."])

    turn = await take_turn(second)

    assert second.transcripts == [(SYSTEM, QUESTION)]
    assert turn.trimmed.n_turns == 1


async def test_what_tools_returned_is_cut_when_it_makes_the_turn_too_long() -> None:
    calls = [look_up("long"), look_up("longer", "2")]
    model = ScriptedModel([calls, refuse(9_000, 5_000), "Answer."])

    turn = await take_turn(model)

    *_, first, second = model.transcripts[2]
    assert turn.trimmed.n_results == 2
    assert (first.call_id, second.call_id) == ("1", "2")
    assert '; `look_up` {"word": "long"} shows them again.)' in first.text


async def test_a_conversation_that_stays_too_long_is_given_up() -> None:
    model = ScriptedModel([ContextTooLong("too long"), ContextTooLong("still too long")])

    with pytest.raises(ContextTooLong, match="still too long"):
        await take_turn(model)


async def test_what_cannot_become_shorter_is_not_sent_again() -> None:
    model = ScriptedModel([refuse(5_000, 4_000), "Answer.", refuse(5_000, 4_000)])
    await take_turn(model)

    with pytest.raises(ContextTooLong):
        await take_turn(model)

    assert len(model.transcripts) == 3


async def test_the_results_of_one_round_leave_room_for_more() -> None:
    calls = [look_up(f"long{number}", str(number)) for number in range(4)]
    model = ScriptedModel([calls, "Answer."])

    turn = await take_turn(model, limits=Limits(context_tokens=8_000))

    results = [message for message in turn.added if message.role == "tool"]
    assert sum(len(message.text) for message in results) < 8_000 * 3.5 * 0.4
    assert all("shows them again" in message.text for message in results)


async def test_the_servers_count_of_tokens_is_learnt() -> None:
    model = ScriptedModel(["Answer."], usage=Usage(6_000, 10))

    await take_turn(model)

    ratio = recall_capacity(model).ratio
    assert ratio is not None
    assert ratio > 1.4


async def test_what_the_model_is_no_longer_shown_it_may_ask_for_again() -> None:
    words = ["long", "longer", "longest", "long", "longer"]
    model = ScriptedModel([*[look_up(word, str(n)) for n, word in enumerate(words)], "Answer."])

    turn = await take_turn(model, limits=Limits(context_tokens=10_000))

    assert turn.stop_reason is StopReason.ANSWERED
    assert turn.trimmed.n_results > 0


# What a model cannot or may not do


async def test_a_model_without_tools_is_asked_once_more_without_them_and_told_so() -> None:
    model = ScriptedModel([ToolsUnsupported("no tools"), "Answer."])

    turn = await take_turn(model)

    assert (turn.answer, turn.is_without_tools) == ("Answer.", True)
    assert model.tools_offered[1] == ()
    assert model.transcripts[1][-1].text == f"{QUESTION.text}\n\n{NO_TOOLS}"


async def test_a_model_that_has_no_room_for_tools_gets_none() -> None:
    model = ScriptedModel(["Answer."])

    turn = await take_turn(model, limits=Limits(context_tokens=60))

    assert (turn.answer, turn.is_without_tools) == ("Answer.", True)
    assert model.tools_offered == [()]


async def test_a_limit_that_leaves_no_room_for_tools_is_learnt_from_a_refusal() -> None:
    model = ScriptedModel([look_up("a"), refuse(300, 60), "Answer."])

    turn = await take_turn(model)

    assert (turn.answer, turn.is_without_tools) == ("Answer.", True)
    assert len(model.transcripts) == 3


async def test_calls_that_were_not_offered_are_neither_run_nor_kept() -> None:
    model = ScriptedModel([[look_up("a")], ["So far.", look_up("b", "2")]])

    turn = await take_turn(model, rounds=1)

    assert (turn.answer, turn.stop_reason) == ("So far.", StopReason.ROUND_LIMIT)
    assert turn.added[-1].tool_calls == ()
    assert model.transcripts[1][-1] == Message("user", LAST_ROUND)


@pytest.mark.parametrize("finish", ["content_filter", "refusal"])
async def test_calls_of_an_answer_that_is_not_whole_are_not_run(finish: str) -> None:
    model = ScriptedModel([["Half", look_up("a"), Completion(finish)]])  # type: ignore[arg-type] # parametrized

    turn = await take_turn(model)

    assert [message.role for message in turn.added] == ["assistant"]
    assert turn.added[0].tool_calls == ()


async def test_a_defect_in_a_tool_is_told_to_the_model_and_the_turn_goes_on() -> None:
    model = ScriptedModel([[look_up("fine"), look_up("broken", "2")], "Answer."])

    turn = await take_turn(model)

    texts = [message.text for message in turn.added]
    assert texts[1] == "fine: found\n"
    assert texts[2].startswith("`look_up` failed: ZeroDivisionError: a defect of ours.")
    assert turn.stop_reason is StopReason.ANSWERED


# Circles


async def test_one_round_with_the_same_call_three_times_is_no_circle() -> None:
    calls = [look_up("word", str(number)) for number in range(3)]
    model = ScriptedModel([calls, "Answer."])

    turn = await take_turn(model)

    assert turn.stop_reason is StopReason.ANSWERED
    assert "You made this call before" not in model.transcripts[1][-1].text


async def test_two_calls_in_turns_are_a_circle() -> None:
    words = ["a", "b", "a", "b"]
    model = ScriptedModel([*[look_up(word, str(n)) for n, word in enumerate(words)], "Answer."])

    turn = await take_turn(model)

    assert (turn.answer, turn.stop_reason) == ("Answer.", StopReason.REPEATING)
    assert len(model.transcripts) == 5
    assert "You made this call before" in model.transcripts[3][-1].text


# Calls that are cut


async def test_a_call_that_is_cut_is_not_run_and_the_model_is_told() -> None:
    half = ToolCall("1", "look_up", '{"word": "ab')
    model = ScriptedModel([["Let me see.", Completion("length", cut_calls=(half,))], "Answer."])

    turn = await take_turn(model)

    said, result = model.transcripts[1][-2:]
    assert (said.text, said.tool_calls) == ("Let me see.", (half,))
    assert result.call_id == "1"
    assert "smaller steps" in result.text
    assert (turn.answer, turn.stop_reason) == ("Answer.", StopReason.ANSWERED)


async def test_a_model_whose_calls_are_cut_again_and_again_has_to_answer() -> None:
    cut = [look_up("word"), Completion("length")]
    model = ScriptedModel([cut, cut, cut, "Answer."])

    turn = await take_turn(model)

    assert (turn.answer, turn.stop_reason) == ("Answer.", StopReason.CUT)
    assert model.tools_offered[3] == ()


async def test_a_text_that_is_cut_is_the_answer() -> None:
    model = ScriptedModel([["Half an", Completion("length")]])

    turn = await take_turn(model)

    assert (turn.answer, turn.stop_reason) == ("Half an", StopReason.CUT)


async def test_a_last_answer_that_is_cut_says_so() -> None:
    model = ScriptedModel([look_up("a"), ["Half an", Completion("length")]])

    assert (await take_turn(model, rounds=1)).stop_reason is StopReason.CUT


# Time and tokens


async def test_when_most_tokens_are_spent_the_answer_is_asked_for() -> None:
    model = ScriptedModel([look_up("a"), "Best answer."], usage=Usage(8_000, 100))

    turn = await take_turn(model, budget=Budget(tokens=10_000))

    assert (turn.answer, turn.stop_reason) == ("Best answer.", StopReason.TOKEN_LIMIT)
    assert model.tools_offered[1] == ()
    assert model.transcripts[1][-1].text == LAST_ROUND


async def test_without_the_servers_count_the_estimate_is_spent() -> None:
    budget = Budget(tokens=1_000_000)

    await take_turn(ScriptedModel(["Answer."]), budget=budget)

    assert 4_000 < budget.n_spent < 6_000


async def test_a_turn_without_any_tokens_left_ends_without_a_request() -> None:
    budget = Budget(tokens=10)
    budget.spend(10)
    model = ScriptedModel([])

    turn = await take_turn(model, budget=budget)

    assert (turn.answer, turn.stop_reason) == ("", StopReason.TOKEN_LIMIT)
    assert model.transcripts == []


async def test_an_answer_without_an_end_is_ended_by_the_token_limit() -> None:
    endless: list[Part] = [TextDelta("word " * 1_000) for _ in range(100)]
    model = ScriptedModel([endless])

    turn = await take_turn(model, rounds=0, budget=Budget(tokens=12_000))

    assert turn.stop_reason is StopReason.TOKEN_LIMIT
    assert 5_000 < len(turn.answer) < 100_000


async def test_when_the_time_is_up_what_has_arrived_is_the_answer() -> None:
    model = ScriptedModel([["So far", asyncio.Event()]])
    events: list[Event] = []

    turn = await take_turn(model, budget=Budget(seconds=0.2), events=events)

    assert (turn.answer, turn.stop_reason) == ("So far", StopReason.TIME_LIMIT)
    assert [e.finish for e in events if isinstance(e, RoundEnded)] == ["time-limit"]
    assert asyncio.all_tasks() == {asyncio.current_task()}


async def test_after_most_of_the_time_the_answer_is_asked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    passed = [0.0]
    clock = SimpleNamespace(monotonic=lambda: passed[0])
    monkeypatch.setattr("glossator.agent.budget.time", clock)

    def call_slowly(*_: object) -> ToolCall:
        passed[0] = 85.0
        return look_up("a")

    model = ScriptedModel([call_slowly, "Best answer."])

    turn = await take_turn(model, budget=Budget(seconds=100))

    assert (turn.answer, turn.stop_reason) == ("Best answer.", StopReason.TIME_LIMIT)


async def test_a_pause_that_a_server_asks_for_is_told() -> None:
    events: list[Event] = []

    await take_turn(ScriptedModel([[Waiting(2.0, "busy"), "Answer."]]), events=events)

    assert WaitingForModel(2.0, "busy") in events


async def test_a_timeout_of_the_models_own_is_not_ours() -> None:
    model = ScriptedModel([TimeoutError("theirs")])

    with pytest.raises(TimeoutError, match="theirs"):
        await take_turn(model)


# A lighter model


async def test_the_lighter_model_calls_the_tools_and_the_stronger_one_answers() -> None:
    light = ScriptedModel([["Let me look.", look_up("a")], "Light answer."], name="light")
    strong = ScriptedModel(["Strong answer."], name="strong")
    events: list[Event] = []

    turn = await take_turn(strong, tools_model=light, events=events)

    assert (turn.answer, turn.stop_reason) == ("Strong answer.", StopReason.ANSWERED)
    assert [message.text for message in turn.added] == [
        "Let me look.", "a: found\n", "Strong answer.",
    ]  # fmt: skip
    started = [event.model for event in events if isinstance(event, RoundStarted)]
    ended = [event.model for event in events if isinstance(event, RoundEnded)]
    assert started == ended == ["light", "light", "strong"]
    assert strong.tools_offered == [()]


async def test_words_of_the_lighter_model_are_shown_as_thinking() -> None:
    light = ScriptedModel(["Light answer."], name="light")
    events: list[Event] = []

    await take_turn(ScriptedModel(["Strong."]), tools_model=light, events=events)

    assert [event.text for event in events if isinstance(event, TextArrived)] == ["Strong."]
    assert [e.text for e in events if isinstance(e, ReasoningArrived)] == ["Light answer."]


async def test_what_had_arrived_of_an_answer_that_broke_off_goes_with_the_error() -> None:
    broken = IncompleteAnswer("It broke off.")
    model = ScriptedModel([["Let me look.", look_up("a")], ["It is", broken]])

    with pytest.raises(IncompleteAnswer) as caught:
        await take_turn(model)

    assert caught.value.text == "It is"


async def test_a_lighter_model_without_tools_leaves_them_to_the_stronger_one() -> None:
    light = ScriptedModel([ToolsUnsupported("no tools")], name="light")
    strong = ScriptedModel([look_up("a"), "Answer."], name="strong")

    turn = await take_turn(strong, tools_model=light)

    assert (turn.answer, turn.is_without_tools) == ("Answer.", False)
    assert turn.lighter_problem == "no tools"


async def test_a_lighter_model_that_fails_leaves_the_turn_to_the_stronger_one() -> None:
    light = ScriptedModel([look_up("a"), ModelUnavailable("It is gone.")], name="light")
    strong = ScriptedModel([look_up("b", "2"), "Answer."], name="strong")

    turn = await take_turn(strong, tools_model=light)

    assert [message.role for message in turn.added] == [
        "assistant", "tool", "assistant", "tool", "assistant",
    ]  # fmt: skip
    assert (turn.answer, turn.lighter_problem) == ("Answer.", "It is gone.")


async def test_a_lighter_model_without_room_for_tools_leaves_them_to_the_stronger_one() -> None:
    light, strong = ScriptedModel([], name="light"), ScriptedModel(["Answer."], name="strong")
    recall_capacity(light).limit = 60

    turn = await take_turn(strong, tools_model=light)

    assert turn.answer == "Answer."
    assert strong.tools_offered[0]


async def test_a_lighter_model_that_runs_out_of_time_gives_no_answer() -> None:
    light = ScriptedModel([["Hm", asyncio.Event()]], name="light")

    turn = await take_turn(ScriptedModel([]), tools_model=light, budget=Budget(seconds=0.2))

    assert (turn.answer, turn.stop_reason) == ("", StopReason.TIME_LIMIT)


# What is told at the end


async def test_remarks_stand_at_the_end_and_are_not_kept() -> None:
    model = ScriptedModel([look_up("a"), look_up("b", "2"), "Answer."])

    turn = await take_turn(model, rounds=3, reminders=["", "(Your plan: all.)", ""])

    ends = [transcript[-1].text for transcript in model.transcripts]
    assert ends == [
        QUESTION.text,
        "a: found\n\n\n(Your plan: all.)\n\n(2 more rounds with tools in this turn.)",
        "b: found\n\n\n(1 more round with tools in this turn.)",
    ]
    assert [m.text for m in turn.added if m.role == "tool"] == ["a: found\n", "b: found\n"]


async def test_each_request_begins_with_the_one_before_but_for_its_last_words() -> None:
    model = ScriptedModel([look_up("a"), look_up("b", "2"), look_up("c", "3"), "Answer."])

    await take_turn(model)

    for before, after in zip(model.transcripts, model.transcripts[1:], strict=False):
        assert after[: len(before) - 1] == before[:-1]
        assert before[-1].text.startswith(after[len(before) - 1].text)


async def test_the_last_round_begins_as_the_one_before_although_it_offers_no_tools() -> None:
    async def look_up(word: str) -> str:
        return "text " * (1_250 if word == "long" else 1)

    look_up.__doc__ = "Look up. " * 500
    words = ["long", "long", "short"]
    calls = [ToolCall(str(n), "look_up", f'{{"word": "{word}"}}') for n, word in enumerate(words)]
    model = ScriptedModel([*calls, "Answer."])

    turn = await run_turn(
        model,
        [SYSTEM, *EARLIER, QUESTION],
        make_toolbox([look_up]),
        Limits(3, context_tokens=14_000),
        ignore_event,
    )

    before, last = model.transcripts[-2:]
    assert turn.trimmed
    assert model.tools_offered[-1] == ()
    assert last[: len(before) - 1] == before[:-1]


async def test_a_model_that_calls_a_tool_in_the_last_round_is_asked_for_words() -> None:
    model = ScriptedModel([look_up("a"), look_up("b"), "Answer."])

    turn = await take_turn(model, limits=Limits(1))

    assert turn.answer == "Answer."
    assert [message.role for message in turn.added] == ["assistant", "tool", "assistant"]
    assert "in words" in model.transcripts[-1][-1].text


async def test_a_round_ends_with_what_the_model_said() -> None:
    events: list[Event] = []

    await take_turn(ScriptedModel([["Hm.", look_up("a")], "Answer."]), events=events)

    replies = [event.reply for event in events if isinstance(event, RoundEnded)]
    assert [(reply.text, len(reply.tool_calls)) for reply in replies if reply] == [
        ("Hm.", 1),
        ("Answer.", 0),
    ]


# Whatever a model does

_reply_calls = st.lists(
    st.builds(
        ToolCall,
        id=st.sampled_from(["", "a", "b", "call_1"]),
        name=st.sampled_from(["look_up", "search_web", "functions.look_up", ""]),
        arguments=st.sampled_from(
            ['{"word": "a"}', '{"word": "long"}', '{"word": "broken"}', "{", "", "[1]", '"x"',
             '{"word": NaN}', '{"word": "\ud83d"}']
        ),
    ),
    max_size=3,
)  # fmt: skip
_words = st.sampled_from(["", "Hm.", "\ud83d", "字" * 300])
_replies = st.one_of(
    st.tuples(_words, _reply_calls).map(lambda pair: [pair[0], *pair[1]]),
    st.tuples(_reply_calls, st.sampled_from(["length", "content_filter", "refusal", "stop"])).map(
        lambda pair: [*pair[0], Completion(pair[1])]
    ),
    st.just([ReasoningDelta("thinking"), ToolCall("r", "look_up", '{"word": "b"}')]),
    st.just([refuse()]),
    st.just([refuse(4_000, 3_000)]),
    st.just([ToolsUnsupported("no tools")]),
)
_DIALECTS: list[tuple[Dialect, list[str]]] = [
    (Dialect("plain"), ["no-reasoning", "no-empty-content"]),
    (Dialect("strict", short_ids=True, empty_content="empty"), ["short-ids", "no-null-content"]),
    (Dialect("kimi", reasoning="required"), ["needs-reasoning"]),
]


@settings(max_examples=100)
@given(
    st.lists(st.lists(_replies, max_size=6), min_size=1, max_size=3),
    st.sampled_from([0, 4_000, 9_000]),
    st.booleans(),
)
def test_whatever_models_reply_every_request_is_valid(
    session: list[list[list[Part]]], context_tokens: int, has_lighter_model: bool
) -> None:
    """A session of turns, of which those that fail leave no trace, as in the application."""
    forget_capacities()
    asyncio.run(_hold_session(session, context_tokens, has_lighter_model=has_lighter_model))


async def _hold_session(
    session: list[list[list[Part]]], context_tokens: int, *, has_lighter_model: bool
) -> None:
    history: list[Message] = []
    for replies in session:
        model = ScriptedModel([*replies, "Answer.", "Answer."])
        light = ScriptedModel([*replies], name="light") if has_lighter_model else None
        request = Message("user", "Why? \ud83d")
        transcript = [SYSTEM, *history, request]
        try:
            turn = await run_turn(
                model,
                transcript,
                tools(),
                Limits(4, 2, context_tokens=context_tokens),
                ignore_event,
                tools_model=light,
            )
        except ModelUnavailable:
            pass
        else:
            history += [request, *turn.added]
        for asked in filter(None, (model, light)):
            _judge(asked)


def _judge(model: ScriptedModel) -> None:
    for sent, offered in zip(model.transcripts, model.tools_offered, strict=True):
        for dialect, rules in _DIALECTS:
            body = make_body("m", sent, offered, dialect=dialect, learnt=Learnt(), temperature=0.0)
            text = json.dumps(body, ensure_ascii=False)
            assert find_violations(text, rules) == []
            assert NO_RESULT not in text
        learnt = Learnt(wants_tools=True)
        body = make_body("m", sent, offered, dialect=_DIALECTS[0][0], learnt=learnt, temperature=0)
        assert find_violations(json.dumps(body, ensure_ascii=False), ["needs-tools"]) == []
