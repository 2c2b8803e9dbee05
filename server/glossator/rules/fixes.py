"""Fill the metavariables of a match into a message or a fix, and apply edits to a text."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from ast_grep_py import SgNode

from glossator.core.locations import Point, Range
from glossator.core.text import shorten, split_lines

_METAVARIABLE = re.compile(r"\$\$\$([A-Z_][A-Z0-9_]*)|\$\$?([A-Z_][A-Z0-9_]*)")
_LINE_BREAK = re.compile(r"\r\n|\r|\n")
_MAX_QUOTED_CHARS = 60


@dataclass(frozen=True, slots=True)
class Match:
    """A node that a check matched, in the text it was found in.

    ast-grep counts code points from the start of the text; its own lines do not end at a lone
    carriage return, so points come from `Lines`.
    """

    node: SgNode
    text: str
    has_transforms: bool = False

    def render_message(self, template: str) -> str:
        """Return `template` with `$NAME` filled in, each on one line and not too long."""
        return _METAVARIABLE.sub(lambda name: _quote(self._find_value(name)), template)

    def render_fix(self, template: str) -> str:
        """Return `template` with `$NAME` filled in.

        Further lines get the match's indentation and the text's line break.
        """
        start, _ = find_offsets(self.node)
        line_start = max(self.text.rfind("\n", 0, start), self.text.rfind("\r", 0, start)) + 1
        before = self.text[line_start:start]
        indentation = before[: len(before) - len(before.lstrip())]
        line_break = _LINE_BREAK.search(self.text)
        template = template.replace("\n", (line_break[0] if line_break else "\n") + indentation)
        return _METAVARIABLE.sub(lambda name: self._find_value(name) or "", template)

    def _find_value(self, name: re.Match[str]) -> str | None:
        """Return the text a metavariable stands for, or None when the rule does not have it."""
        if name[1]:
            nodes = self.node.get_multiple_matches(name[1])
            if not nodes:
                return ""
            return self.text[find_offsets(nodes[0])[0] : find_offsets(nodes[-1])[1]]
        captured = self.node.get_match(name[2])
        if captured is not None:
            start, end = find_offsets(captured)
            return self.text[start:end]
        return self.node.get_transformed(name[2]) if self.has_transforms else None


def find_offsets(node: SgNode) -> tuple[int, int]:
    """Return where `node` begins and ends, in code points.

    `node.range()` says the same, but counts the columns of the line anew each time: 20,000
    matches on one long line took two seconds, this way eight milliseconds.
    """
    edit = node.replace("")
    return edit.start_pos, edit.end_pos


def apply_edits(text: str, edits: Iterable[tuple[Range, str]]) -> str:
    """Return `text` with `edits` made; one that overlaps an earlier one is left out."""
    line_starts = [0]
    for line in split_lines(text, keep_ends=True):
        line_starts.append(line_starts[-1] + len(line))

    def offset(point: Point) -> int:
        return line_starts[point.line - 1] + point.column

    pieces = []
    done = 0
    for place, replacement in sorted(edits):
        if offset(place.start) < done:
            continue
        pieces += [text[done : offset(place.start)], replacement]
        done = offset(place.end)
    return "".join([*pieces, text[done:]])


def _quote(value: str | None) -> str:
    if value is None:
        return ""
    return shorten(" ".join(value.split()), _MAX_QUOTED_CHARS)
