import pytest
from hypothesis import given
from hypothesis import strategies as st

from glossator.code.positions import CodeText
from glossator.core.locations import Point
from glossator.core.text import split_lines


def test_columns_count_code_points_and_not_bytes() -> None:
    source = CodeText("甲 = '😀'\n  名()")

    assert source.point(len("甲 = '😀'".encode())) == Point(1, 7)
    assert source.slice(0, 3) == "甲"


def test_a_lone_carriage_return_ends_a_line() -> None:
    source = CodeText("a\rb\r\nc\nd")

    points = [source.point(source.data.index(letter)) for letter in (b"a", b"b", b"c", b"d")]

    assert points == [Point(1, 0), Point(2, 0), Point(3, 0), Point(4, 0)]


@given(st.text(alphabet=st.sampled_from("ab \n\r\0é中😀\ud800\u2028\f\ufeff"), max_size=2000))
def test_the_bytes_for_the_parser_have_the_offsets_of_the_text(text: str) -> None:
    source = CodeText(text)
    offsets = [0]
    for character in text:
        offsets.append(offsets[-1] + len(character.encode("utf-8", "surrogatepass")))

    assert len(source.data) == offsets[-1]
    assert b"\0" not in source.data
    source.data.decode()
    lines = split_lines(text, keep_ends=True)
    for index, offset in enumerate(offsets[:-1]):
        assert source.slice(offset, offsets[index + 1]) == text[index]
        point = source.point(offset)
        assert sum(map(len, lines[: point.line - 1])) + point.column == index
        assert source.offset(point) == offset


def test_a_point_beyond_its_line_is_at_the_end_of_it() -> None:
    source = CodeText("中\n😀é\n")

    assert source.offset(Point(1, 9)) == 3
    assert source.offset(Point(2, 1)) == 8
    assert source.offset(Point(2, 9)) == 10
    assert source.offset(Point(7, 0)) == len(source.data)


def test_a_parser_that_takes_too_long_sees_the_text_end_at_one_place(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    source = CodeText("x" * 50_000)
    first = source.read_piece(0, None)
    monkeypatch.setattr("glossator.code.positions.monotonic", lambda: float("inf"))

    assert not source.is_cut
    assert source.read_piece(len(first), None) == b""
    assert source.is_cut
    assert source.read_piece(0, None) == first
    assert source.read_piece(len(first) - 10, None) == b"x" * 10
