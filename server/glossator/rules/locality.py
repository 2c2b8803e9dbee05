"""How far a check looks: whether a match depends on more than the statement it stands in.

What is told apart is the depth of the nodes that a rule is tried on. For the statements of a text
it is 0 for the root, 1 for a statement and 2 for everything within one. For the members of a
class it is 0 for whatever the class is made of around them, 1 for a member and 2 for what can be
none. Nothing may be asked of a node at depth 0 but its kind, nor of the siblings at depth 1.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

Reach = Literal["member", "statement", "text"]
"""What a match depends on: the member of a class, the top-level statement, or all of the text."""

REACHES: tuple[Reach, ...] = ("member", "statement", "text")

_WITHIN = 2

# The kinds of units have these in their names, and many others as well.
_MAY_BE_UNIT = re.compile(
    r"alias|block|comment|declaration|definition|line|module|signature|statement|ERROR"
)
_ROOTS = frozenset({"module", "program"})
_AROUND_MEMBERS = _ROOTS | {"block", "class_definition", "decorated_definition"}
_ONE_KIND = re.compile(r"\w+\Z")
# Such a pattern matches every node.
_BARE_VARIABLE = re.compile(r"\s*\$+[A-Z_0-9]*\s*\Z")
_MAY_BE_CLASS = re.compile(r"\bclass\b|@")
_CONFIG_KEYS = frozenset({"rule", "utils", "constraints", "transform"})
_OWN_KEYS = frozenset({"pattern", "regex", "field", "stopBy"})


def find_reach(config: Mapping[str, Any]) -> Reach:
    """Return what a match of an ast-grep `config` depends on, or more than that.

    For languages whose trees have statements below the root; members are those of Python.
    """
    if not config.keys() <= _CONFIG_KEYS or not _stays(config, _IN_STATEMENTS):
        return "text"
    return "member" if _stays(config, _IN_MEMBERS) else "statement"


@dataclass(frozen=True, slots=True)
class _Units:
    """What a text is taken apart into.

    `around` are the kinds of the nodes around units, `may_be_around` finds patterns of such nodes.
    `least_below` is the least depth of a node below another one, `least_beside` that of the
    siblings of what is no unit.
    """

    around: frozenset[str]
    may_be_around: re.Pattern[str]
    least_below: int
    least_beside: int


_IN_STATEMENTS = _Units(_ROOTS, re.compile("(?!)"), least_below=1, least_beside=_WITHIN)
# Beside the name of a class stands all that it is made of.
_IN_MEMBERS = _Units(_AROUND_MEMBERS, _MAY_BE_CLASS, least_below=0, least_beside=0)


def _stays(config: Mapping[str, Any], units: _Units) -> bool:
    """Say whether each match of a configuration depends on one unit alone."""
    locality = _Locality(config.get("utils") or {}, units)
    constraints = (config.get("constraints") or {}).values()
    return locality.is_short(config["rule"], 0) and all(
        locality.is_short(rule, 1) for rule in constraints
    )


class _Locality:
    """How far the rules of one configuration look, for texts taken apart into `units`."""

    def __init__(self, utils: Mapping[str, Any], units: _Units) -> None:
        self._utils = utils
        self._units = units
        self._entered: set[tuple[str, int]] = set()

    def is_short(self, rule: Any, least_depth: int) -> bool:
        """Say whether a rule looks no further when it is tried on nodes of that depth or more."""
        if not isinstance(rule, Mapping):
            return False
        depth = max(least_depth, self._find_depth(rule))
        return depth > 0 and all(self._is_short(key, rule[key], depth) for key in rule)

    def _is_short(self, key: str, value: Any, depth: int) -> bool:
        if key in _OWN_KEYS:  # `stopBy` is for the relation that it stands in.
            return True
        if key == "kind":
            return _is_one_kind(value)
        if key in ("all", "any"):
            return isinstance(value, list) and all(self.is_short(part, depth) for part in value)
        if key == "not":
            return self.is_short(value, depth)
        if key == "matches":
            return self._is_short_util(value, depth)
        if key == "has":
            return self._is_short_relation(value, min(depth + 1, _WITHIN))
        if key == "inside":
            return self._is_short_relation(value, 0)
        if key in ("precedes", "follows"):
            return depth == _WITHIN and self._is_short_relation(value, self._units.least_beside)
        if key == "nthChild":
            others = value.get("ofRule") if isinstance(value, Mapping) else None
            is_short = others is None or self.is_short(others, self._units.least_beside)
            return depth == _WITHIN and is_short
        return False

    def _is_short_relation(self, rule: Any, least_depth: int) -> bool:
        stop = rule.get("stopBy") if isinstance(rule, Mapping) else None
        rules = [rule, stop] if isinstance(stop, Mapping) else [rule]
        return all(_says_only_kinds(each) or self.is_short(each, least_depth) for each in rules)

    def _is_short_util(self, name: Any, depth: int) -> bool:
        if not isinstance(name, str) or name not in self._utils:
            return False
        if (name, depth) in self._entered:
            return True  # A rule that comes back to itself adds nothing.
        self._entered.add((name, depth))
        return self.is_short(self._utils[name], depth)

    def _find_depth(self, rule: Any, seen: frozenset[str] = frozenset()) -> int:
        """Return the least depth of the nodes that a rule can match, up to `_WITHIN`."""
        if not isinstance(rule, Mapping):
            return 0
        found = (self._find_depth_by(key, value, seen) for key, value in rule.items())
        return min(max(found, default=0), _WITHIN)

    def _find_depth_by(self, key: str, value: Any, seen: frozenset[str]) -> int:
        if key == "kind":
            return self._find_depth_of_kind(value)
        if key == "pattern":
            return self._find_depth_of_pattern(value)
        if key in ("all", "any") and isinstance(value, list):
            least = max if key == "all" else min
            return least((self._find_depth(part, seen) for part in value), default=0)
        if key == "matches" and value not in seen:
            return self._find_depth(self._utils.get(value), seen | {value})
        if key == "inside":
            outer = self._find_depth(value, seen)
            return outer + 1 if outer else self._units.least_below
        return self._units.least_below if key in ("precedes", "follows", "nthChild") else 0

    def _find_depth_of_kind(self, kind: Any) -> int:
        if not _is_one_kind(kind) or kind in self._units.around:
            return 0
        return 1 if _MAY_BE_UNIT.search(kind) else _WITHIN

    def _find_depth_of_pattern(self, pattern: Any) -> int:
        if isinstance(pattern, Mapping):
            return self._find_depth_of_kind(pattern.get("selector"))
        if not isinstance(pattern, str) or _BARE_VARIABLE.match(pattern):
            return 0
        return 0 if self._units.may_be_around.search(pattern) else 1


def _is_one_kind(kind: Any) -> bool:
    """Say whether a kind is a name, and not a selector such as `comment + call`."""
    return isinstance(kind, str) and _ONE_KIND.match(kind) is not None


def _says_only_kinds(rule: Any) -> bool:
    """Say whether a rule tells nothing of a node but its kind: no edit within changes that."""
    return isinstance(rule, Mapping) and all(
        key in ("field", "stopBy")
        or (key == "kind" and _is_one_kind(value))
        or (key in ("any", "all") and isinstance(value, list) and all(map(_says_only_kinds, value)))
        for key, value in rule.items()
    )
