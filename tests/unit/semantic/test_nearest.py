import numpy as np
import pytest

from glossator.semantic.foreign import find_needed
from glossator.semantic.nearest import VectorTable, hash_text, pack, text_to_encode, unpack


def unit(*rows: tuple[float, ...]) -> "np.ndarray[tuple[int, int], np.dtype[np.float32]]":
    matrix = np.array(rows, dtype=np.float32)
    return matrix / np.linalg.norm(matrix, axis=1, keepdims=True)


ROWS = unit((1, 0, 0), (0, 1, 0), (1, 1, 0))
HASHES = [hash_text(text) for text in "abc"]
PLACES = [("a.md", 1), ("a.md", 5), ("b.md", 1)]
FOUND = dict(zip(HASHES, pack(ROWS), strict=True))


def make_table() -> VectorTable:
    return VectorTable().rearrange(list(zip(PLACES, HASHES, strict=True)), FOUND)


def test_the_nearest_come_first_and_ties_in_the_order_of_their_places() -> None:
    found = make_table().find_nearest(unit((1, 1, 0)), 3)

    assert [row for row, _ in found] == [2, 0, 1]
    assert [cosine for _, cosine in found] == pytest.approx([1, 0.7071, 0.7071], abs=1e-3)


def test_a_table_takes_over_what_stays_and_forgets_the_rest() -> None:
    wanted = [(("c.md", 9), HASHES[2]), (("a.md", 1), hash_text("new")), (("d.md", 1), b"none")]

    table = make_table().rearrange(wanted, {hash_text("new"): pack(unit((0, 0, 1)))[0]})

    assert table.places == (("c.md", 9), ("a.md", 1))
    assert [row for row, _ in table.find_nearest(unit((0, 0, 1)), 1)] == [1]


def test_vectors_of_another_size_begin_a_table_anew() -> None:
    longer = {HASHES[0]: pack(unit((1, 0, 0, 0)))[0]}

    table = make_table().rearrange([(PLACES[0], HASHES[0]), (PLACES[1], HASHES[1])], longer)

    assert table.places == (PLACES[0],)
    assert table.matrix is not None
    assert table.matrix.shape == (1, 4)


def test_an_empty_table_has_nothing_near() -> None:
    assert VectorTable().find_nearest(unit((1, 0)), 5) == []
    assert VectorTable().find_highest(unit((1, 0), (0, 1))) == [0.0, 0.0]
    assert VectorTable().rearrange([(("a.md", 1), b"x")], {}) == VectorTable()


def test_blocks_make_no_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("glossator.semantic.nearest._BLOCK", 2)

    assert make_table().find_highest(unit((1, 1, 0), (0, 0, 1))) == pytest.approx([1, 0], abs=1e-3)


def test_headings_are_encoded_with_the_text() -> None:
    assert text_to_encode(("Style", "Names"), "Be short.") == "Style › Names\nBe short."
    assert text_to_encode((), "Be short.") == "Be short."
    assert hash_text("\ud83d")
    assert unpack(pack(ROWS)).shape == (3, 3)


def test_what_is_close_stands_above_foreign_questions_and_above_the_least() -> None:
    noise = [0.1, 0.12, 0.08, 0.11, 0.09]

    assert find_needed(noise, 0.0) == pytest.approx(0.1 + 3.4 * 0.012)
    assert find_needed(noise, 0.3) == 0.3
    assert find_needed([0.9, 0.2, 0.7], 0.0) == 0.99
