"""Judge a cited place against the text it names: exact, moved or missing."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal
from urllib.parse import unquote

from glossator.citations.finding import CitedPlace
from glossator.core.locations import Span
from glossator.core.text import SourceText

Verdict = Literal["exact", "moved", "missing"]

Resolve = Callable[[str], SourceText | None]
"""Return the text that the model saw under a path as written, or None."""

NamesAround = Callable[[SourceText, int], Sequence[str]]
"""Return the names of the definitions that enclose a line: what the line is part of."""

_MAX_CUTS = 24
_IDENTIFIER = re.compile(r"[^\W\d]\w*")
# `save` in `find(id).save`, `$this->save`, `Store::save`, `store.empty?`.
_MEMBER = re.compile(r"(?:^|\.|::|->)([^\W\d]\w*)[?!=]?\Z")


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a citation is worth. `place` is corrected when the verdict is `moved`."""

    place: Span
    verdict: Verdict
    source: SourceText | None


def judge(cited: CitedPlace, resolve: Resolve, names_around: NamesAround) -> Judgement:
    """Read the cited place again.

    Exact: the lines exist, and what the answer names beside them stands there, or they are part of
    it, or it stands nowhere in the file.
    Moved: what the answer names stands in the file, but not on these lines; the place is
    corrected. Missing: no such file, or no such lines and nothing named that could be found.
    """
    source = _find_source(cited, resolve)
    if source is None:
        return Judgement(Span(cited.path, cited.first_line, cited.last_line), "missing", None)
    first, last = sorted((cited.first_line, cited.last_line))
    n_lines = len(source.lines)
    written = Span(source.name, cited.first_line, cited.last_line)
    are_lines_there = first >= 1 and last <= n_lines
    anchors = _anchors(cited.named)
    if are_lines_there and (
        _stands_between(anchors, source.lines[first - 1 : last])
        or not set(anchors).isdisjoint(name.rstrip("?!=") for name in names_around(source, first))
    ):
        return Judgement(Span(source.name, first, last), "exact", source)
    for anchor in anchors:
        line = _nearest_line(anchor, source.lines, first)
        if line is not None:
            length = min(last - first, n_lines - line)
            return Judgement(Span(source.name, line, line + max(0, length)), "moved", source)
    if are_lines_there:
        return Judgement(Span(source.name, first, last), "exact", source)
    return Judgement(written, "missing", source)


def _find_source(cited: CitedPlace, resolve: Resolve) -> SourceText | None:
    """Resolve a path as written, then without words that stand glued in front of it."""
    path = cited.path
    candidates = [cited.quoted, path, path.replace("\\", "/")]
    if "%" in path:
        candidates.append(unquote(path))
    cuts = [cut for cut in range(1, len(path)) if _is_glue(path[cut - 1])]
    # Where Chinese ends a path begins most surely; a name in Chinese begins somewhere within.
    surest = [cut for cut in cuts if not _is_glue(path[cut])]
    cuts = list(dict.fromkeys([*surest[-_MAX_CUTS:], *cuts[:_MAX_CUTS], *cuts[-_MAX_CUTS:]]))
    candidates.extend(path[cut:] for cut in cuts)
    for candidate in dict.fromkeys(filter(None, candidates)):
        source = resolve(candidate)
        if source is not None:
            return source
    return None


def _is_glue(character: str) -> bool:
    return ord(character) > 0x2E7F


def _anchors(named: Sequence[str]) -> list[str]:
    """Reduce what was named to texts that can stand in a file: `Store.save()` to `save`."""
    anchors = []
    for name in named:
        without_call = re.sub(r"\((?:[^()]*|.*)\)$", "", name.strip())
        identifiers = _IDENTIFIER.findall(without_call)
        member = _MEMBER.search(without_call)
        if member:
            anchors.append(member[1])
        elif identifiers and re.fullmatch(r"[\w.:#$@-]+", without_call):
            anchors.append(identifiers[-1])
        elif len(name.strip()) >= 3:
            anchors.append(name.strip())
    return anchors


def _stands_between(anchors: Sequence[str], lines: Sequence[str]) -> bool:
    if not anchors:
        return True
    text = "\n".join(lines)
    return any(_find_in(anchor, text) for anchor in anchors)


def _nearest_line(anchor: str, lines: Sequence[str], wanted: int) -> int | None:
    found = [
        number for number, line in enumerate(lines, 1) if anchor in line and _find_in(anchor, line)
    ]
    return min(found, key=lambda number: abs(number - wanted), default=None)


def _find_in(anchor: str, text: str) -> bool:
    if _IDENTIFIER.fullmatch(anchor):
        return re.search(rf"(?<!\w){re.escape(anchor)}(?!\w)", text) is not None
    return anchor in text
