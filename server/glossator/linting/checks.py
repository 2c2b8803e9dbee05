"""The checks of rules: are they taken for checks, do they compile, do their examples prove them."""

import difflib
import re
from collections.abc import Iterator
from typing import Literal

from glossator.core.locations import Span
from glossator.linting.finding import Finding, find, replace_with
from glossator.linting.header import range_on
from glossator.linting.markup import Fence
from glossator.linting.subject import Subject
from glossator.rules.checks import KEYS as CHECK_KEYS
from glossator.rules.examples import check_examples
from glossator.rules.fences import guess_block_info, read_block_kind
from glossator.rules.parse import parse_rules
from glossator.rules.rule import Rule, RuleProblem

_KEY = re.compile(r"(?P<indent>\s*)(?P<key>[A-Za-z_][\w-]*)\s*:(?:\s|$)")
_LIKENESS = 0.7
_SIGNS = ("{#", "{.", "check", "rule")  # What no document with a faulty rule is without.


def check_checks(subject: Subject) -> Iterator[Finding]:
    """Judge the blocks that are, or look like, checks and examples of rules."""
    document = subject.document
    for fence in subject.markup.fences:
        yield from _check_fence(subject, fence)
    if not any(mark in document.text for mark in _SIGNS):
        return  # Items of a skill are rules too, but nothing can be wrong with those.
    rules, problems = parse_rules(
        document.text,
        path=document.path,
        document=document.name,
        origin=document.origin,
        globs=document.globs,
        home=document.home_scope,
        every_item=document.family == "skill",
    )
    said = {line for line, _ in _list_unknown_keys(subject)} | _list_misspelt(subject)
    for problem in problems:
        if problem.line in said:
            continue
        first = next((rule for rule in rules if rule.id == problem.rule_id), None)
        if first is None or first.line == problem.line or not _is_twin(problem, first):
            yield find("broken-rule", subject.line(problem.line), message=problem.message)
        elif _names(first.id, subject.lines[problem.line - 1]):
            # Ids that nobody wrote are made of the text: that it stands twice is said elsewhere.
            yield _report_twin(subject, problem.line, first, counting="there")
    for rule in rules:
        for problem in check_examples(rule):
            yield find("failing-example", subject.line(problem.line), message=problem.message)
        yield from _check_id(subject, rule)


def _check_fence(subject: Subject, fence: Fence) -> Iterator[Finding]:
    kind = read_block_kind(fence.info)
    if kind == "check":
        if not fence.is_in_item:
            yield find("check-outside-rule", fence.range)
        yield from _check_keys(subject, fence)
        return
    meant = _guess_info(fence)
    if meant:
        yield find(
            "misspelt-fence",
            fence.range,
            repair=replace_with(fence.range, meant),
            info=fence.info,
            new=meant,
        )


def _guess_info(fence: Fence) -> str:
    return guess_block_info(fence.info, fence.text) if fence.is_in_item else ""


def _list_misspelt(subject: Subject) -> set[int]:
    return {fence.range.start.line for fence in subject.markup.fences if _guess_info(fence)}


def _names(rule_id: str, text: str) -> bool:
    """Say whether an id was written, and not made of the rule's words."""
    return re.search(rf"\{{#{re.escape(rule_id)}[\s}}]", text) is not None


def _check_keys(subject: Subject, fence: Fence) -> Iterator[Finding]:
    for line, key in _list_keys(fence):
        if key in CHECK_KEYS:
            continue
        taken = {each for _, each in _list_keys(fence)}
        near = [
            each
            for each in difflib.get_close_matches(key, CHECK_KEYS, 1, _LIKENESS)
            if each not in taken
        ]
        place = range_on(line, subject.lines[line - 1].find(key), len(key))
        repair = replace_with(place, near[0]) if near else None
        yield find("unknown-check-key", place, repair=repair, key=key, new=near[0] if near else "")


def _list_keys(fence: Fence) -> list[tuple[int, str]]:
    """Return the outermost keys of a check with their lines."""
    found = []
    for offset, line in enumerate(fence.text.split("\n"), start=fence.line + 1):
        match = _KEY.match(line)
        if match is not None and not match["indent"]:
            found.append((offset, match["key"]))
    return found


def _list_unknown_keys(subject: Subject) -> Iterator[tuple[int, str]]:
    for fence in subject.markup.fences:
        if read_block_kind(fence.info) == "check":
            yield from (pair for pair in _list_keys(fence) if pair[1] not in CHECK_KEYS)


def _is_twin(problem: RuleProblem, first: Rule) -> bool:
    """Say whether a problem is that an earlier rule has the same id."""
    return f"{first.path}:{first.line}" in problem.message


def _check_id(subject: Subject, rule: Rule) -> Iterator[Finding]:
    """Find another document's rule with the same id for the same files; the first one counts.

    One of a nearer folder takes the place of this one there, which is meant so.
    """
    text = "\n".join(subject.lines[rule.line - 1 : rule.last_line])
    alike = [
        each
        for each in subject.around.corpus.rules.get(rule.id, ())
        if each.origin == rule.origin and each.home == rule.home
    ]
    own = next((each for each in alike if each.path == rule.path), None)
    alike = [each for each in alike if own is None or each.root == own.root]
    other = next((each for each in alike if each.path != rule.path), None)
    if other is None or not _names(rule.id, text):
        return
    if own is None:  # It is not read yet, so it has no place among the others.
        yield _report_twin(subject, rule.line, other, counting="either")
    elif alike[0].path == rule.path:
        yield _report_twin(subject, rule.line, other, counting="here")
    else:
        yield _report_twin(subject, rule.line, alike[0], counting="there")


def _report_twin(
    subject: Subject, line: int, other: Rule, *, counting: Literal["here", "there", "either"]
) -> Finding:
    return find(
        "duplicate-rule-id",
        subject.line(line),
        related=(Span(other.path, other.line, other.last_line),),
        id=other.id,
        where=f"{other.path}:{other.line}",
        here="x" * (counting == "here"),
        there="x" * (counting == "there"),
        either="x" * (counting == "either"),
    )
