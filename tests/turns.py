"""Finished turns for tests: one made by hand, and any that there can be."""

from dataclasses import fields
from typing import Any

from hypothesis import strategies as st

from glossator.core.locations import Span
from glossator.core.messages import Message, ToolCall, Usage
from glossator.sessions.session import Attachment, FinishedTurn, Session

# Halves of characters and NUL included: a model may send them.
texts = st.text(st.characters(exclude_categories=()), max_size=20)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=5,
)


def make_turn(question: str = "Why?", answer: str = "Because.") -> FinishedTurn:
    """Return a turn in which the model used a tool."""
    call = ToolCall("call-1", "read_file", '{"path": "a.py"}', {"signature": "s"})
    return FinishedTurn(
        question,
        (
            Message("user", f"<material>\n{question}"),
            Message("assistant", "", (call,), reasoning="hm"),
            Message("tool", "1 | x = 1", call_id="call-1"),
            Message("assistant", answer),
        ),
        by_model=True,
        stop_reason="answered",
        usage=Usage(10, 5, 2),
        citations=(("a.py:1", Span("a.py", 1, 1), "exact"),),
        finished_at=1_790_000_000.25,
    )


def build_all(kind: type, **given: Any) -> st.SearchStrategy[Any]:
    """Build values with every field, whatever fields there come to be."""
    return st.builds(kind, **{item.name: ... for item in fields(kind)} | given)


tool_calls = build_all(
    ToolCall, id=texts, name=texts, arguments=texts, extra=st.dictionaries(texts, json_values)
)
messages = build_all(
    Message,
    role=st.sampled_from(["user", "assistant", "tool"]),
    text=texts,
    tool_calls=st.lists(tool_calls, max_size=2).map(tuple),
    call_id=st.none() | texts,
    reasoning=texts,
)
finished_turns = build_all(
    FinishedTurn,
    question=texts,
    messages=st.lists(messages, min_size=1, max_size=3).map(tuple),
    stop_reason=texts,
    usage=st.none() | build_all(Usage, cost=st.none() | st.floats(0, 1e6)),
    citations=st.lists(st.tuples(texts, build_all(Span, path=texts), texts), max_size=2).map(tuple),
    attachments=st.sampled_from(
        [
            (),
            (Attachment("file", "a.py", 1, 2), Attachment("symbol", "\ud800", 3, 9, "甲", 7)),
            (Attachment("selection", "b.py", problem="It is gone."),),
        ]
    ),
    finished_at=st.integers(0, 4 * 10**12).map(lambda milliseconds: milliseconds / 1000),
)
sessions = build_all(
    Session,
    id=texts,
    title=texts,
    turns=st.lists(finished_turns, max_size=3),
    summary=texts,
)
