"""Find where code breaks rules: every check of a language in one pass over the syntax tree."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, cast

from ast_grep_py import Config, SgNode, SgRoot

from glossator.core.errors import GlossatorError
from glossator.core.globs import matches_any
from glossator.core.locations import Point, Range
from glossator.core.text import split_lines
from glossator.rules.finding import Finding
from glossator.rules.fixes import Match, find_offsets
from glossator.rules.needles import find_needles, mentions_any
from glossator.rules.rule import Check, Rule, RuleProblem

# Nobody writes brackets this deep; rules that look through all ancestors take quadratic time there.
_MAX_DEPTH = 400
_NOT_A_BRACKET = re.compile(r"[^()\[\]{}]+")
_LONE_SURROGATE = re.compile(r"[\ud800-\udfff]")
_LONE_RETURN = re.compile(r"\r(?!\n)")
# ast-grep binds this name, with the number of a check, to the node which that check matched.
_MARK = "GLOSSATORCHECK"


class TooDeeplyNested(GlossatorError):
    """Code that no person wrote, and that would take too long to check."""

    code = "too-deeply-nested"


@dataclass(frozen=True, slots=True)
class _Query:
    """One check of one rule. Those with names of their own cannot share a pass with others."""

    rule: Rule
    check: Check
    needles: tuple[str, ...]

    @property
    def can_be_combined(self) -> bool:
        return self.check.config.keys() == {"rule"}


class RuleSet:
    """The checks of some rules, by language. A value: nothing in it changes after it is made."""

    def __init__(self, rules: Iterable[Rule]) -> None:
        self.rules = tuple(rules)
        self._queries: dict[str, list[_Query]] = {}
        for rule in self.rules:
            for check in rule.checks:
                query = _Query(rule, check, tuple(find_needles(check.config["rule"])))
                for language in check.languages:
                    self._queries.setdefault(language, []).append(query)

    def applies_to(self, path: str, language_id: str) -> tuple[Rule, ...]:
        """Return the rules whose checks are made for the file `path` of that language.

        `path` is posix and below its workspace folder; an empty one is in every rule's scope.
        """
        rules = (query.rule for query in self._select(path, language_id))
        return tuple({rule.id: rule for rule in rules}.values())

    def find(self, text: str, language_id: str, path: str) -> tuple[Finding, ...]:
        """Return the findings in `text`, by position.

        Raises `TooDeeplyNested` for code that would take quadratic time. Where the syntax is
        broken, nothing is reported: the tree there is a guess.
        """
        folded_text = text.casefold()
        queries = [
            query
            for query in self._select(path, language_id)
            if mentions_any(folded_text, query.needles)
        ]
        if not queries:
            return ()
        _refuse_deep_nesting(text, path)
        # ast-grep takes valid UTF-8 only; one code point for another keeps all positions.
        text = _LONE_SURROGATE.sub("\ufffd", text)
        # To ast-grep a `\r` alone ends no line: indentation and comments would go on behind it.
        root = SgRoot(_LONE_RETURN.sub("\n", text), language_id).root()
        found = list(_find_nodes(root, queries))
        if not found:
            return ()
        if root.find(kind="ERROR") is not None:
            found = [(query, node) for query, node in found if not _touches_error(node)]
        lines = _Lines(text)
        findings = [_make_finding(query, node, text, lines) for query, node in found]
        # Two checks of one rule may flag the same code; that is one finding.
        distinct = {(finding.range, finding.rule.id): finding for finding in findings}
        return tuple(distinct[key] for key in sorted(distinct))

    def _select(self, path: str, language_id: str) -> list[_Query]:
        queries = self._queries.get(language_id, [])
        return [query for query in queries if not path or _is_in_scope(query, path)]


def check_examples(rule: Rule) -> tuple[RuleProblem, ...]:
    """Return what the examples of `rule` disprove: each bad one is flagged, no good one is."""
    if not rule.checks:
        return ()
    rule_set = RuleSet([rule])
    problems = []
    for example in rule.examples:
        if not rule_set.applies_to("", example.language):
            message = f"No check of `{rule.id}` is for {example.language}; this proves nothing."
            problems.append(RuleProblem(rule.path, example.line, rule.id, message))
            continue
        try:
            findings = rule_set.find(example.text, example.language, "")
        except TooDeeplyNested:
            message = f"This example of `{rule.id}` nests brackets more than {_MAX_DEPTH} deep."
            problems.append(RuleProblem(rule.path, example.line, rule.id, message))
            continue
        if example.kind == "bad" and not findings:
            message = f"The check of `{rule.id}` does not flag this bad example."
            problems.append(RuleProblem(rule.path, example.line, rule.id, message))
        elif example.kind == "good" and findings:
            line = example.line + findings[0].range.start.line - 1
            message = f"The check of `{rule.id}` flags this good example."
            problems.append(RuleProblem(rule.path, line, rule.id, message))
    return tuple(problems)


def _is_in_scope(query: _Query, path: str) -> bool:
    rule, check = query.rule, query.check
    return (
        (not rule.globs or matches_any(rule.globs, path))
        and (not check.files or matches_any(check.files, path))
        and not (check.ignores and matches_any(check.ignores, path))
    )


def _find_nodes(root: SgNode, queries: Sequence[_Query]) -> Iterator[tuple[_Query, SgNode]]:
    combined = [query for query in queries if query.can_be_combined]
    if combined:
        yield from _find_in_one_pass(root, combined)
    for query in queries:
        if not query.can_be_combined:
            for node in root.find_all(cast(Config, query.check.config)):
                yield query, node


def _find_in_one_pass(root: SgNode, queries: Sequence[_Query]) -> Iterator[tuple[_Query, SgNode]]:
    """Yield each node with each check that matches it.

    Of several alternatives ast-grep takes the first that matches. A second pass with the checks in
    reverse order finds the same nodes with the last that does; only where the two differ can
    there be more in between.
    """
    numbers = range(len(queries))
    first_matches = root.find_all(_combine(queries, numbers))
    if not first_matches:
        return
    last_matches = root.find_all(_combine(queries, reversed(numbers)))
    for node, same_node in zip(first_matches, last_matches, strict=True):
        first, last = _find_mark(node, numbers), _find_mark(same_node, reversed(numbers))
        yield queries[first], node
        if last == first:
            continue
        for number in range(first + 1, last):
            rule = queries[number].check.config["rule"]
            if node.matches(**rule):
                # The search begins with the node itself, so this returns it, with its variables.
                yield queries[number], cast(SgNode, node.find({"rule": rule}))
        yield queries[last], same_node


def _combine(queries: Sequence[_Query], numbers: Iterable[int]) -> Config:
    marked: list[Any] = [
        {"all": [queries[number].check.config["rule"], {"pattern": f"$${_MARK}{number}"}]}
        for number in numbers
    ]
    return {"rule": {"any": marked}}


def _find_mark(node: SgNode, numbers: Iterable[int]) -> int:
    return next(number for number in numbers if node.get_match(f"{_MARK}{number}") is not None)


def _touches_error(node: SgNode) -> bool:
    return node.inside(kind="ERROR") or node.has(kind="ERROR")


def _make_finding(query: _Query, node: SgNode, text: str, lines: "_Lines") -> Finding:
    check = query.check
    start, end = find_offsets(node)
    place = Range(lines.find_point(start), lines.find_point(end))
    match = Match(node, text, has_transforms="transform" in check.config)
    return Finding(
        rule=query.rule,
        range=place,
        message=match.render_message(check.message),
        severity=check.severity,
        code=text[start:end],
        fix=((place, match.render_fix(check.fix)),) if check.fix else (),
    )


class _Lines:
    r"""Where the lines of a text begin, broken at `\n`, `\r\n` and `\r` as everywhere here."""

    def __init__(self, text: str) -> None:
        self._starts = [0]
        for line in split_lines(text, keep_ends=True):
            self._starts.append(self._starts[-1] + len(line))
        if self._starts[-1] == len(text) and not text.endswith(("\n", "\r")) and text:
            self._starts.pop()

    def find_point(self, offset: int) -> Point:
        line = bisect_right(self._starts, offset)
        return Point(line, offset - self._starts[line - 1])


def _refuse_deep_nesting(text: str, path: str) -> None:
    """Raise if brackets nest deeper than anyone writes.

    Each turn of the loop takes away the innermost pairs, in C; ordinary code needs a dozen.
    """
    brackets = _NOT_A_BRACKET.sub("", text)
    for _ in range(_MAX_DEPTH):
        shorter = brackets.replace("()", "").replace("[]", "").replace("{}", "")
        if len(shorter) == len(brackets):
            return
        brackets = shorter
    raise TooDeeplyNested(
        f"`{path}` nests brackets more than {_MAX_DEPTH} deep and was not checked; "
        "leave generated files out with the setting `check.exclude`."
    )
