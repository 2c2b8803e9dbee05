import json
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glossator.agent.capacity import count_tokens
from glossator.agent.prompt import frame_material
from glossator.agent.window import NOTHING_TRIMMED, Trimmed, fit, has_summary
from glossator.core.messages import Message, ToolCall
from glossator.core.tokens import estimate_tokens
from glossator.model.dialects import Dialect, Learnt
from glossator.model.sending import NO_RESULT, make_body
from provider.strict import find_violations

SYSTEM = Message("system", "You help.")
SUMMARY = Message("user", "Summary: it is a shop.")
QUESTION = "What is it?"


def ask(question: str = QUESTION, *, n_material: int = 0) -> Message:
    material = [
        (f"kind=code place=a.py:{n}", f"line of code {n}\n" * 20) for n in range(n_material)
    ]
    framed = f"{frame_material(material)}\n\n" if material else ""
    return Message("user", framed + question)


def make_round(*texts: str, first_id: int = 0) -> tuple[Message, ...]:
    calls = [
        ToolCall(f"call{first_id + n}", "read_file", '{"path": "a.py"}') for n in range(len(texts))
    ]
    results = [
        Message("tool", text, call_id=call.id) for call, text in zip(calls, texts, strict=True)
    ]
    return (Message("assistant", "", tuple(calls)), *results)


