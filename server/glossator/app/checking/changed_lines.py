"""What a change is to be judged by: the lines of the working tree that a base does not have."""

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from glossator.app.checking.paths import locate_path
from glossator.app.checking.report import CheckReport, put_findings
from glossator.app.phrasing import Phrasing, count
from glossator.core.errors import InvalidArguments, ProtectedFile
from glossator.rules.finding import Finding
from glossator.rules.judging.regions import Lines
from glossator.tools.diff_text import Difference
from glossator.tools.differences import find_difference
from glossator.tools.file_diffs import FileDiff
from glossator.tools.git.folder import find_repository
from glossator.tools.line_diffs import Hunk
from glossator.tools.workspace import Workspace

_WHOLE: tuple[Lines, ...] = ((1, sys.maxsize),)


@dataclass(frozen=True, slots=True)
class ChangedLines:
    """What has changed since a commit, which `against` names.

    `lines` are those that are new or other ones, of each file that differs, by its real path.
    `notes` say what was not looked at.
    """

    against: str
    lines: Mapping[Path, Sequence[Lines]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()


def find_changed_lines(
    paths: Iterable[Path],
    base: str,
    workspace: Workspace,
    say: Phrasing,
    is_stopped: Callable[[], bool],
) -> ChangedLines:
    """Return the lines at `paths` that came since the history of HEAD and of `base` parted.

    The files are those of the working tree, what is not committed and not tracked included; what
    Git ignores counts where it is named itself. A file that moved has the lines that differ; one
    that cannot be compared has all of its lines. Reads the repository: for a worker thread.

    Raises:
        InvalidArguments, UnreadableRepository: there is no such commit, or no repository.
        OutsideWorkspace, UnreadableFile: a path leads outside or to nothing.
    """
    named = [_locate(path, workspace) for path in paths]
    against: list[str] = []
    lines: dict[Path, Sequence[Lines]] = {}
    notes: list[str] = []
    for root in workspace.roots:
        if not any(path.is_relative_to(root) for path in named):
            continue
        if find_repository(root, root) is None:
            raise InvalidArguments(
                say(
                    f"`{root.name}` is in no Git repository, so there is nothing to compare with "
                    f"`{base}`.",
                    f"`{root.name}` 不在 Git 仓库中，无法与 `{base}` 比较。",
                )
            )
        difference = find_difference(workspace, root, base, is_stopped, from_merge_base=True)
        against.append(difference.against)
        notes += _tell_left_out(difference, say)
        notes += _tell_submodules(difference, say)
        for diff in difference.files:
            path = diff.change.real
            # A link is no text, and what it leads to has changed by itself or not at all.
            is_text = path.is_file() and not path.is_symlink()
            if is_text and _is_asked(path, named, workspace):
                lines[path] = _list_lines(diff)
    return ChangedLines(", ".join(dict.fromkeys(against)), lines, tuple(notes))


def _tell_submodules(difference: Difference, say: Phrasing) -> Iterator[str]:
    for change in (diff.change for diff in difference.files):
        if any(note.startswith("submodule") for note in change.notes):
            yield say(
                f"the submodule `{change.path}` has changed; its files are not looked into. Run "
                "`glossator check --diff` in it",
                f"子模块 `{change.path}` 有改动，未查看其中的文件；请在其中运行 "
                "`glossator check --diff`",
            )


def keep_changed(
    reports: Iterable[CheckReport], changed: Mapping[Path, Sequence[Lines]]
) -> tuple[CheckReport, ...]:
    """Return the reports with the findings that touch a changed line; the others go apart."""
    return tuple(_keep(report, changed) for report in reports)


def _keep(report: CheckReport, changed: Mapping[Path, Sequence[Lines]]) -> CheckReport:
    lines = changed.get(report.path, ()) if report.path is not None else ()
    kept: list[Finding] = []
    elsewhere: list[Finding] = []
    for finding in report.findings:
        (kept if _touches(finding, lines) else elsewhere).append(finding)
    if not elsewhere:
        return report
    return put_findings(report, kept, elsewhere=tuple(elsewhere))


def _touches(finding: Finding, lines: Sequence[Lines]) -> bool:
    start, end = finding.range.start, finding.range.end
    # What ends before the first character of a line does not touch it.
    last = end.line - 1 if end.column == 0 and end.line > start.line else end.line
    return any(first <= last and start.line <= until for first, until in lines)


def _locate(path: Path, workspace: Workspace) -> Path:
    try:
        return locate_path(path, workspace)
    except ProtectedFile:  # The check says that it is one.
        return path.absolute()


def _is_asked(path: Path, named: Sequence[Path], workspace: Workspace) -> bool:
    if path in named:
        return True
    return any(path.is_relative_to(each) for each in named) and not workspace.is_ignored(path)


def _list_lines(diff: FileDiff) -> tuple[Lines, ...]:
    if diff.hunks:
        return tuple(_join_lines(diff.hunks))
    if diff.old is not None and diff.new is not None:
        # Moved, or other line ends or another encoding: no line says anything else than before.
        is_compared = diff.old.kind == diff.new.kind == "text" or diff.change.status == "R"
        return () if is_compared else _WHOLE
    is_compared = not any("not compared" in note for note in diff.notes)
    return () if diff.change.is_listed_only and is_compared else _WHOLE


def _join_lines(hunks: Iterable[Hunk]) -> Iterator[Lines]:
    span: Lines | None = None
    for number in (line.new_number for hunk in hunks for line in hunk.lines if line.sign == "+"):
        if span is not None and number == span[1] + 1:
            span = (span[0], number)
            continue
        if span is not None:
            yield span
        span = (number, number)
    if span is not None:
        yield span


def _tell_left_out(difference: Difference, say: Phrasing) -> Iterator[str]:
    comparison = difference.comparison
    n_left_out = comparison.n_left_out + comparison.n_untracked_left_out
    if n_left_out:
        yield say(
            f"{count(n_left_out, 'more file')} may have changed and were not looked at",
            f"另有 {n_left_out} 个文件可能有改动，未查看",
        )
    if not comparison.is_walked:
        yield say(
            "not all folders were looked into for files that Git does not track yet: time was up",
            "因时间用完，未在所有文件夹中查找 Git 尚未跟踪的文件",
        )
