import pytest
from hypothesis import given
from hypothesis import strategies as st

from glossator.citations.drift import Drift

BEFORE = ["import os", "", "def load():", "    return 1", "", "def save():", "    pass", "}", "}"]


@pytest.mark.parametrize(
    ("after", "lines", "expected"),
    [
        (BEFORE, (3, 4), (3, 4)),
        (["import sys", *BEFORE], (3, 4), (4, 5)),
        ([*BEFORE, "more"], (3, 4), (3, 4)),
        (BEFORE[2:], (3, 4), (1, 2)),
        # Changed above and below: the lines themselves are looked for, however they are indented.
        (["# new", "def load():", "  return 1", "# end"], (3, 4), (2, 3)),
        (["# new", "# end"], (3, 4), None),
        # A line that is too common is followed by its neighbours, or not at all.
        (["# new", "def save():", "    pass", "}", "}", "# end"], (8, 8), (4, 4)),
        (["# new", "}", "# end"], (8, 8), None),
    ],
)
def test_lines_are_followed_to_where_they_stand_now(
    after: list[str], lines: tuple[int, int], expected: tuple[int, int] | None
) -> None:
    assert Drift(BEFORE, after).follow(*lines) == expected


@given(
    st.lists(st.text("ab", min_size=1), min_size=1, max_size=20),
    st.lists(st.text("cd", min_size=1), min_size=1, max_size=5),
    st.data(),
)
def test_what_is_put_in_moves_the_lines_below_by_as_much(
    before: list[str], new: list[str], data: st.DataObject
) -> None:
    position = data.draw(st.integers(0, len(before)))
    line = data.draw(st.integers(1, len(before)))

    found = Drift(before, [*before[:position], *new, *before[position:]]).follow(line, line)

    expected = line if line <= position else line + len(new)
    assert found == (expected, expected)
