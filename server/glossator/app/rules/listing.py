"""Every rule: how it is measured, where it is from, which files it is for."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from glossator.app.checking.compiled import scope_of
from glossator.app.library import Library
from glossator.code.languages import identify_language
from glossator.core.text import SourceText
from glossator.rules.rule import Rule, RuleKind, Severity
from glossator.rules.scope import find_mismatch

RuleState = Literal["active", "applies", "disabled", "other-files", "other-language", "prose"]
"""Whether a rule counts for a file; `active` where none is asked about."""


@dataclass(frozen=True, slots=True)
class ListedRule:
    """A rule as it is listed. `files` are all globs that narrow it, its document's first.

    `n_good` and `n_bad` count its examples. `root` is its workspace folder where there are several.
    """

    id: str
    kind: RuleKind
    severity: Severity
    text: str
    rationale: str
    path: str
    line: int
    origin: str
    languages: tuple[str, ...]
    files: tuple[str, ...]
    link: str
    n_good: int
    n_bad: int
    has_fix: bool
    root: str
    state: RuleState


def list_rules(
    library: Library, prose: Iterable[Rule] = (), source: SourceText | None = None
) -> tuple[ListedRule, ...]:
    """List the rules and what is prose beside them, each where its file has it.

    Files are in the order of the library; with `source`, it is said if each is for that one.
    """
    active = set(map(id, library.rule_set.rules))
    listed = [
        _list(rule, _find_state(rule, source) if id(rule) in active else "disabled")
        for rule in library.rules
    ]
    listed += [_list(rule, _find_state(rule, source)) for rule in prose]
    order = {path: number for number, path in enumerate(dict.fromkeys(r.path for r in listed))}
    return tuple(sorted(listed, key=lambda rule: (order[rule.path], rule.line)))


def _list(rule: Rule, state: RuleState) -> ListedRule:
    kinds = Counter(example.kind for example in rule.examples)
    in_checks = dict.fromkeys(language for check in rule.checks for language in check.languages)
    narrowing = [glob for check in rule.checks for glob in check.files]
    shutting_out = [f"!{glob}" for check in rule.checks for glob in check.ignores]
    return ListedRule(
        id=rule.id,
        kind=rule.kind,
        severity=rule.checks[0].severity if rule.checks else rule.severity,
        text=rule.text,
        rationale=rule.rationale,
        path=rule.path,
        line=rule.line,
        origin=rule.origin,
        languages=tuple(in_checks) or rule.languages,
        files=tuple(dict.fromkeys((*rule.globs, *rule.files, *narrowing, *shutting_out))),
        link=rule.link,
        n_good=kinds["good"],
        n_bad=kinds["bad"],
        has_fix=any(check.fix for check in rule.checks),
        root=rule.root,
        state=state,
    )


def _find_state(rule: Rule, source: SourceText | None) -> RuleState:
    if source is None:
        return "active"
    if rule.kind == "prose":
        return "prose"
    language_id = identify_language(source.name, source.language_id)
    return find_mismatch(rule, scope_of(source), language_id) or "applies"
