"""Where things are, in the editor's terms: URIs for paths, units for columns."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from glossator.core.locations import Point, Range
from glossator.core.text import SourceText, split_lines
from glossator.lsp.documents import Documents
from glossator.lsp.positions import PositionEncoding, units_from_column
from glossator.lsp.uris import uri_from_path

_MAX_BYTES_READ_FOR_COLUMNS = 4 * 1024 * 1024


class Places:
    """Answers for one moment. `roots` are the real paths of the workspace folders.

    `find_file` knows the files that people see under a name that is no path below a folder.
    """

    def __init__(
        self,
        documents: Documents,
        roots: Sequence[Path],
        find_file: Callable[[str], Path | None] | None = None,
    ) -> None:
        self.encoding: PositionEncoding = documents.encoding
        self._documents = documents
        self._roots = tuple(roots)
        self._find_file = find_file
        self._lines: dict[Path, Sequence[str]] = {}
        # One rule is named by many findings.
        self._uris: dict[str, str | None] = {}

    def uri(self, path: Path | None, shown: str = "") -> str | None:
        """Return the URI of a file: the client's own one when it is open there.

        Without a path the file is looked for below the folders, under the name people see.
        """
        if path is None and shown not in self._uris:
            found = self.find(shown)
            self._uris[shown] = None if found is None else self.uri(found)
        if path is None:
            return self._uris[shown]
        document = self._documents.find(path)
        return document.uri if document else uri_from_path(path)

    def find(self, shown: str) -> Path | None:
        """Return the file that people see under this name, if there is one."""
        if not shown:
            return None
        if Path(shown).is_absolute():
            return Path(shown)
        if self._find_file is not None and (path := self._find_file(shown)) is not None:
            return path
        head, _, rest = shown.partition("/")
        for root in self._roots:
            named = [root / rest] if rest and head == root.name else []
            for path in (root / shown, *named):
                if path.is_file():
                    return path
        return None

    def range_in(self, path: Path | None, range_: Range | None) -> dict[str, Any] | None:
        """Return a range of a file. Reads the file when it is not open: not on the loop."""
        if path is None or range_ is None:
            return None
        if path not in self._lines:
            self._lines[path] = self._read_lines(path)
        return lsp_range(range_, self._lines[path], self.encoding)

    def range_of(self, source: SourceText, range_: Range) -> dict[str, Any]:
        """Return a range of a text at hand."""
        return lsp_range(range_, source.lines, self.encoding)

    def _read_lines(self, path: Path) -> Sequence[str]:
        source = self._documents.buffers.get(path)
        if source is not None:
            return source.lines
        try:
            with path.open("rb") as file:
                data = file.read(_MAX_BYTES_READ_FOR_COLUMNS)
        except OSError:
            return ()
        return split_lines(data.decode("utf-8", "replace"))


def lsp_position(point: Point, lines: Sequence[str], encoding: PositionEncoding) -> dict[str, int]:
    """Return a point as the editor counts. A column whose line is not at hand stays as it is."""
    index = point.line - 1
    if 0 <= index < len(lines):
        units = units_from_column(lines[index], point.column, encoding)
    else:
        units = 0 if lines and index >= len(lines) else point.column
    return {"line": max(index, 0), "character": units}


def lsp_range(range_: Range, lines: Sequence[str], encoding: PositionEncoding) -> dict[str, Any]:
    """Return a range as the editor counts."""
    return {
        "start": lsp_position(range_.start, lines, encoding),
        "end": lsp_position(range_.end, lines, encoding),
    }
