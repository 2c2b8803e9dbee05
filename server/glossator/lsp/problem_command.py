"""The command of *Explain this problem*: a diagnostic of any server in, an explanation out."""

import asyncio
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from glossator.core.errors import InvalidArguments
from glossator.core.events import Emit
from glossator.core.locations import Range
from glossator.core.text import SourceText
from glossator.lsp import from_lsp, to_lsp
from glossator.lsp.answers import show_verified
from glossator.lsp.command_targets import read_source
from glossator.lsp.from_lsp import Arguments
from glossator.lsp.problem_actions import EXPLAIN_PROBLEM_COMMAND
from glossator.lsp.uris import real_path_from_uri

if TYPE_CHECKING:
    from glossator.app.complaints import Complaint
    from glossator.lsp.serving import GlossatorServer

Json = dict[str, Any]
_SEVERITIES = {1: "error", 2: "warning", 3: "information", 4: "hint"}


async def explain_problem(server: "GlossatorServer", arguments: Arguments, emit: Emit) -> Json:
    """Explain what a server says about a place: what it means here, and what to do."""
    # Imported here: the first code action comes sooner without it.
    from glossator.app.results import Target

    uri = arguments.text("uri")
    source = await read_source(server, uri)
    complaint = await asyncio.to_thread(_read_complaint, server, arguments, source)
    target = Target(source, complaint.range.start)
    application = await server.backend.application()
    explanation = await application.explain_complaint(target, complaint, emit=emit)
    show_verified(server, arguments, explanation.title, explanation)
    return to_lsp.explanation(explanation, source, uri, server.backend.places())


def _read_complaint(
    server: "GlossatorServer", arguments: Arguments, source: SourceText
) -> "Complaint":
    # Imported here, in a thread: it brings the briefing along.
    from glossator.app.complaints import Complaint

    inner = arguments.inner("diagnostic")
    ends = inner.optional_range("range")
    if ends is None:
        raise InvalidArguments(f"`{EXPLAIN_PROBLEM_COMMAND}`: `diagnostic.range` is missing.")
    return Complaint(
        message=inner.text("message"),
        range=_find_range(source, ends, server),
        severity=_SEVERITIES.get(inner.number("severity", default=1, minimum=1, maximum=4), ""),
        source=inner.text("source", default=""),
        code=inner.words("code"),
        link=inner.inner("codeDescription").text("href", default=""),
        related=tuple(_read_related(inner.inner_list("relatedInformation"), server)),
    )


def _find_range(source: SourceText, ends: from_lsp.LspRange, server: "GlossatorServer") -> Range:
    return from_lsp.range_(source, ends, server.documents.encoding)


def _read_related(
    items: Iterable[Arguments], server: "GlossatorServer"
) -> Iterator[tuple[str, str]]:
    """Yield further places as people see them; those outside the workspace folders are left out."""
    for inner in items:
        location = inner.inner("location")
        ends = location.optional_range("range")
        path = real_path_from_uri(location.text("uri", default=""))
        is_inside = path and any(path.is_relative_to(root) for root in server.backend.roots)
        if ends is not None and path is not None and is_inside:
            shown = server.documents.show(path)
            yield f"{shown}:{ends[0][0] + 1}", inner.text("message", default="")
