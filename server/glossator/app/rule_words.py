"""What a rule says, in the reader's language where it says everything in both."""

import re
from collections.abc import Iterator, Sequence

from glossator.app.phrasing import Phrasing
from glossator.core.text import contains_chinese

_CHINESE_AGAIN = "中文："
_AGAIN = re.compile(rf"(?<!\S)({_CHINESE_AGAIN}|English: )")
_ITEM = re.compile(r"(?P<bullet>\s*[-*+]\s+)(?P<text>.*)")
_FENCE = re.compile(r"\s*(?:`{3,}|~{3,})")


def choose_words(text: str, rationale: str, say: Phrasing) -> tuple[str, str]:
    """Return what a rule says and why.

    Where the rationale goes on with `中文：` or `English: ` and says it all again, it is the
    reader's half of both; the second half tells what and why at once.
    """
    own, *rest = _AGAIN.split(rationale, maxsplit=1)
    if not rest:
        return text, rationale
    sign, again = rest[0], rest[1].strip()
    is_again_chinese = sign == _CHINESE_AGAIN
    has_chinese = contains_chinese(text + own), contains_chinese(again)
    if not again or has_chinese != (not is_again_chinese, is_again_chinese):
        return text, rationale
    if say.is_chinese != is_again_chinese:
        return text, own.strip()
    return again[0].upper() + again[1:], ""


def choose_lines(lines: Sequence[str], say: Phrasing) -> list[str]:
    """Return the lines of a document with each item of a list as `choose_words` tells its rule."""
    return [line for group in _group_items(lines) for line in _choose_half(group, say)]


def _group_items(lines: Sequence[str]) -> Iterator[list[str]]:
    """Yield each item of a list with the indented lines below it, and other lines one by one."""
    group: list[str] = []
    for line in lines:
        goes_on = group and _ITEM.match(group[0]) and line[:1].isspace() and line.strip()
        if not goes_on or _ITEM.match(line) or _FENCE.match(line):
            if group:
                yield group
            group = []
        group.append(line)
    if group:
        yield group


def _choose_half(group: list[str], say: Phrasing) -> list[str]:
    item = _ITEM.match(group[0])
    if item is None:
        return group
    text, rationale = item["text"].strip(), " ".join(map(str.strip, group[1:]))
    chosen = choose_words(text, rationale, say)
    if chosen == (text, rationale):
        return group
    indent = " " * len(item["bullet"])
    return [item["bullet"] + chosen[0], *([indent + chosen[1]] if chosen[1] else [])]
