"""The library: knowledge, skills and rules as read from their folders, as one value.

A change makes a new library; what did not change is taken over from the one before. Running turns
keep the library they began with.
"""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

from glossator.app.results import IndexReport, Problem
from glossator.core.errors import GlossatorError
from glossator.core.text import SourceText
from glossator.knowledge.documents import Document, DocumentProblem, Origin, parse_document
from glossator.knowledge.index import KnowledgeIndex
from glossator.rules.matching import RuleSet, check_examples
from glossator.rules.parse import drop_duplicates, parse_rules
from glossator.rules.rule import Rule, RuleProblem
from glossator.skills.choosing import Skill

Kind = Literal["knowledge", "skill"]

_MAX_FILES = 20_000


@dataclass(frozen=True, slots=True)
class Shelf:
    """A folder of Markdown files and what they are.

    `read` returns the text of a file under the name that people see, or raises GlossatorError.
    """

    folder: Path
    kind: Kind
    origin: Origin
    read: Callable[[Path], SourceText] = field(repr=False)


@dataclass(frozen=True, slots=True)
class _Item:
    """One file, read and parsed."""

    content_hash: str
    file: Path
    kind: Kind
    document: Document
    rules: tuple[Rule, ...]
    rule_problems: tuple[RuleProblem, ...]


@dataclass(frozen=True, slots=True)
class Library:
    """What the team knows and demands. `files` maps shown paths to files."""

    index: KnowledgeIndex
    skills: tuple[Skill, ...]
    rules: tuple[Rule, ...]
    rule_set: RuleSet
    files: Mapping[str, Path]
    problems: tuple[Problem, ...]
    report: IndexReport
    items: Mapping[Path, _Item] = field(repr=False)


def read_library(
    shelves: Iterable[Shelf],
    *,
    disabled_rules: Iterable[str] = (),
    previous: Library | None = None,
) -> Library:
    """Read every shelf. A file that cannot be used becomes a problem; the others are read.

    Blocks on the file system: call it in a worker thread.
    """
    started = time.monotonic()
    known = previous.items if previous else {}
    items: dict[Path, _Item] = {}
    problems: list[Problem] = []
    for shelf in shelves:
        for file in _list_files(shelf, problems):
            try:
                source = shelf.read(file)
            except GlossatorError as error:
                problems.append(Problem(file.name, 1, str(error)))
                continue
            items[file] = _read_item(shelf, file, source, known.get(file))
    kept = _without_shadowed(items.values())
    return _assemble(kept, items, problems, frozenset(disabled_rules), previous, started)


def _list_files(shelf: Shelf, problems: list[Problem]) -> Iterator[Path]:
    if not shelf.folder.is_dir():
        return
    files = sorted(shelf.folder.rglob("*.md"))
    skill_folders = {file.parent for file in files if file.name == "SKILL.md"}
    for number, file in enumerate(files, 1):
        if number > _MAX_FILES:
            message = f"Only the first {_MAX_FILES} files are read."
            problems.append(Problem(shelf.folder.name, 1, message))
            return
        if any(part.startswith(".") for part in file.relative_to(shelf.folder).parts):
            continue
        is_skill = file.name == "SKILL.md"
        if not is_skill and any(parent in skill_folders for parent in file.parents):
            continue  # A resource of a skill, read when the skill asks for it.
        yield file


def _read_item(shelf: Shelf, file: Path, source: SourceText, known: _Item | None) -> _Item:
    # The name changes with the workspace's folders, the kind with the settings.
    is_same = known is not None and (
        known.content_hash, known.document.path, known.kind
    ) == (source.content_hash, source.name, shelf.kind)  # fmt: skip
    if known is not None and is_same:
        return known
    document = parse_document(source.text, path=source.name, origin=shelf.origin)
    if file.name == "SKILL.md" and document.name.lower() == "skill":
        document = replace(document, name=file.parent.name)
    rules, rule_problems = parse_rules(
        source.text,
        path=source.name,
        document=document.name,
        origin=shelf.origin,
        globs=document.globs,
        every_item=shelf.kind == "skill",
    )
    if shelf.origin == "workspace":  # The rules that ship are proven by the tests.
        rule_problems += tuple(problem for rule in rules for problem in check_examples(rule))
    return _Item(source.content_hash, file, shelf.kind, document, rules, rule_problems)


def _without_shadowed(items: Iterable[_Item]) -> list[_Item]:
    """Drop bundled documents whose name the workspace uses for one of its own."""
    items = list(items)
    own = {(item.kind, item.document.name) for item in items if item.document.origin == "workspace"}
    return [
        item
        for item in items
        if item.document.origin == "workspace" or (item.kind, item.document.name) not in own
    ]


def _assemble(
    kept: list[_Item],
    items: Mapping[Path, _Item],
    problems: list[Problem],
    disabled_rules: frozenset[str],
    previous: Library | None,
    started: float,
) -> Library:
    rules, duplicates = drop_duplicates(rule for item in kept for rule in item.rules)
    for item in kept:
        problems.extend(_problem_of(each) for each in item.document.problems)
        problems.extend(_problem_of(each) for each in item.rule_problems)
    problems.extend(_problem_of(each) for each in duplicates)
    index = _index(kept, previous)
    skills = tuple(_skill_of(item.document) for item in kept if item.kind == "skill")
    report = IndexReport(
        n_documents=sum(item.kind == "knowledge" for item in kept),
        n_sections=index.n_sections,
        n_skills=len(skills),
        n_rules=len(rules),
        problems=tuple(problems),
        duration_s=time.monotonic() - started,
    )
    return Library(
        index=index,
        skills=skills,
        rules=rules,
        rule_set=_rule_set(rules, disabled_rules, previous),
        files={item.document.path: item.file for item in items.values()},
        problems=tuple(problems),
        report=report,
        items=items,
    )


def _index(kept: list[_Item], previous: Library | None) -> KnowledgeIndex:
    documents = {item.document.path: item.document for item in kept}
    if previous is None:
        return KnowledgeIndex.build(documents.values())
    old = previous.index.documents
    changed = [document for path, document in documents.items() if old.get(path) is not document]
    removed = [path for path in old if path not in documents]
    return previous.index.replace(changed, removed) if changed or removed else previous.index


def _problem_of(problem: DocumentProblem | RuleProblem) -> Problem:
    return Problem(problem.path, problem.line, problem.message)


def _rule_set(rules: Iterable[Rule], disabled: frozenset[str], previous: Library | None) -> RuleSet:
    active = tuple(rule for rule in rules if rule.id not in disabled)
    if previous is not None and previous.rule_set.rules == active:
        return previous.rule_set
    return RuleSet(active)


def _skill_of(document: Document) -> Skill:
    return Skill(
        name=document.name,
        description=document.description,
        keywords=document.keywords,
        globs=document.globs,
        always=document.always,
        body=document.body,
        path=document.path,
        origin=document.origin,
        first_line=document.body_first_line,
    )
