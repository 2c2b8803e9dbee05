"""What a Markdown text holds that can be wrong: links, code, headings, each with its place."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from markdown_it import MarkdownIt
from markdown_it.token import Token

from glossator.core.locations import Point, Range
from glossator.linting.header import range_on

_MAX_PARAGRAPH_CHARS = 50_000
_CODE = re.compile(r"(?<![`\\])(`+)(?!`)(?P<code>.+?)(?<!`)\1(?!`)", re.DOTALL)
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_LINK = re.compile(
    r"(?P<image>!?)\[(?P<text>(?:[^\[\]\\]|\\.|!?\[[^\[\]]*\](?:\([^()\s]*\))?)*)\]"
    r"\(\s*(?P<target><[^<>\n]*>|[^()\s<>]*(?:\([^()\s]*\)[^()\s]*)*)"
    r"""(?:\s+(?:"[^"]*"|'[^']*'|\([^()]*\)))?\s*\)"""
)
_ATTRIBUTE = re.compile(r"""<(?:img|a)\b[^<>]*?\s(?P<name>src|href)=(["'])(?P<target>[^"'<>]*)\2""")
_DEFINITION = re.compile(r"^ {0,3}\[(?!\^)[^\[\]]+\]:[ \t]*(?P<target><[^<>]*>|\S+)")
_NAMED_ANCHOR = re.compile(r"""<[a-z][^<>]*?\s(?:id|name)=["']?([\w.:-]+)""", re.IGNORECASE)
_HEADING_ID = re.compile(r"\s*(?:\{\s*#([\w.:-]+)[^{}]*\}|\{/\*\s*([\w.:-]+)\s*\*/\})\s*$")
_NOT_IN_SLUG = re.compile(r"[^\w\- ]")
_MARKS = re.compile(r"!?\[([^\[\]]*)\]\([^()]*\)|</?[A-Za-z][^<>]*>")


@dataclass(frozen=True, slots=True)
class Fence:
    """A block of code. `range` is what stands behind the opening fence, on the line `line`."""

    info: str
    text: str
    line: int
    last_line: int
    range: Range
    is_in_item: bool
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CodeSpan:
    """Code within a sentence, in one line; `range` is that of the code, without the backticks."""

    text: str
    range: Range


