"""Documentation as people wrote it: comments and docstrings without their markers."""

import re
from collections.abc import Iterable

from glossator.core.text import split_lines

_DOCSTRING = re.compile(r"""([A-Za-z]*)('''|\"\"\"|'|\")(.*)\2\Z""", re.DOTALL)
_LINE_MARKER = re.compile(r"[ \t]*(?:///?!?|#+)[ \t]?")
_BLOCK_LINE_MARKER = re.compile(r"[ \t]*\*[ \t]?")
_DIRECTIVE = re.compile(r"(?://(?:go|line|export|nolint|lint)\b[: ]|#\s*(?:rubocop|frozen_string))")


def read_docstring(literal: str) -> str:
    """Return what a Python string literal says when it stands first in a body."""
    match = _DOCSTRING.match(literal)
    if match is None or set(match[1].lower()) & set("bft"):
        return ""
    return "\n".join(_dedent(split_lines(match[3]))).strip()


def read_comments(comments: Iterable[str]) -> str:
    """Return what comments say that stand one above the other."""
    lines: list[str] = []
    for comment in comments:
        if comment.startswith("/*"):
            lines.extend(_read_block(comment))
        elif comment.startswith("=begin"):
            lines.extend(split_lines(comment)[1:-1])
        elif not _DIRECTIVE.match(comment):
            lines.append(_LINE_MARKER.sub("", comment, count=1).rstrip())
    return "\n".join(lines).strip()


def _read_block(comment: str) -> list[str]:
    inside = comment.removeprefix("/*").removesuffix("*/").lstrip("*!").rstrip("* \t")
    first, *others = split_lines(inside) or [""]
    if all(not line.strip() or line.lstrip().startswith("*") for line in others):
        others = [_BLOCK_LINE_MARKER.sub("", line, count=1) for line in others]
    return _dedent([first, *others])


def _dedent(lines: list[str]) -> list[str]:
    """Take away the indentation that all but the first line share (as `inspect.cleandoc`)."""
    expanded = [line.expandtabs().rstrip() for line in lines]
    indent = min((len(line) - len(line.lstrip()) for line in expanded[1:] if line), default=0)
    return [line.lstrip() for line in expanded[:1]] + [line[indent:] for line in expanded[1:]]
