"""Put documents into a shared index: what changed, what is new, and on demand what vanished.

All of it in one transaction that holds the lock of the collection: who searches meanwhile sees the
index as it was, who publishes waits, and what fails half way has changed nothing.
"""

import hashlib
import json
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from glossator.knowledge.documents import Document, Section
from glossator.knowledge.section_words import count_words, find_header_words, select_sections
from glossator.semantic.nearest import hash_text, text_to_encode
from glossator.shared.connecting import Address, SharedUnavailable, explain
from glossator.shared.documents import read_documents
from glossator.shared.schema import (
    SCHEMA_LOCK,
    find_version,
    fingerprint_words,
    make_tables,
    require_version,
)
from glossator.shared.vectors import Vectors, publish_vectors

if TYPE_CHECKING:
    from glossator.shared.connecting import Connection

LOCK_WAIT_S = 60
STATEMENT_S = 600
_MANY = 100
_HEADER_FIELDS = ("name", "description", "keywords", "always", "globs", "family", "manual")


@dataclass(frozen=True, slots=True)
class Published:
    """What was published, or would be: paths in the collection."""

    added: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    vanished: tuple[str, ...] = ()
    n_unchanged: int = 0
    n_sections: int = 0
    n_vectors: int = 0
    notices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Publication:
    """What is to be published: documents under the paths `source/…` of a collection.

    With `removes` documents of that source which are none of these are taken out.
    """

    collection: str
    source: str
    documents: Sequence[Document]
    removes: bool = False
    vectors: Vectors | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class _Plan:
    put: Mapping[str, Document]
    added: tuple[str, ...]
    changed: tuple[str, ...]
    vanished: tuple[str, ...]
    n_unchanged: int


def plan(connection: "Connection", publication: Publication, address: Address) -> Published:
    """Return what would be published. Changes nothing.

    Raises:
        SharedUnavailable: the database fails, or has tables of another version.
    """
    import psycopg

    try:
        version = find_version(connection)
        if version:
            require_version(version, address.shown)
        known = _read_hashes(connection, publication) if version else {}
    except psycopg.Error as error:
        raise explain(error, address) from None
    return _report(_compare(publication, known), publication)


def publish(connection: "Connection", publication: Publication, address: Address) -> Published:
    """Publish, and return what was done.

    Raises:
        SharedUnavailable: the database fails, or has tables of another version; nothing changed.
    """
    import psycopg

    try:
        with connection.transaction():
            _limit_waiting(connection)
            connection.execute("SELECT pg_advisory_xact_lock(%s)", (SCHEMA_LOCK,))
            make_tables(connection)
            require_version(find_version(connection), address.shown)
        with connection.transaction():
            _limit_waiting(connection)
            lock = (SCHEMA_LOCK, zlib.crc32(publication.collection.encode()) - 2**31)
            connection.execute("SELECT pg_advisory_xact_lock(%s, %s)", lock)
            return _publish(connection, publication)
    except psycopg.errors.LockNotAvailable:
        raise SharedUnavailable(
            f"Somebody else is publishing to `{publication.collection}` for more than "
            f"{LOCK_WAIT_S} s. Try again later."
        ) from None
    except psycopg.errors.InsufficientPrivilege as error:
        raise SharedUnavailable(
            f"The database {address.shown} does not let this user publish "
            f"({address.hide(str(error))}). Use one who may create and change tables."
        ) from None
    except (psycopg.Error, OSError) as error:
        raise explain(error, address) from None


def _limit_waiting(connection: "Connection") -> None:
    connection.execute(f"SET LOCAL lock_timeout = '{LOCK_WAIT_S}s'")
    connection.execute(f"SET LOCAL statement_timeout = '{STATEMENT_S}s'")


def _publish(connection: "Connection", publication: Publication) -> Published:
    collection_id = _find_collection(connection, publication.collection)
    planned = _compare(publication, _read_hashes(connection, publication))
    gone = [*planned.changed, *(planned.vanished if publication.removes else ())]
    connection.execute(
        "DELETE FROM glossator.documents WHERE collection_id = %s AND path = ANY(%s)",
        (collection_id, gone),
    )
    for path, document in planned.put.items():
        _put_document(connection, collection_id, path, document)
    if len(planned.put) > _MANY:
        # Else the database would plan questions for the tables as they were, until it looks itself.
        connection.execute("ANALYZE glossator.postings, glossator.sections, glossator.documents")
    n_vectors, notices = 0, list[str]()
    if publication.vectors is not None:
        n_vectors, problem = publish_vectors(connection, collection_id, publication.vectors)
        notices += [problem] if problem else []
    if planned.put or gone or n_vectors:
        connection.execute(
            "UPDATE glossator.collections SET revision = revision + 1, updated_at = now(),"
            " n_sections = s.n, total_length = s.total FROM (SELECT count(*) AS n,"
            " coalesce(sum(length), 0) AS total FROM glossator.sections"
            " WHERE collection_id = %s AND is_searched) AS s WHERE id = %s",
            (collection_id, collection_id),
        )
    return _report(planned, publication, n_vectors, notices)


def _find_collection(connection: "Connection", name: str) -> int:
    """Return the id of a collection. Words that another version counted are counted again."""
    words = fingerprint_words()
    row = connection.execute(
        "SELECT id, words FROM glossator.collections WHERE name = %s", (name,)
    ).fetchone()
    if row is None:
        row = connection.execute(
            "INSERT INTO glossator.collections (name, words) VALUES (%s, %s) RETURNING id, words",
            (name, words),
        ).fetchone()
        assert row is not None
    if row[1] != words:
        _count_again(connection, row[0])
        connection.execute(
            "UPDATE glossator.collections SET words = %s WHERE id = %s", (words, row[0])
        )
    return int(row[0])


