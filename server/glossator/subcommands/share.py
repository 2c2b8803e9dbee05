"""`glossator share`: publish knowledge to the index that a team shares."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from glossator.app.phrasing import Phrasing, count

if TYPE_CHECKING:
    from glossator.app.application import Application
    from glossator.app.retrieval.sharing import ShareReport
    from glossator.terminal import Terminal

_SHOWN = 20
"""Up to so many documents of each kind are named; more are counted."""


def add_parser(commands: Any, common: argparse.ArgumentParser) -> None:
    """Add the command to the parser's `commands`."""
    share = commands.add_parser(
        "share",
        parents=[common],
        help="publish the workspace's knowledge to the index that your team shares",
    )
    share.add_argument(
        "paths",
        nargs="*",
        type=Path,
        metavar="FOLDER",
        help="folders with Markdown files (default: what the workspace knows)",
    )
    share.add_argument(
        "--collection", default="", metavar="NAME", help="another one than `shared.collection`"
    )
    share.add_argument(
        "--as",
        dest="source",
        default="",
        metavar="NAME",
        help="under which name these documents stand there (default: that of the folder)",
    )
    share.add_argument(
        "--remove",
        action="store_true",
        help="take out documents of that name which are not among these any more",
    )
    share.add_argument("--dry-run", action="store_true", help="say what would be done")


async def run(application: "Application", parsed: argparse.Namespace, terminal: "Terminal") -> int:
    """Publish, and show what was done as Markdown or JSON."""
    from glossator.app.retrieval.sharing import ShareRequest
    from glossator.terminal import print_json

    request = ShareRequest(
        folders=tuple(path.absolute() for path in parsed.paths),
        collection=parsed.collection,
        source=parsed.source,
        removes=parsed.remove,
        dry_run=parsed.dry_run,
    )
    report = await application.knowledge.share(request, emit=terminal.hear)
    if parsed.json:
        print_json(report)
        return 0
    say = application.phrase()
    terminal.show_markdown(_render(report, say))
    for notice in report.notices:
        terminal.show_notice(say.translate(notice))
    if report.published.vanished:
        n = len(report.published.vanished)
        terminal.show_notice(
            say(
                f"{count(n, 'document')} of `{report.source}` not here any more: `--remove`",
                f"`{report.source}` 有 {n} 篇文档已不在此处：可用 `--remove` 移除",
            )
        )
    return 0


def _render(report: "ShareReport", say: Phrasing) -> str:
    done = report.published
    verb = "would be" if report.dry_run else "are"
    address = say.translate(report.address)
    lines = [
        say(
            f"`{report.collection}` at {address}: {len(done.added)} {verb} added, "
            f"{len(done.changed)} changed, {len(done.removed)} removed, {done.n_unchanged} the "
            f"same ({count(done.n_sections, 'section')}, {count(done.n_vectors, 'vector')} "
            "written)",
            f"`{report.collection}`（{address}）：{'将' if report.dry_run else '已'}新增 "
            f"{len(done.added)}，更改 {len(done.changed)}，移除 {len(done.removed)}，未变 "
            f"{done.n_unchanged}（写入 {done.n_sections} 个章节、{done.n_vectors} 个向量）",
        ),
        "",
    ]
    for mark, paths in (("+", done.added), ("~", done.changed), ("-", done.removed)):
        lines += [f"- `{mark}` {path}" for path in paths[:_SHOWN]]
        if len(paths) > _SHOWN:
            n_more = len(paths) - _SHOWN
            lines.append(say(f"- `{mark}` and {n_more} more", f"- `{mark}` 另有 {n_more} 篇"))
    return "\n".join(lines) + "\n"
