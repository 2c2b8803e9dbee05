"""The facts about a change: what it touches, who calls that, what tests it, what breaks a rule.

They are the answer when there is no model, and what a review starts from when there is one.
"""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from glossator.app.briefing import Briefing, gather_briefing
from glossator.app.checking.compiled import scope_of
from glossator.app.checking.finishing import Check, make_check
from glossator.app.checking.report import CheckReport
from glossator.app.library import Library
from glossator.app.parts import Parts
from glossator.app.phrasing import Phrasing
from glossator.app.results import Target
from glossator.code.languages import find_language
from glossator.code.outline import Function, Outline
from glossator.core.errors import GlossatorError
from glossator.core.locations import Point
from glossator.core.text import SourceText
from glossator.rules.finding import Finding
from glossator.rules.rule import Rule
from glossator.tools.code_map import CodeMap
from glossator.tools.diff_text import Difference
from glossator.tools.differences import find_difference
from glossator.tools.file_diffs import FileDiff
from glossator.tools.line_diffs import Hunk
from glossator.tools.testcode import is_test_path

MAX_FUNCTIONS = 40
_LEAST_SHARE = 3
_MAX_SECONDS = 20.0
_COMPARED_SECONDS = 10.0


@dataclass(frozen=True, slots=True)
class ChangedFile:
    """A file that differs, `path` as people see it, `source` as it is now if it is text.

    `functions` are those whose lines changed, `briefings` what is known about the first of them;
    `removed` are the names of functions that are gone. `rules` are those that are checked here,
    `findings` stand on changed lines; `report` is None for a file that is gone or is no text.
    """

    diff: FileDiff
    path: str
    source: SourceText | None = None
    functions: tuple[Function, ...] = ()
    briefings: tuple[Briefing, ...] = ()
    removed: tuple[str, ...] = ()
    rules: tuple[Rule, ...] = ()
    findings: tuple[Finding, ...] = ()
    report: CheckReport | None = None


@dataclass(frozen=True, slots=True)
class ChangeFacts:
    """What is known about a change without a model."""

    differences: tuple[Difference, ...]
    files: tuple[ChangedFile, ...]


def gather_change(
    path: str, revision: str, parts: Parts, library: Library, say: Phrasing
) -> ChangeFacts:
    """Compare the working tree, or what is at `path` in it, with a revision.

    Reads files of the workspace: call it in a worker thread.

    Raises:
        OutsideWorkspace, ProtectedFile: the path may not be looked at.
        InvalidArguments, UnreadableRepository: there is no such revision, or no repository.
    """
    differences = tuple(_compare(path, revision, parts))
    diffs = [diff for difference in differences for diff in difference.files]
    check = make_check(library, parts, say)
    briefed = _Briefed(parts.code_map, library, check, n_files=len(diffs))
    return ChangeFacts(
        differences, tuple(_look_at(diff, parts, library, briefed, check) for diff in diffs)
    )


def _compare(path: str, revision: str, parts: Parts) -> Iterator[Difference]:
    deadline = time.monotonic() + _COMPARED_SECONDS
    folders = parts.workspace.locate_folders(path)
    failures: list[GlossatorError] = []
    for folder in folders:
        try:
            yield find_difference(
                parts.workspace, folder, revision, lambda: time.monotonic() > deadline
            )
        except GlossatorError as error:
            failures.append(error)
    # Of several workspace folders some may be in no repository.
    if len(failures) == len(folders):
        raise failures[0]


def _look_at(
    diff: FileDiff, parts: Parts, library: Library, briefed: "_Briefed", check: Check
) -> ChangedFile:
    path = parts.workspace.show(diff.change.real)
    if diff.change.is_protected or not diff.hunks:
        return ChangedFile(diff, path)
    before = _outline_before(diff, path, parts.code_map)
    try:
        source = parts.workspace.read(diff.change.real)
    except GlossatorError:  # It is gone, or no text any more.
        return ChangedFile(diff, path, removed=_list_removed(before, None))
    outline = parts.code_map.outline(source)
    added = list_added_lines(diff.hunks)
    functions = _list_functions(source, before, outline, diff.hunks)
    report = check(source)
    return ChangedFile(
        diff=diff,
        path=path,
        source=source,
        functions=functions,
        briefings=tuple(briefed.gather(source, functions)),
        removed=_list_removed(before, outline),
        rules=_list_rules(source, library) if report.outcome != "not-checked" else (),
        findings=tuple(each for each in report.findings if _stands_on(each, added)),
        report=report,
    )


def list_added_lines(hunks: Sequence[Hunk]) -> set[int]:
    """Return the lines of the file as it is now that are new or another than before."""
    return {line.new_number for hunk in hunks for line in hunk.lines if line.sign == "+"}


def _list_functions(
    source: SourceText, before: Outline | None, after: Outline | None, hunks: Sequence[Hunk]
) -> tuple[Function, ...]:
    """Return the functions that have new lines, and those that lost some."""
    if after is None:
        return ()
    found = {
        function.range.start: function
        for line in list_added_lines(hunks)
        if line <= len(source.lines)
        and (function := after.enclosing(Point(line, len(source.lines[line - 1])))) is not None
    }
    old_lines = {line.old_number for hunk in hunks for line in hunk.lines if line.sign == "-"}
    shrunk = {
        function.qualified_name
        for line in old_lines
        if before is not None and (function := before.enclosing(Point(line, 10**6))) is not None
    }
    for function in after.functions:
        if function.qualified_name in shrunk:
            found.setdefault(function.range.start, function)
    return tuple(found[start] for start in sorted(found))


def _outline_before(diff: FileDiff, path: str, code_map: CodeMap) -> Outline | None:
    if diff.old is None or diff.old.kind != "text":
        return None
    return code_map.outline(SourceText(path, "".join(diff.old.lines)))


def _list_removed(before: Outline | None, after: Outline | None) -> tuple[str, ...]:
    there = {function.qualified_name for function in after.functions} if after else set()
    gone = (function.qualified_name for function in before.functions) if before else ()
    return tuple(dict.fromkeys(name for name in gone if name not in there))


def _list_rules(source: SourceText, library: Library) -> tuple[Rule, ...]:
    language = find_language(source.name, source.language_id)
    if language is None:
        return ()
    return library.rule_set.applies_to(scope_of(source), language.id)


def _stands_on(finding: Finding, lines: set[int]) -> bool:
    place = finding.range
    return any(line in lines for line in range(place.start.line, place.end.line + 1))


class _Briefed:
    """Gathers briefings of so many functions, a share of them in each file, in so much time."""

    def __init__(self, code_map: CodeMap, library: Library, check: Check, *, n_files: int) -> None:
        self._code_map = code_map
        self._library = library
        self._check = check
        self._n_left = MAX_FUNCTIONS
        self._share = max(_LEAST_SHARE, MAX_FUNCTIONS // max(n_files, 1))
        self._deadline = time.monotonic() + _MAX_SECONDS

    def gather(self, source: SourceText, functions: Sequence[Function]) -> Iterator[Briefing]:
        """Yield what is known about each function, as long as that lasts."""
        if is_test_path(source.scope):
            return  # Nobody calls a test.
        for function in functions[: self._share]:
            if self._n_left <= 0 or time.monotonic() > self._deadline:
                return
            self._n_left -= 1
            target = Target(source, function.name_range.start)
            yield gather_briefing(target, self._code_map, self._library, self._check)
