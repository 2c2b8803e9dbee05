"""What a document tells people to do: its list items and commanding sentences, made comparable."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from glossator.core.text import contains_chinese, split_lines
from glossator.knowledge.documents import Document
from glossator.rules.attributes import strip_attributes

_BULLET = re.compile(r"^\s*(?:[-*+]|\d{1,3}[.)])\s+(?P<text>\S.*)$")
_FENCE = re.compile(r"^\s*(`{3,}|~{3,})")
_HEADING = re.compile(r"^ {0,3}#{1,6}\s+(?P<title>.*?)\s*#*$")
_LINK = re.compile(r"!?\[([^\[\]]*)\]\([^()]*\)")
_MARKS = re.compile(r"[*_`~]+|^\[[ xX]\]\s*|\\")
# Tables, quotations, HTML, and lines that go on with an item.
_NO_PROSE = frozenset(" \t|<>")
_MIN_WORDS = 5
_MIN_HAN = 10
_MAX_LINES = 30_000


@dataclass(frozen=True, slots=True)
class Statement:
    """One list item: its words as they are compared, where it stands, and below which headings.

    `level` is 0 for an item that stands in no other one. What is no `is_item` is a line of text.
    """

    text: str
    path: str
    line: int
    headings: tuple[str, ...] = ()
    level: int = 0
    is_item: bool = True

    @property
    def key(self) -> str:
        """The words alone; equal for items that say the same."""
        return " ".join(re.findall(r"\w+", self.text))

    @property
    def is_long(self) -> bool:
        """Say whether nobody writes this twice by chance."""
        if contains_chinese(self.text):
            return len(re.findall(r"[\u4e00-\u9fff]", self.text)) >= _MIN_HAN
        return len(self.key.split()) >= _MIN_WORDS


def find_statements(document: Document) -> Iterator[Statement]:
    """Yield the list items of a document outside of code, first lines only."""
    return (each for each in find_commands(document) if each.is_item)


def find_commands(document: Document) -> Iterator[Statement]:
    """Yield the list items of a document and its lines of plain text, outside of code and tables.

    What is said twice matters in lists alone; what is demanded may stand anywhere.
    """
    fence = ""
    headings: list[tuple[int, str]] = []
    lines = split_lines(document.text)[:_MAX_LINES]
    for number, line in enumerate(lines, start=1):
        if number < document.body_first_line:
            continue
        marker = _FENCE.match(line)
        if marker is not None and (not fence or marker[1].startswith(fence)):
            fence = "" if fence else marker[1]
        elif fence:
            continue
        elif heading := _HEADING.match(line):
            level = len(line.lstrip()) - len(line.lstrip().lstrip("#"))
            headings = [each for each in headings if each[0] < level]
            headings.append((level, heading["title"].lower()))
        elif item := _BULLET.match(line):
            # An item that goes on in the next line is compared with it.
            text = _join_lines(item["text"], lines, number)
            titles = tuple(title for _, title in headings)
            level = len(line) - len(line.lstrip())
            yield Statement(normalize(text), document.path, number, titles, level)
        elif line.strip() and line[0] not in _NO_PROSE:
            titles = tuple(title for _, title in headings)
            yield Statement(normalize(line), document.path, number, titles, is_item=False)


def _join_lines(text: str, lines: list[str], number: int) -> str:
    for line in lines[number : number + 5]:
        if not line.strip() or not line.startswith((" ", "\t")) or _BULLET.match(line):
            break
        if _FENCE.match(line):
            break
        text += f" {line.strip()}"
    return text


def normalize(text: str) -> str:
    """Return a statement in plain small letters, without markup and the id of a rule."""
    text = unicodedata.normalize("NFKC", strip_attributes(text)).replace("’", "'")
    text = _MARKS.sub("", _LINK.sub(r"\1", text))
    return " ".join(text.casefold().split())
