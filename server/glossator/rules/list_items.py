"""The list items of a Markdown file that are rules: their lines, paragraphs and fenced blocks.

What is in them is read by `parse`.
"""

import re
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING

from glossator.core.text import split_lines
from glossator.rules.attributes import find_attributes, parse_attributes
from glossator.rules.fences import guess_block_info, read_block_kind

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

_SIGN_OF_A_RULE = re.compile(
    r"\{[#.]|[`~]{3,}[ \t]*check|^[ \t]*\"?rule\"?[ \t]*[:：]", re.MULTILINE
)


@dataclass(slots=True)
class Fence:
    """A fenced block. `line` is that of the opening fence, from 1; the text begins on the next."""

    info: str
    text: str
    line: int


@dataclass(slots=True)
class Item:
    """A list item as it is read. `parent` is the item around it; lines from 1, both inclusive."""

    parent: "Item | None"
    line: int
    last_line: int
    paragraphs: list[str] = field(default_factory=list)
    fences: list[Fence] = field(default_factory=list)
    is_rule: bool = False
    is_judged: bool = False  # Stands below a heading that says so.


def read_items(text: str, *, every_item: bool) -> list[Item]:
    """Return the items that are rules, in their order; with `every_item` each top-level one is."""
    if not every_item and _SIGN_OF_A_RULE.search(text) is None:
        return []  # Most files hold no rule, and to parse a long one takes long.
    lines = _blank_front_matter(split_lines(text))
    items: list[Item] = []
    current: Item | None = None
    headings = _Headings()
    for token in parse_blocks("\n".join(lines)):
        if token.type == "list_item_open":
            first, end = _lines_of(token)
            current = Item(current, first, _last_used_line(lines, first, end))
            current.is_judged = headings.say_judged and current.parent is None
            current.is_rule = current.is_judged or (every_item and current.parent is None)
            items.append(current)
        elif current is None:
            headings.read(token)
        elif token.type == "list_item_close":
            current = current.parent
        elif token.type == "inline":
            current.paragraphs.append(token.content)
        elif token.type == "fence":
            current.fences.append(Fence(token.info, token.content, _lines_of(token)[0]))
    for item in items:
        item.is_rule = item.is_rule or _looks_like_rule(item)
    return _give_parts_to_rules(items)


def parse_blocks(text: str) -> "list[Token]":
    """Return the blocks of a Markdown text as tokens; what stands in a line is not read."""
    return _markdown().parse(text)


@cache
def _markdown() -> "MarkdownIt":
    # Loaded with the first text: at most starts none is read.
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark").disable("inline")


@dataclass(slots=True)
class _Headings:
    """The headings above a place, and whether the items there are judged."""

    judged_level: int = 0
    level: int = 0

    @property
    def say_judged(self) -> bool:
        return self.judged_level > 0

    def read(self, token: "Token") -> None:
        if token.type == "heading_open":
            self.level = int(token.tag[1:])
            if self.level <= self.judged_level:
                self.judged_level = 0
        elif token.type == "heading_close":
            self.level = 0
        elif self.level and token.type == "inline" and not self.judged_level:
            written = find_attributes(token.content)
            if written is not None and "judged" in parse_attributes(written["inside"]).classes:
                self.judged_level = self.level


def _blank_front_matter(lines: list[str]) -> list[str]:
    """Return `lines` with the front matter emptied, so that line numbers stay true."""
    if not lines or lines[0].removeprefix("\ufeff").rstrip() != "---":
        return lines
    for number, line in enumerate(lines[1:], start=1):
        if line.rstrip() in ("---", "..."):
            return [""] * (number + 1) + lines[number + 1 :]
    return lines


def _lines_of(token: "Token") -> tuple[int, int]:
    """Return the first line (1-based) and the last (inclusive) of a block."""
    first, end = token.map or [0, 0]
    return first + 1, end


def _last_used_line(lines: list[str], first: int, last: int) -> int:
    while last > first and not lines[last - 1].strip():
        last -= 1
    return max(first, last)


def _looks_like_rule(item: Item) -> bool:
    if any(_is_check(fence) for fence in item.fences):
        return True
    written = find_attributes(item.paragraphs[0]) if item.paragraphs else None
    return written is not None and written["inside"].startswith(("#", "."))


def _is_check(fence: Fence) -> bool:
    """Say whether a block is a check, or was surely meant to be one."""
    kind = read_block_kind(fence.info) or guess_block_info(fence.info, fence.text)
    return kind == "check"


def _give_parts_to_rules(items: list[Item]) -> list[Item]:
    """Return the items that are rules; what stands in plain items below goes to its rule."""
    for item in items:
        owner = item
        while not owner.is_rule and owner.parent is not None:
            owner = owner.parent
        if owner is not item:
            owner.paragraphs += item.paragraphs
            owner.fences += item.fences
    return [item for item in items if item.is_rule]
