"""Documents of a shared index, made again from its rows."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from glossator.knowledge.documents import Document, Section

if TYPE_CHECKING:
    from glossator.shared.connecting import Connection

_SECTION_COLUMNS = "s.heading_path, s.first_line, s.last_line, s.text"


def show_path(collection: str, path: str) -> str:
    """Return the path by which people and models know a document of a collection."""
    return f"shared/{collection}/{path}"


def read_documents(connection: "Connection", collection_id: int) -> Iterator[tuple[int, Document]]:
    """Yield each document of a collection with its sections, under its path there."""
    rows = connection.execute(
        "SELECT id, path, header FROM glossator.documents WHERE collection_id = %s",
        (collection_id,),
    ).fetchall()
    for document_id, path, header in rows:
        yield document_id, make_document(path, header, _read_sections(connection, document_id))


def read_headers(
    connection: "Connection", collection_id: int, collection: str
) -> dict[str, Document]:
    """Return the documents of a collection by shown path: what routes questions to them.

    Sections come only with those that have globs: they answer for a file without being searched.
    """
    documents = {}
    for document_id, path, header in connection.execute(
        "SELECT id, path, header FROM glossator.documents WHERE collection_id = %s ORDER BY path",
        (collection_id,),
    ).fetchall():
        rows = _read_sections(connection, document_id) if header.get("globs") else ()
        shown = show_path(collection, path)
        documents[shown] = make_document(shown, header, rows)
    return documents


def make_section(document: str, path: str, row: Iterable[Any]) -> Section:
    """Make a section from its columns: headings, first and last line, text."""
    heading_path, first_line, last_line, text = row
    return Section(document, path, tuple(heading_path), first_line, last_line, text)


def make_document(path: str, header: dict[str, Any], rows: Iterable[Iterable[Any]]) -> Document:
    """Make a document from its header and the columns of its sections."""
    name = str(header["name"])
    return Document(
        name=name,
        description=str(header["description"]),
        keywords=tuple(header["keywords"]),
        always=bool(header["always"]),
        globs=tuple(header["globs"]),
        path=path,
        origin="shared",
        text="",
        body_first_line=1,
        sections=tuple(make_section(name, path, row) for row in rows),
        problems=(),
        family=header["family"],
        manual=bool(header["manual"]),
    )


def _read_sections(connection: "Connection", document_id: int) -> list[tuple[Any, ...]]:
    return connection.execute(
        f"SELECT {_SECTION_COLUMNS} FROM glossator.sections s WHERE s.document_id = %s"
        " ORDER BY s.first_line",
        (document_id,),
    ).fetchall()
