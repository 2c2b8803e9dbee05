"""Put a library together from what was read: what counts, what is shadowed, what is withheld."""

import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from glossator.app.library.items import Item
from glossator.app.library.value import Files, Known, Library
from glossator.app.results import IndexReport, Problem
from glossator.app.skills.files import describe_collisions, make_skill
from glossator.knowledge.documents import Document
from glossator.knowledge.index import KnowledgeIndex
from glossator.rules.matching import RuleSet
from glossator.rules.rule import Rule, RuleProblem
from glossator.skills.precedence import settle_names
from glossator.skills.skill import Skill

_ORIGINS = ("workspace", "personal", "bundled")


@dataclass(frozen=True, slots=True)
class _Documents:
    """The documents of all items: those just parsed, and those that were known."""

    parsed: Mapping[str, Document]
    known: Known

    def get(self, path: str) -> Document:
        return self.parsed[path] if path in self.parsed else self.known.document(path)


def assemble(
    known: Known,
    parsed: Mapping[str, Document],
    problems: list[Problem],
    *,
    disabled_rules: frozenset[str],
    previous: Library | None,
    started: float,
    on_step: Callable[[], None],
) -> Library:
    """Return the library of the items in `known`, whose index is that of the library before.

    `parsed` are the documents that are new. Whatever is the same is that of `previous`.
    `on_step` is called now and then, and may raise to give up.
    """
    documents = _Documents(parsed, known)
    items = list({item.path: item for item in known.items.values()}.values())
    skills = _make_skills(items, documents, previous)
    shadowed = _find_shadowed(items, skills.values())
    kept = _find_kept(items, skills, shadowed)
    rules, duplicates = _settle(kept, documents)
    problems = [*problems, *_list_problems(items, skills, duplicates)]
    index = _index(kept, documents, on_step)
    is_as_kept = previous is None and index is known.index and known.read_at_s > 0
    report = _report(kept, index, len(rules), problems, started)
    if is_as_kept:  # Nothing is new at a start when all is as it was at the last end.
        report = replace(report, read_at_s=known.read_at_s)
    kept_paths = {item.path for item in kept}
    aside = {item.path: documents.get(item.path) for item in items if item.path not in kept_paths}
    library = Library(
        index=index,
        skills=tuple(skills.values()),
        rules=rules,
        rule_set=_rule_set(rules, disabled_rules, previous),
        files=Files({item.path: item.file for item in items}),
        problems=tuple(problems),
        report=report,
        instructions=_instructions(kept, documents, previous),
        withheld=tuple(aside[item.path] for item in items if not item.is_used),
        shadowed=shadowed,
        known=replace(known, index=index, aside=aside, read_at_s=report.read_at_s),
    )
    return _take_over(library, previous)


def _make_skills(
    items: Iterable[Item], documents: _Documents, previous: Library | None
) -> dict[str, Skill]:
    """Return the skills that may be used, by path, in the order of the shelves."""
    before = {} if previous is None else {skill.path: skill for skill in previous.skills}
    skills: dict[str, Skill] = {}
    for item in items:
        if item.kind != "skill" or not item.is_used:
            continue
        skill = None if item.path in documents.parsed else before.get(item.path)
        skill = skill or make_skill(documents.get(item.path))
        if skill is not None:
            skills[item.path] = skill
    return skills


def _find_shadowed(items: Iterable[Item], skills: Iterable[Skill]) -> dict[str, str]:
    """Return what does not count because something nearer has its name, and what that is."""
    shadowed = {each.hidden.path: each.first.path for each in settle_names(skills)[1]}
    nearest: dict[str, Item] = {}
    knowledge = [item for item in items if item.kind == "knowledge" and item.is_used]
    for item in knowledge:
        other = nearest.setdefault(item.name, item)
        if _ORIGINS.index(item.origin) < _ORIGINS.index(other.origin):
            nearest[item.name] = item
    for item in knowledge:
        if item.origin != nearest[item.name].origin:
            shadowed[item.path] = nearest[item.name].path
    return shadowed


def _find_kept(
    items: Iterable[Item], skills: Collection[str], shadowed: Collection[str]
) -> list[Item]:
    """Return the items that count; of the skills those that could be made, by their paths."""
    return [
        item
        for item in items
        if item.is_used
        and item.path not in shadowed
        and (item.kind != "skill" or item.path in skills)
    ]


def _list_problems(
    items: Iterable[Item], skills: Mapping[str, Skill], duplicates: Iterable[RuleProblem]
) -> Iterator[Problem]:
    yield from (problem for item in items for problem in item.problems)
    yield from describe_collisions(skills.values())
    yield from (Problem(each.path, each.line, each.message) for each in duplicates)


def _settle(
    kept: Iterable[Item], documents: _Documents
) -> tuple[tuple[Rule, ...], tuple[RuleProblem, ...]]:
    """Return the rules of all items; of those with one id the nearest to a file counts there."""
    with_rules = [item for item in kept if item.rules]
    rules = tuple(rule for item in with_rules for rule in item.rules)
    if len({rule.id for rule in rules}) == len(rules):
        return rules, ()  # Nothing to settle, so no document has to be made for it.
    from glossator.instructions.scoping import settle_rules

    return settle_rules((documents.get(item.path), item.rules) for item in with_rules)


def _index(
    kept: Iterable[Item], documents: _Documents, on_step: Callable[[], None]
) -> KnowledgeIndex:
    before = documents.known.index
    paths, had = {item.path for item in kept}, set(before.documents)
    changed = [documents.get(path) for path in paths - (had - documents.parsed.keys())]
    removed = had - paths
    return before.replace(changed, removed, on_step) if changed or removed else before


def _instructions(
    kept: Iterable[Item], documents: _Documents, previous: Library | None
) -> tuple[Document, ...]:
    before = {} if previous is None else {each.path: each for each in previous.instructions}
    return tuple(
        before[item.path]
        if item.path in before and item.path not in documents.parsed
        else documents.get(item.path)
        for item in kept
        if item.kind == "instructions"
    )


def _rule_set(rules: Iterable[Rule], disabled: frozenset[str], previous: Library | None) -> RuleSet:
    active = tuple(rule for rule in rules if rule.id not in disabled)
    if previous is not None and previous.rule_set.rules == active:
        return previous.rule_set
    return RuleSet(active)


def _report(
    kept: Iterable[Item],
    index: KnowledgeIndex,
    n_rules: int,
    problems: Iterable[Problem],
    started: float,
) -> IndexReport:
    return IndexReport(
        n_documents=sum(item.kind == "knowledge" for item in kept),
        n_sections=index.n_sections,
        n_skills=sum(item.kind == "skill" for item in kept),
        n_rules=n_rules,
        problems=tuple(problems),
        duration_s=time.monotonic() - started,
        n_instructions=sum(item.kind == "instructions" for item in kept),
        read_at_s=time.time(),
    )


def _take_over(library: Library, previous: Library | None) -> Library:
    """Keep the report of the library before when this one says nothing else."""
    if previous is None:
        return library
    is_same = (
        library.index is previous.index
        and library.rule_set is previous.rule_set
        and library.problems == previous.problems
        and library.skills == previous.skills
        and library.instructions == previous.instructions
        and library.withheld == previous.withheld
        and library.shadowed == previous.shadowed
        and isinstance(library.files, Files)
        and library.files.is_same(previous.files)
    )
    if not is_same:
        return library
    known = replace(library.known, read_at_s=previous.known.read_at_s)
    return replace(library, report=previous.report, problems=previous.problems, known=known)
