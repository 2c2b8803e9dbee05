"""Many checks as one ast-grep configuration, so that a syntax tree is walked once for all of them.

Of alternatives ast-grep takes the first that matches, and a variable has one value in a whole
match. So the checks that may match a node beside the first are tried in another walk, which few
files need, and the variables of each check get names of their own.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, cast

from ast_grep_py import Config, SgNode

from glossator.rules.locality import Reach, find_reach
from glossator.rules.needles import Needs, find_needles
from glossator.rules.rule import Check, Rule
from glossator.rules.scope import is_limited
from glossator.rules.vocabulary import Vocabulary

# `$NAME` or `$$$NAME` as a whole word; one that begins with `_` has no value, but may be repeated.
_VARIABLE = re.compile(r"(?<![\w$])(\$+[A-Z_][A-Z0-9_]*)(?!\w)")
_MARK = "GLOSSATORCHECK"
_BROKEN = {"kind": "ERROR"}
_COMBINABLE = frozenset({"rule", "utils"})
_ONE_KIND = re.compile(r"\w+\Z")


@dataclass(frozen=True)
class Query:
    """One check of one rule, ready to be combined with others.

    Its variables and utilities end with `suffix`, which no other check of a rule set has; the
    suffix is empty for a check that needs a pass of its own. `mark` is what a node that it matches
    is bound to; `is_limited` is that of `scope`.
    """

    rule: Rule
    check: Check
    suffix: str
    matcher: Mapping[str, Any]
    utils: Mapping[str, Any]
    mark: str
    is_limited: bool

    @cached_property
    def needs(self) -> Needs:
        """What a text has that the check can match."""
        return find_needles(self.check.config["rule"], self.check.languages)

    @cached_property
    def own_needs(self) -> Needs:
        """What a node has that the check can match."""
        return find_needles(self.check.config["rule"], self.check.languages, inside_node=True)

    @cached_property
    def kinds(self) -> frozenset[str]:
        """The kinds of the nodes that the check can match; none when they may be of any."""
        return _find_kinds(self.check.config["rule"])

    @cached_property
    def reach(self) -> Reach:
        """How much of the code around it a match may depend on."""
        return find_reach(self.check.config)

    @property
    def has_own_pass(self) -> bool:
        """Whether the check has constraints or transformations, which hold for a whole match."""
        return not self.suffix


def make_query(rule: Rule, check: Check, number: int) -> Query:
    """Prepare a check; `number` is one that no other check of the same rule set has."""
    config = check.config
    suffix = f"_Q{number}" if config.keys() <= _COMBINABLE else ""
    utils = config.get("utils") or {}
    rename = _make_renaming(suffix, frozenset(utils))
    return Query(
        rule=rule,
        check=check,
        suffix=suffix,
        matcher=rename(config["rule"]),
        utils={f"{name}{suffix}": rename(util) for name, util in utils.items()},
        mark=f"{_MARK}{suffix}",
        is_limited=is_limited(rule, check),
    )


def find_nodes(
    root: SgNode, queries: Sequence[Query]
) -> tuple[list[tuple[Query, SgNode]], list[SgNode]]:
    """Return each node with each query that matches it, and where the syntax is broken."""
    found: list[tuple[Query, SgNode]] = []
    waiting = sorted(
        (query for query in queries if not query.has_own_pass),
        key=lambda query: bool(query.kinds),  # What others match beside is small then.
    )
    nodes = root.find_all(_combine(waiting, _BROKEN))
    broken = [node for node in nodes if node.kind() == _BROKEN["kind"]]
    while True:
        again: set[int] = set()
        for node in nodes:
            numbers = range(len(waiting))
            first = next((n for n in numbers if node.get_match(waiting[n].mark)), None)
            if first is not None:
                found.append((waiting[first], node))
                again.update(_find_candidates(node, waiting, set(numbers[first + 1 :]) - again))
        if not again:
            break
        waiting = [waiting[number] for number in sorted(again)]
        nodes = root.find_all(_combine(waiting))
    for query in queries:
        if query.has_own_pass:
            matches = root.find_all(cast(Config, query.check.config))
            found += [(query, node) for node in matches]
    return found, broken


def _find_candidates(
    node: SgNode, queries: Sequence[Query], numbers: Iterable[int]
) -> Iterator[int]:
    """Yield the numbers of the queries that may match a node."""
    kind, vocabulary = node.kind(), None
    for number in numbers:
        query = queries[number]
        if not query.kinds or kind in query.kinds:
            vocabulary = vocabulary or Vocabulary(node.text())
            if vocabulary.mentions_all(query.own_needs):
                yield number


def _combine(queries: Sequence[Query], *others: Mapping[str, Any]) -> Config:
    """Return what matches where one of `queries` does, marked with the first, or another rule."""
    utils: dict[str, Any] = {}
    alternatives: list[Mapping[str, Any]] = []
    for query in queries:
        utils |= query.utils
        alternatives.append({"all": [query.matcher, {"pattern": f"$${query.mark}"}]})
    return cast(Config, {"rule": {"any": [*alternatives, *others]}, "utils": utils})


def _find_kinds(rule: Mapping[str, Any]) -> frozenset[str]:
    kind, parts, choices = rule.get("kind"), rule.get("all"), rule.get("any")
    if isinstance(kind, str) and _ONE_KIND.match(kind):
        return frozenset({kind})
    if isinstance(parts, list):
        return next(filter(None, map(_find_kinds, parts)), frozenset())
    if isinstance(choices, list) and all(found := [_find_kinds(part) for part in choices]):
        return frozenset().union(*found)
    return frozenset()


def _make_renaming(suffix: str, utils: frozenset[str]) -> Callable[[Any], Any]:
    """Return what gives the variables and utilities in a rule their own names."""

    def rename(part: Any, key: str = "") -> Any:
        if isinstance(part, Mapping):
            return {name: rename(value, name) for name, value in part.items()}
        if isinstance(part, list):
            return [rename(value) for value in part]
        if not isinstance(part, str):
            return part
        if key == "matches":
            return f"{part}{suffix}" if part in utils else part
        # The text of a pattern stands below `pattern`, or below `context` within it.
        return _VARIABLE.sub(rf"\1{suffix}", part) if key in ("pattern", "context") else part

    return rename
