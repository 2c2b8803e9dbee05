"""Handles `textDocument/hover`: what files of knowledge, skills and instructions say of themselves.

Other documents are answered at once with nothing; a client that registers at run time never asks.
"""

import asyncio
import re
import threading
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from glossator.lsp import from_lsp
from glossator.lsp.documents import Document

if TYPE_CHECKING:
    from glossator.lsp.serving import GlossatorServer

LANGUAGES = ("markdown", "mdc", "prompt", "instructions", "chatagent", "skill")
"""What editors call Markdown, that of other tools' files included."""

_PATTERNS = ("**/*.{md,mdc}", "**/.cursorrules")
_SUFFIXES = frozenset({".md", ".mdc"})
_NAMES = frozenset({".cursorrules"})
_MARKS = re.compile(r"`+(?P<code>[^`]*)`+|\*\*|^#+ ", re.MULTILINE)


async def show_hint(server: "GlossatorServer", params: types.HoverParams) -> dict[str, Any] | None:
    """Say what stands at the position. Cancelling the request ends the looking."""
    document = server.documents.get(params.text_document.uri)
    if document is None or not is_markdown(document):
        return None
    source = document.source
    position = from_lsp.position(params.position)
    point = from_lsp.point(source, position, server.documents.encoding)
    application = await server.backend.application()
    is_over = threading.Event()
    try:
        hint = await application.hint(source, point, is_cancelled=is_over.is_set)
    except asyncio.CancelledError:
        is_over.set()
        raise
    if hint is None:
        return None
    return {
        "contents": _render(hint.markdown, is_markdown=server.client.hover_markdown),
        "range": server.backend.places().range_of(source, hint.range),
    }


def is_markdown(document: Document) -> bool:
    """Say whether a document may be one of knowledge, a skill or instructions."""
    name = PurePosixPath(document.name)
    return (
        document.language_id.lower() in LANGUAGES
        or name.suffix.lower() in _SUFFIXES
        or name.name in _NAMES
    )


def make_registration() -> types.Registration:
    """Return the registration for clients that take it at run time: for Markdown alone."""
    selector: list[types.TextDocumentFilterLanguage | types.TextDocumentFilterPattern] = [
        *(types.TextDocumentFilterLanguage(language=language) for language in LANGUAGES),
        *(types.TextDocumentFilterPattern(pattern=pattern) for pattern in _PATTERNS),
    ]
    return types.Registration(
        id="glossator-hover",
        method=types.TEXT_DOCUMENT_HOVER,
        register_options=types.HoverRegistrationOptions(document_selector=selector),
    )


def _render(markdown: str, *, is_markdown: bool) -> dict[str, str]:
    if is_markdown:
        return {"kind": "markdown", "value": markdown}
    return {"kind": "plaintext", "value": _MARKS.sub(_keep_code, markdown)}


def _keep_code(mark: re.Match[str]) -> str:
    """Return what stands between backticks, where `**` belongs to a glob."""
    return mark["code"] or ""
