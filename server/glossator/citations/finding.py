"""Find the places that an answer names: `path:line`, and how else people put it."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from glossator.citations.claims import read_claims
from glossator.citations.fences import Fence, find_fences
from glossator.citations.file_names import is_file_name, may_be_file_name
from glossator.citations.notation import LINES, LINES_OF, Lines, read_further_lines, read_lines

_NOT_IN_PATH = frozenset(
    " \t`'\"“”‘’「」『』«»()（）[]【】<>《》|,，;；。!！?？*:：、\u3000\xa0"
).union(chr(code) for code in range(0x20))
_MAX_PATH = 400
_MAX_PLACES = 10_000
_DRIVE_LETTER = re.compile(r"(?:^|[\s`'\"(（])([A-Za-z])\Z")
_OPENERS = {
    "`": "`", '"': '"', "'": "'", "”": "“", "’": "‘", "」": "「", "』": "『",
    ")": "(", "）": "（", "]": "[", "】": "【", ">": "<",
}  # fmt: skip
# A place stands on one line, and no search goes further: it would keep the interpreter to itself.
_WITH_DIGITS = re.compile(r"^[^\n]*\d[^\n]*", re.MULTILINE)
_MARKUP = re.compile(r"""[`"'”’」』»*)）\]】>]""")


@dataclass(frozen=True, slots=True)
class CitedPlace:
    """A place as an answer wrote it, from offset `start` to `end`.

    `text` is its wording there, or `path:line` where markup or other lines stand in between.
    `path` may carry words in front of it that are not part of it (Chinese needs no blank before a
    path); `whole` is the whole of what stands in backticks, quotes or brackets, if that is more: a
    path may hold blanks. `before` is what a path with blanks would begin with where nothing stands
    around it: `my code/a ` of `my code/a b.py`. Lines are 1-based as written, so they may be
    0, reversed or beyond the end. `named` holds what the answer names beside it in backticks or
    quotes, nearest first: what should stand at the place; `quoted` is a block of code shown for it.
    A path that is not `is_certain` is a place only if there is such a file.
    """

    text: str
    path: str
    first_line: int
    last_line: int
    start: int
    end: int
    named: tuple[str, ...] = ()
    whole: str = ""
    before: str = ""
    quoted: str = ""
    is_certain: bool = True


def find_citations(answer: str, *, names: Sequence[str] = ()) -> tuple[CitedPlace, ...]:
    """Return the places named in `answer`, in order, repeats included, up to ten thousand.

    What stands in fenced code is no claim. `names` are those of documents that do not look like a
    file, such as `Untitled-1`.
    """
    fences = list(find_fences(answer))
    starts = [fence.start for fence in fences]
    found = (place for place in find_places(answer, names) if not _is_fenced(place, fences, starts))
    places = list(islice(found, _MAX_PLACES))
    spans = [(place.start, place.end) for place in places]
    claims = read_claims(answer, fences, spans, is_place=_is_place)
    files = {name for place in places for name in (place.path, _last_name(place.path))}
    return tuple(
        replace(
            place,
            named=tuple(name for name in claim.named if name not in files),
            quoted=claim.block,
        )
        for place, claim in zip(places, claims, strict=True)
    )


def find_places(text: str, names: Sequence[str] = ()) -> Iterator[CitedPlace]:
    """Yield the places in a text, wherever they stand, without what is named beside them."""
    for line in _WITH_DIGITS.finditer(text):
        yield from _find_in_line(text, line.start(), line.end(), names)


def _find_in_line(text: str, first: int, last: int, names: Sequence[str]) -> Iterator[CitedPlace]:
    earliest = end = first
    # Read one after the other: what a list of lines goes on with is no place of its own.
    while match := LINES.search(text, earliest, last):
        place = _read_place(text, earliest, read_lines(match), names)
        earliest = match.end()
        if place is None:
            continue
        yield from _find_reversed(text, end, place.start)
        yield place
        for further in read_further_lines(text, match):
            earliest = further.end
            yield _place_of(place, further)
        end = earliest
    yield from _find_reversed(text, end, last)


def _read_place(text: str, earliest: int, lines: Lines, names: Sequence[str]) -> CitedPlace | None:
    """Read the path backwards from its lines.

    A pattern that began with the path would take quadratic time on a long run of letters.
    """
    end = lines.start
    start = _find_path_start(text, earliest, end)
    path, whole = text[start:end], _find_whole(text, earliest, start, lines)
    if whole and not re.search(r"[\s,，;；:：。]", whole) and _closer(text, lines) == "`":
        # In backticks brackets are a part of the path: `app/(auth)/[id]/page.tsx`.
        path, start, whole = whole, end - len(whole), ""
    is_known = path in names
    if not path or not (is_known or _may_name_file(text, start, path)):
        return None
    drive = _DRIVE_LETTER.search(text[max(0, start - 3) : start - 1])
    if drive and text[start - 1] == ":" and path.startswith(("\\", "/")):
        path, start = f"{drive[1]}:{path}", start - 2
    is_plain = not _MARKUP.search(text, end, lines.end)
    return CitedPlace(
        text[start : lines.end] if is_plain else _render(path, lines),
        path,
        lines.first,
        lines.last,
        start,
        lines.end,
        whole=whole,
        before=_find_before(text, earliest, start),
        is_certain=is_known or is_file_name(path),
    )


def _place_of(place: CitedPlace, further: Lines) -> CitedPlace:
    """Return the next place of a list of lines: it has the path of the one before."""
    return replace(
        place,
        text=_render(place.path, further),
        first_line=further.first,
        last_line=further.last,
        start=further.start,
        end=further.end,
    )


def _find_reversed(text: str, first: int, last: int) -> Iterator[CitedPlace]:
    """Find places whose lines come first: `line 12 of src/a.py`."""
    for match in LINES_OF.finditer(text, first, last):
        start = match.end()
        if match["opener"].endswith("`"):
            end = text.find("`", start, min(start + _MAX_PATH, last))
        else:
            end = start
            while end < min(start + _MAX_PATH, last) and text[end] not in _NOT_IN_PATH:
                end += 1
        path = text[start:end].rstrip(".") if end > start else ""
        if not is_file_name(path) or "\n" in path:
            continue
        lines = read_lines(match)
        written = text[match.start() : start + len(path)]
        shown = _render(path, lines) if _MARKUP.search(written) else written
        yield CitedPlace(shown, path, lines.first, lines.last, match.start(), start + len(path))


def _find_path_start(text: str, earliest: int, end: int) -> int:
    """Return where the path that ends at `end` begins; `end` where there is none."""
    earliest = max(earliest, end - _MAX_PATH - 1)
    start = end
    while start > earliest and text[start - 1] not in _NOT_IN_PATH:
        start -= 1
    return start if end - start <= _MAX_PATH else end


def _find_before(text: str, earliest: int, start: int) -> str:
    """Return the words in front of a path that may be part of it, with the blanks between."""
    earliest = first = max(earliest, start - _MAX_PATH)
    if text[start - 1 : start] == " ":
        first = start
        while first > earliest and (text[first - 1] == " " or text[first - 1] not in _NOT_IN_PATH):
            first -= 1
        return text[first:start]
    return ""


def _closer(text: str, lines: Lines) -> str:
    """Return what closes the markup around a path, before its lines or behind them."""
    for position in (lines.start, lines.end):
        if text[position : position + 1] in _OPENERS:
            return text[position : position + 1]
    return ""


def _find_whole(text: str, earliest: int, start: int, lines: Lines) -> str:
    """Return all that stands in the markup around a path, if that is more than the path."""
    closer = _closer(text, lines)
    if not closer:
        return ""
    opener = text.rfind(_OPENERS[closer], max(earliest, lines.start - _MAX_PATH), start)
    whole = text[opener + 1 : lines.start] if opener >= 0 else ""
    is_more = whole != text[start : lines.start] and "\n" not in whole and "`" not in whole
    return whole if is_more else ""


def _may_name_file(text: str, start: int, path: str) -> bool:
    if not may_be_file_name(path):
        return False
    earliest = max(0, start - _MAX_PATH)
    token_start = max(text.rfind(blank, earliest, start) for blank in " \n\t(（`") + 1
    return "://" not in text[max(earliest, token_start) : start] + path


def _render(path: str, lines: Lines) -> str:
    last = f"-{lines.last}" if lines.last != lines.first else ""
    return f"{path}:{lines.first}{last}"


def _is_fenced(place: CitedPlace, fences: Sequence[Fence], starts: Sequence[int]) -> bool:
    index = bisect_right(starts, place.start) - 1
    return index >= 0 and place.start < fences[index].end


def _last_name(path: str) -> str:
    return re.split(r"[\\/]", path)[-1]


def _is_place(text: str) -> bool:
    return next(find_places(text), None) is not None
