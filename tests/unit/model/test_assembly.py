from itertools import pairwise
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from glossator.core.messages import Completion, ReasoningDelta, TextDelta, ToolCall
from glossator.model.assembly import Assembly


def _delta(**fields: Any) -> dict[str, Any]:
    return {"choices": [{"index": 0, "delta": fields, "finish_reason": None}]}


def _text(assembly: Assembly) -> str:
    pieces = [*assembly.take_pieces(), *assembly.conclude()]
    return "".join(piece.text for piece in pieces if isinstance(piece, TextDelta))


def test_pieces_of_one_kind_are_joined_and_their_order_is_kept() -> None:
    assembly = Assembly()
    for fields in ({"reasoning": "a"}, {"reasoning": "b"}, {"content": "c"}, {"content": "d"}):
        assembly.feed(_delta(**fields))

    assert assembly.take_pieces() == [ReasoningDelta("ab"), TextDelta("cd")]
    assert assembly.take_pieces() == []


def test_real_repeats_stay_unless_the_text_is_known_to_be_cumulative() -> None:
    plain, cumulative = Assembly(), Assembly(is_cumulative=True)
    for piece in ("ha", "ha"):
        plain.feed(_delta(content=piece))
    for piece in ("A", "AB", "ABC"):
        cumulative.feed(_delta(content=piece))

    assert [_text(plain), _text(cumulative)] == ["haha", "ABC"]


@given(st.text(max_size=30), st.data())
def test_text_does_not_depend_on_how_it_is_cut(text: str, data: st.DataObject) -> None:
    cuts = sorted(data.draw(st.sets(st.integers(0, len(text)))))
    edges = [0, *cuts, len(text)]
    whole, pieces = Assembly(), Assembly()
    whole.feed(_delta(content=text))
    for start, stop in pairwise(edges):
        pieces.feed(_delta(content=text[start:stop]))

    assert _text(pieces) == _text(whole)


def test_no_call_comes_from_an_answer_that_was_filtered() -> None:
    assembly = Assembly()
    entry = {"index": 0, "id": "a", "function": {"name": "r", "arguments": "{}"}}
    assembly.feed(_delta(tool_calls=[entry]))
    assembly.feed({"choices": [{"delta": {}, "finish_reason": "SAFETY"}]})

    pieces = assembly.conclude()

    assert not [piece for piece in pieces if isinstance(piece, ToolCall)]
    assert pieces[-1] == Completion(
        "content_filter", None, ("the call of `r` was not run: content_filter", "empty answer")
    )


_junk = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(
        st.sampled_from(
            ["choices", "delta", "message", "content", "tool_calls", "usage", "finish_reason",
             "refusal", "reasoning", "index", "function_call", "text", "thinking", "error",
             "prompt_tokens", "prompt_tokens_details", "x_groq", "reasoning_details", "type",
             "parts", "summary"]
        ),
        inner,
    ),
    max_leaves=12,
)  # fmt: skip


@given(st.lists(st.dictionaries(st.sampled_from(["choices", "usage"]), _junk), max_size=4))
def test_no_chunk_whatever_is_in_it_raises(chunks: list[dict[str, Any]]) -> None:
    assembly = Assembly()
    for chunk in chunks:
        assembly.feed(chunk)

    assert isinstance(assembly.conclude()[-1], Completion)
