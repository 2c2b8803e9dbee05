"""The documents that are open in the editor, as the editor has them.

pygls keeps documents too, but breaks lines where `str.splitlines` does: after a form feed or a
U+2028 every later edit would land in the wrong place.
"""

import logging
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from glossator.core.locations import Point
from glossator.core.text import SourceText, split_lines
from glossator.lsp.positions import PositionEncoding, column_from_units
from glossator.lsp.uris import is_below, name_from_uri, real_path_from_uri

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Change:
    """New text for a part of a document (both ends in the editor's units), or for all of it."""

    text: str
    start: tuple[int, int] | None = None
    end: tuple[int, int] | None = None


@dataclass(eq=False, slots=True)
class Document:
    """One open document. `path` is its real path, None unless its URI names a file."""

    uri: str
    language_id: str
    version: int
    path: Path | None
    name: str
    lines: list[str]
    _source: SourceText | None = field(default=None, init=False)

    @property
    def source(self) -> SourceText:
        """The text at this moment; the same object until the document changes."""
        if self._source is None:
            self._source = SourceText(
                name=self.name,
                text="".join(self.lines),
                path=self.path,
                version=self.version,
                language_id=self.language_id or None,
            )
        return self._source

    def rename(self, name: str) -> None:
        """Call the document by another name."""
        self.name = name
        self._source = None

    def change(self, change: Change, encoding: PositionEncoding) -> None:
        """Apply one change; positions outside the text count as its nearest end."""
        if change.start is None or change.end is None:
            self.lines = split_lines(change.text, keep_ends=True)
        else:
            start, end = sorted(
                (
                    self.locate(*change.start, encoding),
                    self.locate(*change.end, encoding),
                )
            )
            _replace(self.lines, start, end, change.text)
        self._source = None

    def locate(self, line: int, units: int, encoding: PositionEncoding) -> Point:
        """Return the point for an editor's position (line 0-based, in its units)."""
        return locate(self.lines, line, units, encoding)


def locate(lines: Sequence[str], line: int, units: int, encoding: PositionEncoding) -> Point:
    """Return the point for an editor's position in `lines`, with or without their ends."""
    if line < 0:
        return Point(1, 0)
    if line < len(lines):
        return Point(line + 1, column_from_units(lines[line].rstrip("\r\n"), units, encoding))
    if lines and not lines[-1].endswith(("\n", "\r")):
        return Point(len(lines), len(lines[-1]))
    return Point(len(lines) + 1, 0)


class Documents:
    """All open documents by URI, and the texts of those that are files by real path."""

    def __init__(self, encoding: PositionEncoding = "utf-16") -> None:
        self.encoding = encoding
        self.buffers = Buffers()
        self._documents: dict[str, Document] = {}
        self._names_by_root: dict[Path, str] = {}

    def __iter__(self) -> Iterator[Document]:
        return iter(tuple(self._documents.values()))

    def get(self, uri: str) -> Document | None:
        """Return the open document with this URI, or the one with another URI of its file."""
        document = self._documents.get(uri)
        if document is not None or not self._documents:
            return document
        path = real_path_from_uri(uri)
        return None if path is None else self.find(path)

    def find(self, path: Path) -> Document | None:
        """Return the open document of a file; `path` has no links in it."""
        matches = [document for document in self if document.path == path]
        return matches[-1] if matches else None

    def open(self, uri: str, language_id: str, version: int, text: str) -> Document:
        """Take a document up; one that is open already is replaced."""
        path = real_path_from_uri(uri)
        document = Document(
            uri=uri,
            language_id=language_id,
            version=version,
            path=path,
            name=self.show(path) if path else name_from_uri(uri),
            lines=split_lines(text, keep_ends=True),
        )
        self._documents.pop(uri, None)
        self._documents[uri] = document
        self.buffers.put(document)
        return document

    def change(self, uri: str, version: int | None, changes: Sequence[Change]) -> Document | None:
        """Apply changes in order; one that comes too late or to nothing open is left out."""
        document = self._documents.get(uri)
        if document is None:
            logger.warning("A change for a document that is not open was ignored.")
            return None
        if version is None:
            version = document.version + 1
        if version <= document.version:
            logger.warning(
                "A change to version %d was ignored: version %d is here already.",
                version,
                document.version,
            )
            return None
        document.version = version
        for change in changes:
            document.change(change, self.encoding)
        self.buffers.put(document)
        return document

    def close(self, uri: str) -> Document | None:
        """Let a document go; nothing happens when it is not open."""
        document = self._documents.pop(uri, None)
        if document is not None:
            self.buffers.drop(document)
            if document.path is not None and (other := self.find(document.path)) is not None:
                self.buffers.put(other)
        return document

    def change_roots(self, roots: Sequence[Path]) -> None:
        """Name documents by their place below these folders."""
        self._names_by_root = dict.fromkeys(roots, "")
        if len(roots) > 1:
            # Imported here: most editors open one folder, and start-up is quicker without it.
            from glossator.tools.walking import name_roots

            self._names_by_root = name_roots(tuple(roots))
        for document in self:
            if document.path is not None:
                document.rename(self.show(document.path))
                self.buffers.put(document)

    def show(self, path: Path) -> str:
        """Return how a file is called: its path below its folder, which several folders name.

        The tools call it the same: the innermost folder counts, and none is named like another.
        """
        around = [root for root in self._names_by_root if root in path.parents]
        if not around:
            return path.as_posix()
        root = max(around, key=lambda each: len(each.parts))
        below, name = path.relative_to(root).as_posix(), self._names_by_root[root]
        return f"{name}/{below}" if name else below

    def rename(self, old_uri: str, new_uri: str) -> list[str]:
        """Move open documents that a rename of a file or folder moved; return their old URIs.

        Most editors close and open them as well, before or after.
        """
        moved = [document for document in self if is_below(document.uri, old_uri)]
        for document in moved:
            self.close(document.uri)
            uri = new_uri + document.uri[len(old_uri) :]
            if uri not in self._documents:
                self.open(uri, document.language_id, document.version, "".join(document.lines))
        return [document.uri for document in moved]


class Buffers(Mapping[Path, SourceText]):
    """A live view of the open files, safe to read from any thread.

    Each change puts a new mapping in place of the old one, so that a reader that is half through
    goes on undisturbed.
    """

    def __init__(self) -> None:
        self._texts: dict[Path, SourceText] = {}

    def __getitem__(self, path: Path) -> SourceText:
        return self._texts[path]

    def __iter__(self) -> Iterator[Path]:
        return iter(self._texts)

    def __len__(self) -> int:
        return len(self._texts)

    def put(self, document: Document) -> None:
        """Show the text of `document` under its path, if it has one."""
        if document.path is not None:
            self._texts = {**self._texts, document.path: document.source}

    def drop(self, document: Document) -> None:
        """Show nothing under the path of `document` any longer."""
        self._texts = {path: text for path, text in self._texts.items() if path != document.path}


def _replace(lines: list[str], start: Point, end: Point, text: str) -> None:
    """Put `text` in the place of start..end, in place, touching only the lines around it."""
    first, last = start.line - 1, end.line - 1
    before = lines[first][: start.column] if first < len(lines) else ""
    after = lines[last][end.column :] if last < len(lines) else ""
    # A `\r` and a `\n` that come together become one line break, over the edges of the change.
    if first > 0 and lines[first - 1].endswith("\r"):
        first -= 1
        before = lines[first] + before
    middle = before + text + after
    if last + 1 < len(lines) and not middle.endswith("\n"):
        last += 1
        middle += lines[last]
    lines[first : last + 1] = split_lines(middle, keep_ends=True)
