"""Write the comment that dismisses a finding where one can stand, and nowhere else."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from glossator.app.checking.fixing import Edit
from glossator.app.checking.recent_tree import RecentTree
from glossator.app.checking.suppressing import comment_language
from glossator.code.languages import Language, find_language
from glossator.code.syntax import count_faults, is_comment, parse_syntax
from glossator.core.locations import Point, Range
from glossator.core.text import SourceText
from glossator.rules.finding import Finding
from glossator.rules.fixes import apply_edits
from glossator.rules.suppressing.directives import (
    Extent,
    find_directives,
    lines_of,
    write_directive,
)

# What must stand in the first line of a file; an encoding in the first two, or not at all.
_FIRST = ("#!", "<?", "<!", "---")
_CODING = re.compile(r"[ \t\f]*#.*?coding[:=]")
_MAX_HEAD_LINES = 5


class Commenting:
    """Writes comments. For any thread; parses."""

    def __init__(self, recent: RecentTree) -> None:
        self._recent = recent

    def write(self, finding: Finding, source: SourceText, extent: Extent) -> Edit | None:
        """Return the edit that dismisses a finding by a comment; None where none can stand.

        What is tried must be a comment to the parser and leave the code as sound as it was: it is
        neither in a string nor in a statement that a comment would end.
        """
        name = comment_language(source)
        language = find_language(source.name, source.language_id)
        line_break = "\r\n" if "\r\n" in source.text else "\n"
        for comment in write_directive(finding, source, name, extent):
            for line in _list_lines(finding, source, extent):
                code = source.lines[line - 1] if line <= len(source.lines) else ""
                indent = code[: len(code) - len(code.lstrip())] if extent == "line" else ""
                # Above `package` it would be the documentation of the package.
                gap = line_break if extent == "file" and name == "go" else ""
                place = Range(Point(line, 0), Point(line, 0))
                edit = (place, f"{indent}{comment}{line_break}{gap}")
                # In JSX the comment begins behind a brace.
                start = Point(line, len(indent) + comment.startswith("{"))
                if self._is_understood(edit, start, source, language, name):
                    return edit
        return None

    def _is_understood(
        self, edit: Edit, start: Point, source: SourceText, language: Language | None, name: str
    ) -> bool:
        text = apply_edits(source.text, [edit])
        if language is None:
            found = find_directives(replace(source, text=text), name)
            return any(each.place.start.line == start.line for each in found)
        before = self._recent.parse(source, language)
        after = parse_syntax(text, language, before)
        return is_comment(after, start) and count_faults(after) <= count_faults(before)


def _list_lines(finding: Finding, source: SourceText, extent: Extent) -> Iterator[int]:
    """Yield the lines above which the comment may go."""
    if extent == "line":
        line = lines_of(finding)[0]
        if not _goes_on(source.lines, line - 1):
            yield line
        return
    for line in range(1, min(len(source.lines), _MAX_HEAD_LINES) + 1):
        is_taken = line == 1 and source.lines[0].startswith(_FIRST)
        if not is_taken and not (line <= 2 and any(map(_CODING.match, source.lines[:2]))):
            yield line


def _goes_on(lines: Sequence[str], line: int) -> bool:
    """Say whether a line, counted from 1, goes on behind a backslash at its end."""
    return line >= 1 and lines[line - 1].endswith("\\")
