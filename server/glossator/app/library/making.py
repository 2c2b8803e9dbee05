"""How the text of one file becomes a document and an item of the library."""

import logging
from dataclasses import replace

from glossator.app.library.items import Item
from glossator.app.library.shelf import Shelf
from glossator.app.library.signatures import Signature
from glossator.app.results import Problem
from glossator.app.skills.files import make_skill_document
from glossator.core.text import SourceText
from glossator.instructions.scoping import globs_of
from glossator.knowledge.documents import Document, DocumentProblem, cut_to_limits, parse_document
from glossator.rules.examples import check_examples
from glossator.rules.parse import parse_rules
from glossator.rules.rule import Rule, RuleProblem

_log = logging.getLogger(__name__)


def make_item(
    shelf: Shelf, file: str, source: SourceText, signature: Signature | None, stamp: str
) -> tuple[Item, Document]:
    """Parse a text that was read for a shelf. Never raises: what cannot be used is a problem."""
    try:
        document = _make_document(shelf, source)
        rules, rule_problems = _find_rules(shelf, source, document)
    except Exception as error:  # noqa: BLE001 - one file must not take the library away
        _log.exception("%s cannot be read", source.name)
        reason = f"The file cannot be read ({type(error).__name__}: {error}); it is left out."
        problem = DocumentProblem(source.name, 1, reason)
        document = replace(
            parse_document("", path=source.name, origin=shelf.origin), problems=(problem,)
        )
        rules, rule_problems = (), ()
    said: list[DocumentProblem | RuleProblem] = [*document.problems, *rule_problems]
    item = Item(
        file=file,
        path=source.name,
        name=document.name,
        kind=shelf.kind,
        origin=shelf.origin,
        is_used=shelf.is_used,
        signature=signature,
        content_hash=source.content_hash,
        stamp=stamp,
        problems=tuple(map(_problem_of, said)),
        rules=rules,
        has_text=bool(source.text),
    )
    return item, document


def _problem_of(said: DocumentProblem | RuleProblem) -> Problem:
    is_note = isinstance(said, DocumentProblem) and said.is_note
    return Problem(said.path, said.line, said.message, is_note)


def _make_document(shelf: Shelf, source: SourceText) -> Document:
    if shelf.make_document is not None:
        return shelf.make_document(source, shelf.origin)
    if shelf.kind == "skill":
        return make_skill_document(source, shelf.origin)
    return parse_document(source.text, path=source.name, origin=shelf.origin)


def _find_rules(
    shelf: Shelf, source: SourceText, document: Document
) -> tuple[tuple[Rule, ...], tuple[RuleProblem, ...]]:
    rules, problems = read_rules(
        document,
        source.text,
        root=source.root if shelf.origin == "workspace" else "",
        every_item=shelf.kind == "skill",
    )
    if shelf.origin == "workspace":  # The rules that ship are proven by the tests.
        problems += tuple(problem for rule in rules for problem in check_examples(rule))
    return rules, problems


def read_rules(
    document: Document, text: str, *, root: str, every_item: bool
) -> tuple[tuple[Rule, ...], tuple[RuleProblem, ...]]:
    """Return the rules in the text of a document, as `parse_rules`; none of one for no file."""
    globs = globs_of(document)
    if globs is None:
        return (), ()
    lines, _ = cut_to_limits(text)
    return parse_rules(
        "\n".join(lines),
        path=document.path,
        document=document.name,
        origin=document.origin,
        globs=globs,
        home=document.home_scope,
        root=root,
        every_item=every_item,
    )
