"""`glossator sessions`: list what was asked in a workspace; show, rename, delete or export it.

An id may be shortened to any beginning that no other session of the workspace shares.
"""

import argparse
import json
from collections.abc import Callable, Coroutine
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from glossator.app.phrasing import Phrasing, count
from glossator.core.errors import InvalidArguments, UnknownSession
from glossator.subcommands.formats import choose_format

if TYPE_CHECKING:
    from glossator.app.application import Application
    from glossator.app.sessions import ExportFormat, Sessions
    from glossator.sessions.session import SessionEntry
    from glossator.terminal import Terminal

_SHOWN_ID_CHARACTERS = 8

Action = Callable[["Application", argparse.Namespace, "Terminal"], Coroutine[Any, Any, None]]


def add_parser(commands: Any, common: argparse.ArgumentParser) -> None:
    """Add the command and its actions to the parser's `commands`."""
    parser = commands.add_parser(
        "sessions",
        parents=[common],
        help="list the workspace's sessions; show, rename, delete or export one",
    )
    parser.add_argument("--search", default="", metavar="TEXT", help="list those that have TEXT")
    actions = parser.add_subparsers(dest="action", metavar="ACTION")
    # What was said before the action is not unsaid by the defaults of what may follow it.
    again = argparse.ArgumentParser(add_help=False, argument_default=argparse.SUPPRESS)
    again.add_argument("--root", type=Path, help="the workspace folder (default: found upwards)")
    again.add_argument("--json", action="store_true", help="print one JSON value")

    def add(name: str, text: str) -> argparse.ArgumentParser:
        action: argparse.ArgumentParser = actions.add_parser(name, parents=[again], help=text)
        action.add_argument("id", metavar="ID")
        return action

    add("show", "print the questions and answers of a session")
    add("rename", "give a session another title").add_argument("title", nargs="+", metavar="TITLE")
    delete = add("delete", "delete a session for good")
    delete.add_argument("--yes", action="store_true", help="do it; nothing is asked")
    export = add("export", "write a session to standard output")
    export.add_argument(
        "--format", choices=("markdown", "json"), help="markdown (default), or json (as --json)"
    )


async def run(application: "Application", parsed: argparse.Namespace, terminal: "Terminal") -> None:
    """Carry out one action; without one, list the sessions."""
    if parsed.search and parsed.action:
        say = application.phrase()
        raise InvalidArguments(
            say(
                f"`--search` lists sessions; it does not go with `{parsed.action}`.",
                f"`--search` 用于列出会话，不能与 `{parsed.action}` 同用。",
            )
        )
    await _ACTIONS[parsed.action or "list"](application, parsed, terminal)


async def choose_session(sessions: "Sessions", shortened: str, *, latest: bool) -> str:
    """Return the id of the session that is meant; empty when none is.

    Raises:
        InvalidArguments: several ids begin like this.
        UnknownSession: none does, or there is no latest one.
    """
    if not shortened and not latest:
        return ""
    entries = await sessions.find()
    if latest:
        if not entries:
            problems = " ".join(sessions.list_problems())
            raise UnknownSession(
                f"{problems or 'There is no session in this workspace yet.'} Ask without "
                "`--continue`."
            )
        return entries[0].id
    found = [entry.id for entry in entries if entry.id.startswith(shortened)]
    if shortened in found or len(found) == 1:
        return shortened if shortened in found else found[0]
    if found:
        raise InvalidArguments(
            f"`{shortened}` may be any of {', '.join(f'`{each}`' for each in found[:5])}. "
            "Write more of it."
        )
    raise UnknownSession(
        f"There is no session `{shortened}` in this workspace. `glossator sessions` lists them."
    )


async def _list(
    application: "Application", parsed: argparse.Namespace, terminal: "Terminal"
) -> None:
    from glossator.app.plain import to_plain
    from glossator.sessions.encoding import render_time
    from glossator.terminal import print_json

    entries = await application.sessions.find(parsed.search)
    if parsed.json:
        shown = [to_plain(each) | {"updatedAt": render_time(each.updated_at)} for each in entries]
        print_json({"sessions": shown})
        return
    say = application.phrase()
    for entry in entries:
        terminal.show_line(_describe(entry, say))
    problems = application.sessions.list_problems()
    for problem in problems:
        terminal.show_notice(problem)
    if not entries and not problems:
        none_yet = say("no sessions yet", "还没有会话")
        terminal.show_notice(say("no sessions", "没有会话") if parsed.search else none_yet)


async def _show(
    application: "Application", parsed: argparse.Namespace, terminal: "Terminal"
) -> None:
    if parsed.json:
        await _write(application, parsed.id, "json")
        return
    session_id = await choose_session(application.sessions, parsed.id, latest=False)
    terminal.show_markdown(await application.sessions.export(session_id, "markdown"))


async def _rename(
    application: "Application", parsed: argparse.Namespace, terminal: "Terminal"
) -> None:
    from glossator.terminal import print_json

    session_id = await choose_session(application.sessions, parsed.id, latest=False)
    title = await application.sessions.rename(session_id, " ".join(parsed.title))
    if parsed.json:
        print_json({"sessionId": session_id, "title": title})
    else:
        say = application.phrase()
        terminal.show_notice(
            say(f"`{session_id}` is called “{title}” now", f"`{session_id}` 现名为“{title}”")
        )


async def _delete(
    application: "Application", parsed: argparse.Namespace, terminal: "Terminal"
) -> None:
    from glossator.terminal import print_json

    session_id = await choose_session(application.sessions, parsed.id, latest=False)
    if not parsed.yes:
        [entry] = [each for each in await application.sessions.find() if each.id == session_id]
        raise InvalidArguments(
            f"`{session_id}` ({entry.title}, {count(entry.n_turns, 'turn')}) would be deleted for "
            "good. Add `--yes` to do it."
        )
    await application.sessions.delete(session_id)
    if parsed.json:
        print_json({"sessionId": session_id})
    else:
        say = application.phrase()
        terminal.show_notice(say(f"`{session_id}` is deleted", f"已删除 `{session_id}`"))


async def _export(
    application: "Application", parsed: argparse.Namespace, terminal: "Terminal"
) -> None:
    chosen = choose_format(parsed, "markdown", application.phrase())
    await _write(application, parsed.id, "json" if chosen == "json" else "markdown")


async def _write(application: "Application", shortened: str, chosen: "ExportFormat") -> None:
    from glossator.terminal import make_harmless, print_json

    session_id = await choose_session(application.sessions, shortened, latest=False)
    text = await application.sessions.export(session_id, chosen)
    if chosen == "json":
        print_json(json.loads(text))
    else:
        print(make_harmless(text), end="")


_ACTIONS: dict[str, Action] = {
    "list": _list,
    "show": _show,
    "rename": _rename,
    "delete": _delete,
    "export": _export,
}


def _describe(entry: "SessionEntry", say: Phrasing) -> str:
    updated = datetime.fromtimestamp(entry.updated_at).astimezone().strftime("%Y-%m-%d %H:%M")
    turns = say(f"{count(entry.n_turns, 'turn'):<9}", f"{entry.n_turns} 轮".ljust(8))
    return f"{entry.id[:_SHOWN_ID_CHARACTERS]}  {updated}  {turns} {entry.title}"
