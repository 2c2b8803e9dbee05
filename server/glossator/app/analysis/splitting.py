"""Split what is to be analysed into parts that fit: pure, and the same every time.

What stands in one folder stays together where it fits; then what is linked, the strongest link
first; then neighbours, so that no part is needlessly small.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby

_GROWTH = 1.3


@dataclass(frozen=True, slots=True)
class Piece:
    """Something that stays whole: a file by its path, or a range of one.

    `links` are the paths that it has to do with, and how much.
    """

    path: str
    n_tokens: int
    links: Mapping[str, int] = field(default_factory=dict)


Group = tuple[Piece, ...]


def split_pieces(pieces: Iterable[Piece], *, part_tokens: int, n_parts: int) -> tuple[Group, ...]:
    """Return groups of about `part_tokens` at most, `n_parts` of them at most.

    The groups grow where there would be too many. A piece that is larger alone stands alone.
    """
    ordered = sorted(pieces, key=lambda piece: piece.path)
    if not ordered:
        return ()
    limit: float = part_tokens
    groups = _split(ordered, limit)
    while len(groups) > n_parts:
        limit *= _GROWTH
        groups = _split(ordered, limit)
    return tuple(tuple(sorted(group, key=lambda piece: piece.path)) for group in groups)


def _split(ordered: Sequence[Piece], limit: float) -> list[Group]:
    groups = _split_folder(ordered, depth=0, limit=limit)
    groups = _join_linked(groups, limit)
    return _join_neighbours(groups, limit)


def _split_folder(pieces: Sequence[Piece], *, depth: int, limit: float) -> list[Group]:
    """Return whole folders where they fit, and what is in them where they do not."""
    if _size(pieces) <= limit or len(pieces) == 1:
        return [tuple(pieces)]
    groups: list[Group] = []
    for (is_folder, _), inside in groupby(pieces, key=lambda piece: _step(piece.path, depth)):
        if is_folder:
            groups += _split_folder(list(inside), depth=depth + 1, limit=limit)
        else:
            groups += [(piece,) for piece in inside]
    return groups


def _step(path: str, depth: int) -> tuple[bool, str]:
    """Return whether `path` goes through a folder at this depth, and its name there."""
    parts = path.split("/")
    return (True, parts[depth]) if depth < len(parts) - 1 else (False, parts[-1])


def _join_linked(groups: Sequence[Group], limit: float) -> list[Group]:
    """Join the groups that have most to do with each other, while they fit."""
    home = {piece.path: number for number, group in enumerate(groups) for piece in group}
    strength: defaultdict[tuple[int, int], int] = defaultdict(int)
    for number, group in enumerate(groups):
        for piece in group:
            for path, weight in piece.links.items():
                other = home.get(path, number)
                if other != number:
                    strength[min(number, other), max(number, other)] += weight
    joined: list[list[Piece] | None] = [list(group) for group in groups]
    stands_in = list(range(len(groups)))

    def find(number: int) -> int:
        while stands_in[number] != number:
            number = stands_in[number]
        return number

    for (a, b), _ in sorted(strength.items(), key=lambda item: (-item[1], item[0])):
        first, second = sorted((find(a), find(b)))
        kept, taken = joined[first], joined[second]
        if first != second and kept and taken and _size([*kept, *taken]) <= limit:
            kept += taken
            joined[second], stands_in[second] = None, first
    return [tuple(group) for group in joined if group]


def _join_neighbours(groups: Sequence[Group], limit: float) -> list[Group]:
    """Fill up each group with those that come after it in the order of paths."""
    joined: list[Group] = []
    for group in sorted(groups, key=lambda group: group[0].path):
        if joined and _size([*joined[-1], *group]) <= limit:
            joined[-1] += group
        else:
            joined.append(group)
    return joined


def _size(pieces: Iterable[Piece]) -> int:
    return sum(piece.n_tokens for piece in pieces)
