"""Judge a cited place against the text that was read: exact, moved or missing."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from glossator.citations.anchors import find_anchors
from glossator.citations.drift import Drift
from glossator.citations.finding import CitedPlace
from glossator.citations.spelling import spell_path
from glossator.citations.standing import Standing
from glossator.core.locations import Span
from glossator.core.text import SourceText

Verdict = Literal["exact", "moved", "missing"]
Reason = Literal[
    "",
    "no-file",
    "several-files",
    "protected",
    "outside",
    "unreadable",
    "no-line",
    "past-end",
    "unread",
    "changed",
]

# A name on more lines than these tells no place, if it does not stand this close.
_MANY = 20
_CLOSE = 3


@dataclass(frozen=True, slots=True)
class FileText:
    """A file as one turn knows it.

    `seen` are the texts that were read of it, the newest first; `now` is what it holds at present,
    None when it is gone.
    """

    seen: tuple[SourceText, ...]
    now: SourceText | None


Resolve = Callable[[str], Sequence[FileText] | Reason]
"""Return the files that a path as written may mean, or why there are none."""

WasShown = Callable[[str, int, int], bool]
"""Say whether the model was shown any of these lines of a file."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a citation is worth. `place` is corrected when the verdict is `moved`.

    `text` is the wording in the answer without words that stood glued in front of it. `source` is
    the text that decided, `reason` why the place is missing, or that it moved since it was read.
    It `is_proven` when what is quoted or named stands there.
    """

    text: str
    place: Span
    verdict: Verdict
    source: SourceText | None
    reason: Reason = ""
    is_proven: bool = False


class Judge:
    """Judges the citations of one answer; what was found out about a text is remembered.

    Without `was_shown` every line counts as shown: the answer was not written by a model.
    """

    def __init__(self, resolve: Resolve, was_shown: WasShown | None = None) -> None:
        self._resolve = resolve
        self._was_shown = was_shown
        self._standings: dict[str, Standing] = {}
        self._drifts: dict[tuple[str, str], Drift] = {}

    def judge(self, cited: CitedPlace) -> Judgement:
        """Read a cited place again.

        Exact: the lines exist, and what the answer quotes or names beside them stands there, or
        they are part of it, or it stands nowhere in the file and the lines had been shown.
        Moved: what is quoted or named stands on other lines of the file; the place is corrected.
        A quote counts more than the line, and the line more than names that stand all over.
        Missing: there is no such file, are no such lines, or nobody had read them.
        """
        written = Span(cited.path, cited.first_line, cited.last_line)
        why: Reason = "no-file"
        for spelling in spell_path(cited.path, cited.whole, cited.before):
            files = self._resolve(spelling)
            if not isinstance(files, str):
                judged = self._choose([self._judge_file(cited, file) for file in files])
                return replace(judged, text=_trim(cited, spelling))
            if why == "no-file":
                why = files
        return Judgement(cited.text, written, "missing", None, why)

    def _choose(self, judged: Sequence[Judgement]) -> Judgement:
        """Of several files that were read the one is meant where the place holds."""
        if len(judged) == 1:
            return judged[0]
        exact = [each for each in judged if each.verdict == "exact"]
        for holding in ([each for each in exact if each.is_proven], exact):
            if len(holding) == 1:
                return holding[0]
        return replace(judged[0], verdict="missing", source=None, reason="several-files")

    def _judge_file(self, cited: CitedPlace, file: FileText) -> Judgement:
        """Judge by what was read; then see where that stands now."""
        sources = file.seen or ((file.now,) if file.now else ())
        judged = [self._judge_text(cited, source) for source in sources]
        best = min(judged, key=lambda each: ("exact", "moved", "missing").index(each.verdict))
        if file.now is None:
            return replace(best, verdict="missing", source=None, reason="changed")
        assert best.source is not None
        if best.verdict == "missing" or best.source.text == file.now.text:
            # Lines that came after it was read are there, but nobody has seen them.
            is_new = best.reason == "past-end" and best.place.last_line <= len(file.now.lines)
            return replace(best, source=file.now, reason="unread" if is_new else best.reason)
        drift = self._drift(best.source, file.now)
        lines = drift.follow(best.place.first_line, best.place.last_line)
        if lines is None:
            return replace(best, verdict="missing", source=file.now, reason="changed")
        if lines == (best.place.first_line, best.place.last_line):
            return replace(best, source=file.now)
        return replace(
            best,
            place=Span(file.now.name, *lines),
            verdict="moved",
            source=file.now,
            reason="changed",
        )

    def _judge_text(self, cited: CitedPlace, source: SourceText) -> Judgement:
        first, last = sorted((cited.first_line, cited.last_line))
        exact = Judgement(cited.text, Span(source.name, first, last), "exact", source)
        standing = self._standing(source)
        anchors = find_anchors(cited.named, cited.quoted, standing.definitions_of)
        are_lines_there = standing.has_lines(exact.place)
        place = _find_quote(standing, anchors.quotes, exact.place)
        if place is None and are_lines_there and _holds_name(standing, anchors.names, exact.place):
            return replace(exact, is_proven=True)
        place = place or _find_quote(standing, anchors.calls, exact.place)
        if place is None:
            place = _find_name(standing, anchors.telling_names, exact.place)
        if place is not None:
            verdict: Verdict = "exact" if place == exact.place else "moved"
            return replace(exact, place=place, verdict=verdict, is_proven=True)
        if not are_lines_there:
            written = Span(source.name, cited.first_line, cited.last_line)
            reason: Reason = "no-line" if first < 1 else "past-end"
            return Judgement(cited.text, written, "missing", source, reason)
        # The first line stands for the file: that there is one can be told from a list of files.
        if self._was_shown is None or last == 1 or self._was_shown(source.name, first, last):
            return exact
        return replace(exact, verdict="missing", reason="unread")

    def _standing(self, source: SourceText) -> Standing:
        key = source.content_hash
        if key not in self._standings:
            self._standings[key] = Standing(source)
        return self._standings[key]

    def _drift(self, before: SourceText, after: SourceText) -> Drift:
        key = (before.content_hash, after.content_hash)
        if key not in self._drifts:
            self._drifts[key] = Drift(before.lines, after.lines)
        return self._drifts[key]


def _find_quote(standing: Standing, quotes: Sequence[str], cited: Span) -> Span | None:
    """Return the place of the first quote that stands anywhere; `cited` itself if it is there."""
    for quote in quotes:
        spans = standing.lines_of_quote(quote)
        is_there = any(start <= cited.last_line and cited.first_line <= end for start, end in spans)
        if is_there and standing.has_lines(cited):
            return cited
        if spans:
            start, end = min(spans, key=lambda span: abs(span[0] - cited.first_line))
            return standing.extend(replace(cited, first_line=start, last_line=end), cited)
    return None


def _holds_name(standing: Standing, names: Sequence[str], cited: Span) -> bool:
    """Say whether a name stands on the lines, or they are part of what it names."""
    return any(
        any(cited.first_line <= line <= cited.last_line for line in standing.lines_with(name))
        or standing.encloses(name, cited.first_line)
        for name in names
    )


def _find_name(standing: Standing, names: Sequence[str], cited: Span) -> Span | None:
    """Return the place of the first name that tells one."""
    for name in names:
        line = _find_line(standing, name, cited.first_line)
        if line is not None:
            return standing.extend(replace(cited, first_line=line, last_line=line), cited)
    return None


def _find_line(standing: Standing, name: str, wanted: int) -> int | None:
    """Return the line meant by a name: close by, else where it is defined, else the nearest."""
    lines = standing.lines_with(name)
    nearest = min(lines, key=lambda line: abs(line - wanted), default=None)
    if nearest is None or abs(nearest - wanted) <= _CLOSE:
        return nearest
    definitions = standing.definitions_of(name)
    if len(definitions or lines) > _MANY:
        return None
    return min(definitions or lines, key=lambda line: abs(line - wanted))


def _trim(cited: CitedPlace, spelling: str) -> str:
    """Return the wording of a citation with all of its path and nothing before it."""
    if not cited.text.startswith(cited.path):
        return cited.text
    lines = cited.text[len(cited.path) :]
    is_longer = bool(cited.before) and spelling.endswith(f" {cited.path}")
    if is_longer or spelling == cited.whole or cited.path.endswith(spelling):
        return spelling + lines
    return cited.text
