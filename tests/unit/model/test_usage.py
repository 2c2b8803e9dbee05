import pytest
from hypothesis import given
from hypothesis import strategies as st

from glossator.core.messages import Usage
from glossator.model.usage import read_usage


@pytest.mark.parametrize(
    ("report", "usage"),
    [
        ({"prompt_tokens": 10, "completion_tokens": 5}, Usage(10, 5, 0)),
        ({"input_tokens": 10, "output_tokens": 5, "cache_read_input_tokens": 4}, Usage(10, 5, 4)),
        ({"prompt_tokens": 10, "prompt_tokens_details": {"cached_tokens": 4}}, Usage(10, 0, 4)),
        ({"input_tokens": 10, "input_tokens_details": {"cached_tokens": 4}}, Usage(10, 0, 4)),
        ({"prompt_tokens": 10, "prompt_cache_hit_tokens": 4}, Usage(10, 0, 4)),
        ({"prompt_tokens": 10, "cached_tokens": 0}, Usage(10, 0, 0)),
        ({"prompt_tokens": "10", "completion_tokens": 5.0}, Usage(10, 5, 0)),
        ({"prompt_tokens": -1, "completion_tokens": float("nan")}, Usage()),
        ({"id": "x", "usage": {"prompt_tokens": 10}}, Usage(10, 0, 0)),
        ({"prompt_tokens": True, "completion_tokens": None}, None),
        ({"id": "x"}, None),
        ([10, 5], None),
        ({"prompt_tokens": 1e300}, Usage(10**12, 0, 0)),
    ],
)
def test_counts_are_found_under_every_name(report: object, usage: Usage | None) -> None:
    assert read_usage(report, None) == usage


def test_what_a_later_report_leaves_out_stays() -> None:
    before = read_usage({"input_tokens": 10, "cache_read_input_tokens": 4}, None)

    assert read_usage({"output_tokens": 5}, before) == Usage(10, 5, 4)


_values = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4)


@given(
    st.recursive(
        _values,
        lambda inner: st.lists(inner, max_size=2)
        | st.dictionaries(
            st.sampled_from(
                ["usage", "choices", "x_groq", "prompt_tokens", "prompt_tokens_details",
                 "cached_tokens", "output_tokens"]
            ),
            inner,
        ),
        max_leaves=8,
    )
)  # fmt: skip
def test_no_report_raises_and_no_count_is_below_nothing(value: object) -> None:
    usage = read_usage(value, None)

    if usage is not None:
        assert min(usage.prompt_tokens, usage.completion_tokens, usage.cached_tokens) >= 0


def test_a_cost_that_the_server_reports_is_kept_and_nonsense_is_not() -> None:
    tokens = {"prompt_tokens": 10}

    assert read_usage({**tokens, "cost": 0.0012}, None) == Usage(10, cost=0.0012)
    for nonsense in (True, "0.1", -1, float("nan"), float("inf"), None):
        assert read_usage({**tokens, "cost": nonsense}, None) == Usage(10)
