"""`glossator settings schema`: print the JSON Schema of `glossator.toml`."""

import argparse
from typing import TYPE_CHECKING, Any

from glossator.app.bundled import bundled_folder
from glossator.core.errors import UnreadableFile

if TYPE_CHECKING:
    from glossator.app.application import Application
    from glossator.terminal import Terminal

_SCHEMA = "docs/glossator.schema.json"


def add_parser(commands: Any, common: argparse.ArgumentParser) -> None:
    """Add the command to the parser's `commands`."""
    settings = commands.add_parser(
        "settings", parents=[common], help="print the JSON Schema of glossator.toml"
    )
    settings.add_argument("action", choices=("schema",))


async def run(application: "Application", parsed: argparse.Namespace, terminal: "Terminal") -> int:
    """Print the schema as it is shipped: the same text for editors, terminals and CI."""
    file = bundled_folder() / _SCHEMA
    try:
        text = file.read_text(encoding="utf-8")
    except OSError as error:
        raise UnreadableFile(f"`{file}` cannot be read: {error.strerror}.") from error
    print(text, end="")  # As it stands: the terminal would wrap and colour it.
    return 0
