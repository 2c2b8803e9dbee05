"""The command line.

Results go to standard output, progress and notices to standard error. Exit codes: 0 all is well,
1 findings, problems, something missing or a refusal, 2 an error, 130 stopped by the user.
"""

import argparse
import asyncio
import os
import re
import sys
import traceback
from collections.abc import Callable, Coroutine, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from glossator import __version__
from glossator.app.phrasing import Phrasing
from glossator.core.errors import GlossatorError, InvalidArguments
from glossator.subcommands import (
    check,
    index,
    lint,
    records,
    rules,
    search,
    sessions,
    settings,
    share,
    skills,
    why,
)
from glossator.subcommands.formats import wants_json
from glossator.subcommands.usage import Parser
from glossator.subcommands.writing import is_unwritable, locale_of, tell_unwritable

if TYPE_CHECKING:
    from glossator.app.application import Application
    from glossator.app.checking.kept_answers import Basis
    from glossator.app.results import Target
    from glossator.terminal import Terminal

EXIT_OK = 0
EXIT_FINDINGS = 1
EXIT_ERROR = 2
EXIT_STOPPED = 130

# The conventions of a repository hold in all its packages, so that its top counts before theirs.
_ROOT_MARKERS = (
    ("glossator.toml", ".git"),
    ("pyproject.toml", "package.json", "go.mod", "Cargo.toml"),
)

_PLACE = re.compile(r"(.+?):([0-9]{1,9})(?::([0-9]{1,9}))?", re.DOTALL)

Command = Callable[["Application", argparse.Namespace, "Terminal"], Coroutine[Any, Any, int]]


def run(arguments: Sequence[str], basis: "Basis | None" = None) -> int:
    """Run one command and return the exit code; `basis` is what a check's answer rests on."""
    parsed = _make_parser().parse_args(arguments)
    parsed.basis = basis
    if parsed.command == "lsp":
        return _serve()
    from glossator.terminal import Terminal

    say = Phrasing.for_locale(locale_of(os.environ))
    with Terminal(say) as terminal:
        try:
            exit_code = asyncio.run(_run(parsed, terminal))
            sys.stdout.flush()
            return exit_code
        except GlossatorError as error:
            message = say.translate(str(error))
            if wants_json(parsed):
                _print_json({"error": {"code": error.code, "message": message}})
            terminal.show_error(message)
            return EXIT_ERROR
        except KeyboardInterrupt:
            terminal.show_error(say("stopped", "已停止"))
            return EXIT_STOPPED
        except Exception as error:  # noqa: BLE001 - the program ends here, and says so.
            if is_unwritable(error):
                tell_unwritable(error)
                return EXIT_ERROR
            if wants_json(parsed):
                _print_json({"error": {"code": "internal-error", "message": str(error)}})
            terminal.show_error(
                f"{traceback.format_exc()}\n"
                + say(
                    "This is a defect of Glossator; please report it.",
                    "这是 Glossator 的缺陷，请反馈。",
                )
            )
            return EXIT_ERROR


def _serve() -> int:
    from glossator.lsp.server import run as run_server

    return run_server(_open_application)


def _open_application(opening: Any) -> "Application":
    # Imported when the editor has its first answer: the parts load much.
    from glossator.compose import open_application

    return open_application(opening)


