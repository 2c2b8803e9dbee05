"""The tables of a shared index, and who may read them.

A section is kept as it is given to people, and beside it how often it has which word, as the local
index counts them: so both rank alike. The tables have a version; another version is not touched.
"""

import hashlib
import json
from typing import TYPE_CHECKING

from glossator.knowledge.documents import parse_document
from glossator.knowledge.section_words import count_words, find_header_words
from glossator.shared.connecting import SharedUnavailable

if TYPE_CHECKING:
    from glossator.shared.connecting import Connection

VERSION = 1

SCHEMA_LOCK = 0x676C6F73
"""The number of the lock that who makes or changes tables holds; those of collections follow."""

_TABLES = (
    "CREATE SCHEMA IF NOT EXISTS glossator",
    "CREATE TABLE glossator.schema_version (version integer NOT NULL)",
    "CREATE TABLE glossator.collections (id serial PRIMARY KEY, name text NOT NULL UNIQUE,"
    " words text NOT NULL, revision bigint NOT NULL DEFAULT 0,"
    " n_sections bigint NOT NULL DEFAULT 0, total_length bigint NOT NULL DEFAULT 0,"
    " updated_at timestamptz NOT NULL DEFAULT now())",
    "CREATE TABLE glossator.documents (id bigserial PRIMARY KEY,"
    " collection_id integer NOT NULL REFERENCES glossator.collections ON DELETE CASCADE,"
    ' path text COLLATE "C" NOT NULL, content_hash text NOT NULL, header jsonb NOT NULL,'
    " UNIQUE (collection_id, path))",
    "CREATE TABLE glossator.sections (id bigserial PRIMARY KEY,"
    " document_id bigint NOT NULL REFERENCES glossator.documents ON DELETE CASCADE,"
    " collection_id integer NOT NULL, heading_path text[] NOT NULL, first_line integer NOT NULL,"
    " last_line integer NOT NULL, text text NOT NULL, is_searched boolean NOT NULL,"
    " length integer NOT NULL, text_hash bytea NOT NULL)",
    "CREATE INDEX ON glossator.sections (document_id)",
    "CREATE INDEX ON glossator.sections (collection_id, text_hash)",
    # The length stands here, too: all that a rank needs is then read from this index alone.
    "CREATE TABLE glossator.postings (collection_id integer NOT NULL,"
    ' word text COLLATE "C" NOT NULL,'
    " section_id bigint NOT NULL REFERENCES glossator.sections ON DELETE CASCADE,"
    " count integer NOT NULL, length integer NOT NULL)",
    "CREATE UNIQUE INDEX ON glossator.postings (collection_id, word, section_id)"
    " INCLUDE (count, length)",
    "CREATE INDEX ON glossator.postings (section_id)",
    "CREATE TABLE glossator.encoders (id serial PRIMARY KEY,"
    " collection_id integer NOT NULL REFERENCES glossator.collections ON DELETE CASCADE,"
    " name text NOT NULL, dimension integer NOT NULL, needed double precision NOT NULL,"
    " UNIQUE (collection_id, name))",
)
_VECTOR_TABLES = (
    "CREATE EXTENSION IF NOT EXISTS vector",
    "CREATE TABLE IF NOT EXISTS glossator.vectors (encoder_id integer NOT NULL"
    " REFERENCES glossator.encoders ON DELETE CASCADE,"
    " section_id bigint NOT NULL REFERENCES glossator.sections ON DELETE CASCADE,"
    " embedding vector NOT NULL, PRIMARY KEY (encoder_id, section_id))",
    "CREATE INDEX IF NOT EXISTS vectors_section ON glossator.vectors (section_id)",
)


def find_version(connection: "Connection") -> int:
    """Return the version of the tables; 0 when there are none yet."""
    if not _is_table(connection, "glossator.schema_version"):
        return 0
    row = connection.execute("SELECT max(version) FROM glossator.schema_version").fetchone()
    return int(row[0] or 0) if row else 0


def require_version(version: int, shown: str) -> None:
    """Refuse tables that another version of Glossator has made.

    Raises:
        SharedUnavailable: they are not of this version.
    """
    if version == 0:
        raise SharedUnavailable(
            f"The database {shown} holds no shared index yet. `glossator share` makes one."
        )
    if version != VERSION:
        raise SharedUnavailable(
            f"The shared index {shown} has version {version}, this Glossator knows {VERSION}. "
            f"Update {'Glossator' if version > VERSION else 'it with `glossator share`'}."
        )


def make_tables(connection: "Connection") -> None:
    """Make the tables where there are none. Call it in a transaction that holds the lock."""
    if find_version(connection) == 0:
        for statement in _TABLES:
            connection.execute(statement)
        connection.execute("INSERT INTO glossator.schema_version (version) VALUES (%s)", (VERSION,))


def make_vector_tables(connection: "Connection") -> str:
    """Make the table of vectors; return why that cannot be done, or an empty text."""
    import psycopg

    if has_vectors(connection):
        return ""
    try:
        with connection.transaction():
            for statement in _VECTOR_TABLES:
                connection.execute(statement)
    except psycopg.Error as error:
        return str(error).partition("\n")[0]
    return ""


def has_vectors(connection: "Connection") -> bool:
    """Say whether the database keeps vectors."""
    return _is_table(connection, "glossator.vectors")


def _is_table(connection: "Connection", name: str) -> bool:
    row = connection.execute("SELECT to_regclass(%s) IS NOT NULL", (name,)).fetchone()
    return bool(row and row[0])


_SAMPLE = """\
---
name: sample-name
description: Words of all kinds, 各种词语
keywords: [useEffect, 資料庫, rate limit]
---
# Naming 命名规范

`getUserById`, `get_user_by_id`, HTTPServer2, ＡＢＣ, caches cached caching, C++ and node.js.
中文分词与繁體字：數據庫連線、缓存。

```python check bad
forbidden = True
```

- the classes' indices, built-in, v1.2.3, naïve café
"""


def fingerprint_words() -> str:
    """Return what tells how this version counts words: counts of another way do not fit ours."""
    document = parse_document(_SAMPLE, path="sample.md")
    counted = [sorted(count_words(section).items()) for section in document.sections]
    said = json.dumps([counted, sorted(find_header_words(document))], ensure_ascii=True)
    return hashlib.blake2b(said.encode(), digest_size=8).hexdigest()
