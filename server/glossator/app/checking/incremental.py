"""Check what an edit may have changed, and keep what was found in everything else.

At a save nearly all of a text is as it was when it was last checked. The changed statements are
checked as a text of their own, from an unchanged line on: everything is parsed there as it is in
the whole text if the statement behind the change still begins where it did. A short one that
begins alike stands in for it. Within a class of Python its members are taken for statements, and
the lines that begin the class are put in front of them.
"""

import re
import threading
from bisect import bisect_left, bisect_right
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from glossator.app.checking.generated import judge_text
from glossator.app.checking.guarding import Examine
from glossator.app.checking.records import Record
from glossator.app.checking.selecting import Selection
from glossator.core.locations import Point, Range
from glossator.rules.finding import Finding
from glossator.rules.locality import Reach
from glossator.rules.matching import RuleSet, nests_deeply
from glossator.rules.outlines import Outline
from glossator.rules.suppressing.stripping import may_dismiss

_KEPT_TEXTS = 32
# To check a larger share of a text than that as a part saves nothing.
_LARGEST_PART = 0.7
# In Python nothing but its indentation tells that a statement is another one, unless the line in
# front of it goes on.
_PYTHON_STATEMENT = "pass"
_CONTINUED = ("\\\n", "\\\r\n")
# In the other languages a parser looks at the first word.
_STATEMENTS = {
    "class": "class A {}", "const": "const a = 1", "export": "export {}", "for": "for (;;) {}",
    "function": "function f() {}", "if": "if (a) {}", "import": "import 'a'", "let": "let a",
    "return": "return", "throw": "throw a", "try": "try {} finally {}", "var": "var a",
}  # fmt: skip
_FIRST_WORD = re.compile(r"[a-z]+\b")


@dataclass(frozen=True, slots=True)
class _Checked:
    """A text with its record, and what the checks are known by (`Selection.digest`)."""

    text: str
    record: Record
    digest: bytes


@dataclass(frozen=True, slots=True)
class Splice:
    """How a text became another: what lies between `start` and the two ends, in offsets."""

    start: int
    end_before: int
    end: int

    @property
    def growth(self) -> int:
        """How far everything behind has moved."""
        return self.end - self.end_before


@dataclass(frozen=True, slots=True)
class _Part:
    """What of a changed text is checked, from `start` to `end`, both offsets of lines.

    `header` is put in front; `follower` stands in for the unchanged statement that begins at the
    end, and is empty at the end of the text.
    """

    start: int
    end: int
    follower: str
    header: str = ""

    def read(self, text: str) -> str:
        """Return what is checked."""
        return f"{self.header}{text[self.start : self.end]}{self.follower}"


