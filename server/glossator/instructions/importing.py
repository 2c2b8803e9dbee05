"""What a CLAUDE.md brings in: `@path` in its text, outside of code."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

MAX_DEPTH = 5
"""So many files deep imports are followed."""
MAX_IMPORTS = 100

# Behind a letter it is an address; Chinese stands next to it without a space.
_IMPORT = re.compile(
    r"(?:(?<![\w`@./\\-])|(?<=[\u2e80-\u9fff\uff00-\uffef]))@(?P<path>(?:\\ |[^\s`@])+)"
)
_TRAILING = ".,;:!?)]}>'\"*_。，、；：！？）】》”’"
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
# What follows a path without a space, in a text where spaces are not used.
_ASCII_END = re.compile(r"(.*?\.[A-Za-z0-9]{1,8})(?=[\u2e80-\u9fff\uff00-\uffef])")


@dataclass(frozen=True, slots=True)
class Import:
    """A file that a line names. `spellings` are what may be meant, the likeliest first."""

    line: int
    spellings: tuple[str, ...]

    @property
    def path(self) -> str:
        """The path as it is most likely meant, for messages."""
        return self.spellings[-1]

    @property
    def is_certain(self) -> bool:
        """Whether it can be nothing but a path; `@alice` and `@types/node` may be else."""
        return self.path.startswith(("./", "../", "/", "~")) or bool(
            re.search(r"\.[A-Za-z0-9]{1,8}\Z", self.path.rpartition("/")[2])
        )


def find_imports(text: str) -> tuple[Import, ...]:
    """Return the imports of a Markdown text in its order, each path once."""
    found: dict[str, Import] = {}
    if "@" not in text:
        return ()
    for token in _markdown().parse(text):
        for line, words in _list_prose(token):
            for match in _IMPORT.finditer(words):
                written = match["path"].replace("\\ ", " ")
                spellings = tuple(_spell(written))
                if spellings and len(found) < MAX_IMPORTS:
                    found.setdefault(spellings[-1], Import(line, spellings))
    return tuple(found.values())


def _list_prose(token: "Token") -> Iterator[tuple[int, str]]:
    """Yield the lines of a block that are no code, with their numbers."""
    if token.map is None:
        return
    line = token.map[0] + 1
    if token.type == "html_block":
        kept = _COMMENT.sub(lambda match: "\n" * match[0].count("\n"), token.content)
        for number, words in enumerate(kept.split("\n"), line):
            yield number, words
    if token.type != "inline":
        return
    words = ""
    for child in token.children or ():
        if child.type in ("softbreak", "hardbreak"):
            yield line, words
            line, words = line + 1, ""
        elif child.type == "text":
            words += child.content
        else:
            # Something stands between: what comes before and after is not one word.
            words += " " if child.type in ("code_inline", "html_inline") else ""
            line += child.content.count("\n")
    yield line, words


def _spell(written: str) -> Iterator[str]:
    path = written.rstrip(_TRAILING)
    if path:
        yield path
    end = _ASCII_END.match(path)
    if end is not None:
        yield end[1]


@cache
def _markdown() -> "MarkdownIt":
    # Loaded with the first text: at most starts none is read.
    from markdown_it import MarkdownIt

    # Links stay as they are written: `[a](@b)` imports nothing.
    return MarkdownIt("commonmark").disable(["emphasis", "entity", "escape"])
