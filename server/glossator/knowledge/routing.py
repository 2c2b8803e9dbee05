"""Which documents a question is put to, and whether what they say is close enough to be known.

Refusal is decided here, from words alone, before any model is asked.

The thresholds (`outcomes`) were measured on the seven sets of `tests/benchmarks/data` (541 to 1,057
sections, headings taken out and asked) and on seven more that no weight of the ranking was chosen
on (documentation of React, Vue Router, webpack in Chinese and English, Cargo, Playwright and Ruff;
187 to 2,386 sections); all were in view when the threshold was chosen. On average 1.9 % of the
questions that a set answers are refused, and of two lists of foreign questions 98.1 and 96.4 % (at
worst 92.6 and 91.2 %, by a book that has examples of everything); where 95 % of the foreign ones
are refused, 1.1 % of the others are. On 200 sections drawn from these sets 2.5 and 97.7 %, on 50
3.0 and 97.4 %, on 20 3.9 and 97.3 %: there, 1.4 % of the questions share no word with any section.
In large libraries (four Chinese sets with the documentation of TiDB, five English ones with that of
Microsoft's C++, and sections drawn from them) 1.7 and 97.9 % on 12,304 sections, 2.3 and 97.9 % on
8,410, 3.0 and 96.8 % on 16,317, 2.7 and 95.8 % on 32,643, and 2.2 and 91.6 % on 63,756, where there
are examples of everything. A reference of short entries is harder: 4.3 % are refused on 8,150
sections of the English ones, 7.2 % on 4,066.
Of questions about similar tools 60 to 96 % are refused. On `tests/unit/knowledge/data`, where
sections have headings and documents keywords, none of 110 questions is refused, 84 of 88 foreign
ones are and 20 of 32 near ones. The patterns of small talk were written knowing the foreign
questions of that kind: expect a little less elsewhere.
"""

from collections.abc import Collection, Mapping
from functools import lru_cache
from typing import Literal, Protocol

from glossator.core.globs import matches_any
from glossator.knowledge.confidence import LEAST
from glossator.knowledge.documents import Document, Section
from glossator.knowledge.index import Hit
from glossator.knowledge.outcomes import (
    CLOSE_ANYWHERE,
    CLOSE_ROUTED,
    N_NEAREST,
    NEAR_BEST,
    Found,
    NoKnowledge,
)
from glossator.knowledge.question import SHARE_LIGHT, Question, Unit, parse_question
from glossator.knowledge.refusals import explain_refusal
from glossator.knowledge.wording import Terms, Wording, prepare_terms, read_wording

__all__ = [
    "CLOSE_ANYWHERE",
    "CLOSE_ROUTED",
    "NEAR_BEST",
    "N_NEAREST",
    "Found",
    "NoKnowledge",
    "SectionIndex",
    "explain_refusal",
    "is_about",
    "retrieve",
]

POOL = 20
"""So many sections, the best by their words, are judged for one answer."""

NEARLY = 0.8
"""The part of the best score of all that the documents need which the question names."""

AS_SURE = 0.95
"""A section of another document that is nearly as sure as the best of these joins them."""

MOST_ROUTED = 200
"""A question that names more documents than this has not said which: all are searched."""


class SectionIndex(Protocol):
    """What is asked of an index of documents, wherever it is."""

    @property
    def documents(self) -> Mapping[str, Document]:
        """The documents by path."""
        ...

    @property
    def always(self) -> Collection[str]:
        """The paths of the documents that join every question."""
        ...

    @property
    def globs(self) -> Mapping[str, tuple[str, ...]]:
        """The globs of the documents that speak of certain files, by path."""
        ...

    @property
    def manual(self) -> Collection[str]:
        """The paths of the documents that count only when a question names them."""
        ...

    def find_mentioned(self, said: Collection[str]) -> tuple[Document, ...]:
        """Return the documents that a question with the words `said` may mention."""
        ...

    def search(
        self, question: str | Question, *, limit: int = 8, among: Collection[str] | None = None
    ) -> tuple[Hit, ...]:
        """Return the best sections, best first; `among` names the paths that are searched."""
        ...


def retrieve(
    index: SectionIndex,
    question: str,
    *,
    path: str | None = None,
    limit: int = 6,
    without: Collection[str] = (),
) -> Found | NoKnowledge:
    """Find what the documents say about `question`, asked while looking at the file `path`.

    Documents whose keywords or name the question mentions, or whose globs match `path`, answer
    first; what others say as surely joins. Where they say nothing close, or another says far more,
    all may answer, and then more is needed.
    Documents with a path in `without` count, like manual ones, only when the question names them.
    """
    parsed = parse_question(question)
    wording = read_wording(question)
    hidden = _find_hidden(index, without, wording)
    mentioned = tuple(
        document
        for document in index.find_mentioned(wording.said)
        if document.path not in hidden and is_about(document, wording)
    )
    matching = _find_matching(index, path, hidden)
    # A word of a description says too little to lower what is needed.
    called = tuple(document for document in mentioned if _is_called(document, wording))
    routed = {document.path: document for document in (*called, *matching)}
    names = tuple(document.name for document in routed.values())
    if not parsed.has_subject and any(document.sections for document in matching):
        return _answer_by_path(matching, limit)
    is_subject = any(map(_names_a_subject, parsed.units))
    hits = index.search(parsed, limit=POOL + (POOL if hidden else 0))
    hits = tuple(hit for hit in hits if hit.section.path not in hidden)[:POOL]
    inside = None
    if 0 < len(routed) <= MOST_ROUTED and (called or is_subject):
        among = routed.keys() | (set(index.always) - hidden)
        inside = _choose(_look_inside(index, parsed, hits, among), CLOSE_ROUTED, names, limit)
    found = _choose(hits, CLOSE_ANYWHERE, (), limit) if is_subject else None
    if inside is not None and (found is None or inside.best >= NEARLY * found.best):
        return _join_as_sure(inside, found, limit) if found is not None else inside
    if found is not None:
        return found
    about = tuple(document.name for document in mentioned) if parsed.units else ()
    needed = CLOSE_ROUTED if routed else CLOSE_ANYWHERE
    return _refuse(hits, about, len(index.documents), needed)


