from itertools import accumulate, pairwise

from hypothesis import assume, given
from hypothesis import strategies as st

from glossator.model.pieces import PieceReader

_WORDS = ["The ", "index ", "is ", "rebuilt ", "when ", "files ", "change ", "中文😀", "."]


def _read(pieces: list[str], *, is_cumulative: bool = False) -> tuple[list[str], PieceReader]:
    reader = PieceReader(is_cumulative=is_cumulative)
    shown = [reader.feed(piece) for piece in pieces]
    return [*shown, reader.release()], reader


@given(st.lists(st.text(max_size=6), max_size=12))
def test_no_text_is_lost_or_changed(pieces: list[str]) -> None:
    shown, reader = _read(pieces)
    assume(not reader.is_cumulative)

    assert "".join(shown) == "".join(pieces).encode("utf-16-le", "surrogatepass").decode(
        "utf-16-le", "replace"
    )


@given(st.lists(st.sampled_from(_WORDS), min_size=8, max_size=20))
def test_text_that_is_sent_again_each_time_is_shown_once(words: list[str]) -> None:
    pieces = list(accumulate(words))
    assume(len(set(pieces[3])) >= 6 and len(pieces[3]) >= 12)

    shown, reader = _read(pieces)

    assert reader.is_cumulative
    assert "".join(shown) == "".join(words)


def test_the_first_piece_is_shown_at_once_and_what_is_doubtful_waits() -> None:
    shown, _ = _read(["Well", "Well, ", "no"])

    assert shown == ["Well", "", "Well, no", ""]


def test_a_row_of_one_character_is_no_text_that_is_sent_again() -> None:
    rows = ["-" * length for length in (4, 8, 16, 32, 64)]

    shown, reader = _read([*rows, "\n"])

    assert not reader.is_cumulative
    assert "".join(shown) == "".join(rows) + "\n"


def test_what_a_server_does_is_known_from_the_first_piece_once_it_was_learnt() -> None:
    shown, _ = _read(["A", "AB", "AB", "ABC", "X"], is_cumulative=True)

    assert shown == ["A", "B", "", "C", "X", ""]


@given(st.text(min_size=1, max_size=8), st.data())
def test_half_characters_wait_for_their_second_half(text: str, data: st.DataObject) -> None:
    units = text.encode("utf-16-le", "surrogatepass")
    cuts = sorted(data.draw(st.sets(st.integers(0, len(units) // 2))))
    edges = [0, *(2 * cut for cut in cuts), len(units)]
    pieces = [
        units[start:stop].decode("utf-16-le", "surrogatepass") for start, stop in pairwise(edges)
    ]

    shown, reader = _read([piece for piece in pieces if piece])
    assume(not reader.is_cumulative)

    assert "".join(shown) == text
