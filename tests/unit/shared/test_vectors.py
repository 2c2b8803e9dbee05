"""Vectors in the database: whatever their size, and with the graph that finds them."""

import numpy as np
import pytest

from glossator.knowledge.documents import Document, parse_document
from glossator.knowledge.section_words import select_sections
from glossator.semantic.nearest import hash_text, pack, text_to_encode, unpack
from glossator.shared import vectors as vectors_module
from glossator.shared.connecting import Address, connect
from glossator.shared.publishing import Publication, publish
from glossator.shared.searching import SharedIndex, read_state
from glossator.shared.vectors import Vectors

DOCUMENTS = [
    parse_document(f"# number {number}\nText.\n", path=f"k/{number}.md") for number in range(30)
]


def make_vectors(dimension: int, documents: list[Document] = DOCUMENTS) -> Vectors:
    rng = np.random.default_rng(3)
    matrix = rng.normal(size=(len(documents), dimension)).astype(np.float32)
    matrix /= np.linalg.norm(matrix, axis=1, keepdims=True)
    hashes = [
        hash_text(text_to_encode(section.heading_path, section.text))
        for document in documents
        for section in select_sections(document)
    ]
    foreign = rng.normal(size=(4, dimension)).astype(np.float32)
    return Vectors("made-up", dict(zip(hashes, pack(matrix), strict=True)), unpack(pack(foreign)))


@pytest.mark.parametrize(("dimension", "kind"), [(64, "vector"), (2_100, "halfvec"), (4_100, "")])
def test_the_nearest_are_found_whatever_the_size(
    address: Address, monkeypatch: pytest.MonkeyPatch, dimension: int, kind: str
) -> None:
    monkeypatch.setattr(vectors_module, "_INDEXED_FROM", 10)
    vectors = make_vectors(dimension)

    with connect(address) as connection:
        published = publish(
            connection, Publication("default", "api", DOCUMENTS, vectors=vectors), address
        )
        index = SharedIndex(connection, read_state(connection, "default", "db"))
        question = unpack([list(vectors.by_hash.values())[7]]).astype(np.float32)
        found = index.find_nearest("made-up", question, 5)
        graphs = connection.execute(
            "SELECT indexdef FROM pg_indexes WHERE indexname LIKE 'vectors_of_%'"
        ).fetchall()

    assert published.n_vectors == 30
    assert found is not None
    hits, needed = found
    assert hits[0][0].path == "shared/default/api/k/7.md"
    assert hits[0][1] == pytest.approx(1, abs=1e-2)
    assert 0 < needed < 1
    assert [f"{kind}_cosine_ops" in definition for (definition,) in graphs] == [True] * bool(kind)


def test_a_model_that_changes_its_size_begins_anew(address: Address) -> None:
    with connect(address) as connection:
        for dimension in (64, 32):
            publication = Publication("default", "api", DOCUMENTS, vectors=make_vectors(dimension))
            assert publish(connection, publication, address).n_vectors == 30
        index = SharedIndex(connection, read_state(connection, "default", "db"))

        longer = np.ones((1, 64), dtype=np.float32)
        assert index.find_nearest("made-up", longer, 5) is None
        assert index.find_nearest("other", longer, 5) is None


def test_a_changed_section_loses_its_vector(address: Address) -> None:
    changed = [parse_document("# number 0\nOther text.\n", path="k/0.md"), *DOCUMENTS[1:]]
    with connect(address) as connection:
        publish(
            connection, Publication("default", "api", DOCUMENTS, vectors=make_vectors(8)), address
        )
        publish(connection, Publication("default", "api", changed), address)
        rows = connection.execute("SELECT count(*) FROM glossator.vectors").fetchall()

    assert rows == [(29,)]


def test_a_database_without_pgvector_shares_words_alone(
    address: Address, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "glossator.shared.schema._VECTOR_TABLES", ("CREATE EXTENSION no_such_extension",)
    )
    with connect(address) as connection:
        connection.execute("DROP EXTENSION IF EXISTS vector CASCADE")
        published = publish(
            connection, Publication("default", "api", DOCUMENTS, vectors=make_vectors(8)), address
        )
        index = SharedIndex(connection, read_state(connection, "default", "db"))
        hits = index.search("number 7")
        nearest = index.find_nearest("made-up", np.ones((1, 8), dtype=np.float32), 5)

    assert published.n_vectors == 0
    assert "the database has no pgvector" in published.notices[0]
    assert hits
    assert nearest is None
