"""Answers as documents: for editors that can show a document but have no view for answers."""

import asyncio
import hashlib
import logging
import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from lsprotocol import types

from glossator.core.text import split_lines
from glossator.lsp.client_requests import ClientRefused
from glossator.lsp.from_lsp import Arguments
from glossator.lsp.handshake import ANSWER_SCHEME
from glossator.lsp.places import Places
from glossator.lsp.protocol import GlossatorProtocol
from glossator.lsp.uris import uri_from_path
from glossator.tools.replacing import replace_file

if TYPE_CHECKING:
    from glossator.app.phrasing import Phrasing
    from glossator.app.results import Analysis, Answer, Explanation
    from glossator.lsp.serving import GlossatorServer

logger = logging.getLogger(__name__)

_MAX_KEPT = 50
_NOT_IN_FILE_NAMES = re.compile(r"[^\w.\-]+")


def show_verified(
    server: "GlossatorServer",
    arguments: Arguments,
    title: str,
    result: "Answer | Explanation | Analysis",
) -> None:
    """Open an answer with its places, in an editor that has no view for it."""
    places = server.backend.places()
    show_result(server, arguments, title, render_document(result, places))


def show_result(server: "GlossatorServer", arguments: Arguments, title: str, markdown: str) -> None:
    """Open the answer in an editor without a view for it, or say where it is; nobody waits."""
    client = server.client
    if client.shows_answers or arguments.token("partialResultToken") is not None:
        return
    if client.show_document:
        server.start_task("show the answer", show_answer(server, title, markdown))
    else:
        telling = tell_answer(server.protocol, title, markdown, server.phrase())
        server.start_task("tell where the answer is", telling)


async def show_answer(server: "GlossatorServer", title: str, markdown: str) -> None:
    """Ask the editor to open the answer: by its own address where the editor asks us for texts.

    For any other editor it is written to the user's cache.
    """
    if server.client.asks_for_texts:
        await _show_text(server, title, markdown)
    else:
        await _show(server.protocol, partial(write_answer, title, markdown), external=False)


async def _show_text(server: "GlossatorServer", title: str, markdown: str) -> None:
    uri = f"{ANSWER_SCHEME}:/{quote(_file_name(title))}"
    before, protocol = server.answers.pop(uri, None), server.protocol
    server.answers[uri] = markdown
    while len(server.answers) > _MAX_KEPT:
        del server.answers[next(iter(server.answers))]
    try:
        if before is not None and before != markdown:
            again = types.TextDocumentContentRefreshParams(uri)
            await protocol.ask_client(types.WORKSPACE_TEXT_DOCUMENT_CONTENT_REFRESH, again)
        shown = types.ShowDocumentParams(uri=uri, take_focus=True)
        await protocol.ask_client(types.WINDOW_SHOW_DOCUMENT, shown, timeout_s=10.0)
    except ClientRefused as error:
        logger.warning("The answer could not be opened: %s", error)


async def tell_answer(
    protocol: GlossatorProtocol, title: str, markdown: str, say: "Phrasing"
) -> None:
    """Write the answer to the user's cache and say where: the editor cannot be asked to open it."""
    try:
        path = await asyncio.to_thread(write_answer, title, markdown)
    except OSError as error:
        logger.warning("The answer could not be written: %s", error)
        return
    message = say(f"The answer is in {path}", f"回答位于 {path}")
    protocol.notify(
        types.WINDOW_SHOW_MESSAGE,
        types.ShowMessageParams(type=types.MessageType.Info, message=message),
    )


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
