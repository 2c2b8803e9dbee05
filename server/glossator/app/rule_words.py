"""What a rule says, in the reader's language where it says everything in both."""

import re
from collections.abc import Iterator, Sequence

from glossator.app.phrasing import Phrasing
from glossator.core.text import contains_chinese

_CHINESE_AGAIN = "中文："
_AGAIN = re.compile(rf"(?<!\S)({_CHINESE_AGAIN}|English: )")
_ITEM = re.compile(r"(?P<bullet>\s*(?:[-*+]|\d+[.)])\s+(?:\[[ xX]\]\s+)?)(?P<text>.*)")
_FENCE = re.compile(r"\s*(`{3,}|~{3,})")


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
    mark = ""
    for line in lines:
        fence = _FENCE.match(line)
        if not group or mark or fence or not _goes_on(group[0], line):
            yield group
            group = []
        if fence and (not mark or fence[1].startswith(mark)):
            mark = "" if mark else fence[1]
        group.append(line)
    yield group


def _goes_on(first: str, line: str) -> bool:
    """Say whether a line belongs to the item of a list that begins with `first`."""
    is_below = line[:1].isspace() and bool(line.strip())
    return is_below and _ITEM.match(first) is not None and _ITEM.match(line) is None


def _choose_half(group: list[str], say: Phrasing) -> list[str]:
    item = _ITEM.match(group[0]) if group else None
    if item is None:
        return group
    text, rationale = item["text"].strip(), " ".join(map(str.strip, group[1:]))
    if choose_words(text, rationale, say) == (text, rationale):
        return group
    own, sign, again = _AGAIN.split("\n".join(group[1:]), maxsplit=1)
    if say.is_chinese != (sign == _CHINESE_AGAIN):
        return [group[0], *own.rstrip().split("\n")] if own.strip() else group[:1]
    again = again.strip()
    return (item["bullet"] + again[0].upper() + again[1:]).split("\n")
