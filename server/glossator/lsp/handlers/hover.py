"""Handles `textDocument/hover`: the rule that a finding breaks, and what team files declare.

Everything but files of knowledge, skills and instructions is answered at once, from what is shown.
"""

import asyncio
import re
import threading
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from glossator.core.locations import Point, Range
from glossator.core.markdown_names import is_markdown_or_rule_name
from glossator.core.text import SourceText
from glossator.lsp import from_lsp
from glossator.lsp.documents import Document
from glossator.lsp.finding_hover import describe_findings

if TYPE_CHECKING:
    from glossator.app.hints.hint import Hint
    from glossator.lsp.serving import GlossatorServer

LANGUAGES = ("markdown", "mdc", "prompt", "instructions", "chatagent", "skill")
"""What editors call Markdown, that of other tools' files included."""

_NAMES = frozenset({".cursorrules"})
_MARKS = re.compile(r"`+(?P<code>[^`]*)`+|\*\*|^#+ ", re.MULTILINE)


async def show_hint(server: "GlossatorServer", params: types.HoverParams) -> dict[str, Any] | None:
    """Say what stands at the position. Cancelling the request ends the looking."""
    document = server.documents.get(params.text_document.uri)
    if document is None:
        return None
    position = from_lsp.position(params.position)
    point = from_lsp.point(document.source, position, server.documents.encoding)
    broken = describe_findings(server, document, point)
    if broken is not None:
        return _to_hover(server, document.source, *broken)
    if not is_markdown(document):
        return None
    hint = await _find_hint(server, document.source, point)
    return None if hint is None else _to_hover(server, document.source, hint.markdown, hint.range)


async def _find_hint(server: "GlossatorServer", source: SourceText, point: Point) -> "Hint | None":
    application = await server.backend.application()
    is_over = threading.Event()
    try:
        return await application.knowledge.hint(source, point, is_cancelled=is_over.is_set)
    except asyncio.CancelledError:
        is_over.set()
        raise


def _to_hover(
    server: "GlossatorServer", source: SourceText, markdown: str, place: Range
) -> dict[str, Any]:
    return {
        "contents": _render(markdown, is_markdown=server.client.hover_markdown),
        "range": server.backend.places().range_of(source, place),
    }


def is_markdown(document: Document) -> bool:
    """Say whether a document may be one of knowledge, a skill or instructions."""
    name = PurePosixPath(document.name)
    return (
        document.language_id.lower() in LANGUAGES
        or is_markdown_or_rule_name(name.name)
        or name.name in _NAMES
    )


def make_registration() -> types.Registration:
    """Return the registration for clients that take it at run time, for files on the disk."""
    selector = [types.TextDocumentFilterScheme(scheme=each) for each in ("file", "untitled")]
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
