"""Why what is meant as a header at the top of a file is read as text: it begins otherwise."""

import re
from collections.abc import Iterator, Sequence

from glossator.knowledge.front_matter import FENCE, MAX_BLANK_LINES, MAX_LINES

_MAX_COMMENT_LINES = 60

_FENCE = re.compile(FENCE)
_TOML_FENCE = re.compile(r"\+\+\+")
# Too many dashes, dashes that stand in, or characters that only look like dashes.
_LIKE_A_FENCE = re.compile(r"\s*(?:-{3,6}|[－—–−─]{1,3})\s*")
_KNOWN_ENTRY = re.compile(
    r"""\s*["']?(?:name|description|keywords|tags|always|alwaysApply|globs|paths|applyTo|title)"""
    r"""["']?\s*[:：=]"""
)


def explain_unread_header(lines: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Yield what keeps the header of a file from being read, with the 1-based line, if one does.

    `lines` are those of a file in which no header was found.
    """
    top = next((n for n, line in enumerate(lines[:MAX_BLANK_LINES]) if line.strip()), None)
    if top is None:
        return
    opening = lines[top].strip()
    if opening == "+++":
        message = "TOML is not read as front matter: write it as YAML between two lines `---`."
        yield from _explain_block(lines, top, _TOML_FENCE, message)
    elif opening == FENCE and "".join(lines[top + 1 : top + 2]).lstrip().startswith("{"):
        message = "JSON is not read as front matter: write each entry on a line, as `key: value`."
        yield from _explain_block(lines, top, _FENCE, message)
    elif _LIKE_A_FENCE.fullmatch(lines[top]):
        message = (
            f"`{opening}` opens no front matter, so it is read as text: write `---`, with nothing "
            "before it."
        )
        yield from _explain_block(lines, top, _LIKE_A_FENCE, message)
    elif opening.startswith("<!--"):
        message = (
            "The front matter stands below a comment, so it is read as text: it must begin in the "
            "very first line."
        )
        below = _find_below_comment(lines, top)
        yield from _explain_block(lines, below, _FENCE, message)


def _explain_block(
    lines: Sequence[str], top: int, fence: re.Pattern[str], message: str
) -> Iterator[tuple[int, str]]:
    """Yield the message if between two fences stands what a header has; `top` counts from 0."""
    if top >= len(lines) or not fence.fullmatch(lines[top].rstrip()):
        return
    is_known = False
    for line in lines[top + 1 : top + MAX_LINES]:
        if fence.fullmatch(line.rstrip()):
            if is_known:
                yield top + 1, message
            return
        is_known = is_known or _KNOWN_ENTRY.match(line.lstrip(" \t{")) is not None


def _find_below_comment(lines: Sequence[str], top: int) -> int:
    """Return where, from 0, the first line stands that is neither blank nor of a comment."""
    is_within = False
    for number, line in enumerate(lines[top : top + _MAX_COMMENT_LINES], start=top):
        written = line.strip()
        if is_within or written.startswith("<!--"):
            is_within = not written.endswith("-->")
        elif written:
            return number
    return len(lines)
