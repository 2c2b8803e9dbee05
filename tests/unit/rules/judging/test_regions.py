from hypothesis import given
from hypothesis import strategies as st

from glossator.core.text import SourceText
from glossator.rules.judging.regions import Region, choose_regions, split_regions

CODE = """\
import os


# Loads.
# Twice.
def load():
    return 1


class Store:
    def save(self):
        return 2

    def drop(self):
        return 3


LIMIT = 3
"""
LINES = SourceText("a.py", CODE).lines
BLOCKS = [(6, 7), (10, 15), (11, 12), (14, 15)]


def spans(regions: tuple[Region, ...]) -> list[tuple[int, int]]:
    return [(region.first_line, region.last_line) for region in regions]


def test_functions_and_types_are_regions_with_the_comments_above_them() -> None:
    regions = split_regions(LINES, BLOCKS)

    assert spans(regions) == [(1, 1), (4, 7), (10, 15), (18, 18)]
    assert regions[1].code == "# Loads.\n# Twice.\ndef load():\n    return 1"


def test_a_type_that_is_too_large_is_parted_into_its_methods() -> None:
    assert spans(split_regions(LINES, BLOCKS, max_tokens=20)) == [
        (1, 1), (4, 7), (10, 10), (11, 12), (14, 15), (18, 18),
    ]  # fmt: skip


def test_a_text_without_structure_is_cut_where_it_has_to_be() -> None:
    regions = split_regions(["word " * 10] * 10, (), max_tokens=50)

    assert [region.last_line - region.first_line + 1 for region in regions] == [3, 3, 3, 1]


def test_a_change_concerns_the_regions_that_hold_it() -> None:
    regions = split_regions(LINES, BLOCKS)

    assert spans(choose_regions(regions, [(7, 7)])) == [(4, 7)]
    assert spans(choose_regions(regions, [(7, 10), (18, 99)])) == [(4, 7), (10, 15), (18, 18)]
    assert choose_regions(regions, [(2, 3)]) == ()
    assert choose_regions(regions, []) == ()
    assert choose_regions(regions, None) == regions


def test_other_regions_stay_the_same_when_one_changes() -> None:
    before = split_regions(LINES, BLOCKS)
    after = split_regions(
        SourceText("a.py", CODE.replace("return 1", "x = 1\n    return x")).lines,
        [(6, 8), (11, 16), (12, 13), (15, 16)],
    )

    codes = [{region.code for region in regions} for regions in (before, after)]
    assert len(codes[0] & codes[1]) == 3


@given(
    st.lists(st.sampled_from(["", "a = 1", "# c", "    b()", "word " * 9]), max_size=30),
    st.lists(st.tuples(st.integers(1, 40), st.integers(1, 40)), max_size=8),
    st.integers(1, 60),
)
def test_regions_part_the_text_whatever_blocks_there_are(
    lines: list[str], blocks: list[tuple[int, int]], max_tokens: int
) -> None:
    regions = split_regions(lines, blocks, max_tokens=max_tokens)

    held = [n for region in regions for n in range(region.first_line, region.last_line + 1)]
    assert held == sorted(set(held))
    assert all(lines[n - 1] == "" for n in range(1, len(lines) + 1) if n not in held)
    for region in regions:
        assert region.code == "\n".join(lines[region.first_line - 1 : region.last_line])
