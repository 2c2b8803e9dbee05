"""What a command is about: the text of a document, and a place in it."""

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

from glossator.core.errors import InvalidArguments
from glossator.core.text import SourceText
from glossator.lsp import from_lsp
from glossator.lsp.from_lsp import Arguments
from glossator.lsp.uris import real_path_from_uri

if TYPE_CHECKING:
    from glossator.app.results import Target
    from glossator.lsp.serving import GlossatorServer


async def read_target(server: "GlossatorServer", arguments: Arguments, uri: str) -> "Target":
    """Return the place that `position` or `range` names in a document."""
    selection = arguments.optional_range("range")
    cursor = arguments.optional_position("position")
    if cursor is None:
        cursor = selection[0] if selection else arguments.position("position")
    source = await read_source(server, uri)
    # In a thread: the first target brings rules and grammars along.
    return await asyncio.to_thread(
        from_lsp.target, source, cursor, selection, server.documents.encoding
    )


async def read_source(server: "GlossatorServer", uri: str) -> SourceText:
    """Return the text of a document: the editor's if it is open, else the file's."""
    document = server.documents.get(uri)
    if document is not None:
        return document.source
    path = real_path_from_uri(uri)
    if path is None:
        raise InvalidArguments(f"`{uri}` is not open and names no file.")
    return await asyncio.to_thread(_read_file, path, server.backend.roots)


def _read_file(path: Path, roots: tuple[Path, ...]) -> SourceText:
    # Imported here: files are read through the guard of the tools, which start-up does not need.
    from glossator.tools.workspace import Workspace

    return Workspace(roots).read(path)