def _refuse(
    hits: tuple[Hit, ...], about: tuple[str, ...], n_documents: int, needed: float
) -> NoKnowledge:
    """Say what comes nearest, and which documents are `about` the question all the same."""
    near = sorted(hits[:10], key=lambda hit: -hit.score)[:N_NEAREST]
    nearest = tuple(hit for hit in near if hit.score > LEAST)
    reason: Literal["nothing-routed", "nothing-close"] = (
        "nothing-close" if about else "nothing-routed"
    )
    return NoKnowledge(reason, nearest, about, n_documents, needed)


def _look_inside(
    index: SectionIndex, question: Question, hits: tuple[Hit, ...], among: Collection[str]
) -> tuple[Hit, ...]:
    """Return the best sections of some documents; mostly they are among the best of all."""
    inside = tuple(hit for hit in hits if hit.section.path in among)
    if any(hit.score >= CLOSE_ROUTED for hit in inside):
        return inside
    return index.search(question, limit=POOL, among=among)


def _join_as_sure(inside: Found, anywhere: Found, limit: int) -> Found:
    """Return what the named documents say, with what others say as surely, in the order of ranks.

    Words that route say which documents a question may mean, not that no other answers it better.
    """
    own = (*inside.hits, *inside.left_out)
    as_sure = AS_SURE * inside.best
    others = [
        hit for hit in (*anywhere.hits, *anywhere.left_out) if hit in own or hit.score >= as_sure
    ]
    joined = (*others, *(hit for hit in own if hit not in others))
    return _choose(joined, CLOSE_ROUTED, inside.routed, limit) or inside


def _find_hidden(index: SectionIndex, without: Collection[str], wording: Wording) -> set[str]:
    """Return the paths that count only when they are named, and are not."""
    return {
        path
        for path in (*without, *index.manual)
        if (document := index.documents.get(path)) is None or not wording.mentions(document.name)
    }


def _find_matching(
    index: SectionIndex, path: str | None, hidden: Collection[str]
) -> tuple[Document, ...]:
    """Return the documents whose globs match the file that is looked at."""
    if not path:
        return ()
    judged: dict[tuple[str, ...], bool] = {}
    for globs in index.globs.values():
        if globs not in judged:
            judged[globs] = matches_any(globs, path)
    paths = [each for each, globs in index.globs.items() if judged[globs] and each not in hidden]
    return tuple(index.documents[each] for each in paths)


def _names_a_subject(unit: Unit) -> bool:
    """Say whether a unit is more than a verb of any question, a number or a character left over."""
    is_telling = any(len(word) > 1 and not word.isdigit() for word in unit.own)
    return is_telling and unit.share > SHARE_LIGHT


def _choose(
    hits: tuple[Hit, ...], needed: float, routed: tuple[str, ...], limit: int
) -> Found | None:
    """Return the hits that are close enough, or None.

    Beside a sure answer, one that only just passes is noise: an array index is no database index.
    """
    needed = max(needed, NEAR_BEST * max((hit.score for hit in hits), default=0.0))
    close = tuple(hit for hit in hits if hit.score >= needed)
    if not close:
        return None
    left_out = close[limit:]
    return Found(close[:limit], routed, len(left_out), left_out, needed=needed)


def _answer_by_path(matching: tuple[Document, ...], limit: int) -> Found | NoKnowledge:
    """Answer "which rules apply here?": it names no subject but the file one is looking at."""
    sections: list[Section] = [each for document in matching for each in document.sections]
    hits = tuple(Hit(section, CLOSE_ROUTED) for section in sections)
    names = tuple(document.name for document in matching)
    left_out = hits[limit:]
    return Found(hits[:limit], names, len(left_out), left_out, needed=CLOSE_ROUTED)


def is_about(document: Document, wording: Wording) -> bool:
    """Say whether a question mentions a keyword, the name or the subject of a document."""
    return wording.mentions_any(
        _prepare_terms(document.name, document.description, document.keywords)
    )


def _is_called(document: Document, wording: Wording) -> bool:
    """Say whether a question mentions a keyword or the name of a document."""
    return wording.mentions_any(_prepare_terms(document.name, "", document.keywords))


@lru_cache(maxsize=65_536)
def _prepare_terms(name: str, description: str, keywords: tuple[str, ...]) -> Terms:
    return prepare_terms(keywords=keywords, text=f"{name}\n{description}")