@dataclass(frozen=True, slots=True)
class Link:
    """A link or image; `range` is where its target stands."""

    target: str
    range: Range
    is_image: bool


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading and the line it stands on."""

    text: str
    level: int
    line: int


@dataclass(frozen=True, slots=True)
class Prose:
    """A paragraph or heading as it is written, from the line `line`; code is left in.

    `is_item` says that it begins a list item.
    """

    text: str
    line: int
    column: int
    is_item: bool


@dataclass(frozen=True, slots=True)
class Markup:
    """All that was found, each kind in the order of the text."""

    fences: tuple[Fence, ...] = ()
    code: tuple[CodeSpan, ...] = ()
    links: tuple[Link, ...] = ()
    headings: tuple[Heading, ...] = ()
    prose: tuple[Prose, ...] = ()
    anchors: frozenset[str] = frozenset()


@cache
def _markdown() -> MarkdownIt:
    # Inline markup has no positions there; it is looked for in the lines instead.
    return MarkdownIt("commonmark").disable(["inline", "reference"])


def read_markup(lines: Sequence[str], body_first_line: int = 1) -> Markup:
    """Read the text from the line `body_first_line` on."""
    offset = body_first_line - 1
    reader = _Reader(lines, offset)
    for token in _markdown().parse("\n".join(lines[offset:])):
        reader.take(token)
    return reader.finish()


class _Reader:
    def __init__(self, lines: Sequence[str], offset: int) -> None:
        self._lines, self._offset = lines, offset
        self._fences: list[Fence] = []
        self._code: list[CodeSpan] = []
        self._links: list[Link] = []
        self._headings: list[Heading] = []
        self._prose: list[Prose] = []
        self._anchors: set[str] = set()
        self._depth = 0
        self._begins_item = False
        self._heading_level = 0

    def take(self, token: Token) -> None:
        """Take up one block."""
        if token.type in ("list_item_open", "list_item_close"):
            self._begins_item = token.type == "list_item_open"
            self._depth += token.nesting
        elif token.type == "heading_open":
            self._heading_level = int(token.tag[1])
        elif token.map is None:
            return
        elif token.type == "fence":
            self._take_fence(token)
        elif token.type == "html_block":
            self._take_html(token)
        elif token.type == "inline":
            self._take_prose(token)

    def finish(self) -> Markup:
        """Return what was found."""
        return Markup(
            tuple(self._fences),
            tuple(self._code),
            tuple(self._links),
            tuple(self._headings),
            tuple(self._prose),
            frozenset(self._anchors | make_anchors(self._headings)),
        )

    def _take_fence(self, token: Token) -> None:
        first, end = self._span(token)
        opening = self._lines[first]
        start = opening.find(token.markup) + len(token.markup)
        column = start + len(opening[start:]) - len(opening[start:].lstrip())
        self._fences.append(
            Fence(
                token.info.strip(),
                token.content,
                first + 1,
                end,
                range_on(first + 1, column, len(opening.rstrip()) - column),
                self._depth > 0,
                tuple(self._lines[first + 1 : first + 1 + token.content.count("\n")]),
            )
        )

    def _take_html(self, token: Token) -> None:
        first, end = self._span(token)
        text = _blank(_COMMENT, "\n".join(self._lines[first:end]))
        self._take_html_links(text, first)

    def _take_html_links(self, text: str, first: int) -> None:
        self._anchors.update(_NAMED_ANCHOR.findall(text))
        for match in _ATTRIBUTE.finditer(text):
            place = _range_in(text, match.start("target"), match.end("target"), first + 1)
            self._links.append(Link(match["target"], place, match["name"] == "src"))

    def _take_prose(self, token: Token) -> None:
        first, end = self._span(token)
        written = "\n".join(self._lines[first:end])[:_MAX_PARAGRAPH_CHARS]
        if self._heading_level:
            self._headings.append(Heading(token.content.strip(), self._heading_level, first + 1))
        column = max(0, self._lines[first].find(token.content.split("\n", 1)[0][:40]))
        is_item = self._begins_item and not self._heading_level
        self._prose.append(Prose(token.content, first + 1, column, is_item))
        self._begins_item = False
        self._heading_level = 0
        text = _blank(_COMMENT, written)
        for match in _CODE.finditer(text):
            if "\n" not in match["code"]:
                place = _range_in(text, match.start("code"), match.end("code"), first + 1)
                self._code.append(CodeSpan(match["code"], place))
        text = _blank(_CODE, text)
        self._take_html_links(text, first)
        for match in _LINK.finditer(text):
            self._take_link(match, text, first)
        for number, line in enumerate(text.split("\n"), start=first + 1):
            if definition := _DEFINITION.match(line):
                start, stop = definition.span("target")
                self._add_link(definition["target"], range_on(number, start, stop - start))

    def _take_link(self, match: re.Match[str], text: str, first: int) -> None:
        place = _range_in(text, match.start("target"), match.end("target"), first + 1)
        self._add_link(match["target"], place, is_image=bool(match["image"]))
        # An image may stand in the text of a link.
        for inner in _LINK.finditer(text, match.start("text"), match.end("text")):
            self._take_link(inner, text, first)

    def _add_link(self, target: str, place: Range, *, is_image: bool = False) -> None:
        if target.startswith("<"):
            target = target[1:-1]
            start, end = place.start, place.end
            place = Range(Point(start.line, start.column + 1), Point(end.line, end.column - 1))
        self._links.append(Link(target, place, is_image))

    def _span(self, token: Token) -> tuple[int, int]:
        """Return the first line (0-based) of a block and the one behind it."""
        first, end = token.map or [0, 0]
        return first + self._offset, min(end + self._offset, len(self._lines))


def _blank(pattern: re.Pattern[str], text: str) -> str:
    """Put blanks in the place of what matches, so that all positions stay."""
    return pattern.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)


def _range_in(text: str, start: int, end: int, first_line: int) -> Range:
    def find_point(offset: int) -> Point:
        line_start = text.rfind("\n", 0, offset) + 1
        return Point(first_line + text.count("\n", 0, offset), offset - line_start)

    return Range(find_point(start), find_point(end))


def make_anchors(headings: Sequence[Heading]) -> set[str]:
    """Return the anchors that Git hosts and site generators give to headings."""
    anchors: set[str] = set()
    seen: dict[str, int] = {}
    for heading in headings:
        written = _HEADING_ID.search(heading.text)
        if written is not None:
            anchors.add(written[1] or written[2])
        for slug in _make_slugs(_HEADING_ID.sub("", heading.text)):
            count = seen.get(slug, 0)
            anchors.update((f"{slug}-{count}", f"{slug}_{count}") if count else (slug,))
            seen[slug] = count + 1
    return anchors


def _make_slugs(text: str) -> Iterator[str]:
    text = _CODE.sub(lambda match: _NOT_IN_SLUG.sub("", match["code"]), text)
    plain = _MARKS.sub(lambda match: match[1] or "", text).replace("`", "").strip()
    slug = _NOT_IN_SLUG.sub("", plain.lower()).replace(" ", "-")
    # Some keep runs of hyphens, others do not, and some drop those at the ends.
    yield from dict.fromkeys(
        (slug, re.sub(r"-{2,}", "-", slug).strip("-"), slug.replace("_", ""), slug.strip("-"))
    )
