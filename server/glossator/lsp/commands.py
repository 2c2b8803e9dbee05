"""The commands of `workspace/executeCommand`: arguments in, one use case, a result out."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from glossator.app.limits import MAX_DAYS, MAX_SECTIONS, N_SECTIONS
from glossator.core.errors import InvalidArguments
from glossator.core.events import Emit
from glossator.core.text import SourceText
from glossator.lsp import check_to_lsp, from_lsp, to_lsp
from glossator.lsp.answers import show_page, show_result, show_verified
from glossator.lsp.command_targets import read_target
from glossator.lsp.dismissing import dismiss, show_rule
from glossator.lsp.from_lsp import Arguments
from glossator.lsp.problem_command import explain_problem
from glossator.lsp.rule_actions import compile_rule
from glossator.lsp.uris import real_path_from_uri

if TYPE_CHECKING:
    from glossator.app.checking.report import CheckReport
    from glossator.app.figures.report import FiguresReport
    from glossator.app.results import (
        AnalysisTask,
        AttachmentKind,
    )
    from glossator.app.sessions import ExportFormat
    from glossator.lsp.documents import Document
    from glossator.lsp.serving import GlossatorServer

Json = dict[str, Any]
_MAX_DEPTH = 6
_TASKS: "tuple[AnalysisTask, ...]" = ("package", "change")
_ATTACHABLE: "tuple[AttachmentKind, ...]" = ("file", "symbol")
_MAX_ATTACHABLE = 200
_MAX_TURNS = 1_000_000
_FORMATS: "tuple[ExportFormat, ...]" = ("markdown", "json")


@dataclass(frozen=True, slots=True)
class Command:
    """A command. `title` (English, Chinese) heads its progress; those without one are quick.

    `counts` says that it reports how much of it is done.
    """

    run: "Callable[[GlossatorServer, Arguments, Emit], Awaitable[Json]]"
    title: tuple[str, str] | None = None
    counts: bool = False


async def explain(server: "GlossatorServer", arguments: Arguments, emit: Emit) -> Json:
    """Explain the function at a position, or the text that is selected."""
    uri = arguments.text("uri")
    target = await read_target(server, arguments, uri)
    application = await server.backend.application()
    editor_model = arguments.text("editorModel", default="")
    explanation = await application.explain(target, editor_model=editor_model, emit=emit)
    show_verified(server, arguments, explanation.title, explanation)
    return to_lsp.explanation(explanation, target.source, uri, server.backend.places())


async def call_chain(server: "GlossatorServer", arguments: Arguments, emit: Emit) -> Json:
    """Show who calls the function at a position, and what it calls."""
    target = await read_target(server, arguments, arguments.text("uri"))
    depth = arguments.number("depth", default=2, minimum=1, maximum=_MAX_DEPTH)
    application = await server.backend.application()
    chain = await application.call_chain(target, depth=depth, emit=emit)
    result = await asyncio.to_thread(
        to_lsp.call_chain, chain, server.backend.places(), server.phrase()
    )
    show_result(server, arguments, result["title"], chain.markdown)
    return result


async def ask(server: "GlossatorServer", arguments: Arguments, emit: Emit) -> Json:
    """Answer a question, in a session if one is named."""
    question = arguments.text("question")
    session_id = arguments.text("sessionId", default="")
    uri = arguments.text("uri", default="")
    target = await read_target(server, arguments, uri) if uri else None
    attachments = [
        from_lsp.attachment(each, partial(_find_unsaved, server))
        for each in arguments.records("attachments")
    ]
    application = await server.backend.application()
    answer = await application.ask(
        question,
        session_id=session_id,
        target=target,
        editor_model=arguments.text("editorModel", default=""),
        attachments=attachments,
        keep_turns=_read_turns(arguments, "keepTurns"),
        of_turns=_read_turns(arguments, "ofTurns"),
        emit=emit,
    )
    show_verified(server, arguments, question, answer)
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
        keep_turns=_read_turns(arguments, "keepTurns"),
        of_turns=_read_turns(arguments, "ofTurns"),
        emit=emit,
    )
    show_verified(server, arguments, analysis.title, analysis)
    return to_lsp.analysis(analysis, server.backend.places())


async def list_attachable(server: "GlossatorServer", arguments: Arguments, emit: Emit) -> Json:
    """List files, or symbols, that can be attached to a question, by letters of their names."""
    kind = arguments.choice("kind", _ATTACHABLE)
    limit = arguments.number("limit", default=50, minimum=1, maximum=_MAX_ATTACHABLE)
    application = await server.backend.application()
    found = await application.find_attachable(
        kind, arguments.text("query", default=""), limit=limit
    )
    return {"items": await asyncio.to_thread(to_lsp.attachable, found, server.backend.places())}


async def new_session(server: "GlossatorServer", arguments: Arguments, emit: Emit) -> Json:
    """Begin a conversation."""
    application = await server.backend.application()
    return {"sessionId": application.sessions.begin().id}


async def list_sessions(server: "GlossatorServer", arguments: Arguments, emit: Emit) -> Json:
    """List the sessions of this workspace, all or those that have the query."""
    application = await server.backend.application()
    entries = await application.sessions.find(arguments.text("query", default=""))
    return {"sessions": [to_lsp.session_entry(entry) for entry in entries]}


async def read_session(server: "GlossatorServer", arguments: Arguments, emit: Emit) -> Json:
    """Return the turns of a session, to be shown again."""
    application = await server.backend.application()
    session = await application.sessions.read(arguments.text("sessionId"))
    return await asyncio.to_thread(to_lsp.session, session, server.backend.places())


async def rename_session(server: "GlossatorServer", arguments: Arguments, emit: Emit) -> Json:
    """Give a session another title."""
    session_id, title = arguments.text("sessionId"), arguments.text("title")
    application = await server.backend.application()
    return {"title": await application.sessions.rename(session_id, title)}


async def delete_session(server: "GlossatorServer", arguments: Arguments, emit: Emit) -> Json:
    """Delete a session for good."""
    application = await server.backend.application()
    await application.sessions.delete(arguments.text("sessionId"))
    return {}


async def export_session(server: "GlossatorServer", arguments: Arguments, emit: Emit) -> Json:
    """Return a session as Markdown for people or as JSON for programs."""
    session_id, form = arguments.text("sessionId"), arguments.choice("format", _FORMATS)
    application = await server.backend.application()
    return {"text": await application.sessions.export(session_id, form)}


async def check(server: "GlossatorServer", arguments: Arguments, emit: Emit) -> Json:
    """Check named documents, some paths, or all open documents; open ones show their findings."""
    uri, paths = arguments.text("uri", default=""), arguments.texts("paths")
    uris = (uri,) if uri else arguments.texts("uris")
    if paths is not None:
        return await _check_paths(server, [Path(path) for path in paths], emit)
    if uris is None:
        return await _check_open(server, [document.uri for document in server.documents])
    results = [await _check_named(server, each, emit) for each in uris]
    return {
        "documents": [document for result in results for document in result["documents"]],
        "nFindings": sum(result["nFindings"] for result in results),
    }


async def rebuild_index(server: "GlossatorServer", arguments: Arguments, emit: Emit) -> Json:
    """Read knowledge, skills and rules again."""
    application = await server.backend.application()
    return to_lsp.index_report(await application.rebuild_index(emit=emit))


async def stats(server: "GlossatorServer", arguments: Arguments, emit: Emit) -> Json:
    """Add up what was recorded: as values, as text and as a page, which is opened by default."""
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
    found = await application.knowledge.why(asked, question, say=say, emit=emit)
    result = await asyncio.to_thread(why_to_lsp.why, found, server.backend.places(), say)
    show_result(server, arguments, result["title"], result["markdown"])
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
    found = await application.knowledge.search(question, path=asked, limit=limit)
    say = application.phrase(question)
    result = await asyncio.to_thread(search_to_lsp.search, found, server.backend.places(), say)
    show_result(server, arguments, result["title"], result["markdown"])
    return result


async def test_model(server: "GlossatorServer", arguments: Arguments, emit: Emit) -> Json:
    """Ask a model whether and how it answers: the one in use, or one that is named here."""
    # Imported here: it is asked for seldom.
    from glossator.app.model_test import WantedModel

    named = {name: arguments.text(name, default="") for name in ("baseUrl", "name", "apiKey")}
    wanted = WantedModel(named["baseUrl"], named["name"], named["apiKey"])
    lists_only = arguments.flag("listOnly", default=False)
    application = await server.backend.application()
    return to_lsp.model_test(
        await application.test_model(
            wanted if any(named.values()) else None, lists_only=lists_only, emit=emit
        )
    )


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
    "glossator.explain": Command(explain, ("Explaining", "正在解释")),
    "glossator.explainProblem": Command(explain_problem, ("Explaining", "正在解释")),
    "glossator.callChain": Command(call_chain, ("Following calls", "正在追踪调用")),
    "glossator.ask": Command(ask, ("Answering", "正在回答")),
    "glossator.analyze": Command(analyze, ("Analysing", "正在分析"), counts=True),
    "glossator.listAttachable": Command(list_attachable),
    "glossator.newSession": Command(new_session),
    "glossator.listSessions": Command(list_sessions),
    "glossator.readSession": Command(read_session),
    "glossator.renameSession": Command(rename_session),
    "glossator.deleteSession": Command(delete_session),
    "glossator.exportSession": Command(export_session),
    "glossator.check": Command(check, ("Checking", "正在检查"), counts=True),
    "glossator.dismiss": Command(dismiss),
    "glossator.showRule": Command(show_rule),
    "glossator.compileRule": Command(compile_rule, ("Writing a check", "正在编写检查")),
    "glossator.rebuildIndex": Command(rebuild_index, ("Reading knowledge", "正在读取知识")),
    "glossator.stats": Command(stats, ("Adding up", "正在统计")),
    "glossator.why": Command(why, ("Looking at what applies", "正在查看适用的内容")),
    "glossator.search": Command(search),
    "glossator.testModel": Command(test_model, ("Testing the model", "正在测试模型")),
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
        report = await application.checks.check(source)
        if document.path is not None:
            lint = await server.diagnostics.lint(source)
            await server.diagnostics.publish(document, source, report, lint)
        reports.append((uri, report))
    return check_to_lsp.check_reports(reports, server.phrase())


async def _check_named(server: "GlossatorServer", uri: str, emit: Emit) -> Json:
    """Check a document by its URI, open or not."""
    document = server.documents.get(uri)
    if document is not None:
        return await _check_one(server, document, emit)
    path = real_path_from_uri(uri)
    if path is None:
        raise InvalidArguments(f"`{uri}` is not open and names no file.")
    return await _check_paths(server, [path], emit)


async def _check_one(server: "GlossatorServer", document: "Document", emit: Emit) -> Json:
    """Check an open document; a model, if there is one, judges all of it."""
    application = await server.backend.application()
    if document.path is None or not application.checks.judges:
        return await _check_open(server, [document.uri])
    source = document.source
    report = await application.checks.judge(
        source, is_current=lambda: document.version == source.version, emit=emit
    )
    lint = await server.diagnostics.lint(source)
    server.diagnostics.publish_judged(document, source, report, lint)
    return check_to_lsp.check_reports([(document.uri, report)], server.phrase())


async def _check_paths(server: "GlossatorServer", paths: list[Path], emit: Emit) -> Json:
    application = await server.backend.application()
    reports = await application.checks.check_paths(paths, emit=emit)
    places = server.backend.places()
    located = [(places.uri(report.path), report) for report in reports]
    return check_to_lsp.check_reports(located, server.phrase())


def _find_unsaved(server: "GlossatorServer", uri: str) -> SourceText | None:
    """Return the text of an open document that has no file: all others are read by their path."""
    document = server.documents.get(uri)
    return document.source if document is not None and document.path is None else None


def _read_turns(arguments: Arguments, name: str) -> int | None:
    n_turns = arguments.number(name, default=-1, minimum=-1, maximum=_MAX_TURNS)
    return None if n_turns < 0 else n_turns


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


def _render_figures(report: "FiguresReport", locale: str) -> Json:
    # Imported here, in a thread: the charts need a library of their own.
    from glossator.app.figures.page import render_page
    from glossator.app.figures.report import to_json
    from glossator.app.figures.tables import render_figures
    from glossator.app.phrasing import Phrasing

    say = Phrasing.for_locale(locale)
    texts = {"markdown": render_figures(report, say), "html": render_page(report, say)}
    return {**to_json(report), **texts}
