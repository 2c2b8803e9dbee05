"""Which rules are for a file, and what the answer of their checks is known by."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from glossator import __version__
from glossator.app.checking.records import VERSION
from glossator.rules.matching import RuleSet
from glossator.rules.rule import Check, Rule
from glossator.rules.scope import find_mismatch, is_in_scope


@dataclass(frozen=True, slots=True)
class Selection:
    """The rules for a file: `n_rules` with checks that fit, and those a model would judge.

    `rules` are those with checks, by id. `digest` is the same as long as the checks give the same
    findings for the same text.
    """

    language_id: str
    rules: Mapping[str, Rule]
    judged_ids: tuple[str, ...]
    digest: bytes

    @property
    def n_rules(self) -> int:
        """How many rules with checks there are."""
        return len(self.rules)


@dataclass(frozen=True, slots=True)
class _Group:
    """Checks and judged rules of a language that are for the same files."""

    rule: Rule
    check: Check | None
    numbers: tuple[int, ...]


class Selector:
    """Chooses the rules for files. Files that the same rules are for share one selection."""

    def __init__(self, rule_set: RuleSet) -> None:
        self.rule_set = rule_set
        self._by_language: dict[str, _LanguageSelector] = {}

    def select(self, place: str, language_id: str) -> Selection:
        """Return the rules for the file at a place of `rules.scope`; "" fits them all."""
        selector = self._by_language.get(language_id)
        if selector is None:
            selector = _LanguageSelector(self.rule_set, language_id)
            self._by_language[language_id] = selector
        return selector.select(place)


class _LanguageSelector:
    def __init__(self, rule_set: RuleSet, language_id: str) -> None:
        self._language_id = language_id
        self._checks = rule_set.select_checks("", language_id)
        self._judged = [
            rule
            for rule in rule_set.rules
            if rule.kind == "judged" and find_mismatch(rule, "", language_id) == ""
        ]
        self._groups = _group([*self._checks, *((rule, None) for rule in self._judged)])
        self._known: dict[tuple[bool, ...], Selection] = {}

    def select(self, place: str) -> Selection:
        fits = tuple(is_in_scope(each.rule, place, each.check) for each in self._groups)
        known = self._known.get(fits)
        if known is None:
            known = self._known[fits] = self._make(fits)
        return known

    def _make(self, fits: tuple[bool, ...]) -> Selection:
        taken = {
            number
            for group, is_taken in zip(self._groups, fits, strict=True)
            if is_taken
            for number in group.numbers
        }
        checks = [check for number, check in enumerate(self._checks) if number in taken]
        judged = [
            rule
            for number, rule in enumerate(self._judged, start=len(self._checks))
            if number in taken
        ]
        return Selection(
            language_id=self._language_id,
            rules={rule.id: rule for rule, _ in checks},
            judged_ids=tuple(rule.id for rule in judged),
            digest=_hash_checks(self._language_id, checks),
        )


def _group(wanted: Sequence[tuple[Rule, Check | None]]) -> list[_Group]:
    """Put together what is for the same files: few globs are then matched for many rules."""
    groups: dict[object, tuple[Rule, Check | None, list[int]]] = {}
    for number, (rule, check) in enumerate(wanted):
        narrowed = (check.files, check.ignores) if check else ((), ())
        key = (rule.globs, rule.files, rule.home, rule.root, rule.roots_without, narrowed)
        groups.setdefault(key, (rule, check, []))[2].append(number)
    return [_Group(rule, check, tuple(numbers)) for rule, check, numbers in groups.values()]


def _hash_checks(language_id: str, checks: Sequence[tuple[Rule, Check]]) -> bytes:
    told = [
        repr(
            (rule.path, rule.id, check.severity, check.message, check.config, check.fix, check.tags)
        )
        for rule, check in checks
    ]
    text = "\0".join([str(VERSION), __version__, language_id, *told])
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
