"""Answers as documents: for editors that can show a document but have no view for answers."""

import asyncio
import hashlib
import logging
import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types

from glossator.core.text import split_lines
from glossator.lsp.places import Places
from glossator.lsp.protocol import ClientRefused, GlossatorProtocol
from glossator.lsp.uris import uri_from_path
from glossator.tools.replacing import replace_file

if TYPE_CHECKING:
    from glossator.app.results import Analysis, Answer, Explanation

logger = logging.getLogger(__name__)

_MAX_KEPT = 50
_NOT_IN_FILE_NAMES = re.compile(r"[^\w.\-]+")


async def show_answer(protocol: GlossatorProtocol, title: str, markdown: str) -> None:
    """Write the answer to the user's cache and ask the editor to open it."""
    await _show(protocol, partial(write_answer, title, markdown), external=False)


def render_document(result: "Answer | Explanation | Analysis", places: Places) -> str:
    """Write an answer with all that a view would show around it: its places, and what to know."""
    # Imported here: it brings the tools along, which start-up does not need.
    from glossator.app.phrasing import Phrasing
    from glossator.app.results import Analysis
    from glossator.app.verdicts import render_sources

    markdown = result.document if isinstance(result, Analysis) else result.markdown
    parts = [markdown.rstrip("\n")]
    # The places of facts stand where they are told; those of a model are claims.
    if result.by_model or any(each.verdict != "exact" for each in result.citations):
        sources = render_sources(
            result.citations,
            lambda citation: places.uri(citation.path, citation.place.path),
            Phrasing.for_question(markdown),
        )
        parts.append(sources.rstrip("\n"))
    if result.stop_reason != "no-model":
        parts.append("\n".join(f"> {line}" for line in split_lines(result.notice)))
    return "\n\n".join(filter(None, parts)) + "\n"


async def show_page(protocol: GlossatorProtocol, html: str) -> None:
    """Write the page of figures to the user's cache and ask for it to be opened in a browser."""
    await _show(protocol, partial(_write, "pages", "figures.html", html), external=True)


def write_answer(title: str, markdown: str) -> Path:
    """Write an answer where only its user can read it; the same title is written over."""
    text = markdown if markdown.endswith("\n") else markdown + "\n"
    path = _write("answers", _file_name(title), text)
    _drop_oldest(path.parent)
    return path


async def _show(protocol: GlossatorProtocol, write: Callable[[], Path], *, external: bool) -> None:
    try:
        uri = uri_from_path(await asyncio.to_thread(write))
        await protocol.ask_client(
            types.WINDOW_SHOW_DOCUMENT,
            types.ShowDocumentParams(
                uri=uri, external=external or None, take_focus=None if external else True
            ),
            timeout_s=10.0,
        )
    except (OSError, ClientRefused) as error:
        logger.warning("The answer could not be opened: %s", error)


def _write(kind: str, name: str, text: str) -> Path:
    # Imported here: it is needed with the first answer, not at start-up.
    import platformdirs

    folder = platformdirs.user_cache_path("glossator", appauthor=False) / kind
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    path = folder / name
    replace_file(path, text.encode("utf-8", "replace"))
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
