"""Many checks as one ast-grep configuration, so that a syntax tree is walked once for all of them.

Of alternatives ast-grep takes the first that matches, and a variable has one value in a whole
match. So a node that any check matches is then tried with each of them, and the variables of
each check get names of their own.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from ast_grep_py import Config, SgNode

from glossator.rules.needles import Needles, find_needles
from glossator.rules.rule import Check, Rule
from glossator.rules.scope import is_limited

# `$NAME` or `$$$NAME` as a whole word; one that begins with `_` has no value, but may be repeated.
_VARIABLE = re.compile(r"(?<![\w$])(\$+[A-Z_][A-Z0-9_]*)(?!\w)")
_MARK = "GLOSSATORCHECK"
_ANY_NODE = {"pattern": "$$GLOSSATORNODE"}
_BROKEN = {"kind": "ERROR"}
_COMBINABLE = frozenset({"rule", "utils"})


@dataclass(frozen=True, slots=True)
class Query:
    """One check of one rule, ready to be combined with others.

    Its variables and utilities end with `suffix`, which no other check of a rule set has; the
    suffix is empty for a check that needs a pass of its own. `mark` is what a node that it matches
    is bound to; `is_limited` is that of `scope`. One of each set of `needles` must occur in a text
    that the check can match.
    """

    rule: Rule
    check: Check
    needles: tuple[Needles, ...]
    suffix: str
    matcher: Mapping[str, Any]
    utils: Mapping[str, Any]
    mark: str
    is_limited: bool

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
        needles=find_needles(config["rule"]),
        suffix=suffix,
        matcher=rename(config["rule"]),
        utils={f"{name}{suffix}": rename(util) for name, util in utils.items()},
        mark=f"{_MARK}{suffix}",
        is_limited=is_limited(rule, check),
    )


def find_nodes(root: SgNode, queries: Sequence[Query]) -> tuple[list[tuple[Query, SgNode]], bool]:
    """Return each node with each query that matches it, and whether the syntax is broken.

    Whether it is broken is only looked for where something was found.
    """
    found: list[tuple[Query, SgNode]] = []
    is_broken = False
    combined = [query for query in queries if not query.has_own_pass]
    if combined:
        for node in root.find_all(_combine(combined)):
            if node.kind() == _BROKEN["kind"]:
                is_broken = True
            get = node.get_match
            found += [(query, node) for query in combined if get(query.mark) is not None]
    alone = [query for query in queries if query.has_own_pass]
    for query in alone:
        found += [(query, node) for node in root.find_all(cast(Config, query.check.config))]
    if found and not combined:
        is_broken = root.find(cast(Config, {"rule": _BROKEN})) is not None
    return found, is_broken


def _combine(queries: Sequence[Query]) -> Config:
    """Return what matches where one of `queries` does, with a mark for each that does."""
    utils: dict[str, Any] = {}
    marks = []
    for query in queries:
        utils |= query.utils
        utils[query.mark] = query.matcher
        marked = {
            "all": [
                {"matches": query.mark},
                {"pattern": f"$${query.mark}"},
            ]
        }
        marks.append({"any": [marked, _ANY_NODE]})
    candidates = {"any": [*(query.matcher for query in queries), _BROKEN]}
    return cast(Config, {"rule": {"all": [candidates, *marks]}, "utils": utils})


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
