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
    return _join(split_lines(match[3]))


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
    return _join(lines)


def _read_block(comment: str) -> list[str]:
    inside = comment.removeprefix("/*").removesuffix("*/").lstrip("*!").rstrip("* \t")
    first, *others = split_lines(inside) or [""]
    if all(not line.strip() or line.lstrip().startswith("*") for line in others):
        others = [_BLOCK_LINE_MARKER.sub("", line, count=1) for line in others]
    return [first.strip(), *others]


def _join(lines: list[str]) -> str:
    """Join lines without the indentation that all but the first share (as `inspect.cleandoc`)."""
    expanded = [line.expandtabs().rstrip() for line in lines]
    indents = [len(line) - len(line.lstrip()) for line in expanded[1:] if line]
    indent = min(indents, default=0)
    cleaned = [line.lstrip() for line in expanded[:1]] + [line[indent:] for line in expanded[1:]]
    return "\n".join(cleaned).strip()
