"""Judge one document by all checks; what its reader says and no check does is added."""

from collections.abc import Callable, Iterator

from glossator.knowledge.documents import Document
from glossator.linting.checks import check_checks
from glossator.linting.commands import check_commands
from glossator.linting.entries import check_entries
from glossator.linting.finding import Finding, find
from glossator.linting.globs import check_globs
from glossator.linting.imports import check_imports
from glossator.linting.invisible import check_invisible
from glossator.linting.keywords import check_keywords
from glossator.linting.links import check_links
from glossator.linting.places import check_places
from glossator.linting.reach import check_reach
from glossator.linting.rule_texts import check_rule_texts
from glossator.linting.sizes import check_sizes
from glossator.linting.skill_header import check_skill_header
from glossator.linting.subject import Subject
from glossator.linting.surroundings import Surroundings
from glossator.linting.values import check_values

Check = Callable[[Subject], Iterator[Finding]]

CHECKS: tuple[Check, ...] = (
    check_entries,
    check_values,
    check_skill_header,
    check_globs,
    check_keywords,
    check_links,
    check_imports,
    check_places,
    check_commands,
    check_rule_texts,
    check_checks,
    check_sizes,
    check_reach,
    check_invisible,
)

MAX_FINDINGS = 500

# They stand in the text and say nothing about the header or the document as a whole.
_OF_THE_TEXT = frozenset(
    {
        "dead-link", "dead-anchor", "line-beyond-end", "missing-path", "unknown-script",
        "unknown-target", "unknown-task", "missing-file-of-command", "duplicate-rule",
        "contradiction", "repeated-section", "empty-section", "wordless-section", "long-section",
    }
)  # fmt: skip


def judge_document(document: Document, around: Surroundings) -> tuple[Finding, ...]:
    """Return what is wrong with a document, in the order of the text, up to five hundred."""
    subject = Subject(document, around)
    found = [finding for check in CHECKS for finding in check(subject)]
    found += _restate_problems(subject, found)
    distinct = {(each.range, each.code, each.arguments.get("message", "")): each for each in found}
    return tuple(sorted(distinct.values(), key=lambda each: (each.range, each.code)))[:MAX_FINDINGS]


def _restate_problems(subject: Subject, found: list[Finding]) -> Iterator[Finding]:
    """Yield what the reader says of lines on which no check has said it already."""
    said = {
        line
        for each in found
        if each.code not in _OF_THE_TEXT
        for line in range(each.range.start.line, each.range.end.line + 1)
    }
    for problem in subject.document.problems:
        if problem.line not in said:
            yield find("unusable", subject.line(problem.line), message=problem.message)
