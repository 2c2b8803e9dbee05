"""`glossator search`: what the knowledge has on a question, ranked, and whether it is enough."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from glossator.app.limits import N_SECTIONS
from glossator.subcommands.named_files import locate_named

if TYPE_CHECKING:
    from glossator.app.application import Application
    from glossator.terminal import Terminal


def add_parser(commands: Any, common: argparse.ArgumentParser) -> None:
    """Add the command to the parser's `commands`."""
    search = commands.add_parser(
        "search",
        parents=[common],
        help="search the knowledge; show scores, places and whether it would be answered",
    )
    search.add_argument("question", nargs="+", help="what to look for")
    search.add_argument(
        "--limit", type=int, default=N_SECTIONS, help=f"sections shown ({N_SECTIONS})"
    )
    search.add_argument("--path", type=Path, metavar="FILE", help="the file that is looked at")


async def run(application: "Application", parsed: argparse.Namespace, terminal: "Terminal") -> int:
    """Show what was found as Markdown or as JSON; 1 where the question would be refused."""
    from glossator.app.retrieval.search_text import render_search, to_json
    from glossator.terminal import print_json

    question = " ".join(parsed.question)
    path = locate_named(parsed.path, application.phrase()) if parsed.path else None
    search = await application.knowledge.search(question, path=path, limit=parsed.limit)
    if parsed.json:
        print_json(to_json(search))
    else:
        terminal.show_markdown(render_search(search, application.phrase(question)))
    return 0 if search.is_known else 1
