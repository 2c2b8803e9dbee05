"""What a document says in words: the checks and examples below its rules are for machines."""

import re
from collections.abc import Iterator, Sequence

from glossator.core.text import split_lines
from glossator.knowledge.documents import Section
from glossator.rules.attributes import strip_attributes
from glossator.rules.fences import read_block_kind

_FENCE = re.compile(r"\s*(?:[-*+]\s+)?(?P<mark>`{3,}|~{3,})\s*(?P<info>[^`]*)$")


def prose_of(section: Section) -> list[tuple[int, str]]:
    """Return a section's lines, numbered as in its file, without checks, examples and ids."""
    return list(_keep_prose(section.text.split("\n"), section.first_line))


def prose_of_text(text: str, first_line: int) -> list[tuple[int, str]]:
    """Return the numbered lines of any document text in the same way."""
    return list(_keep_prose(split_lines(text), first_line))


def _keep_prose(lines: Sequence[str], first_line: int) -> Iterator[tuple[int, str]]:
    mark = ""
    is_left_out = False
    was_blank = True
    for number, line in enumerate(lines, first_line):
        fence = _FENCE.match(line)
        if mark:
            if not is_left_out:
                yield number, line
            if fence and fence["mark"].startswith(mark) and not fence["info"].strip():
                mark, is_left_out = "", False
            continue
        if fence:
            mark = fence["mark"]
            is_left_out = read_block_kind(fence["info"]) != ""
            if not is_left_out:
                yield number, line
            continue
        is_blank = not line.strip()
        if not (is_blank and was_blank):
            yield number, strip_attributes(line)
        was_blank = is_blank
