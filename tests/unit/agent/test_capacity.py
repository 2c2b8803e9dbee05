import pytest
from hypothesis import given
from hypothesis import strategies as st

from glossator.agent.capacity import (
    DEFAULT_LIMIT,
    Capacity,
    count_tokens,
    count_tool_tokens,
    estimate_tokens,
    recall_capacity,
)
from glossator.core.messages import Message, ToolCall, ToolSpec
from glossator.model.failures import ContextTooLong
from glossator.model.scripted import ScriptedModel


def refuse(n_tokens: int | None = None, limit: int | None = None) -> ContextTooLong:
    error = ContextTooLong("too long")
    error.n_tokens, error.limit = n_tokens, limit
    return error


def test_chinese_is_not_counted_as_four_characters_a_token() -> None:
    assert estimate_tokens("错误处理规范") == 6
    assert estimate_tokens("error handling") == 4
    assert estimate_tokens("名称 name") == 2 + 2


def test_calls_and_the_thinking_that_goes_back_with_them_count() -> None:
    call = ToolCall("1", "read_file", '{"path": "a.py"}')
    bare = Message("assistant", "")

    assert count_tokens([Message("assistant", "", (call,))]) > count_tokens([bare])
    assert count_tokens([Message("assistant", "", (call,), reasoning="hm" * 99)]) > 50
    assert count_tokens([Message("assistant", "", reasoning="hm" * 99)]) == count_tokens([bare])


def test_the_description_of_a_tool_counts() -> None:
    spec = ToolSpec("read_file", "Read." * 100, {"type": "object"})

    assert count_tool_tokens([spec]) > 140


@given(st.lists(st.tuples(st.integers(200, 50_000), st.floats(0.4, 4.0)), min_size=1, max_size=10))
def test_what_was_just_counted_is_never_estimated_lower(sent: list[tuple[int, float]]) -> None:
    capacity = Capacity()
    for estimate, ratio in sent:
        n_tokens = int(estimate * ratio) or 1

        capacity.note_usage(estimate, n_tokens)

        assert capacity.scale(estimate) >= n_tokens


def test_the_servers_count_corrects_the_estimate_in_both_directions() -> None:
    capacity = Capacity()
    assert capacity.scale(1_000) == 1_250

    capacity.note_usage(1_000, 600)
    assert capacity.scale(1_000) == 700
    capacity.note_usage(1_000, 1_200)
    assert capacity.scale(1_000) == 1_400


def test_a_slightly_lower_count_changes_nothing_and_a_much_lower_one_little() -> None:
    capacity = Capacity()
    capacity.note_usage(1_000, 1_000)

    capacity.note_usage(1_000, 850)
    assert capacity.ratio == 1.0
    capacity.note_usage(1_000, 600)
    assert capacity.ratio == pytest.approx(0.9)


@pytest.mark.parametrize(("estimate", "n_tokens"), [(1_000, 0), (1_000, 5), (100, 90), (300, 9999)])
def test_a_count_that_cannot_be_of_this_prompt_is_not_learnt(estimate: int, n_tokens: int) -> None:
    capacity = Capacity()

    capacity.note_usage(estimate, n_tokens)

    assert capacity.ratio is None


def test_there_is_room_for_the_answer() -> None:
    assert Capacity().find_room() == int((DEFAULT_LIMIT - 4_096) / 1.25)
    assert Capacity().find_room(8_000) == int(6_000 / 1.25)


def test_a_refusal_teaches_the_limit_and_holds_against_the_setting() -> None:
    capacity = Capacity()

    capacity.note_refusal(10_000, refuse(n_tokens=12_000, limit=8_000))

    assert capacity.limit == 8_000
    assert capacity.find_room(100_000) == int(6_000 / 1.4)


def test_a_large_limit_that_was_learnt_is_used() -> None:
    capacity = Capacity()

    capacity.note_refusal(200_000, refuse(n_tokens=140_000, limit=128_000))

    assert capacity.find_room() > 100_000


def test_a_refusal_without_numbers_means_less_than_was_sent() -> None:
    capacity = Capacity()

    capacity.note_refusal(10_000, refuse())

    assert capacity.limit == 10_000
    assert capacity.find_room() < 10_000 * 0.65


def test_a_refusal_of_next_to_nothing_is_about_something_else() -> None:
    capacity = Capacity()

    capacity.note_refusal(100, refuse())

    assert capacity.limit is None


def test_what_was_learnt_of_a_model_is_remembered_by_address_and_name() -> None:
    recall_capacity(ScriptedModel([], name="a")).limit = 5

    assert recall_capacity(ScriptedModel([], name="a")).limit == 5
    assert recall_capacity(ScriptedModel([], name="b")).limit is None
