"""The header of a Markdown file, read as people write it, which often is not YAML.

Headers such as `globs: **/*.go` or `description: Use when: x` are common and no YAML parser
accepts them. So the header is cut into its top-level entries first, each entry is read alone,
and what had to be assumed is reported with its line. One broken entry never spoils another.
"""

import re
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

MAX_LINES = 500
MAX_ENTRY_CHARS = 16_384
MAX_BLANK_LINES = 5

FENCE = "---"
"""What a header begins and ends with."""

# Globs are hardly ever put in quotes, and the tools they are written for read them as they stand.
GLOB_KEYS = ("globs", "applyTo", "paths")
KEYWORD_KEYS = ("keywords", "tags")

COMMAS = ",，、"
"""What stands between the items of a list in one line."""

KEYWORD_COMMAS = f"{COMMAS};；"
"""What stands between keywords; a glob may hold a semicolon."""

_ENTRY = re.compile(r"""(["']?)(?P<key>[A-Za-z][\w-]*)\1\s*(?P<colon>[:：])(?!//)(?P<rest>.*)""")
_PLAIN = re.compile(r"[^\s\-?:,\[\]{}#&*!|>'\"%@`](?:[^:#]|:(?=\S)|(?<=\S)#)*")
_ITEM = re.compile(r"\s*-\s*(?P<item>.*)")
_COMMENT = re.compile(r"(?:^|\s+)#.*")
_TEXT_KEYS = ("name", "description")


@dataclass(frozen=True, slots=True)
class Entry:
    """One `key: value`. `value` is text, a list, a mapping, or None where nothing was written.

    `written` is what stands behind the colon, quotes and all: `"true"` is a text to other tools.
    """

    key: str
    line: int
    value: Any
    written: str = ""

    @property
    def is_quoted(self) -> bool:
        """Whether the value stands in quotes, so that YAML takes it for a text."""
        return self.written[:1] in ("'", '"')


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """What the header says, where the text below it begins, and what had to be assumed.

    `problems` are pairs of a 1-based line and a message; so are `notes`, of what is usually written
    so and means what it looks like.
    """

    entries: Mapping[str, Entry] = field(default_factory=dict)
    body_first_line: int = 1
    problems: tuple[tuple[int, str], ...] = ()
    notes: tuple[tuple[int, str], ...] = ()


def split_front_matter(lines: Sequence[str]) -> FrontMatter:
    """Read the header at the top of a file given as lines; without one, all lines are text."""
    start = _find_start(lines)
    if start is None:
        return FrontMatter()
    end = _find_end(lines, start)
    if end is None:
        return FrontMatter() if start else _read_unclosed(lines)
    if not _looks_like_header(lines[start + 1 : end]):
        return FrontMatter()
    entries, problems, notes = _read_entries(lines[start + 1 : end], start + 2)
    if start:
        message = "The front matter is read, though other tools want `---` in the very first line."
        problems.insert(0, (start + 1, message))
    return FrontMatter(entries, end + 2, tuple(problems), tuple(notes))


def _find_start(lines: Sequence[str]) -> int | None:
    """Return where the opening line stands: the first one that is not blank."""
    for number, line in enumerate(lines[:MAX_BLANK_LINES]):
        written = line.removeprefix("\ufeff").rstrip()
        if written:
            return number if written == FENCE else None
    return None


def _find_end(lines: Sequence[str], start: int) -> int | None:
    for number, line in enumerate(lines[start + 1 : start + MAX_LINES + 1], start=start + 1):
        if line.rstrip() in (FENCE, "..."):
            return number
    return None


def _looks_like_header(block: Sequence[str]) -> bool:
    """Tell a header from text below a thematic break."""
    written = [line for line in block if line.strip() and not line.lstrip().startswith("#")]
    return not written or _ENTRY.match(written[0].lstrip()) is not None


def _read_unclosed(lines: Sequence[str]) -> FrontMatter:
    """Take the entries before the first blank line for a header whose closing line is missing."""
    end = next(
        (n for n, line in enumerate(lines[1 : MAX_LINES + 1], 1) if not line.strip()), len(lines)
    )
    block = lines[1 : min(end, MAX_LINES + 1)]
    if not block or not _looks_like_header(block):
        return FrontMatter()
    entries, problems, notes = _read_entries(block, 2)
    if not entries:
        return FrontMatter()  # A thematic break, and a heading below it.
    message = (
        "The front matter that opens here is never closed; it is assumed to end at line "
        f"{len(block) + 1}. Add a line `---` below it."
    )
    return FrontMatter(entries, len(block) + 2, ((1, message), *problems), tuple(notes))


def _read_entries(
    block: Sequence[str], first_line: int
) -> tuple[dict[str, Entry], list[tuple[int, str]], list[tuple[int, str]]]:
    """Return the entries, what is wrong with them, and what is merely to be known."""
    entries: dict[str, Entry] = {}
    problems: list[tuple[int, str]] = []
    notes: list[tuple[int, str]] = []
    block = textwrap.dedent("\n".join(block)).split("\n") if block else block
    for key, line, rest, continuation in _cut_into_entries(block, first_line, problems):
        if key in entries:
            problems.append((line, f"`{key}` stands twice in the front matter; this one counts."))
        value, assumption = _read_value(key, rest, continuation)
        if assumption:
            (notes if _is_usual(key, value, rest) else problems).append((line, assumption))
        entries[key] = Entry(key, line, value, rest)
    return entries, problems, notes


