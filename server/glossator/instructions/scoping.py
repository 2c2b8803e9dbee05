"""For which files the rules of a document count, and which of two with the same id."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from glossator.core.globs import EXACT
from glossator.knowledge.documents import Document
from glossator.rules.parse import drop_duplicates
from glossator.rules.rule import Rule, RuleProblem

_INSTRUCTIONS = frozenset({"agents", "claude", "cursor", "copilot"})


def is_instructions(document: Document) -> bool:
    """Say whether a document was written to instruct assistants."""
    return document.family in _INSTRUCTIONS


def globs_of(document: Document) -> tuple[str, ...] | None:
    """Return the globs of a document's rules; none at all is every file, None is no file.

    What counts only when it is asked for has no rules that are checked.
    """
    if not is_instructions(document):
        return document.globs
    if document.globs:
        return document.globs
    if not document.always:
        return None
    homes = (document.home_scope, *document.also_for)
    return () if "" in homes else tuple(f"{EXACT}{home}/**" for home in homes)


def settle_rules(
    found: Iterable[tuple[Document, Sequence[Rule]]],
) -> tuple[tuple[Rule, ...], tuple[RuleProblem, ...]]:
    """Let the nearest of several rules with the same id count, wherever one of them does.

    A rule of a folder shuts the same one of a folder above out of its files. Of those of one folder
    the first counts, and the others are problems. Workspace folders know nothing of each other.
    """
    placed = [(document, rule) for document, rules in found for rule in rules]
    by_home: dict[tuple[str, str], list[Rule]] = {}
    for document, rule in placed:
        by_home.setdefault((rule.root, document.home_scope), []).append(rule)
    kept: set[int] = set()
    problems: list[RuleProblem] = []
    for rules in by_home.values():
        distinct, duplicates = drop_duplicates(rules)
        kept.update(map(id, distinct))
        problems.extend(duplicates)
    placed = [(document, rule) for document, rule in placed if id(rule) in kept]
    by_id: dict[str, list[tuple[Document, Rule]]] = {}
    for document, rule in placed:
        by_id.setdefault(rule.id, []).append((document, rule))
    return tuple(_narrow(d, rule, by_id[rule.id]) for d, rule in placed), tuple(problems)


def _narrow(document: Document, rule: Rule, same: Sequence[tuple[Document, Rule]]) -> Rule:
    """Leave out of a rule's files those that a nearer one of the same id is for."""
    roots = {twin.root for other, twin in same if twin.root and not other.home_scope}
    if not rule.root and roots:
        rule = replace(rule, roots_without=tuple(sorted(roots)))
    nearer = [
        glob
        for other, twin in same
        if twin.root == rule.root and _is_nearer(other.home_scope, document.home_scope)
        for glob in twin.globs
        if not glob.startswith("!")
    ]
    if not nearer:
        return rule
    return replace(rule, globs=(*(rule.globs or ("**",)), *(f"!{glob}" for glob in nearer)))


def _is_nearer(home: str, other: str) -> bool:
    return home != other and (not other or home.startswith(f"{other}/"))
