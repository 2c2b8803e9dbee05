"""Answers as documents: for editors that can show a document but have no view for answers."""

import asyncio
import hashlib
import logging
import os
import re
import tempfile
from pathlib import Path

from lsprotocol import types

from glossator.core.text import split_lines
from glossator.lsp.protocol import ClientRefused, GlossatorProtocol
from glossator.lsp.uris import uri_from_path

logger = logging.getLogger(__name__)

_MAX_KEPT = 50
_NOT_IN_FILE_NAMES = re.compile(r"[^\w.\-]+")


async def show_answer(protocol: GlossatorProtocol, title: str, markdown: str) -> None:
    """Write the answer to the user's cache and ask the editor to open it."""
    try:
        path = await asyncio.to_thread(write_answer, title, markdown)
        await protocol.ask_client(
            types.WINDOW_SHOW_DOCUMENT,
            types.ShowDocumentParams(uri=uri_from_path(path), take_focus=True),
            timeout_s=10.0,
        )
    except (OSError, ClientRefused) as error:
        logger.warning("The answer could not be opened: %s", error)


def write_answer(title: str, markdown: str) -> Path:
    """Write an answer where only its user can read it; the same title is written over."""
    # Imported here: it is needed with the first answer, not at start-up.
    import platformdirs

    folder = platformdirs.user_cache_path("glossator", appauthor=False) / "answers"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    path = folder / _file_name(title)
    handle, temporary = tempfile.mkstemp(suffix=".tmp", dir=folder)
    with os.fdopen(handle, "w", encoding="utf-8", errors="replace", newline="\n") as file:
        file.write(markdown if markdown.endswith("\n") else markdown + "\n")
    Path(temporary).replace(path)
    _drop_oldest(folder)
    return path


def _file_name(title: str) -> str:
    first_line = split_lines(title)[0] if title else "Answer"
    readable = _NOT_IN_FILE_NAMES.sub("-", first_line).strip("-.")[:60] or "Answer"
    # The name is cut and cleaned, so two titles could meet in it.
    digest = hashlib.blake2b(title.encode("utf-8", "replace"), digest_size=4).hexdigest()
    return f"{readable}-{digest}.md"


def _drop_oldest(folder: Path) -> None:
    answers = sorted(folder.glob("*.md"), key=lambda path: path.stat().st_mtime, reverse=True)
    for path in answers[_MAX_KEPT:]:
        path.unlink(missing_ok=True)
