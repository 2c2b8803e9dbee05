"""Markdown files as documents: what the header says, and sections with their lines in the file."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Literal

from glossator.core.text import split_lines
from glossator.knowledge.front_matter import KEYWORD_COMMAS, FrontMatter, split_front_matter
from glossator.knowledge.headers import HeaderReader
from glossator.knowledge.unread_headers import explain_unread_header

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

Origin = Literal["workspace", "personal", "bundled", "shared"]
Family = Literal["knowledge", "skill", "agents", "claude", "cursor", "copilot"]
"""Whose format a file has: our own, an Agent Skill, or what teams wrote for other assistants."""

MAX_DOCUMENT_CHARS = 1_000_000
MAX_DOCUMENT_LINES = 30_000
SECTION_CHARS = 4_000
LONG_LINE_CHARS = 10_000

# What other tools call the same thing.
_ALIASES = {"alwaysApply": "always", "applyTo": "globs", "paths": "globs", "tags": "keywords"}
_KEYS = ("name", "description", "keywords", "always", "globs")


@dataclass(frozen=True, slots=True)
class Section:
    """The text below one heading, with the heading. Lines are those of the file, inclusive."""

    document: str
    path: str
    heading_path: tuple[str, ...]
    first_line: int
    last_line: int
    text: str

    @property
    def title(self) -> str:
        """The headings above the section, or its document where there are none."""
        return " › ".join(self.heading_path) or self.document


@dataclass(frozen=True, slots=True)
class DocumentProblem:
    """Something in a file that was not used as it is written, or that is only to be known."""

    path: str
    line: int
    message: str
    is_note: bool = False


@dataclass(frozen=True, slots=True)
class Document:
    """A file of knowledge, a skill or instructions.

    `text` is the whole file; below the header it begins at the line `body_first_line`. It speaks
    only for what stands below the folder `home` or one of `also_for`, as paths are shown; "" is
    everything. `home_scope` is `home` below its workspace folder. What is `manual` counts only
    when a question names it. `globs` are to be matched with a path below its workspace folder;
    `globs_written` are the same as the file has them, where they were put into our terms.
    `excludes` are agents that it is not for. `imported_by` names the file that brings it in, and
    `notes` say what else is to be known of it.
    """

    name: str
    description: str
    keywords: tuple[str, ...]
    always: bool
    globs: tuple[str, ...]
    path: str
    origin: Origin
    text: str
    body_first_line: int
    sections: tuple[Section, ...]
    problems: tuple[DocumentProblem, ...]
    family: Family = "knowledge"
    home: str = ""
    manual: bool = False
    home_scope: str = ""
    also_for: tuple[str, ...] = ()
    globs_written: tuple[str, ...] = ()
    excludes: tuple[str, ...] = ()
    imported_by: str = ""
    notes: tuple[str, ...] = ()

    @property
    def body(self) -> str:
        """The text below the header."""
        return "".join(split_lines(self.text, keep_ends=True)[self.body_first_line - 1 :])


@dataclass(frozen=True, slots=True)
class Header:
    """What the header of a document says of it, in our own terms."""

    name: str = ""
    description: str = ""
    keywords: tuple[str, ...] = ()
    always: bool = False
    globs: tuple[str, ...] = ()
    problems: tuple[tuple[int, str], ...] = ()


def parse_document(text: str, *, path: str, origin: Origin = "workspace") -> Document:
    """Read a Markdown file. Never raises: what cannot be used is a problem, the rest is used."""
    return make_document(text, path=path, origin=origin, read_header=_read_own_header)


def make_document(
    text: str, *, path: str, origin: Origin, read_header: Callable[[FrontMatter], Header]
) -> Document:
    """Make a document of a file whose header is read by `read_header`; as `parse_document`."""
    text = text.removeprefix("\ufeff")
    lines, problems = cut_to_limits(text)
    front_matter = split_front_matter(lines)
    header = read_header(front_matter)
    name = header.name or _name_from_path(path)
    body_first_line = front_matter.body_first_line
    sections = tuple(_split_sections(lines, body_first_line, document=name, path=path))
    problems += [*front_matter.problems, *header.problems, *_judge_lines(lines)]
    if body_first_line == 1:
        problems += explain_unread_header(lines)
    if not sections:
        problems.append((1, "There is no text in this file; nothing can be found in it."))
    return Document(
        name=name,
        description=header.description,
        keywords=header.keywords,
        always=header.always,
        globs=header.globs,
        path=path,
        origin=origin,
        text=text,
        body_first_line=body_first_line,
        sections=sections,
        problems=tuple(sorted(_tell(path, problems, front_matter.notes), key=_line_of)),
    )


def _tell(
    path: str, problems: Sequence[tuple[int, str]], notes: Sequence[tuple[int, str]]
) -> Iterator[DocumentProblem]:
    yield from (DocumentProblem(path, line, message) for line, message in sorted(problems))
    yield from (DocumentProblem(path, line, message, is_note=True) for line, message in notes)


def _line_of(problem: DocumentProblem) -> int:
    return problem.line


def _read_own_header(front_matter: FrontMatter) -> Header:
    reader = HeaderReader(front_matter, _KEYS, _ALIASES)
    return Header(
        name=reader.text("name"),
        description=reader.text("description"),
        keywords=reader.items("keywords", KEYWORD_COMMAS),
        always=reader.flag("always"),
        globs=reader.globs("globs"),
        problems=tuple(reader.problems),
    )


def _name_from_path(path: str) -> str:
    *folders, file_name = path.replace("\\", "/").split("/")
    stem = file_name.rpartition(".")[0] or file_name
    return folders[-1] if stem.upper() == "SKILL" and folders else stem


def cut_to_limits(text: str) -> tuple[list[str], list[tuple[int, str]]]:
    """Return the lines that are read; the time to read a file stays bounded whatever it holds."""
    lines = split_lines(text[:MAX_DOCUMENT_CHARS])
    n_chars_cut = max(0, len(text) - MAX_DOCUMENT_CHARS)
    if not n_chars_cut and len(lines) <= MAX_DOCUMENT_LINES:
        return lines, []
    if n_chars_cut and len(lines) > 1 and len(lines) <= MAX_DOCUMENT_LINES:
        lines.pop()  # It may be half a line.
    lines = lines[:MAX_DOCUMENT_LINES]
    return lines, [
        (
            len(lines),
            f"The file is too long: only its first {len(lines):,} lines are searched (limits: "
            f"{MAX_DOCUMENT_CHARS:,} characters, {MAX_DOCUMENT_LINES:,} lines). Split it.",
        )
    ]


# Zero-width spaces, marks that reverse the reading order, and tag characters: people do not see
# them, a model does.
_INVISIBLE = re.compile("[\u200b\u2060\u202a-\u202e\u2066-\u2069\ufeff\U000e0000-\U000e007f]")


def _judge_lines(lines: Sequence[str]) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(lines, start=1):
        if len(line) > LONG_LINE_CHARS:
            yield number, f"The line has {len(line):,} characters; citations cannot point inside."
    hidden = [n for n, line in enumerate(lines, start=1) if _INVISIBLE.search(line)]
    if hidden:
        count = sum(len(_INVISIBLE.findall(lines[number - 1])) for number in hidden)
        yield hidden[0], f"{count} invisible characters stand in the file, the first in this line."


@dataclass(frozen=True, slots=True)
class _Part:
    """A run of lines under one heading: 0-based, end exclusive. `breaks` may start a new piece."""

    heading_path: tuple[str, ...]
    first: int
    end: int
    breaks: tuple[int, ...]


def _split_sections(
    lines: Sequence[str], body_first_line: int, *, document: str, path: str
) -> Iterator[Section]:
    """Yield sections; each line with text below the header belongs to exactly one of them."""
    for part in _find_parts(lines, body_first_line - 1):
        for first, end in _split_long(lines, part):
            start, stop = _trim_blank(lines, first, end)
            if start < stop:
                text = "\n".join(lines[start:stop])
                yield Section(document, path, part.heading_path, start + 1, stop, text)


def _find_parts(lines: Sequence[str], offset: int) -> Iterator[_Part]:
    tokens = _markdown().parse("\n".join(lines[offset:]))
    headings: list[tuple[int, int, str]] = []
    breaks: list[list[int]] = [[]]  # Where blocks begin, for each part.
    for position, token in enumerate(tokens):
        is_item = token.type == "list_item_open" and token.level == 1
        if token.map is None or not (token.level == 0 or is_item):
            continue
        start = token.map[0] + offset
        if token.type == "heading_open":
            title = _plain_heading(tokens[position + 1].content)
            headings.append((start, int(token.tag[1]), title))
            breaks.append([])
        else:
            breaks[-1].append(start)

    stack: list[tuple[int, str]] = []
    first = offset
    for (start, level, title), inside in zip([*headings, (len(lines), 0, "")], breaks, strict=True):
        yield _Part(tuple(title for _, title in stack if title), first, start, tuple(inside))
        while stack and stack[-1][0] >= level:
            stack.pop()
        stack.append((level, title))
        first = start


@cache
def _markdown() -> "MarkdownIt":
    # Loaded with the first text: at most starts none is read.
    from markdown_it import MarkdownIt

    # Inline markup is not needed for lines and costs two thirds of the time.
    return MarkdownIt("commonmark").disable(["inline", "reference"])


_HEADING_ID = re.compile(r"\s*\{(?:#|/\*|\.[a-z])[^{}]*\}\s*$")
_LINK = re.compile(r"!?\[([^\]\[]*)\]\([^()\s]*(?:\s+\"[^\"]*\")?\)")
_MARKS = re.compile(r"`+|\*\*|__|(?<!\w)[*_]|[*_](?!\w)|<[^<>]*>")


def _plain_heading(text: str) -> str:
    text = _HEADING_ID.sub("", _INVISIBLE.sub("", text[:500]))
    return " ".join(_MARKS.sub("", _LINK.sub(r"\1", text)).split())


_EXAMPLE_MARK = re.compile(
    r"[ \t]*(`{3,}|~{3,})[ \t]*(?:check|(?:[^\s`~]+[ \t]+)?(?:good|bad))\b[^`]*$"
)


def _weigh(lines: Sequence[str], part: _Part) -> dict[int, int]:
    """Return how long each line counts: checks and examples below a rule are given to nobody."""
    weights = {}
    mark = ""
    for number in range(part.first, part.end):
        line = lines[number]
        opens = None if mark else _EXAMPLE_MARK.match(line)
        weights[number] = 0 if mark or opens else len(line) + 1
        if opens:
            mark = opens[1]
        elif mark and line.strip() == mark:
            mark = ""
    return weights


def _split_long(lines: Sequence[str], part: _Part) -> Iterator[tuple[int, int]]:
    """Yield the pieces of a part: cut where a block begins, or at a line where one is too long."""
    first, size = part.first, 0
    last_break = part.first
    weights = _weigh(lines, part)
    breaks = frozenset(part.breaks)
    for number in range(part.first, part.end):
        if number in breaks:
            last_break = number
        if size + weights[number] - 1 > SECTION_CHARS and size:
            cut = last_break if last_break > first else number
            yield first, cut
            size = sum(weights[each] for each in range(cut, number))
            first = cut
        size += weights[number]
    yield first, part.end


def _trim_blank(lines: Sequence[str], first: int, end: int) -> tuple[int, int]:
    while first < end and not lines[first].strip():
        first += 1
    while first < end and not lines[end - 1].strip():
        end -= 1
    return first, end
