"""Repair files on the disk: all repairs of a file at once, or not the file at all."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from glossator.app.linting.linter import LintFinding, LintReport
from glossator.app.linting.text import PREFIX
from glossator.app.phrasing import Phrasing
from glossator.app.rewriting import CannotRewrite, read_original, render_diff, write_repaired
from glossator.core.text import SourceText
from glossator.linting.finding import CHOICES
from glossator.linting.repairing import apply_edits
from glossator.tools.workspace import Workspace

_MAX_PASSES = 5


@dataclass(frozen=True, slots=True)
class Fix:
    """What was or would be done to one file; `diff` shows it, `reason` says why it was not done."""

    shown_path: str
    path: Path
    repaired: tuple[LintFinding, ...]
    diff: str
    is_written: bool = False
    reason: str = ""


def fix_file(
    report: LintReport,
    workspace: Workspace,
    lint: Callable[[SourceText], LintReport],
    say: Phrasing,
    *,
    writes: bool,
) -> Fix | None:
    """Repair what can be repaired in a file, or show it; None when nothing can.

    What is a choice of people is left to them. Only regular UTF-8 files of the workspace are
    written, as a whole, and only if they are still what was judged. Blocks: use a worker thread.
    """
    path = report.path
    if path is None or not any(_is_wanted(finding) for finding in report.findings):
        return None
    try:
        original = read_original(path, workspace, say)
        if original.encoding != "utf-8":
            raise CannotRewrite(say("it is not UTF-8", "不是 UTF-8 编码"))
    except CannotRewrite as error:
        return Fix(report.shown_path, path, (), "", reason=str(error))
    before = original.text
    after, repaired = _repair(SourceText(report.shown_path, before, path), workspace, lint)
    if after == before:
        return None
    fix = Fix(report.shown_path, path, repaired, render_diff(report.shown_path, before, after))
    if not writes:
        return fix
    try:
        write_repaired(original, after, say)
    except CannotRewrite as error:
        return replace(fix, reason=str(error))
    return replace(fix, is_written=True)


def _is_wanted(finding: LintFinding) -> bool:
    return bool(finding.edits) and finding.code.removeprefix(PREFIX) not in CHOICES


def _repair(
    source: SourceText, workspace: Workspace, lint: Callable[[SourceText], LintReport]
) -> tuple[str, tuple[LintFinding, ...]]:
    """Return the repaired text; what comes to light by a repair is repaired too."""
    repaired: list[LintFinding] = []
    text = source.text
    below = workspace.path_below_root(source.path) if source.path else ""
    for _ in range(_MAX_PASSES):
        judged = lint(replace(source, text=text, below=below))
        wanted = [finding for finding in judged.findings if _is_wanted(finding)]
        changed, made = apply_edits(text, [finding.edits for finding in wanted])
        if changed == text:
            break
        repaired += [wanted[number] for number in made]
        text = changed
    return text, tuple(repaired)
