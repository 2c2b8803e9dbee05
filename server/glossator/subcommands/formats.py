"""In which format a result is written, where `--json` and `--format` may both say it."""

import argparse

from glossator.app.phrasing import Phrasing
from glossator.core.errors import InvalidArguments


def choose_format(parsed: argparse.Namespace, default: str, say: Phrasing) -> str:
    """Return the format that is wanted: `--json` is `--format json`.

    Raises:
        InvalidArguments: both are given, and they want different ones.
    """
    chosen: str | None = parsed.format
    if parsed.json and chosen not in (None, "json"):
        raise InvalidArguments(
            say(
                f"`--json` and `--format {chosen}` contradict each other; use one of them.",
                f"`--json` 与 `--format {chosen}` 相互矛盾；请只用其中之一。",
            )
        )
    return "json" if parsed.json else chosen or default


def wants_json(parsed: argparse.Namespace) -> bool:
    """Say whether the result is JSON, so that errors are JSON too."""
    return bool(parsed.json) or getattr(parsed, "format", None) == "json"
