"""Search the knowledge without an answer: what is ranked how, and whether it would be known."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from glossator.app.answers import describe_cut
from glossator.app.grounds import MAX_SECTIONS
from glossator.app.library import Library
from glossator.app.parts import Parts
from glossator.app.phrasing import Phrasing
from glossator.app.retrieval.retrieving import Query, Seeker
from glossator.app.unused_documents import find_unused
from glossator.core.locations import Span
from glossator.core.tokens import estimate_tokens
from glossator.knowledge.budgeting import cut_to_budget
from glossator.knowledge.index import Hit
from glossator.knowledge.routing import POOL, Found, explain_refusal
from glossator.knowledge.section_words import leave_out_examples

Standing = Literal["given", "left-out", "refused", "unused"]
"""Whether a section would be given to a model; close enough but over a limit; not close enough; or
of a document that ships with the product and is about nothing that is here."""

Reason = Literal["routed", "anywhere", "nothing-routed", "nothing-close"]


@dataclass(frozen=True, slots=True)
class RankedSection:
    """A section with its score from 0 to 1, and what an answer would make of it."""

    title: str
    place: Span
    file: Path | None
    score: float
    n_tokens: int
    standing: Standing


@dataclass(frozen=True, slots=True)
class Search:
    """What a search found, the surest first.

    `needed` is the score that decides, `routed` are the documents that the question names.
    `message` says why the question is refused, or what is left out.
    """

    question: str
    is_known: bool
    reason: Reason
    needed: float
    routed: tuple[str, ...]
    sections: tuple[RankedSection, ...]
    n_close: int
    n_documents: int
    n_sections: int
    message: str
    notices: tuple[str, ...] = ()


def search(
    parts: Parts, library: Library, question: str, *, path: str | None, limit: int, say: Phrasing
) -> Search:
    """Rank what the documents say about a question. Reads files: call it in a worker thread."""
    index = library.index
    unused = find_unused(parts.workspace, index.globs)
    seeker = Seeker(parts.members)
    outcome = seeker.find(library, Query(question, path, max(limit, POOL), unused))
    budget = parts.settings.knowledge.max_tokens
    given: tuple[Hit, ...] = ()
    left: tuple[Hit, ...] = ()
    if isinstance(outcome, Found):
        # Whole sections are shown, also where an answer is given only the beginning.
        cut = cut_to_budget(outcome, limit=MAX_SECTIONS, max_tokens=budget)
        given, left, message = cut.hits, cut.left_out, describe_cut(cut, budget, say)
        needed, reason = outcome.needed, _reason_of(outcome)
    else:
        message, needed, reason = explain_refusal(outcome, question), outcome.needed, outcome.reason
    close = {_key(hit) for hit in (*given, *left)}
    others = [hit for hit in index.search(question, limit=limit) if _key(hit) not in close]
    ranked: list[tuple[Hit, Standing]] = [(hit, "given") for hit in given]
    ranked += [(hit, "left-out") for hit in left]
    ranked += [(hit, "unused" if hit.section.path in unused else "refused") for hit in others]
    # What is given keeps the order of ranks in an answer; people compare scores.
    ranked.sort(key=lambda item: -item[0].score)
    return Search(
        question=question,
        is_known=isinstance(outcome, Found),
        reason=reason,
        needed=needed,
        routed=outcome.routed,
        sections=tuple(_rank(hit, standing, library) for hit, standing in ranked[:limit]),
        n_close=len(close),
        n_documents=len(index.documents),
        n_sections=index.n_sections,
        message=message,
        notices=tuple(seeker.list_notices(say)),
    )


def _reason_of(outcome: Found) -> Reason:
    return "routed" if outcome.routed else "anywhere"


def _key(hit: Hit) -> tuple[str, int]:
    return hit.section.path, hit.section.first_line


def _rank(hit: Hit, standing: Standing, library: Library) -> RankedSection:
    section = hit.section
    return RankedSection(
        title=section.title,
        place=Span(section.path, section.first_line, section.last_line),
        file=library.files.get(section.path),
        score=hit.score,
        n_tokens=estimate_tokens(leave_out_examples(section.text)),
        standing=standing,
    )
