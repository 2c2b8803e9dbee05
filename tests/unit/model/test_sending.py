"""What is sent is judged by the rules of strict servers, the same that the provider plays."""

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glossator.core.messages import Message, ToolCall, ToolSpec
from glossator.model.dialects import Dialect, Learnt, find_dialect
from glossator.model.endpoints import Endpoint
from glossator.model.sending import NO_OUTPUT, NO_RESULT, add_nudge, make_body
from provider.strict import find_violations

_PLAIN = Dialect("plain")
_TOOL = ToolSpec("read_file", "Read.", {"type": "object", "properties": {}})
_HALF = "\ud83d"


def _messages(
    *transcript: Message, dialect: Dialect = _PLAIN, tools: tuple[ToolSpec, ...] = ()
) -> list[dict[str, Any]]:
    body = make_body(
        "m", transcript, tools, dialect=dialect, learnt=Learnt(), temperature=0.0, max_tokens=None
    )
    messages: list[dict[str, Any]] = body["messages"]
    return messages


_texts = st.sampled_from(["", " ", "hi", "中文", _HALF, f"a{_HALF}", "\ud83d\ude00"])
_ids = st.sampled_from(["", "a", "b", "call_1", "functions.r:0", _HALF])
_calls = st.builds(
    ToolCall,
    id=_ids,
    name=st.sampled_from(["r", "", "a b", "functions.r", "名"]),
    arguments=st.sampled_from(
        ["", "{}", "{", '{"a": 1}{"b": 2}', '"{\\"a\\": 1}"', "[1]", '{"a": NaN}', '{"a": 1e999}',
         '{"a": "\\ud83d"}', f'{{"a": "{_HALF}"}}', '{"a": "x\ny"}', "[" * 100_000, "null",
         '{"a": ' + "9" * 5000 + "}"]
    ),
)  # fmt: skip
_any_message = st.builds(
    Message,
    role=st.sampled_from(["system", "user", "assistant", "tool"]),
    text=_texts,
    tool_calls=st.lists(_calls, max_size=3).map(tuple),
    call_id=_ids | st.none(),
    reasoning=_texts,
)


@settings(max_examples=400)
@given(
    st.lists(_any_message, max_size=8),
    st.sampled_from([
        (_PLAIN, ["no-reasoning", "no-empty-content"]),
        (Dialect("strict-ids", short_ids=True, empty_content="empty"),
         ["short-ids", "no-null-content"]),
        (Dialect("kimi", reasoning="required"), ["needs-reasoning"]),
        (Dialect("mistral", user_follows_tool=False), ["no-user-after-tool"]),
    ]),
)  # fmt: skip
def test_any_transcript_is_sent_in_a_form_that_strict_servers_accept(
    transcript: list[Message], strictness: tuple[Dialect, list[str]]
) -> None:
    dialect, rules = strictness
    ask = Message("user", "Well?")

    body = make_body("m", [*transcript, ask], (), dialect=dialect, learnt=Learnt(), temperature=0.0)

    assert find_violations(json.dumps(body, ensure_ascii=False), rules) == []


def test_system_messages_come_first_as_one_and_later_ones_become_the_users() -> None:
    messages = _messages(
        Message("system", "One."),
        Message("system", "Two."),
        Message("user", "hi"),
        Message("assistant", "hello"),
        Message("system", "Remember."),
    )

    assert [(item["role"], item["content"]) for item in messages] == [
        ("system", "One.\n\nTwo."),
        ("user", "hi"),
        ("assistant", "hello"),
        ("user", "Remember."),
    ]


def test_results_follow_their_calls_in_order_with_nothing_missing() -> None:
    calls = tuple(ToolCall(name, "r", "{}") for name in "abc")
    messages = _messages(
        Message("user", "hi"),
        Message("assistant", "", calls),
        Message("tool", "C", call_id="c"),
        Message("tool", "orphan", call_id="x"),
        Message("tool", " ", call_id="a"),
        Message("user", "go on"),
    )

    assert [(item["role"], item["content"]) for item in messages[2:]] == [
        ("tool", NO_OUTPUT),
        ("tool", NO_RESULT),
        ("tool", "C"),
        ("user", "go on"),
    ]