class Incremental:
    """Examines texts that were examined before, by their files. For any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._rule_set: RuleSet | None = None
        self._checked: OrderedDict[Path, _Checked] = OrderedDict()

    def examine(
        self,
        path: Path | None,
        text: str,
        rule_set: RuleSet,
        selection: Selection,
        place: str,
        examine: Examine,
    ) -> Record:
        """Return what `examine` would of the whole text; mostly it is only given a part.

        What has no `path` is always examined as a whole.
        """

        def examine_text(given: str) -> Record:
            return examine(given, rule_set, selection, place)

        def may_reach(given: str, reach: Reach) -> bool:
            return rule_set.may_reach(given, selection.language_id, place, reach=reach)

        earlier = self._find(path, rule_set, selection)
        record = None
        if earlier is not None:
            continuing = _Continuing(earlier, text, selection.language_id, may_reach, examine_text)
            record = continuing.examine()
        if record is None:
            record = examine_text(text)
        self._keep(path, rule_set, _Checked(text, record, selection.digest))
        return replace(record, outline=None)

    def _find(self, path: Path | None, rule_set: RuleSet, selection: Selection) -> _Checked | None:
        with self._lock:
            if path is None or rule_set is not self._rule_set:
                return None
            checked = self._checked.get(path)
        return checked if checked is not None and checked.digest == selection.digest else None

    def _keep(self, path: Path | None, rule_set: RuleSet, checked: _Checked) -> None:
        if path is None:
            return
        with self._lock:
            if rule_set is not self._rule_set:
                self._rule_set = rule_set
                self._checked.clear()
            if checked.record.outline is not None:  # Else what was known before is kept.
                self._checked.pop(path, None)
                self._checked[path] = checked
            if len(self._checked) > _KEPT_TEXTS:
                self._checked.popitem(last=False)


def find_splice(before: str, after: str) -> Splice:
    """Return the shortest splice that makes one text of the other."""
    shortest = min(len(before), len(after))
    start = _bisect(shortest, lambda done, n: before[done:n] == after[done:n])
    n_before, n_after = len(before), len(after)
    n_same = _bisect(
        shortest - start,
        lambda done, n: (
            before[n_before - n : n_before - done] == after[n_after - n : n_after - done]
        ),
    )
    return Splice(start, n_before - n_same, n_after - n_same)


def _bisect(most: int, is_same: Callable[[int, int], bool]) -> int:
    """Return the largest number up to `most` so that everything is the same from 0 to it."""
    least = 0
    while least < most:
        middle = (least + most + 1) // 2
        if is_same(least, middle):
            least = middle
        else:
            most = middle - 1
    return least


class _Continuing:
    """Examines what has changed of one text since it was examined."""

    def __init__(
        self,
        earlier: _Checked,
        text: str,
        language_id: str,
        may_reach: Callable[[str, Reach], bool],
        examine_text: Callable[[str], Record],
    ) -> None:
        self._before = earlier.text
        self._findings = earlier.record.findings
        self._outline = earlier.record.outline or Outline(())
        self._text = text
        self._language_id = language_id
        self._may_reach = may_reach
        self._examine_text = examine_text

    def examine(self) -> Record | None:
        """Return the record of the text; None if the whole of it has to be checked."""
        if not _ends_lines_alike(self._before, self._text) or self._may_reach(self._text, "text"):
            return None
        if judge_text(self._text) is not None or nests_deeply(self._text):
            return None
        splice = find_splice(self._before, self._text)
        part = self._find_members(splice)
        if part is not None and not self._may_reach(self._text, "statement"):
            record = self._examine_part(part, splice)
            if record is not None:
                return record
        return self._examine_part(self._find_statements(splice), splice)

    def _find_statements(self, splice: Splice) -> _Part:
        """Return the statements that an edit may have changed."""
        starts = self._outline.statements
        first, last = self._find_changed(starts, splice)
        behind = [start + splice.growth for start in starts[last : last + 2]]
        return _Part(
            start=starts[first] if first >= 0 else 0,
            end=behind[0] if behind else len(self._text),
            follower=_find_follower(self._text, behind, self._language_id),
        )

    def _find_members(self, splice: Splice) -> _Part | None:
        """Return the members of a class that an edit may have changed, if it changed nothing else.

        The last member goes to the end of the class, where the next statement begins.
        """
        statements, members = self._outline.statements, self._outline.members
        outer = bisect_right(statements, splice.start) - 1
        if outer < 0:
            return None
        begin = statements[outer]
        end = statements[outer + 1] if outer + 1 < len(statements) else len(self._before)
        own = members[bisect_right(members, begin) : bisect_left(members, end)]
        first, last = self._find_changed(own, splice)
        if first < 0:
            return None
        is_last = last == len(own)
        stop = end if is_last else own[last]
        is_unchanged = splice.end_before <= stop and self._begins_line(stop, splice)
        if self._text.endswith(_CONTINUED, 0, stop + splice.growth) or not (
            is_unchanged or stop == len(self._before)
        ):
            return None
        line = self._before[stop : self._before.find("\n", stop)]
        indentation = line[: len(line) - len(line.lstrip())]
        follower = indentation + _PYTHON_STATEMENT if stop < len(self._before) else ""
        return _Part(own[first], stop + splice.growth, follower, self._before[begin : own[0]])

    def _find_changed(self, starts: Sequence[int], splice: Splice) -> tuple[int, int]:
        """Return the index of the first that an edit may have changed, and of the first behind it.

        The first line of the first one is unchanged, so that what stands in front of it is parsed
        as it was. It is -1 where there is none.
        """
        first = bisect_right(starts, splice.start) - 1
        while first >= 0 and not 0 <= self._before.find("\n", starts[first]) < splice.start:
            first -= 1
        last = bisect_left(starts, splice.end_before)
        if last < len(starts) and not self._begins_line(starts[last], splice):
            last += 1
        return first, last

    def _begins_line(self, offset_before: int, splice: Splice) -> bool:
        offset = offset_before + splice.growth
        return not offset or self._text[offset - 1] == "\n"

    def _examine_part(self, part: _Part, splice: Splice) -> Record | None:
        """Return the record of the text; None if the part does not tell it."""
        text = part.read(self._text)
        if len(text) > len(self._text) * _LARGEST_PART:
            return None
        if part.header and self._may_reach(text, "statement"):
            return None  # The follower has a word that stands nowhere else.
        found = self._examine_text(text)
        if found.reason is not None or found.outline is None or not _fits(part, found.outline):
            return None
        return Record(
            findings=tuple(self._join_findings(found.findings, part, splice)),
            may_suppress=may_dismiss(self._text),
            outline=self._join_outlines(found.outline, part, splice),
        )

    def _join_outlines(self, found: Outline, part: _Part, splice: Splice) -> Outline:
        def join(before: Sequence[int], changed: Sequence[int]) -> tuple[int, ...]:
            behind = bisect_left(before, part.end - splice.growth)
            moved = (start + part.start - len(part.header) for start in changed)
            return (
                *before[: bisect_left(before, part.start)],
                *(start for start in moved if part.start <= start < part.end),
                *(start + splice.growth for start in before[behind:]),
            )

        return Outline(
            join(self._outline.statements, found.statements),
            join(self._outline.members, found.members),
        )

    def _join_findings(
        self, found: Sequence[Finding], part: _Part, splice: Splice
    ) -> Iterator[Finding]:
        """Yield by position what was found before the part, in it, and behind it."""
        n_lines_header = part.header.count("\n")
        n_lines_before = self._text.count("\n", 0, part.start)
        n_lines = self._text.count("\n", 0, part.end)
        n_lines_earlier = self._before.count("\n", 0, part.end - splice.growth)
        is_last = part.end == len(self._text)
        for finding in self._findings:
            if finding.range.start.line <= n_lines_before:
                yield finding
        for finding in found:
            if finding.range.start.line > n_lines_header:
                moved = _move(finding, n_lines_before - n_lines_header)
                if is_last or moved.range.start.line <= n_lines:
                    yield moved
        for finding in self._findings:
            if not is_last and finding.range.start.line > n_lines_earlier:
                yield _move(finding, n_lines - n_lines_earlier)


def _fits(part: _Part, outline: Outline) -> bool:
    """Say whether everything in a part begins as it does in the whole text."""
    end = len(part.header) + part.end - part.start
    if not part.header:
        behind = outline.statements[bisect_left(outline.statements, end) :]
        return behind == ((end,) if part.follower else ())
    if outline.members[:1] != (len(part.header),):
        return False
    if not part.follower or part.follower == _PYTHON_STATEMENT:
        return outline.statements == ((0, end) if part.follower else (0,))
    return outline.statements == (0,) and outline.members[-1] == end


def _find_follower(text: str, starts: Sequence[int], language_id: str) -> str:
    """Return what follows a part: something short that a parser takes for the same beginning.

    `starts` are the offsets of the statement behind the part and of the next one, if there are.
    """
    if not starts:
        return ""
    short = None
    if language_id != "python":
        first_word = _FIRST_WORD.match(text, starts[0])
        short = _STATEMENTS.get(first_word[0]) if first_word else None
    elif not text.endswith(_CONTINUED, 0, starts[0]):
        short = _PYTHON_STATEMENT
    return short or text[starts[0] : starts[1] if len(starts) > 1 else len(text)]


def _move(finding: Finding, n_lines: int) -> Finding:
    if not n_lines:
        return finding
    return replace(
        finding,
        range=_move_range(finding.range, n_lines),
        fix=tuple((_move_range(place, n_lines), text) for place, text in finding.fix),
    )


def _move_range(place: Range, n_lines: int) -> Range:
    start, end = place.start, place.end
    return Range(Point(start.line + n_lines, start.column), Point(end.line + n_lines, end.column))


def _ends_lines_alike(*texts: str) -> bool:
    """Say whether all lines of each text end in one way, as editors write them."""
    return all(
        "\r" not in text or text.count("\r") == text.count("\n") == text.count("\r\n")
        for text in texts
    )
