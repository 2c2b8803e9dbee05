"""Find the places that an answer names: `path:line` and `path:first-last`."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice

# Full-width colons and dashes are what a Chinese input method types. `#L3-L9` is how links to
# code hosts are written. The path is read backwards from here: a pattern that began with it would
# take quadratic time on a long run of letters.
_LINES = re.compile(
    r"""
    (?:
        \s?[:：]\s?(?:[Ll]ines?\s|第\s?|[Ll])?
      | \#L
      | [`"'”]?[,，]?\s?[(（]?[Ll]ines?\s
      | [`"'”]?\s?的?[(（]?第\s?(?=\d{1,18}(?:\s?[-–—~～至到]\s?\d{1,18})?\s?行)
    )
    (?P<first>\d{1,18})(?:C\d{1,6})?
    (?: \s?[-–—~～至到]\s?[Ll]?(?P<last>\d{1,18})(?:C\d{1,6})? | :\d{1,6}(?!\d) )?
    (?![\d.]*\d|:\d)
    """,
    re.VERBOSE,
)
_NOT_IN_PATH = frozenset(
    " \t`'\"“”‘’「」『』()（）[]【】<>《》|,，;；。!！?？*:：\u3000\xa0"
).union(chr(code) for code in range(0x20))
_MAX_PATH = 400
_MAX_NAMED = 5
_MAX_PLACES = 10_000
_MAX_LINE_AROUND = 2_000
_DRIVE_LETTER = re.compile(r"(?:^|[\s`'\"(（])([A-Za-z])\Z")
_HAS_EXTENSION = re.compile(r"\.(?P<extension>[A-Za-z_][\w+-]{0,15})$", re.ASCII)
_KNOWN_WITHOUT_EXTENSION = frozenset(
    {"makefile", "dockerfile", "rakefile", "gemfile", "jenkinsfile", "procfile", "justfile"}
)
# `example.com:443` names a host and a port.
_TOP_LEVEL_DOMAINS = frozenset({"com", "org", "net", "io", "cn", "local", "internal"})
_NAMED = re.compile(r"`([^`\n]{1,200})`")
_QUOTED = re.compile(r"[“「『]([^”」』\n]{3,200})[”」』]")


@dataclass(frozen=True, slots=True)
class CitedPlace:
    """A place as an answer wrote it.

    `text` is the exact wording from offset `start` to `end`. `path` may carry words in front of
    it that are not part of it (Chinese needs no blank before a path). Lines are 1-based as
    written, so they may be 0, reversed or beyond the end. `named` holds what the same line of the
    answer names in backticks or quotes, nearest first: what should stand at the place. `quoted` is
    the whole of a path in backticks that has blanks in it.
    """

    text: str
    path: str
    first_line: int
    last_line: int
    start: int
    end: int
    named: tuple[str, ...]
    quoted: str = ""


def find_citations(answer: str) -> tuple[CitedPlace, ...]:
    """Return the places named in `answer`, in order, repeats included, up to ten thousand."""
    return tuple(_find(answer))


def _find(answer: str) -> Iterator[CitedPlace]:
    places = list(islice(_find_places(answer), _MAX_PLACES))
    files = {_last_name(place.path) for place in places}
    for index, place in enumerate(places):
        before = places[index - 1].end if index else 0
        after = places[index + 1].start if index + 1 < len(places) else len(answer)
        around = {place.path for place in places[max(0, index - 1) : index + 2]}
        named = [
            name
            for name in _names_between(answer, before, place, after)
            if name not in files and not any(path.endswith(name) for path in around)
        ]
        yield replace(place, named=tuple(named[:_MAX_NAMED]))


def _find_places(answer: str) -> Iterator[CitedPlace]:
    """Find the places without what is named beside them."""
    earliest = 0
    for match in _LINES.finditer(answer):
        end = match.start()
        start = _find_path_start(answer, earliest, end)
        path, quoted = answer[start:end], ""
        if match.end() < len(answer) and answer[match.end()] == "`":
            tick = answer.rfind("`", max(earliest, end - _MAX_PATH), start)
            whole = answer[tick + 1 : end] if tick >= 0 else ""
            if whole != path and "\n" not in whole and "`" not in whole:
                # Blanks may also stand between words and a path; brackets are part of one.
                if re.search(r"[\s,，;；:：。]", whole):
                    quoted = whole
                elif whole:
                    path, start = whole, tick + 1
        earliest = match.end()
        if not path or not _names_a_file(answer, start, path):
            continue
        drive = _DRIVE_LETTER.search(answer[max(0, start - 3) : start - 1])
        if drive and answer[start - 1] == ":" and path.startswith(("\\", "/")):
            path, start = f"{drive[1]}:{path}", start - 2
        first = int(match["first"])
        last = int(match["last"]) if match["last"] else first
        text = answer[start : match.end()]
        yield CitedPlace(text, path, first, last, start, match.end(), (), quoted)


def _find_path_start(answer: str, earliest: int, end: int) -> int:
    """Return where the path that ends at `end` begins; `end` where there is none."""
    earliest = max(earliest, end - _MAX_PATH - 1)
    start = end
    while start > earliest and answer[start - 1] not in _NOT_IN_PATH:
        start -= 1
    return start if end - start <= _MAX_PATH else end


def _names_a_file(answer: str, start: int, path: str) -> bool:
    if not _looks_like_file(path):
        return False
    earliest = max(0, start - _MAX_PATH)
    token_start = max(answer.rfind(blank, earliest, start) for blank in " \n\t(（`") + 1
    return "://" not in answer[max(earliest, token_start) : start] + path


def _looks_like_file(path: str) -> bool:
    name = _last_name(path)
    found = _HAS_EXTENSION.search(name)
    if found is None:
        return name.lower() in _KNOWN_WITHOUT_EXTENSION
    return name != path or found["extension"].lower() not in _TOP_LEVEL_DOMAINS


def _last_name(path: str) -> str:
    return re.split(r"[\\/]", path)[-1]


def _names_between(answer: str, before: int, place: CitedPlace, after: int) -> tuple[str, ...]:
    """Return what the line of a citation names, nearest first.

    A claim mostly stands in front of its citation, back to the citation before it; only when
    nothing is named there does what follows count.
    """
    before = max(before, place.start - _MAX_LINE_AROUND)
    line_start = answer.rfind("\n", before, place.start) + 1
    after = min(after, place.end + _MAX_LINE_AROUND)
    line_end = answer.find("\n", place.end, after)
    ahead = _names(answer, max(before, line_start), place.start)
    return tuple(reversed(ahead)) or tuple(
        _names(answer, place.end, after if line_end < 0 else line_end)
    )


def _names(answer: str, first: int, last: int) -> list[str]:
    found = [
        (match.start(), match[1].strip())
        for pattern in (_NAMED, _QUOTED)
        for match in pattern.finditer(answer, first, last)
        if not re.search(r"[\\/]", match[1]) and not _is_place(match[1])
    ]
    return [name for _, name in sorted(found)]


def _is_place(text: str) -> bool:
    return next(_find_places(text), None) is not None
