"""Shell commands in a Markdown text: each one's words with their places, and where it runs."""

import posixpath
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from glossator.core.locations import Range
from glossator.linting.header import range_on
from glossator.linting.markup import Fence, Markup

_SHELLS = frozenset({"sh", "bash", "shell", "zsh", "console", "shell-session", "shellsession"})
_PROMPT = re.compile(r"\s*(?:\$|%|❯)\s+")
_SEPARATOR = re.compile(r"&&|\|\||;|\||&(?!>)")
_WORD = re.compile(r"\S+")
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*=\S*")
_HEREDOC = re.compile(r"<<-?\s*(['\"]?)(\w+)\1")
# What only leads to the command proper.
_WRAPPERS = {
    "sudo": 1, "time": 1, "env": 1, "command": 1, "nohup": 1,
    "uv": 2, "poetry": 2, "pdm": 2, "pipenv": 2, "rye": 2,
}  # fmt: skip
_PLACEHOLDER = re.compile(r"[<>{}$*\[\]`\"'\\…()]|\.\.\.")


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a command and its place."""

    text: str
    range: Range

    @property
    def is_plain(self) -> bool:
        """Say whether the word means itself: no quotes, variables or gaps to fill in."""
        return _PLACEHOLDER.search(self.text) is None


@dataclass(frozen=True, slots=True)
class Command:
    """A command as it is typed; `folder` is where the block has gone with `cd`, None if unknown.

    `wrapper` is the package manager that runs it, as in `poetry run pytest`.
    """

    words: tuple[Word, ...]
    folder: str | None = ""
    is_in_block: bool = True
    wrapper: Word | None = None

    @property
    def name(self) -> str:
        """The program that is run."""
        return self.words[0].text

    @property
    def arguments(self) -> tuple[Word, ...]:
        """The words behind the name."""
        return self.words[1:]


def read_commands(markup: Markup) -> Iterator[Command]:
    """Yield the commands of shell blocks, and of code within sentences that can be commands."""
    for fence in markup.fences:
        if fence.info.split(" ", 1)[0].split("{", 1)[0].lower() in _SHELLS:
            yield from _read_block(fence)
    for span in markup.code:
        start = span.range.start
        for command in _split(span.text, start.line, start.column, ""):
            yield replace(command, is_in_block=False)


def _read_block(fence: Fence) -> Iterator[Command]:
    lines = fence.lines
    has_prompts = any(_PROMPT.match(line) for line in lines)
    folder: str | None = ""
    heredoc = ""
    for number, line in enumerate(lines, start=fence.line + 1):
        if heredoc:
            heredoc = "" if line.strip() == heredoc else heredoc
            continue
        prompt = _PROMPT.match(line)
        if has_prompts and prompt is None:
            continue  # What the command before has printed.
        start = prompt.end() if prompt else 0
        for command in _split(line[start:], number, start, folder):
            folder = _follow(command)
            yield command
        if begin := _HEREDOC.search(line):
            heredoc = begin[2]


def _follow(command: Command) -> str | None:
    """Return where a block is after a command."""
    if command.name in ("pushd", "popd"):
        return None
    if command.name != "cd" or command.folder is None:
        return command.folder
    target = command.arguments[0] if len(command.arguments) == 1 else None
    if target is None or not target.is_plain or target.text.startswith(("~", "/", "-")):
        return None
    return posixpath.normpath(posixpath.join(command.folder, target.text))


def _split(line: str, number: int, column: int, folder: str | None) -> Iterator[Command]:
    """Yield the commands of one line."""
    comment = re.search(r"(?:^|\s)#", line)
    if comment is not None:
        line = line[: comment.start()]
    start = 0
    for separator in [*_SEPARATOR.finditer(line), None]:
        end = separator.start() if separator else len(line)
        words = [
            Word(match[0], range_on(number, column + match.start(), len(match[0])))
            for match in _WORD.finditer(line, start, end)
        ]
        command = _unwrap(words, folder)
        if command is not None:
            folder = _follow(command)
            yield command
        start = separator.end() if separator else end


def _unwrap(words: list[Word], folder: str | None) -> Command | None:
    wrapper: Word | None = None
    while words:
        first = words[0].text
        if _ASSIGNMENT.fullmatch(first):
            words = words[1:]
        elif first in _WRAPPERS:
            n_words = _WRAPPERS[first]
            if n_words == 2 and (len(words) < 3 or words[1].text != "run"):
                return Command(tuple(words), folder)
            wrapper = words[0] if n_words == 2 else wrapper
            words = words[n_words:]
            if words and words[0].text.startswith("-"):
                return None  # Options of the wrapper may take values.
        else:
            return Command(tuple(words), folder, wrapper=wrapper)
    return None
