"""The page on the linter that ships with Glossator: where it speaks of a code."""

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from glossator.app.bundled import bundled_folder
from glossator.core.text import split_lines

_ROW = re.compile(r"\| `(?P<code>lint/[\w-]+)` \|")


def find_page() -> Path:
    """Return the page; it may be missing where only the code was copied."""
    return bundled_folder() / "docs" / "linting.md"


@cache
def list_lines() -> Mapping[str, int]:
    """Return the line (1-based) of each code on the page; none where there is no page."""
    try:
        lines = split_lines(find_page().read_text(encoding="utf-8"))
    except OSError:
        return {}
    matches = ((number, _ROW.match(line)) for number, line in enumerate(lines, start=1))
    return {match["code"]: number for number, match in matches if match is not None}
