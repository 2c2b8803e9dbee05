"""What the documents of a workspace say together: the same rule twice, a keyword shared."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

from glossator.core.locations import Span
from glossator.knowledge.documents import Document
from glossator.knowledge.synonyms import find_synonyms
from glossator.knowledge.words import find_tokens, is_narrow, split_token
from glossator.linting.claims import Claim, read_claims
from glossator.linting.statements import Statement, find_commands, find_statements, normalize
from glossator.rules.rule import Rule

MAX_CHARS = 20_000_000
"""Beyond so much text the documents of the rest are not compared."""
_MIN_SECTION_CHARS = 80


@dataclass(frozen=True, slots=True)
class Extract:
    """What one document adds to the corpus."""

    document: Document
    statements: tuple[Statement, ...]
    claims: tuple[Claim, ...]
    sections: Mapping[str, Span]


@dataclass(frozen=True)
class Corpus:
    """All documents, by what they can have in common. A value: a change makes another one."""

    documents: tuple[Document, ...] = ()
    statements: Mapping[str, tuple[Statement, ...]] = field(default_factory=dict)
    claims: Mapping[str, tuple[Claim, ...]] = field(default_factory=dict)
    sections: Mapping[str, tuple[Span, ...]] = field(default_factory=dict)
    keywords: Mapping[str, tuple[Document, ...]] = field(default_factory=dict)
    rules: Mapping[str, tuple[Rule, ...]] = field(default_factory=dict)
    is_complete: bool = True

    @cached_property
    def _by_path(self) -> Mapping[str, Document]:
        return {document.path: document for document in self.documents}

    def find_document(self, path: str) -> Document | None:
        """Return the document with this path."""
        return self._by_path.get(path)


def extract(document: Document) -> Extract:
    """Return what a document adds to the corpus; costs one pass over its lines."""
    statements = tuple(find_statements(document))
    claims = tuple(claim for each in find_commands(document) for claim in read_claims(each))
    sections: dict[str, Span] = {}
    for section in document.sections:
        text = section.text.partition("\n")[2] if section.heading_path else section.text
        if len(text) >= _MIN_SECTION_CHARS:
            key = f"{' '.join(section.heading_path[-1:])}\0{normalize(text)}"
            sections.setdefault(key, Span(section.path, section.first_line, section.last_line))
    return Extract(document, statements, claims, sections)


def join(
    extracts: Iterable[Extract], rules: Iterable[Rule] = (), *, is_complete: bool = True
) -> Corpus:
    """Return the corpus of some documents and the rules in them."""
    statements: dict[str, list[Statement]] = {}
    claims: dict[str, list[Claim]] = {}
    sections: dict[str, list[Span]] = {}
    keywords: dict[str, dict[str, Document]] = {}
    by_id: dict[str, list[Rule]] = {}
    documents: list[Document] = []
    for each in extracts:
        documents.append(each.document)
        for statement in each.statements:
            statements.setdefault(statement.key, []).append(statement)
        for claim in each.claims:
            for key in claim.keys:
                claims.setdefault(key, []).append(claim)
        for key, span in each.sections.items():
            sections.setdefault(key, []).append(span)
        for keyword in each.document.keywords:
            keywords.setdefault(fold_keyword(keyword), {})[each.document.path] = each.document
    for rule in rules:
        by_id.setdefault(rule.id, []).append(rule)
    return Corpus(
        tuple(documents),
        {key: tuple(found) for key, found in statements.items()},
        {key: tuple(found) for key, found in claims.items()},
        {key: tuple(found) for key, found in sections.items()},
        {key: tuple(found.values()) for key, found in keywords.items()},
        {key: tuple(found) for key, found in by_id.items()},
        is_complete,
    )


@lru_cache(maxsize=65_536)
def fold_keyword(keyword: str) -> str:
    """Return what routing makes of a keyword: one word for all that a question may say for it."""
    folded = _fold(keyword)
    return min([folded, *map(_fold, find_synonyms((folded,)))])


def _fold(keyword: str) -> str:
    """Return the stems of a keyword in small letters."""
    words = [
        token if is_narrow(token) else (split_token(token) or (token,))[0]
        for token in find_tokens(keyword)
    ]
    return " ".join(words) or keyword.casefold()
