"""`glossator why`: what is used for a file and a question, what is not, and why."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from glossator.app.application import Application
    from glossator.terminal import Terminal


def add_parser(commands: Any, common: argparse.ArgumentParser) -> None:
    """Add the command to the parser's `commands`."""
    why = commands.add_parser(
        "why",
        parents=[common],
        help="show which knowledge, skills, instructions and rules FILE is given, and why",
    )
    why.add_argument("paths", nargs=1, type=Path, metavar="FILE", help="a file or a folder")
    why.add_argument("--question", default="", help="what would be asked about it")


async def run(application: "Application", parsed: argparse.Namespace, terminal: "Terminal") -> int:
    """Show the report as Markdown or as JSON; 0 also where nothing is used."""
    from glossator.app.why.text import render_why
    from glossator.terminal import print_json

    why = await application.knowledge.why(
        parsed.paths[0].absolute(), parsed.question, emit=terminal.hear
    )
    if parsed.json:
        print_json(why)
    else:
        terminal.show_markdown(render_why(why, application.phrase(parsed.question)))
    return 0
