from hypothesis import given
from hypothesis import strategies as st

from glossator.tools import line_diffs
from glossator.tools.line_diffs import Hunk, count_changes, find_hunks

LINES = st.lists(st.sampled_from(["a\n", "b\n", "c\n", "d\n", ""]), max_size=25)


def apply(hunks: tuple[Hunk, ...], old: list[str]) -> list[str]:
    """Make the new side as `patch` does, holding every number against both sides."""
    new: list[str] = []
    at = 0
    for hunk in hunks:
        first = next((line.old_number for line in hunk.lines if line.old_number), at + 1)
        new += old[at : first - 1]
        at = first - 1
        for line in hunk.lines:
            if line.sign != "+":
                assert (line.old_number, line.text) == (at + 1, old[at])
                at += 1
            if line.sign != "-":
                new.append(line.text)
                assert line.new_number == len(new)
    return new + old[at:]


def count_fewest_edits(old: list[str], new: list[str]) -> int:
    """Count by the table of longest common subsequences."""
    row = [0] * (len(new) + 1)
    for line in old:
        before = row
        row = [0]
        for number, other in enumerate(new):
            row.append(
                before[number] + 1 if line == other else max(row[number], before[number + 1])
            )
    return len(old) + len(new) - 2 * row[-1]


@given(LINES, LINES)
def test_the_hunks_turn_one_side_into_the_other_by_the_fewest_edits(
    old: list[str], new: list[str]
) -> None:
    hunks = find_hunks(old, new)

    assert apply(hunks, old) == new
    assert sum(count_changes(hunks)) == count_fewest_edits(old, new)


@given(
    st.lists(st.integers(0, 40).map(str), max_size=60),
    st.lists(st.integers(0, 40).map(str), max_size=60),
    st.integers(0, 5),
)
def test_texts_with_little_in_common_still_give_hunks_that_apply(
    old: list[str], new: list[str], max_edits: int
) -> None:
    kept = line_diffs._MAX_EDITS
    line_diffs._MAX_EDITS = max_edits
    try:
        assert apply(find_hunks(old, new), old) == new
    finally:
        line_diffs._MAX_EDITS = kept


def test_when_time_is_up_the_rest_counts_as_replaced() -> None:
    old, new = ["a", "b", "c", "d"], ["a", "x", "c", "y", "d"]

    hunks = find_hunks(old, new, is_over=lambda: True)

    assert apply(hunks, old) == new


def test_changes_far_apart_make_hunks_of_their_own() -> None:
    old = [f"{number}\n" for number in range(40)]
    new = ["first\n", *old[1:30], "thirty\n", *old[31:]]

    assert [hunk.header for hunk in find_hunks(old, new)] == [
        "@@ -1,4 +1,4 @@",
        "@@ -28,7 +28,7 @@",
    ]


def test_a_file_that_is_all_new_or_all_gone_has_the_header_of_one() -> None:
    assert find_hunks([], ["a", "b"])[0].header == "@@ -0,0 +1,2 @@"
    assert find_hunks(["a"], [])[0].header == "@@ -1 +0,0 @@"
