"""Rules that are said twice, and rules that contradict each other."""

import re
from collections import Counter
from collections.abc import Iterator
from itertools import islice

from glossator.core.globs import matches_any
from glossator.core.locations import Span
from glossator.knowledge.documents import Document
from glossator.linting.claims import Claim, are_opposed, read_claims
from glossator.linting.finding import Finding, find
from glossator.linting.statements import Statement, find_commands, find_statements
from glossator.linting.subject import INSTRUCTIONS, Subject

_MOSTLY = 0.6
"""A document of which so much stands in another one is a copy of it."""
_MIN_COPIED = 5
_MAX_SHOWN = 3
_MAX_COMPARED = 100
"""A rule is held against so many others of its subject: it may stand there thousands of times."""
_LANGUAGES = re.compile(
    r"\b(?:python|typescript|javascript|tsx?|jsx?|go|golang|rust|java|kotlin|swift|ruby|php|sql|"
    r"html|css|scss|ya?ml|json|toml|markdown|makefiles?|shell|bash|c\+\+|c#|vue|react|tests?|"
    r"frontend|backend)\b|前端|后端|测试"
)


def check_rule_texts(subject: Subject) -> Iterator[Finding]:
    """Judge the list items of instructions and skills against those of all documents.

    A skill is given to the model alone, so that only what it says itself counts.
    """
    document = subject.document
    if document.family not in (*INSTRUCTIONS, "skill"):
        return
    statements = list(find_statements(document))
    neighbours = _Neighbours(subject)
    copied = list(_find_copies(statements, neighbours))
    source = _find_source(subject, copied, len(statements))
    if source is not None:
        yield find(
            "duplicate-document",
            subject.line(1),
            related=(Span(source, 1, 1),),
            path=source,
            n=sum(any(span.path == source for span in places) for _, places in copied),
        )
    for statement, places in copied:
        others = [span for span in places if span.path != source]
        if others:
            place = subject.line(statement.line)
            yield find("duplicate-rule", place, related=others[:5], where=others[0])
    yield from _check_claims(subject, neighbours)


class _Neighbours:
    """The other documents that are given to the model together with this one."""

    def __init__(self, subject: Subject) -> None:
        self._subject = subject
        self._known: dict[str, bool] = {subject.document.path: False}
        self._statements: dict[str, list[Statement]] = {}
        self._claims: dict[str, list[Claim]] = {}

    def find_statements(self, key: str) -> list[Statement]:
        """Return their list items with these words, of each document the first."""
        if key not in self._statements:
            first: dict[str, Statement] = {}
            for each in self._subject.around.corpus.statements.get(key, ()):
                first.setdefault(each.path, each)
            self._statements[key] = [each for each in first.values() if self._are_met(each.path)]
        return self._statements[key]

    def find_claims(self, claimed: str) -> list[Claim]:
        """Return what they claim of a subject, the first of it."""
        if claimed not in self._claims:
            found = self._subject.around.corpus.claims.get(claimed, ())
            near = (each for each in found if self._are_met(each.statement.path))
            self._claims[claimed] = list(islice(near, _MAX_COMPARED))
        return self._claims[claimed]

    def _are_met(self, path: str) -> bool:
        if path not in self._known:
            other = self._subject.around.corpus.find_document(path)
            self._known[path] = other is not None and share_files(self._subject, other)
        return self._known[path]


def _find_copies(
    statements: list[Statement], neighbours: _Neighbours
) -> Iterator[tuple[Statement, list[Span]]]:
    """Yield the statements that stand in another place too, with those places."""
    before: dict[tuple[str, tuple[str, ...]], Span] = {}
    for statement in statements:
        if not statement.is_long:
            continue
        # Below another heading the same words may be about something else.
        here = (statement.key, statement.headings)
        span = Span(statement.path, statement.line, statement.line)
        places = [before[here]] if here in before and statement.level == 0 else []
        before.setdefault(here, span)
        others = neighbours.find_statements(statement.key)
        places.extend(Span(other.path, other.line, other.line) for other in others)
        if places:
            yield statement, places


def _find_source(
    subject: Subject, copied: list[tuple[Statement, list[Span]]], n_statements: int
) -> str | None:
    """Return the document that most of this one stands in, if there is one."""
    counts = Counter(
        path
        for _, places in copied
        for path in {span.path for span in places} - {subject.document.path}
    )
    path, n = next(iter(counts.most_common(1)), ("", 0))
    return path if n >= _MIN_COPIED and n >= _MOSTLY * n_statements else None


def _check_claims(subject: Subject, neighbours: _Neighbours) -> Iterator[Finding]:
    claims = [claim for each in find_commands(subject.document) for claim in read_claims(each)]
    own: dict[str, list[Claim]] = {}
    for claim in claims:
        for key in claim.keys:
            own.setdefault(key, []).append(claim)
    for claim in claims:
        others = [
            each
            for key in claim.keys
            for each in (*own[key][:_MAX_COMPARED], *neighbours.find_claims(key))
        ]
        found = (
            each for each in others if are_opposed(claim, each) and _speak_of_the_same(claim, each)
        )
        opposed = list(islice(dict.fromkeys(found), _MAX_SHOWN))
        if opposed:
            yield find(
                "contradiction",
                subject.line(claim.statement.line),
                related=[each.span for each in opposed],
                other=opposed[0].statement.text[:100],
                where=opposed[0].span,
            )


def _speak_of_the_same(first: Claim, second: Claim) -> bool:
    """Say whether both are about everything, or about the same languages."""

    def languages(claim: Claim) -> set[str]:
        words = " ".join((*claim.statement.headings, claim.statement.text))
        return set(_LANGUAGES.findall(words))

    return languages(first) == languages(second)


def share_files(subject: Subject, other: Document) -> bool:
    """Say whether two documents speak for the same folder and for a common file of it.

    What a nearer folder says otherwise than one above is meant so.
    """
    document = subject.document
    if "skill" in (document.family, other.family) or document.home != other.home:
        return False
    if not document.globs or not other.globs or document.globs == other.globs:
        return document.manual == other.manual or document.always or other.always
    paths = subject.around.listing.paths
    return any(matches_any(document.globs, p) and matches_any(other.globs, p) for p in paths)
