"""Vectors of shared sections: published beside them, and searched by PostgreSQL itself."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from glossator.semantic.foreign import find_needed
from glossator.semantic.nearest import unpack
from glossator.shared.schema import has_vectors, make_vector_tables

if TYPE_CHECKING:
    from glossator.semantic.encoder import Matrix
    from glossator.semantic.nearest import Stored
    from glossator.shared.connecting import Connection

_INDEXED_FROM = 2_000
"""Below so many sections comparing all of them is as quick as a graph, and exact."""

_MAX_PLAIN, _MAX_INDEXED = 2_000, 4_000
"""So many numbers of 32 and of 16 bits pgvector can keep in its graph."""


@dataclass(frozen=True, slots=True)
class Vectors:
    """What an encoder makes of the sections, by the hash of their text, and of foreign questions.

    `least` is the encoder's own least cosine of a close section.
    """

    encoder: str
    by_hash: Mapping[bytes, bytes] = field(repr=False)
    foreign: "Stored" = field(repr=False)
    least: float = 0.0

    @property
    def dimension(self) -> int:
        """How many numbers a vector has."""
        return int(self.foreign.shape[1])


@dataclass(frozen=True, slots=True)
class Space:
    """The vectors of one encoder in one collection; a cosine of `needed` counts as close."""

    id: int
    collection_id: int
    dimension: int
    needed: float

    @property
    def kind(self) -> str:
        """The type that the distances are computed in: what the index is made of, if it is."""
        name = "vector" if self.dimension <= _MAX_PLAIN else "halfvec"
        return f"{name}({self.dimension})"


def find_space(connection: "Connection", collection_id: int, encoder: str) -> Space | None:
    """Return the vectors of an encoder, if there are any."""
    row = connection.execute(
        "SELECT id, dimension, needed FROM glossator.encoders"
        " WHERE collection_id = %s AND name = %s",
        (collection_id, encoder),
    ).fetchone()
    return Space(row[0], collection_id, row[1], row[2]) if row else None


def find_nearest(
    connection: "Connection", space: Space, question: "Matrix | Stored", limit: int
) -> list[tuple[int, float]]:
    """Return the ids of the sections nearest to a question, best first, with their cosines."""
    rows = connection.execute(
        f"SELECT section_id, 1 - (embedding::{space.kind} <=> %s::{space.kind}) AS cosine"
        f" FROM glossator.vectors WHERE encoder_id = {space.id}"
        f" ORDER BY embedding::{space.kind} <=> %s::{space.kind} LIMIT %s",
        (written := _write(question[0]), written, limit),
    ).fetchall()
    return [(int(section_id), float(cosine)) for section_id, cosine in rows]


def publish_vectors(
    connection: "Connection", collection_id: int, vectors: Vectors
) -> tuple[int, str]:
    """Put in the vectors that are missing; return how many, and why there are none."""
    problem = make_vector_tables(connection)
    if problem:
        return 0, f"Vectors are not shared: the database has no pgvector ({problem})."
    space = _require_space(connection, collection_id, vectors)
    missing = connection.execute(
        "SELECT s.id, s.text_hash FROM glossator.sections s LEFT JOIN glossator.vectors v"
        " ON v.section_id = s.id AND v.encoder_id = %s"
        " WHERE s.collection_id = %s AND s.is_searched AND v.section_id IS NULL",
        (space.id, collection_id),
    ).fetchall()
    found = [(id_, vectors.by_hash[hash_]) for id_, hash_ in missing if hash_ in vectors.by_hash]
    with connection.cursor().copy(
        "COPY glossator.vectors (encoder_id, section_id, embedding) FROM STDIN"
    ) as copy:
        for section_id, packed in found:
            copy.write_row((space.id, section_id, _write(unpack([packed])[0])))
    if found:
        _make_index(connection, space)
        _measure_needed(connection, space, vectors)
    return len(found), ""


def _require_space(connection: "Connection", collection_id: int, vectors: Vectors) -> Space:
    """Return the place for the vectors; a model that has another size than before begins anew."""
    space = find_space(connection, collection_id, vectors.encoder)
    if space is not None and space.dimension == vectors.dimension:
        return space
    if space is not None:
        connection.execute("DELETE FROM glossator.encoders WHERE id = %s", (space.id,))
    connection.execute(
        "INSERT INTO glossator.encoders (collection_id, name, dimension, needed)"
        " VALUES (%s, %s, %s, 1)",
        (collection_id, vectors.encoder, vectors.dimension),
    )
    made = find_space(connection, collection_id, vectors.encoder)
    assert made is not None
    return made


def _make_index(connection: "Connection", space: Space) -> None:
    """Make the graph that finds near vectors without looking at all, once there are many."""
    row = connection.execute(
        "SELECT count(*) FROM glossator.vectors WHERE encoder_id = %s", (space.id,)
    ).fetchone()
    if not row or row[0] < _INDEXED_FROM or space.dimension > _MAX_INDEXED:
        return
    connection.execute(
        f"CREATE INDEX IF NOT EXISTS vectors_of_{space.id} ON glossator.vectors"
        f" USING hnsw ((embedding::{space.kind}) {space.kind.partition('(')[0]}_cosine_ops)"
        f" WHERE encoder_id = {space.id}"
    )


def _measure_needed(connection: "Connection", space: Space, vectors: Vectors) -> None:
    """Measure which cosine counts as close, with questions that the sections hardly answer."""
    highest = [
        cosine
        for row in range(len(vectors.foreign))
        for _, cosine in find_nearest(connection, space, vectors.foreign[row : row + 1], 1)
    ]
    needed = find_needed(highest, vectors.least)
    connection.execute(
        "UPDATE glossator.encoders SET needed = %s WHERE id = %s", (needed, space.id)
    )


def _write(vector: Any) -> str:
    """Write a vector as pgvector reads it."""
    return "[" + ",".join(f"{number:.6g}" for number in vector.tolist()) + "]"


def count_vectors(connection: "Connection", collection_id: int) -> list[tuple[str, int]]:
    """Return the encoders of a collection and how many sections they have vectors for."""
    if not has_vectors(connection):
        return []
    rows = connection.execute(
        "SELECT e.name, count(v.section_id) FROM glossator.encoders e LEFT JOIN glossator.vectors v"
        " ON v.encoder_id = e.id WHERE e.collection_id = %s GROUP BY e.name ORDER BY e.name",
        (collection_id,),
    ).fetchall()
    return [(str(name), int(n)) for name, n in rows]
