"""Repair files on the disk: all repairs of a file at once, or not the file at all."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from difflib import unified_diff
from pathlib import Path

from glossator.app.linting.linter import LintFinding, LintReport
from glossator.app.linting.text import PREFIX
from glossator.app.phrasing import Phrasing
from glossator.core.errors import GlossatorError
from glossator.core.text import SourceText, split_lines
from glossator.linting.finding import CHOICES
from glossator.linting.repairing import apply_edits
from glossator.tools.replacing import replace_file
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
        before = _read(path, workspace, say)
    except (GlossatorError, OSError, ValueError) as error:
        return Fix(report.shown_path, path, (), "", reason=str(error))
    after, repaired = _repair(SourceText(report.shown_path, before, path), workspace, lint)
    if after == before:
        return None
    fix = Fix(report.shown_path, path, repaired, _show(report.shown_path, before, after))
    if not writes:
        return fix
    try:
        _write(path, before, after)
    except OSError as error:
        reason = say("it cannot be written", "无法写入")
        return replace(fix, reason=f"{reason}: {error.strerror or error}")
    return replace(fix, is_written=True)


def _is_wanted(finding: LintFinding) -> bool:
    return bool(finding.edits) and finding.code.removeprefix(PREFIX) not in CHOICES


def _read(path: Path, workspace: Workspace, say: Phrasing) -> str:
    workspace.locate(str(path))  # Refuses what stands outside or is never read.
    if path.is_symlink() or not path.is_file():
        raise ValueError(say("it is no regular file", "不是普通文件"))
    try:
        return path.read_bytes().decode("utf-8")
    except UnicodeDecodeError as error:
        raise ValueError(say("it is not UTF-8", "不是 UTF-8 编码")) from error


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


def _show(name: str, before: str, after: str) -> str:
    lines = unified_diff(
        split_lines(before), split_lines(after), f"a/{name}", f"b/{name}", lineterm=""
    )
    return "\n".join(lines) + "\n"


def _write(path: Path, before: str, after: str) -> None:
    """Put the new text in the place of the old one, if that is still what was judged."""
    if path.read_bytes() != before.encode("utf-8"):
        raise OSError("it has changed meanwhile")
    replace_file(path, after.encode("utf-8"), mode=path.stat().st_mode & 0o777)