def test_an_id_used_in_two_turns_is_told_apart_and_stays_the_same_each_time() -> None:
    turn = (
        Message("user", "hi"),
        Message("assistant", "", (ToolCall("call_1", "r", "{}"),)),
        Message("tool", "x", call_id="call_1"),
    )

    messages = _messages(*turn, *turn)

    first, second = (item["tool_calls"][0]["id"] for item in messages if "tool_calls" in item)
    assert first == "call_1" != second
    assert messages[-1]["tool_call_id"] == second
    assert messages == _messages(*turn, *turn)


def test_fields_that_a_provider_wants_back_survive() -> None:
    extra = {"extra_content": {"google": {"thought_signature": "sig"}}}
    call = ToolCall("functions.r:3", "r", '{"a":  1}', extra)

    (sent,) = _messages(Message("assistant", "", (call,)))[0]["tool_calls"]

    assert sent["extra_content"] == extra["extra_content"]
    assert sent["id"] == "functions.r:3"
    assert sent["function"]["arguments"] == '{"a":  1}'


@pytest.mark.parametrize(
    ("base_url", "sent"),
    [
        ("https://api.deepseek.com", "thought"),
        ("https://api.moonshot.cn/v1", "thought"),
        ("https://api.mistral.ai/v1", None),
        ("http://localhost:8080/v1", None),
    ],
)
def test_thinking_goes_back_only_where_it_is_wanted(base_url: str, sent: str | None) -> None:
    dialect = find_dialect(Endpoint(base_url, "", "m", "environment"))
    calls = (ToolCall("a", "r", "{}"),)

    messages = _messages(Message("assistant", "", calls, reasoning="thought"), dialect=dialect)

    assert messages[0].get("reasoning_content") == sent
    assert "reasoning" not in messages[0]


def test_no_tools_means_no_key() -> None:
    body = make_body(
        "m", [Message("user", "hi")], (), dialect=_PLAIN, learnt=Learnt(), temperature=0.5
    )

    assert "tools" not in body
    assert body["temperature"] == 0.5


def test_only_one_name_for_the_length_of_an_answer_is_sent() -> None:
    learnt = Learnt()
    arguments: dict[str, Any] = {"dialect": _PLAIN, "temperature": 0.0, "max_tokens": 5}
    before = make_body("m", [Message("user", "hi")], (), learnt=learnt, **arguments)
    learnt.learn(before, "Unsupported parameter: 'max_tokens'")
    after = make_body("m", [Message("user", "hi")], (), learnt=learnt, **arguments)

    names = ("max_tokens", "max_completion_tokens")
    assert [[name for name in names if name in body] for body in (before, after)] == [
        ["max_tokens"],
        ["max_completion_tokens"],
    ]


def test_a_lesson_is_learnt_once() -> None:
    learnt = Learnt()
    arguments: dict[str, Any] = {"dialect": replace(_PLAIN, reasoning="calls"), "temperature": 0.0}
    call = Message("assistant", "", (ToolCall("a", "r", "{}"),), reasoning="x")
    refusal = "reasoning_content: Extra inputs are not permitted"

    first = make_body("m", [call], (_TOOL,), learnt=learnt, **arguments)
    assert learnt.learn(first, refusal)
    second = make_body("m", [call], (_TOOL,), learnt=learnt, **arguments)

    assert "reasoning_content" not in second["messages"][0]
    assert learnt.learn(second, refusal) is None


def test_a_nudge_is_added_to_the_users_last_words() -> None:
    body = {"messages": [{"role": "user", "content": "hi"}]}

    assert add_nudge(body, "Mind the form.")["messages"] == [
        {"role": "user", "content": "hi\n\nMind the form."}
    ]
    assert body["messages"][0]["content"] == "hi"