def _is_usual(key: str, value: Any, rest: str) -> bool:
    """Say whether what was assumed is no more than that the value means what it looks like.

    Of a quote that is never closed, and of what follows a `#`, that cannot be said.
    """
    if key in GLOB_KEYS:
        return value is not None
    is_plain = rest[:1] not in ("", '"', "'", "[", "{") and _COMMENT.search(rest) is None
    return key in _TEXT_KEYS and value == rest and is_plain


def _cut_into_entries(
    block: Sequence[str], first_line: int, problems: list[tuple[int, str]]
) -> list[tuple[str, int, str, list[str]]]:
    """Return key, line, text after the colon and the lines below of each top-level entry."""
    found: list[tuple[str, int, str, list[str]]] = []
    for line, text in enumerate(block, start=first_line):
        match = _ENTRY.match(text)
        if match is not None:
            key, rest = match["key"], match["rest"]
            if match["colon"] == "：" or (rest and not rest[0].isspace()):
                wanted = f"{key}: {rest.strip()}"
                problems.append((line, f"Read as `{_shorten(wanted)}`; write `: ` after the key."))
            found.append((key, line, rest.strip(), []))
        elif found and (not text.strip() or text[0] in " \t-"):
            found[-1][3].append(text)
        elif text.strip() and not text.startswith("#"):
            problems.append((line, f"`{_shorten(text)}` is not `key: value`; it is ignored."))
    return found


def _read_value(key: str, rest: str, continuation: list[str]) -> tuple[Any, str]:
    """Return the value of an entry, and what had to be assumed to read it (or nothing)."""
    while continuation and not continuation[-1].strip():
        continuation.pop()
    if len(rest) + sum(map(len, continuation)) > MAX_ENTRY_CHARS:
        return None, f"`{key}` is longer than {MAX_ENTRY_CHARS:,} characters; it is ignored."
    if continuation:
        return _read_block(key, rest, continuation)
    return _read_line(key, rest)


def _read_line(key: str, rest: str) -> tuple[Any, str]:
    if not rest:
        return None, ""
    if _PLAIN.fullmatch(rest):
        return rest, ""
    if rest[0] not in "\"'[{" and _COMMENT.search(rest):
        if key in _TEXT_KEYS:
            return rest, (
                f"`{_shorten(rest)}` is read as text up to its end; YAML takes what follows `#` "
                "for a comment. Put it in quotes."
            )
        return _read_line(key, _COMMENT.sub("", rest, count=1))
    try:
        value = _load(rest)
    except ValueError:
        return _assume(key, rest, _read_loose_list(rest))
    is_choice = key in GLOB_KEYS and isinstance(value, dict) and not any(value.values())
    if rest[0] == "!" or is_choice:
        # For YAML a tag, which would be dropped, and a mapping: `!*.py`, `{src,lib}`.
        return _assume(key, rest, rest)
    if rest[0] not in "[{" and not isinstance(value, str):
        # `Use when: x` alone is a mapping for YAML; beside its key it is an error.
        return _assume(key, rest, rest)
    return value, ""


def _read_block(key: str, rest: str, continuation: list[str]) -> tuple[Any, str]:
    text = "\n".join([f"{key}: {rest}", *continuation])
    try:
        return _load(text)[key], ""
    except (ValueError, TypeError, KeyError):
        pass
    items = [_ITEM.fullmatch(line) for line in continuation if line.strip()]
    if not rest and all(items):
        return _assume(key, text, [unquote(item["item"]) for item in items if item])
    joined = " ".join(part.strip() for part in [rest.lstrip("|>-+"), *continuation])
    return _assume(key, text, joined.strip())


def _assume(key: str, written: str, value: Any) -> tuple[Any, str]:
    shown = ", ".join(f"`{_shorten(item)}`" for item in ([value] if value == str(value) else value))
    shown = _shorten(shown, 160)
    taken = f"the text {shown}" if isinstance(value, str) else f"the list {shown}"
    return value, (
        f"The value of `{key}` is not valid YAML (`{_shorten(written)}`); it is read as {taken}. "
        "Put it in quotes."
    )


def _read_loose_list(rest: str) -> Any:
    if rest[0] == "[" and rest[-1] == "]":
        return [unquote(item) for item in split_at_commas(rest[1:-1])]
    return rest


def split_at_commas(text: str, commas: str = COMMAS) -> list[str]:
    """Return the items of a comma list; commas inside braces do not count: `*.{ts,tsx}`."""
    items = [""]
    depth = 0
    for character in text:
        depth += (character == "{") - (character == "}")
        if character in commas and depth <= 0:
            items.append("")
        else:
            items[-1] += character
    return [item.strip() for item in items if item.strip()]


def unquote(text: str) -> str:
    """Return a text without the quotes around it."""
    text = text.strip()
    if len(text) > 1 and text[0] == text[-1] and text[0] in "\"'":
        return text[1:-1]
    return text


def _shorten(text: str, limit: int = 60) -> str:
    text = " ".join(text.split()).replace("`", "'")
    return text if len(text) <= limit else text[: limit - 1] + "…"


def _load(text: str) -> Any:
    # Loaded with the first value that is not plain.
    from glossator.knowledge.header_yaml import load_text

    return load_text(text)
