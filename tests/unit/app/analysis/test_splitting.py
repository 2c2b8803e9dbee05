from hypothesis import given
from hypothesis import strategies as st

from glossator.app.analysis.splitting import Piece, split_pieces

names = st.text("ab", min_size=1, max_size=2)
paths = st.lists(names, min_size=1, max_size=4).map("/".join)


def paths_of(pieces: list[Piece], *, tokens: int, parts: int = 9) -> list[list[str]]:
    groups = split_pieces(pieces, part_tokens=tokens, n_parts=parts)
    return [[piece.path for piece in group] for group in groups]


def test_what_fits_is_one_part() -> None:
    pieces = [Piece("a/x.py", 10), Piece("b/y.py", 10)]

    assert paths_of(pieces, tokens=20) == [["a/x.py", "b/y.py"]]
    assert paths_of([], tokens=20) == []


def test_folders_stay_together_where_they_fit() -> None:
    pieces = [Piece("a/1.py", 5), Piece("a/2.py", 5), Piece("b/1.py", 5), Piece("b/2.py", 5)]

    assert paths_of(pieces, tokens=12) == [["a/1.py", "a/2.py"], ["b/1.py", "b/2.py"]]


def test_files_of_a_folder_that_does_not_fit_go_with_what_they_import() -> None:
    pieces = [
        Piece("1.py", 5, {"4.py": 1}),
        Piece("2.py", 5, {"3.py": 1}),
        Piece("3.py", 5),
        Piece("4.py", 5),
    ]

    assert paths_of(pieces, tokens=10) == [["1.py", "4.py"], ["2.py", "3.py"]]


def test_the_stronger_link_decides() -> None:
    pieces = [Piece("1.py", 5, {"2.py": 1, "3.py": 4}), Piece("2.py", 5), Piece("3.py", 5)]

    assert paths_of(pieces, tokens=10) == [["1.py", "3.py"], ["2.py"]]


def test_small_leftovers_are_joined_with_their_neighbours() -> None:
    pieces = [Piece("a/1.py", 9), Piece("b.py", 2), Piece("c.py", 2), Piece("d/1.py", 9)]

    assert paths_of(pieces, tokens=10) == [["a/1.py"], ["b.py", "c.py"], ["d/1.py"]]


def test_what_is_too_large_alone_stands_alone() -> None:
    assert paths_of([Piece("a.py", 99), Piece("b.py", 1)], tokens=10) == [["a.py"], ["b.py"]]


def test_parts_grow_where_there_would_be_too_many() -> None:
    pieces = [Piece(f"{number}.py", 10) for number in range(20)]

    groups = paths_of(pieces, tokens=10, parts=3)

    assert len(groups) <= 3
    assert sum(map(len, groups)) == 20


@given(
    st.lists(
        st.builds(
            Piece, paths, st.integers(0, 50), st.dictionaries(paths, st.integers(1, 5), max_size=3)
        ),
        max_size=25,
    ),
    st.integers(1, 60),
    st.integers(1, 6),
)
def test_every_piece_is_in_one_part_whatever_there_is(
    pieces: list[Piece], part_tokens: int, n_parts: int
) -> None:
    groups = split_pieces(pieces, part_tokens=part_tokens, n_parts=n_parts)

    def key(piece: Piece) -> tuple[str, int, str]:
        return piece.path, piece.n_tokens, str(piece.links)

    assert sorted((piece for group in groups for piece in group), key=key) == sorted(
        pieces, key=key
    )
    assert len(groups) <= n_parts
    assert all(groups)
    assert groups == split_pieces(pieces, part_tokens=part_tokens, n_parts=n_parts)
