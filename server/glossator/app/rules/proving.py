"""Prove rules by their examples: every check flags the bad ones and leaves the good ones alone."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from glossator.app.library import Library
from glossator.app.phrasing import Phrasing
from glossator.app.results import Problem
from glossator.app.rules.nearest import find_nearest, tell_no_rule
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
    """The rules with checks, tried. `problems` are what else is wrong in files of rules.

    `unchecked` are the rules that were named and have no check, each with what to do.
    """

    rules: tuple[ProvenRule, ...]
    problems: tuple[Problem, ...]
    unchecked: tuple[Problem, ...] = ()

    @property
    def are_complete(self) -> bool:
        """Whether everything that was to be proven is, and nothing is wrong beside it."""
        is_proven = all(rule.is_proven for rule in self.rules)
        return is_proven and not self.problems and not self.unchecked


def prove_rules(
    library: Library, prose: Iterable[Rule], rule_ids: Sequence[str], say: Phrasing
) -> Proofs:
    """Try the rules with these ids, or all. Takes about a millisecond for each example.

    Of the rules in `prose` there is nothing to be tried; what is named and has no check is told.

    Raises:
        InvalidArguments: there is no rule with one of the ids.
    """
    unchecked: list[Problem] = []
    if rule_ids:
        known = (*library.rules, *prose)
        for rule_id in dict.fromkeys(rule_ids):
            found = find_rules(known, rule_id, say)
            unchecked += [_tell_unchecked(rule, say) for rule in found if not rule.checks]
    wanted = [rule for rule in library.rules if not rule_ids or rule.id in rule_ids]
    proven = tuple(_prove(rule, say) for rule in wanted if rule.checks)
    said = {(problem.path, problem.line) for each in proven for problem in each.problems}
    paths = {rule.path for rule in wanted}
    others = (
        Problem(each.path, each.line, say.translate(each.message))
        for each in library.problems
        if not each.is_note and each.path in paths and (each.path, each.line) not in said
    )
    problems = tuple(_of_rules(others, wanted) if rule_ids else others)
    return Proofs(proven, problems, tuple(unchecked))


def find_rules(rules: Iterable[Rule], rule_id: str, say: Phrasing) -> tuple[Rule, ...]:
    """Return the rules with an id: one, or several that are each for their own files.

    Raises:
        InvalidArguments: there is none.
    """
    rules = tuple(rules)
    found = tuple(rule for rule in rules if rule.id == rule_id)
    if not found:
        near = find_nearest(rule_id, (rule.id for rule in rules))
        raise InvalidArguments(tell_no_rule(rule_id, near, say))
    return found


def _tell_unchecked(rule: Rule, say: Phrasing) -> Problem:
    told = say(f"`{rule.id}` has no check to be tested", f"`{rule.id}` 没有可测试的检查")
    told += (
        say(
            f"; `glossator rules compile {rule.id}` has the model write one.",
            f"；`glossator rules compile {rule.id}` 会让模型编写一个。",
        )
        if rule.origin == "workspace"
        else say(
            "; it ships with Glossator or is personal, and has none.",
            "；它随 Glossator 提供或属于个人，因此没有检查。",
        )
    )
    return Problem(rule.path, rule.line, told)


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
