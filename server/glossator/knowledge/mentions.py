"""The words by which a question can mention a document: what is looked up instead of reading all.

They find every document that `routing.is_about` may accept, and a few that it does not.
"""

from glossator.knowledge.documents import Document
from glossator.knowledge.wording import prepare_terms


def find_keys(document: Document) -> frozenset[str]:
    """Return words one of which is in every question that mentions the document."""
    terms = prepare_terms(
        keywords=document.keywords, text=f"{document.name}\n{document.description}"
    )
    keys = set(terms.words)
    for phrase in terms.phrases:
        for whole, *parts in phrase.tokens[:1]:
            keys.update((whole, *parts[:1]))
    return frozenset(keys)
