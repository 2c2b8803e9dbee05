"""Keywords that cannot route: shared with another document, or said in any question."""

import re
from collections.abc import Iterator
from itertools import islice

from glossator.core.locations import Span
from glossator.knowledge.documents import Document
from glossator.knowledge.front_matter import KEYWORD_KEYS
from glossator.knowledge.headers import MAX_ITEMS
from glossator.knowledge.question import parse_question
from glossator.linting.corpus import fold_keyword
from glossator.linting.finding import Finding, find
from glossator.linting.globs import take_out
from glossator.linting.header import find_items
from glossator.linting.subject import Subject

_MIN_DOCUMENTS = 10
_MAX_DOCUMENTS = 60
_COMMON = 0.9
"""A keyword that stands in so many of the documents' texts says nothing of one of them."""
_COLLIDING = 1 / 3
"""So much of the shorter list must be shared before two documents are hard to tell apart."""
_CODE = re.compile(r"^[ \t]*(`{3,}|~{3,}).*?(?:^[ \t]*\1|\Z)|`[^`\n]*`", re.MULTILINE | re.DOTALL)


def check_keywords(subject: Subject) -> Iterator[Finding]:
    """Judge each keyword alone and beside those of the other documents."""
    entry = subject.header.get(*KEYWORD_KEYS)
    if entry is None or subject.is_instructions:
        return
    texts = list(_list_texts(subject))
    colliding = _find_colliding(subject)
    for keyword, place in islice(find_items(entry), MAX_ITEMS):
        if not parse_question(keyword).units:
            repair = take_out(subject, entry, place)
            yield find("vague-keyword", place, repair=repair, keyword=keyword, n="")
            continue
        n_holders = sum(_stands_in(keyword, text) for text in texts)
        if len(texts) >= _MIN_DOCUMENTS and n_holders >= _COMMON * len(texts):
            share = f"{n_holders}/{len(texts)}"
            yield find("vague-keyword", place, keyword=keyword, n=share)
            continue
        others = [each for each in colliding if fold_keyword(keyword) in _fold_all(each)]
        if others:
            yield find(
                "shared-keyword",
                place,
                repair=take_out(subject, entry, place),
                related=[Span(each.path, 1, 1) for each in others[:5]],
                keyword=keyword,
                names=", ".join(f"`{each.path}`" for each in others[:3]),
            )


def _list_texts(subject: Subject) -> Iterator[str]:
    """Yield the texts of documents of the same family, without code."""
    alike = (d for d in subject.around.corpus.documents if d.family == subject.document.family)
    for document in islice(alike, _MAX_DOCUMENTS):
        yield _CODE.sub(" ", document.body).casefold()


def _stands_in(keyword: str, text: str) -> bool:
    folded = keyword.casefold()
    if not folded.isascii():
        return folded in text
    return re.search(rf"(?<![a-z0-9]){re.escape(folded)}(?![a-z0-9])", text) is not None


def _find_colliding(subject: Subject) -> list[Document]:
    """Return the documents that share so many keywords that routing cannot tell them apart.

    Of two such documents the later by its path says so, and names the other.
    """
    document = subject.document
    own = _fold_all(document)
    shared: dict[str, Document] = {}
    for keyword in own:
        for each in subject.around.corpus.keywords.get(keyword, ()):
            if each.path < document.path and (each.family, each.origin) == (
                document.family,
                document.origin,
            ):
                shared[each.path] = each
    return [
        each
        for each in shared.values()
        if len(own & _fold_all(each)) >= _COLLIDING * min(len(own), len(_fold_all(each)))
    ]


def _fold_all(document: Document) -> frozenset[str]:
    return frozenset(map(fold_keyword, document.keywords))