def make_turn(number: int, *, n_characters: int = 3_000) -> tuple[Message, ...]:
    return (
        ask(f"question {number}"),
        *make_round("result\n" * (n_characters // 7), first_id=10 * number),
        Message("assistant", f"answer {number}"),
    )


def join(turns: Sequence[tuple[Message, ...]]) -> list[Message]:
    return [message for turn in turns for message in turn]


def texts_of(messages: Sequence[Message], role: str) -> list[str]:
    return [message.text for message in messages if message.role == role]


def test_what_fits_is_sent_as_it_is() -> None:
    transcript = [SYSTEM, *make_turn(1), ask()]
    added = make_round("text")

    fitted = fit(transcript, added, 10_000)

    assert fitted.messages == (*transcript, *added)
    assert not fitted.trimmed


def test_old_results_go_before_old_turns() -> None:
    transcript = [SYSTEM, *join([make_turn(n) for n in range(4)]), ask()]

    fitted = fit(transcript, (), count_tokens(transcript) - 1)

    assert fitted.trimmed == Trimmed(n_results=3)
    assert "question 0" in texts_of(fitted.messages, "user")
    assert "characters left out; `read_file`" in texts_of(fitted.messages, "tool")[0]
    assert texts_of(fitted.messages, "tool")[-1] == join([make_turn(3)])[2].text


def test_the_oldest_turns_go_whole_when_short_results_are_not_enough() -> None:
    turns = [(ask(f"question {n}"), Message("assistant", "word " * 700)) for n in range(5)]
    transcript = [SYSTEM, *join(turns), ask()]

    fitted = fit(transcript, (), count_tokens(transcript) - 1)

    assert fitted.trimmed == Trimmed(n_turns=3)
    assert texts_of(fitted.messages, "user") == ["question 3", "question 4", QUESTION]


def test_material_of_earlier_turns_goes_and_their_questions_stay() -> None:
    old = [ask("old question", n_material=10), Message("assistant", "old answer")]
    transcript = [SYSTEM, *old, ask(n_material=3)]

    fitted = fit(transcript, (), count_tokens(transcript) - 1)

    [first, second] = texts_of(fitted.messages, "user")
    assert first.endswith("\n\nold question")
    assert "line of code" not in first
    assert fitted.trimmed == Trimmed(n_requests=1)
    assert second == transcript[-1].text


def test_the_newest_results_stay_when_those_of_earlier_rounds_go() -> None:
    added = join([make_round(f"result {n}\n" * 300, first_id=n) for n in range(4)])
    transcript = [SYSTEM, ask(n_material=3)]

    fitted = fit(transcript, added, count_tokens([*transcript, *added]) - 1)

    results = texts_of(fitted.messages, "tool")
    assert fitted.trimmed.n_results == len([text for text in results if "left out" in text]) > 0
    assert results[-1] == added[-1].text
    assert transcript[-1] in fitted.messages


def test_rounds_go_whole_when_nothing_else_is_left_to_go() -> None:
    added = join([make_round(*["short"] * 10, first_id=10 * n) for n in range(10)])
    transcript = [SYSTEM, ask()]

    fitted = fit(transcript, added, 1_000)

    assert fitted.size <= 1_000
    assert fitted.trimmed.n_rounds > 0
    [request] = texts_of(fitted.messages, "user")
    assert request == (
        f"{QUESTION}\n\n(The first {fitted.trimmed.n_rounds} rounds of tool calls no longer fit.)"
    )


def test_results_too_large_for_what_is_left_are_cut() -> None:
    transcript = [SYSTEM, ask(n_material=3)]
    added = make_round("short", "result\n" * 3_000)

    fitted = fit(transcript, added, 1_500)

    assert fitted.size <= 1_500
    assert fitted.trimmed == Trimmed(n_results=1)
    assert fitted.messages[:2] == tuple(transcript)
    assert fitted.messages[3].text == "short"


def test_material_is_cut_by_sections_when_the_request_alone_is_too_much() -> None:
    request = ask(n_material=30)

    fitted = fit([SYSTEM, *make_turn(1), request], (), 2_000)

    text = fitted.messages[-1].text
    assert fitted.size <= 2_000
    assert 0 < fitted.trimmed.n_sections < 30
    assert text.count("<material") == text.count("</material") == 30 - fitted.trimmed.n_sections
    assert text.endswith(f"\n\n{QUESTION}")


def test_a_question_that_does_not_fit_is_sent_all_the_same() -> None:
    question = ask("why? " * 10_000)

    fitted = fit([SYSTEM, *make_turn(1), question], (), 500)

    assert fitted.messages == (SYSTEM, question)


def test_a_summary_at_the_beginning_is_no_turn_and_stays() -> None:
    transcript = [SYSTEM, SUMMARY, *make_turn(1), *make_turn(2), ask()]

    fitted = fit(transcript, (), 100)

    assert has_summary(transcript)
    assert fitted.messages == (SYSTEM, SUMMARY, ask())
    assert fitted.trimmed.n_turns == 2


@pytest.mark.parametrize("transcript", [[SYSTEM, ask()], [SYSTEM, *make_turn(1), ask()], [ask()]])
def test_a_question_is_no_summary(transcript: list[Message]) -> None:
    assert not has_summary(transcript)


def test_the_beginning_stays_the_same_for_several_turns() -> None:
    room = 10_000
    turns = [make_turn(n, n_characters=4_000) for n in range(40)]
    beginnings = []
    for n in range(1, len(turns)):
        transcript = [SYSTEM, *join(turns[:n]), turns[n][0]]
        sent = fit(transcript, (), room).messages
        if beginnings and sent[: len(beginnings[-1])] != beginnings[-1]:
            beginnings.append(sent)
        elif beginnings:
            beginnings[-1] = sent
        else:
            beginnings = [sent]
        assert count_tokens(sent) <= room

    assert len(beginnings) <= len(turns) // 3


def test_the_beginning_stays_the_same_for_several_rounds() -> None:
    transcript = [SYSTEM, *join([make_turn(n) for n in range(3)]), ask(n_material=5)]
    rounds = [make_round("result\n" * 500, first_id=100 + n) for n in range(30)]
    n_changes = 0
    before: tuple[Message, ...] = ()
    for n in range(len(rounds)):
        sent = fit(transcript, join(rounds[:n]), 10_000).messages
        n_changes += sent[: len(before)] != before
        before = sent

    assert n_changes <= 6


# Any conversation

_texts = st.sampled_from(["", "ok", "line\n" * 100, "字" * 200, "x" * 900, "\ud83d half", "\x00"])
_arguments = st.sampled_from(["{}", '{"path": "a.py"}', '{"pa', "[1]", '{"a": NaN}', ""])


@st.composite
def _rounds(draw: st.DrawFn) -> tuple[Message, ...]:
    calls = draw(
        st.lists(
            st.builds(
                ToolCall,
                id=st.sampled_from(["", "a", "b", "call_1"]),
                name=st.sampled_from(["read_file", "delegate", "not a tool"]),
                arguments=_arguments,
            ),
            min_size=1,
            max_size=4,
            unique_by=lambda call: call.id,
        )
    )
    results = [Message("tool", draw(_texts), call_id=call.id) for call in calls]
    return (Message("assistant", draw(_texts), tuple(calls), reasoning=draw(_texts)), *results)


@st.composite
def _requests(draw: st.DrawFn) -> Message:
    return ask(draw(_texts) + QUESTION, n_material=draw(st.integers(0, 8)))


@st.composite
def _turns(draw: st.DrawFn) -> tuple[Message, ...]:
    rounds = draw(st.lists(_rounds(), max_size=3))
    return (draw(_requests()), *join(rounds), Message("assistant", draw(_texts)))


@st.composite
def conversations(draw: st.DrawFn) -> tuple[list[Message], list[Message]]:
    """A transcript and what a turn has added to it."""
    summary = [SUMMARY] * draw(st.integers(0, 1))
    past = draw(st.lists(_turns(), max_size=5))
    transcript = [SYSTEM, *summary, *join(past), draw(_requests())]
    return transcript, join(draw(st.lists(_rounds(), max_size=5)))


def find_faults(messages: Sequence[Message]) -> list[str]:
    """Return what is wrong with a transcript, whatever server it goes to."""
    faults = []
    waiting: list[str] = []
    for place, message in enumerate(messages):
        if message.role == "system" and place:
            faults.append("a later system message")
        if message.role == "tool":
            if not waiting or message.call_id != waiting.pop(0):
                faults.append(f"a result without its call: {message.call_id}")
            continue
        if waiting:
            faults.append(f"calls without results: {waiting}")
        waiting = [call.id for call in message.tool_calls]
    if waiting:
        faults.append(f"calls without results at the end: {waiting}")
    return faults


@settings(max_examples=200)
@given(conversations(), st.integers(50, 6_000))
def test_whatever_is_left_out_what_is_sent_is_whole(
    conversation: tuple[list[Message], list[Message]], room: int
) -> None:
    transcript, added = conversation

    fitted = fit(transcript, added, room)

    assert find_faults(fitted.messages) == []
    assert fitted.messages[0] == SYSTEM
    assert (SUMMARY in fitted.messages) == (SUMMARY in transcript)
    question = texts_of(fitted.messages, "user")[-1]
    assert QUESTION in question
    assert fitted.trimmed.n_sections or question.startswith(transcript[-1].text)
    assert fitted.size == count_tokens(fitted.messages)
    assert bool(fitted.trimmed) == (fitted.messages != (*transcript, *added))


@settings(max_examples=200)
@given(conversations(), st.integers(50, 6_000))
def test_what_is_sent_keeps_within_the_room_or_is_the_least_there_can_be(
    conversation: tuple[list[Message], list[Message]], room: int
) -> None:
    transcript, added = conversation

    fitted = fit(transcript, added, room)

    if fitted.size > room:
        n_past = sum(message.role == "user" for message in transcript) - 1 - (SUMMARY in transcript)
        requests = texts_of(fitted.messages, "user")
        rounds = [message for message in fitted.messages if message.tool_calls]
        results = texts_of(fitted.messages, "tool")
        assert fitted.trimmed.n_turns == n_past
        assert "<material" not in requests[-1]
        assert len(rounds) <= 1
        assert sum(map(estimate_tokens, results)) <= 200 * len(results)


@settings(max_examples=200)
@given(
    conversations(),
    st.integers(50, 6_000),
    st.sampled_from([
        (Dialect("plain"), ["no-reasoning", "no-empty-content"]),
        (Dialect("strict", short_ids=True, empty_content="empty"),
         ["short-ids", "no-null-content"]),
        (Dialect("kimi", reasoning="required"), ["needs-reasoning"]),
    ]),
)  # fmt: skip
def test_strict_servers_accept_what_is_sent_and_nothing_had_to_be_made_up(
    conversation: tuple[list[Message], list[Message]],
    room: int,
    strictness: tuple[Dialect, list[str]],
) -> None:
    dialect, rules = strictness
    sent = fit(*conversation, room).messages

    body = make_body("m", sent, (), dialect=dialect, learnt=Learnt(), temperature=0.0)

    text = json.dumps(body, ensure_ascii=False)
    assert find_violations(text, rules) == []
    assert NO_RESULT not in text


def test_nothing_trimmed_is_false() -> None:
    assert not NOTHING_TRIMMED
    assert Trimmed(n_sections=1)
