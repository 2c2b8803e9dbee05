"""Differences as text for a model: the files first, then hunks with line numbers to cite.

Behind `|` a line is as in a unified diff. What does not fit is left out from the end of each file
and then file by file; the text says what that is and how to ask for it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from glossator.tools.changes import Comparison
from glossator.tools.escaping import count_invisible, escape_invisible, quote_name, quote_path
from glossator.tools.file_diffs import MAX_PAIRS, FileDiff, split_moved
from glossator.tools.line_diffs import DiffLine, Hunk
from glossator.tools.workspace import Workspace

MAX_LISTED = 100
MAX_LINE_CHARACTERS = 500
MIN_FILE_CHARACTERS = 1500
_NO_LINE_END = "\\ No newline at end of file"


@dataclass(frozen=True, slots=True)
class Difference:
    """How one working tree differs. `against` is the revision in words."""

    against: str
    scope: str
    comparison: Comparison
    files: tuple[FileDiff, ...]


class DiffText:
    """Writes one difference, from `first_line` of a file on, within a number of characters."""

    MAX_CHARACTERS: ClassVar = 24_000

    def __init__(self, workspace: Workspace, first_line: int, n_characters: int) -> None:
        self._workspace = workspace
        self._first_line = first_line
        self._n_left = n_characters
        self._n_hidden = 0

    def render(self, difference: Difference) -> str:
        """Return the text: header, list of files, hunks, what is not shown."""
        files = difference.files
        lines = [self._head(difference)]
        if files:
            lines += ["", *(self._list(diff) for diff in files[:MAX_LISTED])]
        if len(files) > MAX_LISTED:
            lines.append(f"… {len(files) - MAX_LISTED} more files; narrow with `path`.")
        lines += self._describe_left_out(difference)
        n_listed = sum(len(line) for line in lines)
        self._n_left = max(self._n_left - n_listed, self._n_left // 2)
        return "\n".join([*lines, *self._render_hunks([diff for diff in files if diff.hunks])])

    def _render_hunks(self, diffs: Sequence[FileDiff]) -> list[str]:
        if not diffs:
            return []
        lines = ["", "Numbers are lines of the files as they are now; cite `path:line`."]
        left_out: list[FileDiff] = []
        for number, diff in enumerate(diffs):
            if self._n_left < MIN_FILE_CHARACTERS and number:
                left_out.append(diff)
                continue
            share = max(self._n_left // (len(diffs) - number), MIN_FILE_CHARACTERS)
            text = self._render_file(diff, share)
            self._n_left -= sum(len(line) + 1 for line in text)
            lines += ["", *text]
        if left_out:
            lines += ["", self._describe_unshown(left_out)]
        if self._n_hidden:
            count = self._n_hidden
            lines += ["", f"{count} invisible or control characters are written as \\u{{…}}."]
        return lines

    def _head(self, difference: Difference) -> str:
        n_untracked = sum(diff.change.status == "?" for diff in difference.files)
        n_changed = len(difference.files) - n_untracked
        where = f" in {quote_name(difference.scope)}" if difference.scope else ""
        if not difference.files and difference.comparison.is_complete:
            return f"Nothing{where} differs from {difference.against}."
        untracked = f", {n_untracked} untracked" if n_untracked else ""
        verb = "file differs" if n_changed == 1 else "files differ"
        return f"{n_changed} {verb}{where} from {difference.against}{untracked}"

    def _list(self, diff: FileDiff) -> str:
        change = diff.change
        name = quote_path(self._workspace.show(change.real))
        if change.old_path:
            name = f"{self._show_old(diff)} -> {name}"
        added, removed = diff.counts
        counts = [f"+{added}"] * bool(added) + [f"-{removed}"] * bool(removed)
        notes = list(diff.notes)
        if change.is_protected:
            notes.insert(0, "protected, never read")
        shown = f" ({'; '.join(notes)})" if notes else ""
        return escape_invisible(f"{change.status} {' '.join([name, *counts])}{shown}")

    def _show_old(self, diff: FileDiff) -> str:
        change = diff.change
        if not change.old_path:
            return quote_path(self._workspace.show(change.real))
        # Both stand below the repository's top, by the same number of folders above.
        top = change.real.parents[change.path.count("/")]
        return quote_path(self._workspace.show(top / change.old_path))

    def _describe_left_out(self, difference: Difference) -> list[str]:
        comparison = difference.comparison
        gone, come = split_moved(difference.files)
        lines = []
        if len(gone) * len(come) > MAX_PAIRS:
            lines.append("Files that moved stand here as gone and new: there are too many to pair.")
        if comparison.n_left_out:
            lines.append(
                f"{comparison.n_left_out} of {comparison.n_tracked} tracked files were not looked "
                "at: time was up. Narrow with `path`."
            )
        if comparison.n_untracked_left_out:
            lines.append(
                f"{comparison.n_untracked_left_out} more untracked files are not listed. "
                "Narrow with `path`."
            )
        if not comparison.is_walked:
            lines.append("Not all folders were looked into for untracked files: time was up.")
        return lines

    def _describe_unshown(self, diffs: Sequence[FileDiff]) -> str:
        names = [quote_name(self._workspace.show(diff.change.real)) for diff in diffs]
        more = f" and {len(names) - 20} more" if len(names) > 20 else ""
        return (
            f"Changes not shown for want of room: {', '.join(names[:20])}{more}; ask with `path`."
        )

    def _render_file(self, diff: FileDiff, n_characters: int) -> list[str]:
        change = diff.change
        name = quote_path(self._workspace.show(change.real))
        old = "/dev/null" if change.old is None else f"a/{self._show_old(diff)}"
        new = "/dev/null" if change.status == "D" else f"b/{name}"
        text = [f"--- {old}", f"+++ {new}"]
        hunks = [
            hunk for hunk in diff.hunks if hunk.last_line >= self._first_line or not hunk.last_line
        ]
        if not hunks:
            last = diff.hunks[-1].last_line
            return [*text, f"No change at or after line {self._first_line}; the last is at {last}."]
        width = len(str(hunks[-1].last_line))
        n_left = n_characters
        for number, hunk in enumerate(hunks):
            n_shown, shown = self._render_hunk(hunk, width, n_left)
            if number and n_shown < len(hunk.lines):
                return [*text, _describe_rest(name, hunks[number:], 0)]
            text += shown
            n_left -= sum(len(line) + 1 for line in shown)
            if n_shown < len(hunk.lines):
                return [*text, _describe_rest(name, hunks[number:], n_shown)]
        return text

    def _render_hunk(self, hunk: Hunk, width: int, n_characters: int) -> tuple[int, list[str]]:
        """Return how many lines of the hunk fit, and these; at least one."""
        shown = [hunk.header]
        n_left = n_characters - len(hunk.header)
        for number, line in enumerate(hunk.lines):
            if 0 < line.new_number < self._first_line:
                continue
            text = _render_line(line, width)
            n_left -= len(text) + 1
            if n_left < 0 and len(shown) > 1:
                return number, shown
            shown.append(text)
            self._n_hidden += count_invisible(line.text[:MAX_LINE_CHARACTERS])
            if not line.text.endswith("\n"):
                shown.append(f"{'':>{width}}|{_NO_LINE_END}")
        return len(hunk.lines), shown


def _render_line(line: DiffLine, width: int) -> str:
    text = line.text.removesuffix("\n")
    if len(text) > MAX_LINE_CHARACTERS:
        text = f"{text[:MAX_LINE_CHARACTERS]}… [{len(text)} characters]"
    number = str(line.new_number or "")
    return f"{number:>{width}}|{line.sign}{escape_invisible(text)}"


def _describe_rest(name: str, hunks: Sequence[Hunk], n_shown: int) -> str:
    rest = hunks[0].lines[n_shown:]
    following = [line.new_number for line in rest if line.new_number]
    following += [hunk.first_line for hunk in hunks[1:]]
    n_lines = len(rest) + sum(len(hunk.lines) for hunk in hunks[1:])
    text = f"… {n_lines} more lines of this diff are not shown"
    if not following:
        return f"{text}."
    return f"{text}; go on with path={quote_name(f'{name}:{following[0]}')}."
