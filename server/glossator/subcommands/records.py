"""`glossator stats` and `glossator replay`: what the record adds up to, and a turn run again."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from glossator.app.phrasing import Phrasing
from glossator.core.errors import InvalidArguments

if TYPE_CHECKING:
    from glossator.app.application import Application
    from glossator.terminal import Terminal


def add_parsers(commands: Any, common: argparse.ArgumentParser) -> None:
    """Add the commands to the parser's `commands`."""
    stats = commands.add_parser(
        "stats", parents=[common], help="show turns, tokens, costs, latencies and verdicts"
    )
    span = stats.add_mutually_exclusive_group()
    span.add_argument("--days", type=int, metavar="N", help="of the last N days")
    span.add_argument("--since", default="", metavar="DATE", help="since a day or time")
    stats.add_argument("--page", type=Path, metavar="FILE", help="write a page with charts")

    replay = commands.add_parser(
        "replay",
        parents=[common],
        help="run a recorded turn again without a model; show what is different now",
    )
    replay.add_argument(
        "file",
        nargs="?",
        type=Path,
        metavar="FILE",
        help="a file of the record, or a session exported as JSON (default: the whole record)",
    )
    replay.add_argument("--turn", default="", metavar="ID", help="which one (default: the last)")


async def run_stats(
    application: "Application", parsed: argparse.Namespace, terminal: "Terminal", say: Phrasing
) -> int:
    """Show the figures as tables, as JSON or as a page; 0 also when nothing is recorded."""
    from glossator.app.figures.report import to_json
    from glossator.app.figures.tables import render_figures
    from glossator.terminal import print_json

    report = await application.figures(days=parsed.days, since=parsed.since)
    if parsed.page is not None:
        from glossator.app.figures.page import render_page

        _write_page(parsed.page, render_page(report, say))
        terminal.show_notice(say(f"wrote `{parsed.page}`", f"已写入 `{parsed.page}`"))
    if parsed.json:
        print_json(to_json(report))
        return 0
    if not report.is_empty:
        terminal.show_markdown(render_figures(report, say))
    for notice in report.notices:
        terminal.show_notice(notice)
    return 0


async def run_replay(
    application: "Application", parsed: argparse.Namespace, terminal: "Terminal", say: Phrasing
) -> int:
    """Run a turn again; 0 when nothing is different, else 1."""
    from glossator.app.plain import to_plain
    from glossator.app.replay.text import render_replay
    from glossator.terminal import print_json

    path = parsed.file.absolute() if parsed.file is not None else None
    replay = await application.replay(path, parsed.turn, emit=terminal.hear)
    if parsed.json:
        recording = replay.recording
        print_json(
            {
                "turn": recording.id,
                "question": recording.question,
                "stopReason": recording.stop_reason,
                "isSame": replay.is_same,
                "problem": replay.problem,
                "calls": to_plain(replay.calls),
                "citations": to_plain(replay.citations),
            }
        )
    else:
        terminal.show_markdown(render_replay(replay, say))
    return 0 if replay.is_same else 1


def _write_page(path: Path, page: str) -> None:
    try:
        path.write_text(page, encoding="utf-8")
    except OSError as error:
        raise InvalidArguments(f"`{path}` cannot be written: {error.strerror}.") from error
