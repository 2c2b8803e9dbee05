"""Fill the metavariables of a match into a message or a fix, and apply edits to a text."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from ast_grep_py import SgNode

from glossator.core.lines import Lines
from glossator.core.locations import Range
from glossator.core.text import shorten

_METAVARIABLE = re.compile(r"\$\$\$([A-Z_][A-Z0-9_]*)|\$\$?([A-Z_][A-Z0-9_]*)")
_LINE_BREAK = re.compile(r"\r\n|\r|\n")
_MAX_QUOTED_CHARS = 60


@dataclass(frozen=True, slots=True)
class Match:
    """A node that a check matched, in the text it was found in.

    ast-grep counts code points from the start of the text; its own lines do not end at a lone
    carriage return, so points come from `Lines`. `suffix` is what the names of the check's
    variables end with in the match.
    """

    node: SgNode
    text: str
    has_transforms: bool = False
    suffix: str = ""

    def render_message(self, template: str) -> str:
        """Return `template` with `$NAME` filled in, each on one line and not too long."""
        return _METAVARIABLE.sub(lambda name: _quote(self._find_value(name)), template)

    def render_fix(self, template: str) -> str:
        """Return `template` with `$NAME` filled in.

        Further lines get the match's indentation and the text's line break.
        """
        if "\n" in template:
            template = template.replace("\n", self._find_line_start())
        return _METAVARIABLE.sub(lambda name: self._find_value(name) or "", template)

    def _find_line_start(self) -> str:
        """Return a line break and the indentation of the match."""
        start, _ = find_offsets(self.node)
        line_start = max(self.text.rfind("\n", 0, start), self.text.rfind("\r", 0, start)) + 1
        before = self.text[line_start:start]
        line_break = _LINE_BREAK.search(self.text)
        end_of_line = line_break[0] if line_break else "\n"
        return end_of_line + before[: len(before) - len(before.lstrip())]

    def _find_value(self, name: re.Match[str]) -> str | None:
        """Return the text a metavariable stands for, or None when the rule does not have it."""
        if name[1]:
            nodes = self.node.get_multiple_matches(name[1] + self.suffix)
            if not nodes:
                return ""
            return self.text[find_offsets(nodes[0])[0] : find_offsets(nodes[-1])[1]]
        captured = self.node.get_match(name[2] + self.suffix)
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
    lines = Lines(text)
    pieces = []
    done = 0
    for place, replacement in sorted(edits):
        start = lines.find_offset(place.start)
        if start < done:
            continue
        pieces += [text[done:start], replacement]
        done = lines.find_offset(place.end)
    return "".join([*pieces, text[done:]])


def _quote(value: str | None) -> str:
    if value is None:
        return ""
    return shorten(" ".join(value.split()), _MAX_QUOTED_CHARS)
