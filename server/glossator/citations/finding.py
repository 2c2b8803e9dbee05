"""Find the places that an answer names: `path:line` and `path:first-last`."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

# Full-width colons and dashes are what a Chinese input method types. `#L3-L9` is how links to
# code hosts are written.
_CITATION = re.compile(
    r"""
    (?P<path>[^\s`'"“”‘’「」『』()（）\[\]【】<>《》|,，;；。!！?？*:：\x00-\x1f]+)
    (?: \s?[:：]\s?(?:[Ll]ines?\s|第)? | \#L )
    (?P<first>\d{1,9})
    (?: \s?[-–—~～至]\s?L?(?P<last>\d{1,9}) )?
    (?![\d.]*\d|:\d)
    """,
    re.VERBOSE,
)
_WINDOWS_DRIVE = re.compile(r"(?:^|[\s`'\"(（])([A-Za-z]):$")
_HAS_EXTENSION = re.compile(r"\.[A-Za-z_][\w+-]{0,15}$")
_KNOWN_WITHOUT_EXTENSION = frozenset(
    {"makefile", "dockerfile", "rakefile", "gemfile", "jenkinsfile", "procfile", "justfile"}
)
_NAMED = re.compile(r"`([^`\n]+)`")
_QUOTED = re.compile(r"[“「『]([^”」』\n]{3,})[”」』]")


@dataclass(frozen=True, slots=True)
class CitedPlace:
    """A place as an answer wrote it.

    `text` is the exact wording from offset `start` to `end`. `path` may carry words in front of
    it that are not part of it (Chinese needs no blank before a path). Lines are 1-based as
    written, so they may be 0, reversed or beyond the end. `named` holds what the same line of the
    answer names in backticks or quotes, nearest first: what should stand at the place.
    """

    text: str
    path: str
    first_line: int
    last_line: int
    start: int
    end: int
    named: tuple[str, ...]


def find_citations(answer: str) -> tuple[CitedPlace, ...]:
    """Return the places named in `answer`, in order, repeats included."""
    return tuple(_find(answer))


def _find(answer: str) -> Iterator[CitedPlace]:
    matches = [match for match in _CITATION.finditer(answer) if _names_a_file(answer, match)]
    for index, match in enumerate(matches):
        path, start = match["path"], match.start()
        drive = _WINDOWS_DRIVE.search(answer[max(0, start - 3) : start])
        if drive and path.startswith(("\\", "/")):
            path, start = f"{drive[1]}:{path}", start - 2
        first = int(match["first"])
        last = int(match["last"]) if match["last"] else first
        before = matches[index - 1].end() if index else 0
        after = matches[index + 1].start() if index + 1 < len(matches) else len(answer)
        named = tuple(
            name
            for name in _names_between(answer, before, start, match.end(), after)
            if not any(other["path"].endswith(name) for other in matches)
        )
        text = answer[start : match.end()]
        yield CitedPlace(text, path, first, last, start, match.end(), named)


def _names_a_file(answer: str, match: re.Match[str]) -> bool:
    token_start = max(answer.rfind(blank, 0, match.start()) for blank in " \n\t(（`") + 1
    if "://" in answer[token_start : match.start()] + match["path"]:
        return False
    return _looks_like_file(match["path"])


def _looks_like_file(path: str) -> bool:
    name = re.split(r"[\\/]", path)[-1]
    if _HAS_EXTENSION.search(name):
        return True
    return name.lower() in _KNOWN_WITHOUT_EXTENSION


def _names_between(answer: str, before: int, start: int, end: int, after: int) -> tuple[str, ...]:
    """Return what the line of a citation names, nearest first.

    A claim mostly stands in front of its citation, back to the citation before it; only when
    nothing is named there does what follows count.
    """
    line_start = answer.rfind("\n", 0, start) + 1
    line_end = answer.find("\n", end)
    line_end = len(answer) if line_end < 0 else line_end
    ahead = _names(answer, max(before, line_start), start)
    return tuple(reversed(ahead)) or tuple(_names(answer, end, min(after, line_end)))


def _names(answer: str, first: int, last: int) -> list[str]:
    found = [
        (match.start(), match[1].strip())
        for pattern in (_NAMED, _QUOTED)
        for match in pattern.finditer(answer, first, last)
        if not re.search(r"[\\/]", match[1]) and not _CITATION.fullmatch(match[1])
    ]
    return [name for _, name in sorted(found)]
