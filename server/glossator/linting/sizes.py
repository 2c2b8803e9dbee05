"""Documents that are too long for what they are used for."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator

from glossator.core.text import split_lines
from glossator.core.tokens import estimate_tokens
from glossator.knowledge.documents import (
    LONG_LINE_CHARS,
    MAX_DOCUMENT_CHARS,
    MAX_DOCUMENT_LINES,
    SECTION_CHARS,
)
from glossator.linting.finding import Finding, find
from glossator.linting.header import range_on
from glossator.linting.subject import Subject


def check_sizes(subject: Subject) -> Iterator[Finding]:
    """Judge the document, its sections and its lines."""
    yield from _check_limits(subject)
    if subject.is_skill_folder:
        yield from _check_skill(subject)
    if subject.is_instructions:
        yield from _check_instructions(subject)
    if subject.document.family == "knowledge":
        yield from _check_sections(subject)


def _check_limits(subject: Subject) -> Iterator[Finding]:
    text = subject.document.text
    n_lines = len(subject.lines)
    if len(text) > MAX_DOCUMENT_CHARS or n_lines > MAX_DOCUMENT_LINES:
        line = min(n_lines, MAX_DOCUMENT_LINES)
        yield find("cut-file", subject.line(line), line=f"{line:,}")
    for number, line_text in enumerate(subject.lines[:MAX_DOCUMENT_LINES], start=1):
        if len(line_text) > LONG_LINE_CHARS:
            yield find("long-line", range_on(number, 0, 80), length=f"{len(line_text):,}")


def _check_skill(subject: Subject) -> Iterator[Finding]:
    limits = subject.around.limits
    body = subject.document.body
    n_tokens, n_lines = estimate_tokens(body), len(split_lines(body))
    if n_tokens > limits.skill_tokens or n_lines > limits.skill_lines:
        yield find(
            "over-budget",
            subject.line(subject.document.body_first_line),
            size=f"{n_tokens:,}",
            lines=f"{n_lines:,}",
            limit=f"{limits.skill_tokens:,}",
            skill="yes",
        )


def _check_instructions(subject: Subject) -> Iterator[Finding]:
    limits = subject.around.limits
    text = subject.document.text
    n_tokens = estimate_tokens(subject.document.body)
    if n_tokens > limits.instruction_tokens:
        yield find(
            "over-budget",
            subject.line(subject.document.body_first_line),
            size=f"{n_tokens:,}",
            lines=f"{len(subject.lines):,}",
            limit=f"{limits.instruction_tokens:,}",
            instructions="yes",
        )
    if subject.document.family != "agents":
        return
    n_bytes = 0
    for number, line in enumerate(split_lines(text, keep_ends=True), start=1):
        n_bytes += len(line.encode("utf-8", "surrogatepass"))
        if n_bytes > limits.others_bytes:
            yield find("cut-by-others", subject.line(number), limit=limits.others_bytes // 1024)
            return


def _check_sections(subject: Subject) -> Iterator[Finding]:
    """Find headings whose text was cut into pieces; each piece is found on its own."""
    lines = [heading.line for heading in subject.markup.headings]
    pieces = Counter(bisect_right(lines, s.first_line) for s in subject.document.sections)
    for position, n_pieces in sorted(pieces.items()):
        if position and n_pieces > 1:
            place = subject.line(lines[position - 1])
            yield find("long-section", place, n=n_pieces, limit=f"{SECTION_CHARS:,}")
