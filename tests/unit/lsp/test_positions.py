import pytest
from hypothesis import given
from hypothesis import strategies as st

from glossator.lsp.positions import PositionEncoding, column_from_units, units_from_column

ENCODINGS: tuple[PositionEncoding, ...] = ("utf-8", "utf-16", "utf-32")
LINES = st.text(st.sampled_from("aé中😀\u2028\ufe0f𝒳"), max_size=20)


@pytest.mark.parametrize(("encoding", "units"), [("utf-8", 22), ("utf-16", 12), ("utf-32", 11)])
def test_a_line_is_as_long_as_its_encoding_says(encoding: PositionEncoding, units: int) -> None:
    line = "x = '错误处理🙂'"

    assert units_from_column(line, len(line), encoding) == units


@given(LINES, st.integers(0, 25), st.sampled_from(ENCODINGS))
def test_columns_survive_the_way_to_the_editor_and_back(
    line: str, column: int, encoding: PositionEncoding
) -> None:
    units = units_from_column(line, column, encoding)

    assert column_from_units(line, units, encoding) == min(column, len(line))


@given(LINES, st.integers(0, 100), st.sampled_from(ENCODINGS))
def test_units_inside_a_character_mean_the_place_before_it(
    line: str, units: int, encoding: PositionEncoding
) -> None:
    column = column_from_units(line, units, encoding)

    assert units_from_column(line, column, encoding) <= units
    if column < len(line):
        assert units < units_from_column(line, column + 1, encoding)


def test_past_the_end_means_the_end() -> None:
    assert column_from_units("ab", 99, "utf-16") == 2
    assert column_from_units("ab", -1, "utf-16") == 0
    assert units_from_column("😀", 99, "utf-16") == 2
