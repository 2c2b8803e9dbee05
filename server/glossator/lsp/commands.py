"""The commands of `workspace/executeCommand`: arguments in, one use case, a result out."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from glossator.app.limits import MAX_DAYS, MAX_SECTIONS, N_SECTIONS
from glossator.core.errors import InvalidArguments
from glossator.core.events import Emit
from glossator.core.text import SourceText
from glossator.lsp import check_to_lsp, from_lsp, to_lsp
from glossator.lsp.answers import render_document, show_answer, show_page
from glossator.lsp.dismissing import dismiss, show_rule
from glossator.lsp.from_lsp import Arguments
from glossator.lsp.rule_actions import compile_rule
from glossator.lsp.uris import real_path_from_uri

if TYPE_CHECKING:
    from glossator.app.checking.report import CheckReport
    from glossator.app.figures.report import FiguresReport
    from glossator.app.results import (
        Analysis,
        AnalysisTask,
        Answer,
        Explanation,
        Target,
    )
    from glossator.app.sessions import ExportFormat
    from glossator.lsp.documents import Document
    from glossator.lsp.serving import GlossatorServer

Json = dict[str, Any]
_MAX_DEPTH = 6
_TASKS: "tuple[AnalysisTask, ...]" = ("package", "change")
_FORMATS: "tuple[ExportFormat, ...]" = ("markdown", "json")


@dataclass(frozen=True, slots=True)
class Command:
    """A command. `title` heads its progress; those without one are quick.

    `counts` says that it reports how much of it is done.
    """

    run: "Callable[[GlossatorServer, Arguments, Emit], Awaitable[Json]]"
    title: str | None = None
    counts: bool = False


async def explain(server: "GlossatorServer", arguments: Arguments, emit: Emit) -> Json:
    """Explain the function at a position, or the text that is selected."""
    uri = arguments.text("uri")
    target = await _read_target(server, arguments, uri)
    application = await server.backend.application()
    explanation = await application.explain(target, emit=emit)
    _show_verified(server, arguments, explanation.title, explanation)
    return to_lsp.explanation(explanation, target.source, uri, server.backend.places())


async def call_chain(server: "GlossatorServer", arguments: Arguments, emit: Emit) -> Json:
    """Show who calls the function at a position, and what it calls."""
    target = await _read_target(server, arguments, arguments.text("uri"))
    depth = arguments.number("depth", default=2, minimum=1, maximum=_MAX_DEPTH)
    application = await server.backend.application()
    chain = await application.call_chain(target, depth=depth, emit=emit)
    result = await asyncio.to_thread(to_lsp.call_chain, chain, server.backend.places())
    _show(server, arguments, result["title"], chain.markdown)
    return result


async def ask(server: "GlossatorServer", arguments: Arguments, emit: Emit) -> Json:
    """Answer a question, in a session if one is named."""
    question = arguments.text("question")
    session_id = arguments.text("sessionId", default="")
    uri = arguments.text("uri", default="")
    target = await _read_target(server, arguments, uri) if uri else None
    application = await server.backend.application()
    answer = await application.ask(question, session_id=session_id, target=target, emit=emit)
    _show_verified(server, arguments, question, answer)
    return to_lsp.answer(answer, server.backend.places())


async def analyze(server: "GlossatorServer", arguments: Arguments, emit: Emit) -> Json:
    """Explain a package or review a change, in a session if one is named."""
    task = arguments.choice("task", _TASKS)
    application = await server.backend.application()
    analysis = await application.analyze(
        task,
        path=arguments.text("path", default=""),
        revision=arguments.text("revision", default=""),
        question=arguments.text("question", default=""),
        session_id=arguments.text("sessionId", default=""),
        emit=emit,
    )
    _show_verified(server, arguments, analysis.title, analysis)
    return to_lsp.analysis(analysis, server.backend.places())


async def new_session(server: "GlossatorServer", arguments: Arguments, emit: Emit) -> Json:
    """Begin a conversation."""
    application = await server.backend.application()
    return {"sessionId": application.new_session()}


async def list_sessions(server: "GlossatorServer", arguments: Arguments, emit: Emit) -> Json:
    """List the sessions of this workspace, all or those that have the query."""
    application = await server.backend.application()
    entries = await application.list_sessions(arguments.text("query", default=""))
    return {"sessions": [to_lsp.session_entry(entry) for entry in entries]}


async def read_session(server: "GlossatorServer", arguments: Arguments, emit: Emit) -> Json:
    """Return the turns of a session, to be shown again."""
    application = await server.backend.application()
    session = await application.read_session(arguments.text("sessionId"))
    return await asyncio.to_thread(to_lsp.session, session, server.backend.places())


async def rename_session(server: "GlossatorServer", arguments: Arguments, emit: Emit) -> Json:
    """Give a session another title."""
    session_id, title = arguments.text("sessionId"), arguments.text("title")
    application = await server.backend.application()
    return {"title": await application.rename_session(session_id, title)}


async def delete_session(server: "GlossatorServer", arguments: Arguments, emit: Emit) -> Json:
    """Delete a session for good."""
    application = await server.backend.application()
    await application.delete_session(arguments.text("sessionId"))
    return {}


async def export_session(server: "GlossatorServer", arguments: Arguments, emit: Emit) -> Json:
    """Return a session as Markdown for people or as JSON for programs."""
    session_id, form = arguments.text("sessionId"), arguments.choice("format", _FORMATS)
    application = await server.backend.application()
    return {"text": await application.export_session(session_id, form)}


async def check(server: "GlossatorServer", arguments: Arguments, emit: Emit) -> Json:
    """Check one document, some paths, or all open documents; open ones show their findings."""
    uri, paths = arguments.text("uri", default=""), arguments.texts("paths")
    if paths is not None:
        return await _check_paths(server, [Path(path) for path in paths], emit)
    if not uri:
        return await _check_open(server, [document.uri for document in server.documents])
    document = server.documents.get(uri)
    if document is not None:
        return await _check_one(server, document, emit)
    path = real_path_from_uri(uri)
    if path is None:
        raise InvalidArguments(f"`{uri}` is not open and names no file.")
    return await _check_paths(server, [path], emit)


async def rebuild_index(server: "GlossatorServer", arguments: Arguments, emit: Emit) -> Json:
    """Read knowledge, skills and rules again."""
    application = await server.backend.application()
    return to_lsp.index_report(await application.rebuild_index(emit=emit))


async def stats(server: "GlossatorServer", arguments: Arguments, emit: Emit) -> Json:
    """Add up what was recorded: as values and as a page, which is opened unless it is not to be."""
    days = arguments.number("days", default=0, minimum=0, maximum=MAX_DAYS)
    since = arguments.text("since", default="")
    opens = arguments.flag("open", default=True)
    application = await server.backend.application()
    report = await application.figures(days=days or None, since=since)
    result = await asyncio.to_thread(_render_figures, report, server.client.locale)
    if server.client.show_document and opens:
        server.start_task("show the figures", show_page(server.protocol, result["html"]))
    return result


async def why(server: "GlossatorServer", arguments: Arguments, emit: Emit) -> Json:
    """Say what is used for a document and a question, what is not, and why."""
    # Imported here: it is asked for seldom.
    from glossator.lsp import why_to_lsp

    question = arguments.text("question", default="")
    asked = _read_subject(server, arguments)
    application = await server.backend.application()
    say = application.phrase()  # The page is the editor's, whatever language is asked in.
    found = await application.why(asked, question, say=say, emit=emit)
    result = await asyncio.to_thread(why_to_lsp.why, found, server.backend.places(), say)
    _show(server, arguments, result["title"], result["markdown"])
    return result


async def search(server: "GlossatorServer", arguments: Arguments, emit: Emit) -> Json:
    """Rank what the knowledge has on a question; say whether it would be answered."""
    # Imported here: it is asked for seldom.
    from glossator.lsp import search_to_lsp

    question = arguments.text("question")
    limit = arguments.number("limit", default=N_SECTIONS, minimum=1, maximum=MAX_SECTIONS)
    has_place = arguments.text("uri", default="") or arguments.text("path", default="")
    asked = _read_subject(server, arguments) if has_place else None
    application = await server.backend.application()
    found = await application.search(question, path=asked, limit=limit)
    say = application.phrase(question)
    result = await asyncio.to_thread(search_to_lsp.search, found, server.backend.places(), say)
    _show(server, arguments, result["title"], result["markdown"])
    return result


async def trust_workspace(server: "GlossatorServer", arguments: Arguments, emit: Emit) -> Json:
    """Trust the workspace, or no longer; the answer is remembered."""
    trusted = arguments.flag("trusted", default=True)
    application = await server.backend.application()
    message = await application.trust_workspace(trusted=trusted)
    server.diagnostics.check_again()
    server.backend.report_status()
    return {"trust": application.status().trust, "message": message}


async def status(server: "GlossatorServer", arguments: Arguments, emit: Emit) -> Json:
    """Return the state of everything; answers before the application is open."""
    return server.backend.status(arguments.text("uri", default=""))


COMMANDS: Mapping[str, Command] = {
    "glossator.explain": Command(explain, "Explaining"),
    "glossator.callChain": Command(call_chain, "Following calls"),
    "glossator.ask": Command(ask, "Answering"),
    "glossator.analyze": Command(analyze, "Analysing", counts=True),
    "glossator.newSession": Command(new_session),
    "glossator.listSessions": Command(list_sessions),
    "glossator.readSession": Command(read_session),
    "glossator.renameSession": Command(rename_session),
    "glossator.deleteSession": Command(delete_session),
    "glossator.exportSession": Command(export_session),
    "glossator.check": Command(check, "Checking", counts=True),
    "glossator.dismiss": Command(dismiss),
    "glossator.showRule": Command(show_rule),
    "glossator.compileRule": Command(compile_rule, "Writing a check"),
    "glossator.rebuildIndex": Command(rebuild_index, "Reading knowledge"),
    "glossator.stats": Command(stats, "Adding up"),
    "glossator.why": Command(why, "Looking at what applies"),
    "glossator.search": Command(search),
    "glossator.trustWorkspace": Command(trust_workspace),
    "glossator.status": Command(status),
}


async def _check_open(server: "GlossatorServer", uris: list[str]) -> Json:
    application = await server.backend.application()
    reports: list[tuple[str | None, CheckReport]] = []
    for uri in uris:
        document = server.documents.get(uri)
        if document is None or (document.path is None and len(uris) > 1):
            continue
        source = document.source
        report = await application.check(source)
        if document.path is not None:
            lint = await server.diagnostics.lint(source)
            await server.diagnostics.publish(document, source, report, lint)
        reports.append((uri, report))
    return check_to_lsp.check_reports(reports, server.phrase())


async def _check_one(server: "GlossatorServer", document: "Document", emit: Emit) -> Json:
    """Check an open document; a model, if there is one, judges all of it."""
    application = await server.backend.application()
    if document.path is None or not application.judges:
        return await _check_open(server, [document.uri])
    source = document.source
    report = await application.judge(
        source, is_current=lambda: document.version == source.version, emit=emit
    )
    lint = await server.diagnostics.lint(source)
    server.diagnostics.publish_judged(document, source, report, lint)
    return check_to_lsp.check_reports([(document.uri, report)], server.phrase())


async def _check_paths(server: "GlossatorServer", paths: list[Path], emit: Emit) -> Json:
    application = await server.backend.application()
    reports = await application.check_paths(paths, emit=emit)
    places = server.backend.places()
    located = [(places.uri(report.path), report) for report in reports]
    return check_to_lsp.check_reports(located, server.phrase())


async def _read_target(server: "GlossatorServer", arguments: Arguments, uri: str) -> "Target":
    selection = arguments.optional_range("range")
    cursor = arguments.optional_position("position")
    if cursor is None:
        cursor = selection[0] if selection else arguments.position("position")
    source = await _read_source(server, uri)
    # In a thread: the first target brings rules and grammars along.
    return await asyncio.to_thread(
        from_lsp.target, source, cursor, selection, server.documents.encoding
    )


def _read_subject(server: "GlossatorServer", arguments: Arguments) -> SourceText | Path:
    """Return the open document or the path that is named; the first folder when none is."""
    uri, path = arguments.text("uri", default=""), arguments.text("path", default="")
    if not uri and not path:
        if not server.backend.roots:
            raise InvalidArguments("No folder is open; name a file with `uri` or `path`.")
        return server.backend.roots[0]
    document = server.documents.get(uri) if uri else None
    if document is not None:
        return document.source
    found = real_path_from_uri(uri) if uri else Path(path)
    if found is None:
        raise InvalidArguments(f"`{uri}` is not open and names no file.")
    return found


async def _read_source(server: "GlossatorServer", uri: str) -> SourceText:
    """Return the text of a document: the editor's if it is open, else the file's."""
    document = server.documents.get(uri)
    if document is not None:
        return document.source
    path = real_path_from_uri(uri)
    if path is None:
        raise InvalidArguments(f"`{uri}` is not open and names no file.")
    return await asyncio.to_thread(_read_file, path, server.backend.roots)


def _render_figures(report: "FiguresReport", locale: str) -> Json:
    # Imported here, in a thread: the charts need a library of their own.
    from glossator.app.figures.page import render_page
    from glossator.app.figures.report import to_json
    from glossator.app.phrasing import Phrasing

    return {**to_json(report), "html": render_page(report, Phrasing.for_locale(locale))}


def _read_file(path: Path, roots: tuple[Path, ...]) -> SourceText:
    # Imported here: files are read through the guard of the tools, which start-up does not need.
    from glossator.tools.workspace import Workspace

    return Workspace(roots).read(path)


def _show_verified(
    server: "GlossatorServer",
    arguments: Arguments,
    title: str,
    result: "Answer | Explanation | Analysis",
) -> None:
    places = server.backend.places()
    _show(server, arguments, title, render_document(result, places))


def _show(server: "GlossatorServer", arguments: Arguments, title: str, markdown: str) -> None:
    """Open the answer in an editor that has no view for it; nobody waits for that."""
    client = server.client
    renders = client.shows_answers or arguments.token("partialResultToken") is not None
    if client.show_document and not renders:
        server.start_task("show the answer", show_answer(server.protocol, title, markdown))