def _make_parser() -> argparse.ArgumentParser:
    parser = Parser(
        prog="glossator",
        description="Explain code, ask about a workspace, check a team's conventions.",
    )
    parser.add_argument("--version", action="version", version=f"glossator {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    common = Parser(add_help=False)
    common.add_argument("--root", type=Path, help="the workspace folder (default: found upwards)")
    common.add_argument("--json", action="store_true", help="print one JSON value")

    model = Parser(add_help=False)
    model.add_argument("--no-model", action="store_true", help="use no model even if one is set up")

    _add_turns(commands, common, model)
    check.add_parser(commands, common)
    sessions.add_parser(commands, common)
    records.add_parsers(commands, common)
    why.add_parser(commands, common)
    search.add_parser(commands, common)
    lint.add_parser(commands, common)
    rules.add_parser(commands, common, model)
    skills.add_parser(commands, common)
    settings.add_parser(commands, common)
    share.add_parser(commands, common)
    index.add_parser(commands, common)
    doctor = commands.add_parser(
        "doctor", parents=[common], help="show what is set up, what is missing and how to fix it"
    )
    doctor.add_argument(
        "--model", action="store_true", help="ask the model too: two short requests"
    )
    return parser


def _add_turns(
    commands: Any, common: argparse.ArgumentParser, model: argparse.ArgumentParser
) -> None:
    """Add the commands that explain and answer, and the server that editors start for them."""
    serve = commands.add_parser("lsp", help="run the language server on standard input and output")
    serve.add_argument("--stdio", action="store_true", help="accepted, and always so")
    serve.set_defaults(json=False)

    explain = commands.add_parser(
        "explain", parents=[common, model], help="explain the function at FILE:LINE"
    )
    explain.add_argument("place", metavar="FILE:LINE[:COLUMN]")

    chain = commands.add_parser(
        "chain", parents=[common], help="show who calls the function at FILE:LINE and what it calls"
    )
    chain.add_argument("place", metavar="FILE:LINE[:COLUMN]")
    chain.add_argument("--depth", type=int, default=2, help="levels each way (default 2)")

    ask = commands.add_parser(
        "ask", parents=[common, model], help="ask about the workspace or its conventions"
    )
    ask.add_argument("question", nargs="+")
    session = ask.add_mutually_exclusive_group()
    session.add_argument("--session", default="", metavar="ID", help="go on with this session")
    session.add_argument("--continue", dest="goes_on", action="store_true", help="with the latest")

    analyze = commands.add_parser(
        "analyze", parents=[common, model], help="explain a package, or review what changed"
    )
    analyze.add_argument("task", choices=("package", "change"))
    analyze.add_argument(
        "subject",
        nargs="?",
        default="",
        metavar="PATH|REVISION",
        help="`package`: the folder or file to explain (default: the workspace); `change`: the "
        "revision to compare with (default: HEAD, which is what is not committed)",
    )
    analyze.add_argument("--question", default="", help="what to find out in particular")


async def _run(parsed: argparse.Namespace, terminal: "Terminal") -> int:
    if parsed.command != "check":
        return await _run_in_application(parsed, terminal)
    from glossator.app.checking.worker_process import started_early

    with started_early():
        return await _run_in_application(parsed, terminal)


async def _run_in_application(parsed: argparse.Namespace, terminal: "Terminal") -> int:
    from glossator.app.results import Opening
    from glossator.compose import open_application

    root = _find_root(parsed)
    environ = dict(os.environ)
    without_model = getattr(parsed, "no_model", False)
    opening = Opening(
        roots=(root,),
        environ={} if without_model else environ,
        # Whoever types a command in a folder means that folder, its `.env` included.
        trusted=True,
        heeds_answers=False,
        uses_dotenv=not without_model,
        watch=False,
        is_asked=parsed.command != "check",
        locale=locale_of(environ),
    )
    application = open_application(opening)
    try:
        return await _COMMANDS[parsed.command](application, parsed, terminal)
    finally:
        await application.close()


def _notice_of(notice: str, parsed: argparse.Namespace, say: Phrasing) -> str:
    """Leave out how to add a model when none was wanted."""
    from glossator.app.notices import say_without_model

    if not parsed.no_model:
        return notice
    before, _, _ = notice.partition(said := say_without_model(say))
    return f"{before}{said}" if said in notice else said


async def _explain(
    application: "Application", parsed: argparse.Namespace, terminal: "Terminal"
) -> int:
    target = _target_of(parsed.place, application)
    result = await application.explain(target, emit=terminal.hear)
    if parsed.json:
        _print_json(result)
        return EXIT_OK
    say = Phrasing.for_locale(locale_of(os.environ))
    terminal.show_markdown(result.markdown)
    terminal.show_citations(result.citations, say)
    terminal.show_notice(_notice_of(result.notice, parsed, say))
    return EXIT_OK


async def _chain(
    application: "Application", parsed: argparse.Namespace, terminal: "Terminal"
) -> int:
    target = _target_of(parsed.place, application)
    result = await application.call_chain(target, depth=parsed.depth, emit=terminal.hear)
    if parsed.json:
        _print_json(result)
    else:
        terminal.show_markdown(result.markdown)
    return EXIT_OK


async def _ask(application: "Application", parsed: argparse.Namespace, terminal: "Terminal") -> int:
    question = " ".join(parsed.question).strip()
    if not question:
        raise InvalidArguments("The question is empty.")
    session_id = await sessions.choose_session(
        application.sessions, parsed.session, latest=parsed.goes_on
    )
    result = await application.ask(question, session_id=session_id, emit=terminal.hear)
    if parsed.json:
        _print_json(result)
    else:
        say = Phrasing.for_question(question)
        terminal.show_markdown(result.markdown)
        terminal.show_citations(result.citations, say)
        terminal.show_sources(result.sources)
        is_plain = result.refused is not None
        terminal.show_notice(result.notice if is_plain else _notice_of(result.notice, parsed, say))
    return EXIT_FINDINGS if result.refused else EXIT_OK


async def _analyze(
    application: "Application", parsed: argparse.Namespace, terminal: "Terminal"
) -> int:
    is_package = parsed.task == "package"
    result = await application.analyze(
        parsed.task,
        path=_from_here(parsed.subject) if is_package else "",
        revision="" if is_package else parsed.subject,
        question=parsed.question,
        emit=terminal.hear,
    )
    if parsed.json:
        _print_json(result)
        return EXIT_OK
    say = Phrasing.for_locale(locale_of(os.environ))
    terminal.show_markdown(result.markdown)
    terminal.show_citations(result.citations, say)
    terminal.show_parts(result.parts)
    terminal.show_notice(_notice_of(result.notice, parsed, say) if result.notice else "")
    return EXIT_OK


async def _sessions(
    application: "Application", parsed: argparse.Namespace, terminal: "Terminal"
) -> int:
    await sessions.run(application, parsed, terminal)
    return EXIT_OK


async def _stats(
    application: "Application", parsed: argparse.Namespace, terminal: "Terminal"
) -> int:
    return await records.run_stats(
        application, parsed, terminal, Phrasing.for_locale(locale_of(os.environ))
    )


async def _replay(
    application: "Application", parsed: argparse.Namespace, terminal: "Terminal"
) -> int:
    say = Phrasing.for_locale(locale_of(os.environ))
    return await records.run_replay(application, parsed, terminal, say)


async def _doctor(
    application: "Application", parsed: argparse.Namespace, terminal: "Terminal"
) -> int:
    from glossator.doctor import examine, examine_test, render_examination

    await application.rebuild_index()
    n_sessions = len(await application.sessions.find())
    await application.knowledge.examine_members()
    say = application.phrase()
    unknown = await application.linting.list_unknown_rules()
    examined = examine(application.status(), say, n_sessions=n_sessions, unknown_rules=unknown)
    if parsed.model:
        test = await application.test_model(emit=terminal.hear)
        examined = (*examined, *examine_test(test, say))
    if parsed.json:
        _print_json({"findings": examined})
    else:
        terminal.show_markdown(render_examination(examined, say))
    return EXIT_FINDINGS if any(each.is_problem for each in examined) else EXIT_OK


_COMMANDS: dict[str, Command] = {
    "explain": _explain,
    "chain": _chain,
    "ask": _ask,
    "analyze": _analyze,
    "sessions": _sessions,
    "stats": _stats,
    "replay": _replay,
    "check": check.run,
    "rules": rules.run,
    "why": why.run,
    "search": search.run,
    "skills": skills.run,
    "lint": lint.run,
    "settings": settings.run,
    "share": share.run,
    "index": index.run,
    "doctor": _doctor,
}


def _find_root(parsed: argparse.Namespace) -> Path:
    """Return the workspace folder: as given, or the nearest one above us or what is named."""
    if parsed.root is not None:
        root = _resolve(parsed.root)
        if not os.path.isdir(root):  # noqa: PTH112 - Path.is_dir raises for a name too long.
            raise InvalidArguments(f"`{parsed.root}` is not a folder.")
        return root
    here = Path.cwd()
    named = [_split_place(parsed.place)[0]] if hasattr(parsed, "place") else []
    named += getattr(parsed, "paths", [])
    named += [Path(parsed.subject)] if getattr(parsed, "task", "") == "package" else []
    paths = [_resolve(path) for path in named]
    if not all(path.is_relative_to(here) for path in paths):
        start = paths[0]
        return _find_marked(start) or (start if os.path.isdir(start) else start.parent)  # noqa: PTH112
    # Who stands in no project may name what is in one.
    inner = Path(os.path.commonpath(paths)) if paths else here
    return _find_marked(here) or _find_marked(inner) or here


def _find_marked(start: Path) -> Path | None:
    """Return the nearest folder above a path that looks like the top of a workspace, or None."""
    for markers in _ROOT_MARKERS:
        for folder in (start, *start.parents):
            if any(os.path.exists(folder / marker) for marker in markers):  # noqa: PTH110
                return folder
    return None


def _resolve(path: Path) -> Path:
    """Follow links; unlike `Path.resolve` without complaint about a link to itself."""
    return Path(os.path.realpath(path))


def _from_here(path: str) -> str:
    """Return a path that was typed in this folder as one that means the same from any other."""
    return str(Path(path).absolute()) if path else ""


def _split_place(place: str) -> tuple[Path, int, int | None]:
    """Return the path, the line and, where one is given, the column, both counted from 1."""
    match = _PLACE.fullmatch(place)
    numbers = [int(number) for number in match.groups()[1:] if number] if match else []
    if match is None or 0 in numbers:
        raise InvalidArguments(
            f"`{place}` is not FILE:LINE, counted from 1; write for example `src/app.py:12`."
        )
    return Path(match[1]), numbers[0], numbers[1] if len(numbers) > 1 else None


def _target_of(place: str, application: "Application") -> "Target":
    from glossator.app.results import Target
    from glossator.core.locations import Point

    path, line, column = _split_place(place)
    source = application.read(path.absolute())
    if line > len(source.lines):
        raise InvalidArguments(f"`{path}` has {len(source.lines)} lines; there is no line {line}.")
    text = source.lines[line - 1]
    indent = len(text) - len(text.lstrip())
    return Target(source, Point(line, indent if column is None else column - 1))


def _print_json(value: Any) -> None:
    from glossator.terminal import print_json

    print_json(value)
