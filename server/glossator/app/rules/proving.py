"""Prove rules by their examples: every check flags the bad ones and leaves the good ones alone."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from glossator.app.library import Library
from glossator.app.phrasing import Phrasing
from glossator.app.results import Problem
from glossator.core.errors import InvalidArguments
from glossator.rules.examples import check_examples
from glossator.rules.rule import Rule


@dataclass(frozen=True, slots=True)
class ProvenRule:
    """A rule with a check and what its examples disprove; `n_examples` of 0 prove nothing."""

    id: str
    path: str
    line: int
    n_examples: int
    problems: tuple[Problem, ...]

    @property
    def is_proven(self) -> bool:
        """Whether some example stood and none failed."""
        return not self.problems and self.n_examples > 0


@dataclass(frozen=True, slots=True)
class Proofs:
    """The rules with checks, tried. `problems` are what else is wrong in files of rules."""

    rules: tuple[ProvenRule, ...]
    problems: tuple[Problem, ...]


def prove_rules(
    library: Library, prose: Iterable[Rule], rule_ids: Sequence[str], say: Phrasing
) -> Proofs:
    """Try the rules with these ids, or all. Takes about a millisecond for each example.

    Of the rules in `prose` alone there is nothing to be tried.

    Raises:
        InvalidArguments: there is no rule with one of the ids.
    """
    if rule_ids:
        known = (*library.rules, *prose)
        for rule_id in rule_ids:
            find_rules(known, rule_id)
    wanted = [rule for rule in library.rules if not rule_ids or rule.id in rule_ids]
    proven = tuple(_prove(rule, say) for rule in wanted if rule.checks)
    said = {(problem.path, problem.line) for each in proven for problem in each.problems}
    paths = {rule.path for rule in wanted}
    others = (
        Problem(each.path, each.line, say.translate(each.message))
        for each in library.problems
        if not each.is_note and each.path in paths and (each.path, each.line) not in said
    )
    return Proofs(proven, tuple(_of_rules(others, wanted) if rule_ids else others))


def find_rules(rules: Iterable[Rule], rule_id: str) -> tuple[Rule, ...]:
    """Return the rules with an id: one, or several that are each for their own files.

    Raises:
        InvalidArguments: there is none.
    """
    found = tuple(rule for rule in rules if rule.id == rule_id)
    if not found:
        raise InvalidArguments(
            f"There is no rule `{rule_id}`. `glossator rules list` shows all of them."
        )
    return found


def _prove(rule: Rule, say: Phrasing) -> ProvenRule:
    problems = tuple(
        Problem(each.path, each.line, say.translate(each.message)) for each in check_examples(rule)
    )
    return ProvenRule(rule.id, rule.path, rule.line, len(rule.examples), problems)


def _of_rules(problems: Iterable[Problem], wanted: Sequence[Rule]) -> list[Problem]:
    return [
        problem
        for problem in problems
        if any(
            rule.path == problem.path and rule.line <= problem.line <= rule.last_line
            for rule in wanted
        )
    ]