def _read_hashes(connection: "Connection", publication: Publication) -> dict[str, str]:
    rows = connection.execute(
        "SELECT d.path, d.content_hash FROM glossator.documents d JOIN glossator.collections c"
        " ON c.id = d.collection_id WHERE c.name = %s AND starts_with(d.path, %s)",
        (publication.collection, f"{publication.source}/"),
    )
    return {str(path): str(hash_) for path, hash_ in rows.fetchall()}


def _compare(publication: Publication, known: Mapping[str, str]) -> _Plan:
    documents = {f"{publication.source}/{each.path}": each for each in publication.documents}
    added = [path for path in documents if path not in known]
    changed = [
        path
        for path, document in documents.items()
        if path in known and known[path] != hash_document(document)
    ]
    return _Plan(
        put={path: documents[path] for path in sorted([*added, *changed])},
        added=tuple(sorted(added)),
        changed=tuple(sorted(changed)),
        vanished=tuple(sorted(known.keys() - documents.keys())),
        n_unchanged=len(documents) - len(added) - len(changed),
    )


def _report(
    planned: _Plan, publication: Publication, n_vectors: int = 0, notices: Iterable[str] = ()
) -> Published:
    return Published(
        added=planned.added,
        changed=planned.changed,
        removed=planned.vanished if publication.removes else (),
        vanished=() if publication.removes else planned.vanished,
        n_unchanged=planned.n_unchanged,
        n_sections=sum(len(select_sections(each)) for each in planned.put.values()),
        n_vectors=n_vectors,
        notices=tuple(notices),
    )


def hash_document(document: Document) -> str:
    """Return a hash of all that is published of a document."""
    said = json.dumps([document.text, _header_of(document)], ensure_ascii=True)
    return hashlib.blake2b(said.encode(), digest_size=16).hexdigest()


def _header_of(document: Document) -> dict[str, Any]:
    return {name: getattr(document, name) for name in _HEADER_FIELDS}


def _put_document(
    connection: "Connection", collection_id: int, path: str, document: Document
) -> None:
    row = connection.execute(
        "INSERT INTO glossator.documents (collection_id, path, content_hash, header)"
        " VALUES (%s, %s, %s, %s) RETURNING id",
        (
            collection_id,
            _storable(path),
            hash_document(document),
            _storable(json.dumps(_header_of(document), ensure_ascii=False)),
        ),
    ).fetchone()
    assert row is not None
    searched = {section.first_line for section in select_sections(document)}
    ids = {
        section.first_line: _put_section(
            connection, collection_id, row[0], section, is_searched=section.first_line in searched
        )
        for section in document.sections
    }
    _put_words(connection, collection_id, document, ids)


def _put_section(
    connection: "Connection",
    collection_id: int,
    document_id: int,
    section: Section,
    *,
    is_searched: bool,
) -> int:
    row = connection.execute(
        "INSERT INTO glossator.sections (document_id, collection_id, heading_path, first_line,"
        " last_line, text, is_searched, length, text_hash)"
        " VALUES (%s, %s, %s, %s, %s, %s, %s, 0, %s) RETURNING id",
        (
            document_id,
            collection_id,
            [_storable(heading) for heading in section.heading_path],
            section.first_line,
            section.last_line,
            _storable(section.text),
            is_searched,
            hash_text(text_to_encode(section.heading_path, section.text)),
        ),
    ).fetchone()
    assert row is not None
    return int(row[0])


def _put_words(
    connection: "Connection", collection_id: int, document: Document, ids: Mapping[int, int]
) -> None:
    """Count the words of the sections that are searched; `ids` tells them by their first line."""
    header = dict.fromkeys(find_header_words(document), 1)
    counted = {
        ids[section.first_line]: count_words(section) for section in select_sections(document)
    }
    lengths = {section_id: sum(counts.values()) for section_id, counts in counted.items()}
    connection.execute(
        "UPDATE glossator.sections SET length = new.length"
        " FROM unnest(%s::bigint[], %s::int[]) AS new (id, length) WHERE sections.id = new.id",
        (list(lengths), list(lengths.values())),
    )
    with connection.cursor().copy(
        "COPY glossator.postings (collection_id, word, section_id, count, length) FROM STDIN"
    ) as copy:
        for section_id, counts in counted.items():
            for word, count in (dict(counts) | header).items():
                row = (collection_id, _storable(word), section_id, count, lengths[section_id])
                copy.write_row(row)


def _count_again(connection: "Connection", collection_id: int) -> None:
    """Count the words of a whole collection anew, from what is kept of its documents."""
    connection.execute("DELETE FROM glossator.postings WHERE collection_id = %s", (collection_id,))
    for document_id, document in read_documents(connection, collection_id):
        ids = connection.execute(
            "SELECT first_line, id FROM glossator.sections WHERE document_id = %s", (document_id,)
        ).fetchall()
        _put_words(connection, collection_id, document, dict(ids))


def _storable(text: str) -> str:
    """Return a text without what PostgreSQL takes in none: NUL and halves of characters."""
    return text.replace("\0", "\ufffd").encode("utf-8", "replace").decode()
