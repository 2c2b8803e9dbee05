"""Publish the workspace's knowledge to the index that a team shares."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from glossator.app.library import Library
from glossator.app.parts import Parts
from glossator.app.phrasing import Phrasing
from glossator.app.retrieval.encoding_work import list_texts
from glossator.app.retrieval.members import Members
from glossator.core.errors import GlossatorError, InvalidArguments
from glossator.core.events import Emit, StepStarted
from glossator.core.markdown_names import is_markdown_name
from glossator.knowledge.documents import Document, parse_document
from glossator.semantic.encoder import EncoderUnavailable
from glossator.shared.connecting import SharedUnavailable, connect
from glossator.shared.publishing import Publication, Published, plan, publish
from glossator.shared.vectors import Vectors

_NAME = re.compile(r"[^\s/\\\x00-\x1f`]{1,100}")


@dataclass(frozen=True, slots=True)
class ShareRequest:
    """What to publish: everything the workspace knows, or the Markdown files below `folders`.

    `source` is the name under which the workspace's documents stand in the collection; with
    `removes` those of that name which are gone are taken out. A `dry_run` changes nothing.
    """

    folders: tuple[Path, ...] = ()
    collection: str = ""
    source: str = ""
    removes: bool = False
    dry_run: bool = False


@dataclass(frozen=True, slots=True)
class ShareReport:
    """What was published, or would be, and where. `address` holds no password."""

    collection: str
    address: str
    source: str
    dry_run: bool
    published: Published
    notices: tuple[str, ...] = ()


@dataclass(slots=True)
class _Gathering:
    documents: list[Document] = field(default_factory=list)
    notices: list[str] = field(default_factory=list)


def share(
    request: ShareRequest, parts: Parts, library: Library, say: Phrasing, emit: Emit
) -> ShareReport:
    """Publish documents. Blocks on files, vectors and the database: call it in a worker thread.

    Raises:
        InvalidArguments: there is nothing to publish, or a name cannot be used.
        SharedUnavailable: no database is set, or it fails; nothing is changed then.
    """
    desk = parts.members.shared
    if desk is None:
        reasons = [each for each in parts.problems if "`shared.url`" in each]
        raise SharedUnavailable(
            " ".join(reasons)
            or "No shared index is set up. Set `shared.url` in your own `glossator.toml` or in the "
            "editor's settings to the address of a PostgreSQL database."
        )
    collection = _check_name(request.collection or desk.collection, "collection")
    source = _check_name(request.source or parts.workspace.roots[0].name, "source")
    emit(StepStarted(say("Reading what is to be shared", "正在读取要共享的内容")))
    gathered = _gather(request.folders, parts, library)
    if not gathered.documents and not request.removes:
        raise InvalidArguments(
            "There is no knowledge to share. Name a folder with Markdown files, or write documents "
            "under `knowledge/`."
        )
    publication = Publication(collection, source, gathered.documents, removes=request.removes)
    with connect(desk.address) as connection:
        if request.dry_run:
            published = plan(connection, publication, desk.address)
        else:
            vectors = _make_vectors(gathered, parts.members, say, emit)
            emit(StepStarted(say("Publishing", "正在发布")))
            publication = replace(publication, vectors=vectors)
            published = publish(connection, publication, desk.address)
    notices = (*gathered.notices, *published.notices)
    shown = desk.address.shown
    return ShareReport(collection, shown, source, request.dry_run, published, notices)


def _check_name(name: str, what: str) -> str:
    if not _NAME.fullmatch(name) or name in (".", ".."):
        raise InvalidArguments(
            f"`{name[:100]}` cannot be the name of a {what}: use one word without slashes."
        )
    return name


def _gather(folders: Sequence[Path], parts: Parts, library: Library) -> _Gathering:
    """Read what is to be published; say what cannot be."""
    gathered = _Gathering()
    if not folders:
        gathered.documents = [
            document
            for document in library.index.documents.values()
            if document.origin == "workspace" and document.family == "knowledge"
        ]
        return gathered
    for file in dict.fromkeys(file for folder in folders for file in _list_files(folder, parts)):
        try:
            source = parts.workspace.read(file)
        except GlossatorError as error:
            gathered.notices.append(str(error))
            continue
        gathered.documents.append(parse_document(source.text, path=source.name))
    return gathered


def _list_files(folder: Path, parts: Parts) -> Iterator[Path]:
    found = parts.workspace.locate(str(folder))
    if found.is_file():
        yield found
        return
    if not found.is_dir():
        raise InvalidArguments(f"`{folder}` is no folder and no file.")
    yield from (file for file in parts.workspace.walk(found) if is_markdown_name(file.name))


def _make_vectors(
    gathered: _Gathering, members: Members, say: Phrasing, emit: Emit
) -> Vectors | None:
    """Make the vectors of all sections, as far as they are not kept; None where nothing can."""
    meaning = members.meaning
    if meaning is None:
        return None
    texts = list_texts(gathered.documents)

    def tell(done: int, total: int) -> None:
        emit(StepStarted(say("Computing vectors", "正在计算向量"), done, total))

    try:
        by_hash, foreign = meaning.encode_all(texts, tell)
    except EncoderUnavailable as error:
        gathered.notices.append(f"Published without vectors: {error}")
        return None
    return Vectors(meaning.encoder.name, by_hash, foreign, meaning.encoder.least_cosine)
