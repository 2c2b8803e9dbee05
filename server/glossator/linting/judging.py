"""Judge one document by all checks; what its reader says and no check does is added."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace

from glossator.core.locations import Span
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

MAX_OF_A_CODE = 20
"""So many findings of one code are told one by one; of the others their number is."""

# They stand in the text and say nothing about the header or the document as a whole.
_OF_THE_TEXT = frozenset(
    {
        "dead-link", "dead-anchor", "line-beyond-end", "missing-path", "unknown-script",
        "unknown-target", "unknown-task", "missing-file-of-command", "duplicate-rule",
        "contradiction", "repeated-section", "empty-section", "wordless-section", "long-section",
    }
)  # fmt: skip


def judge_document(
    document: Document, around: Surroundings, *, is_summed_up: bool = True
) -> tuple[Finding, ...]:
    """Return what is wrong with a document, in the order of the text.

    Many findings of one code are summed up, unless each one is wanted.
    """
    subject = Subject(document, around)
    found = [finding for check in CHECKS for finding in check(subject)]
    found += _restate_problems(subject, found)
    distinct = {(each.range, each.code, each.arguments.get("message", "")): each for each in found}
    ordered = sorted(distinct.values(), key=lambda each: (each.range, each.code))
    return tuple(_sum_up(document, ordered) if is_summed_up else ordered)


def _sum_up(document: Document, ordered: list[Finding]) -> Iterator[Finding]:
    """Yield the first findings of each code, and in the place of the next one how many follow."""
    totals = Counter(each.code for each in ordered)
    last = {each.code: each.range.end.line for each in ordered}
    seen: Counter[str] = Counter()
    for each in ordered:
        seen[each.code] += 1
        n_more = totals[each.code] - MAX_OF_A_CODE
        # One more takes no more room than to say so.
        if seen[each.code] <= MAX_OF_A_CODE or n_more == 1:
            yield each
        elif seen[each.code] == MAX_OF_A_CODE + 1:
            place = Span(document.path, last[each.code], last[each.code])
            arguments = {"more": str(n_more), "last": str(last[each.code])}
            yield replace(each, arguments=arguments, repair=None, related=(place,))


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
            told = find("unusable", subject.line(problem.line), message=problem.message)
            yield replace(told, severity="hint") if problem.is_note else told
