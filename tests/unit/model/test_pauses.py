from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glossator.model.pauses import find_wait, find_wait_in_words, render_wait


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "120"}, 120),
        ({"retry-after": " 1.5 "}, 1.5),
        ({"retry-after-ms": "250", "retry-after": "1"}, 0.25),
        ({"retry-after-ms": "soon", "retry-after": "1"}, 1),
        ({"retry-after": "6m0s"}, 360),
        ({"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}, 0),
        ({"retry-after": "2015-10-21T07:28:00Z"}, 0),
        ({"retry-after": "1445412480"}, 0),
        ({"x-ratelimit-reset": "1445412480000"}, 0),
        ({"x-ratelimit-reset-requests": "120ms"}, 0.12),
        ({"x-ratelimit-reset-tokens": "1h2m3.5s", "x-ratelimit-remaining-tokens": "0"}, 3723.5),
        ({"x-ratelimit-reset-tokens": "1h", "x-ratelimit-remaining-tokens": "7"}, None),
        ({"anthropic-ratelimit-tokens-reset": "2015-10-21T07:28:00Z"}, 0),
        ({"ratelimit-reset": "30", "ratelimit-remaining": "0"}, 30),
        ({"x-ratelimit-reset-requests": "1s", "x-ratelimit-reset-tokens": "9s"}, 9),
        ({"retry-after": "NaN"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after": "-5"}, None),
        ({"retry-after": "tomorrow"}, None),
        ({"retry-after": ""}, None),
        ({}, None),
    ],
)
def test_a_pause_is_found_however_it_is_written(
    headers: dict[str, str], seconds: float | None
) -> None:
    assert find_wait(headers) == seconds


@pytest.mark.parametrize("as_text", [format_datetime, datetime.isoformat])
def test_a_moment_is_counted_from_now(as_text: object) -> None:
    assert callable(as_text)
    moment = as_text(datetime.now(UTC) + timedelta(seconds=100))

    assert find_wait({"retry-after": moment}) == pytest.approx(100, abs=5)


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("Rate limit reached (TPM): Limit 30000. Please try again in 1m20s. Visit ...", 80),
        ("Please try again in 20.5s.", 20.5),
        ("try again in 12ms", 0.012),
        ("Please retry in 34.074824224s.", 34.074824224),
        ("Please retry after 30 seconds.", 30),
        ("Please wait 1 hour, 5 minutes before trying again", 3900),
        ("Please try again later.", None),
        ("Please wait before trying again.", None),
        ("in 20s", None),
    ],
)
def test_a_pause_is_found_in_words(text: str, seconds: float | None) -> None:
    assert find_wait_in_words(text) == seconds


@given(
    st.dictionaries(
        st.sampled_from(["retry-after", "retry-after-ms", "x-ratelimit-reset-tokens"]),
        st.text(alphabet="0123456789.-+eEinfaNhmsTZ: ", max_size=30) | st.text(max_size=9),
    )
)
def test_no_header_raises_and_every_pause_is_a_length_of_time(headers: dict[str, str]) -> None:
    wait_s = find_wait(headers)

    assert wait_s is None or 0 <= wait_s < float("inf")
    assert wait_s is None or render_wait(wait_s)


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0.2, "0 s"),
        (120, "120 s"),
        (360, "6 minutes"),
        (86_400, "24 hours"),
        (864_000, "10 days"),
        (1e20, "more than a year"),
    ],
)
def test_a_pause_is_told_in_a_unit_that_says_something(seconds: float, text: str) -> None:
    assert render_wait(seconds) == text
