"""Join what words and meaning find of the same sections, and what several indexes hold.

Fused scores tell nothing about how sure an answer is, and a cosine is no confidence. So each member
says which sections it calls close, by a threshold that was measured for it; ranks then put those
into one order. What nobody calls close is not known.

Measured with `tests/benchmarks/meaning.py`; the numbers stand there.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from glossator.core.text import contains_chinese
from glossator.knowledge.documents import Section
from glossator.knowledge.index import Hit
from glossator.knowledge.routing import (
    CLOSE_ANYWHERE,
    N_NEAREST,
    NEAR_BEST,
    Found,
    NoKnowledge,
    SectionIndex,
    retrieve,
)

POOL = 40
"""So many sections of each member are joined."""

RRF_K = 60
"""The constant of reciprocal rank fusion: 1 / (60 + rank), added up over the members."""

NEAR_BEST_COSINE = 0.8
"""The part of the best cosine that the others need."""

SAME_LANGUAGE = 0.1
"""So much nearer must a section in the question's own language be, where words refuse it.

Words say nothing about a section in another language; about one in the same they do.
"""

MEANING_WEIGHT = 0.1
"""What a rank by meaning counts in the question's own language; in another it counts in full.

Words rank better there. MRR@10 on the documentation of Vue, headings taken out and asked (250, 997
sections): asked in the other language 0.30 and 0.28 by words, 0.36 and 0.32 with meaning; in its
own 0.44 and 0.49 by words, 0.46 and 0.49 with meaning (0.44 and 0.46 if that counted in full).
"""

Key = tuple[str, int]


@dataclass(frozen=True, slots=True)
class Near:
    """A section and its cosine with the question."""

    section: Section
    cosine: float


@dataclass(frozen=True, slots=True)
class Nearest:
    """The sections nearest to a question, best first; a cosine of `needed` counts as close."""

    hits: tuple[Near, ...]
    needed: float


@dataclass(frozen=True, slots=True)
class Evidence:
    """Who found a section, and what each member says about it, from 0 to 1; None: nothing.

    `found_by` are of "words" and "meaning" those that call it close; "shared" stands before them
    when the team's index has it. `cosine` is the bare one.
    """

    found_by: tuple[str, ...] = ()
    words: float | None = None
    meaning: float | None = None
    cosine: float | None = None

    @property
    def score(self) -> float:
        """What the surest member says."""
        return max(self.words or 0.0, self.meaning or 0.0)


@dataclass(frozen=True, slots=True)
class Looked:
    """What one index has for a question, with every section that is close, and who says so."""

    outcome: Found | NoKnowledge
    evidence: Mapping[Key, Evidence]


def key_of(section: Section) -> Key:
    """Return what tells a section from all others."""
    return section.path, section.first_line


def look(
    index: SectionIndex,
    question: str,
    path: str | None,
    near: Nearest | None,
    without: Collection[str] = (),
) -> Looked:
    """Put what words find in `index` and what is near in meaning into one order.

    Documents `without` count only when the question names them.
    """
    outcome = retrieve(index, question, path=path, limit=POOL, without=without)
    if near is not None and without:
        kept = (hit for hit in near.hits if hit.section.path not in without)
        near = replace(near, hits=tuple(kept))
    if near is None:
        by_words = outcome.hits if isinstance(outcome, Found) else ()
        evidence = {key_of(h.section): Evidence(("words",), words=h.score) for h in by_words}
        return Looked(outcome, evidence)
    is_found = isinstance(outcome, Found)
    by_words = outcome.hits if isinstance(outcome, Found) else index.search(question, limit=POOL)
    judged = near if is_found else _doubt_same_language(near, question)
    close = _choose_close(judged)
    evidence = _weigh(by_words, near, judged, close, is_found=is_found)
    if not close and not is_found:
        return Looked(outcome, evidence)
    order = fuse_ranks(
        [key_of(hit.section) for hit in by_words],
        [key_of(hit.section) for hit in judged.hits],
        doubted=_find_same_language(near, question),
    )
    sections = {key_of(hit.section): hit.section for hit in by_words if is_found} | close
    hits = tuple(Hit(sections[key], evidence[key].score) for key in order if key in sections)
    if isinstance(outcome, Found):
        return Looked(replace(outcome, hits=hits), evidence)
    return Looked(Found(hits, (), 0), evidence)


def fuse_ranks(
    by_words: Sequence[Key], by_meaning: Sequence[Key], *, doubted: Collection[Key] = ()
) -> list[Key]:
    """Return all keys by reciprocal rank fusion, best first; ties by the best single rank.

    What meaning says of those that are `doubted` counts less.
    """
    scores: dict[Key, float] = {}
    best: dict[Key, int] = {}
    for is_meaning, ranking in ((False, by_words), (True, by_meaning)):
        for rank, key in enumerate(ranking, 1):
            weight = MEANING_WEIGHT if is_meaning and key in doubted else 1.0
            scores[key] = scores.get(key, 0.0) + weight / (RRF_K + rank)
            best[key] = min(best.get(key, rank), rank)
    return sorted(scores, key=lambda key: (-scores[key], best[key], key))


def score_cosine(cosine: float, needed: float) -> float:
    """Put a cosine on the scale of `Hit.score`: `needed` is what a section needs anywhere."""
    if cosine < needed:
        return CLOSE_ANYWHERE * max(0.0, cosine) / needed
    return CLOSE_ANYWHERE + (1 - CLOSE_ANYWHERE) * (cosine - needed) / max(1e-9, 1 - needed)


def join_outcomes(own: Found | NoKnowledge, shared: Found | NoKnowledge) -> Found | NoKnowledge:
    """Join what the local index and the team's have; of a section that both have, the local one.

    Ranks of different collections cannot be compared, scores from 0 to 1 can.
    """
    if isinstance(own, NoKnowledge) and isinstance(shared, NoKnowledge):
        nearest = sorted((*own.nearest, *shared.nearest), key=lambda hit: -hit.score)
        is_about = bool(own.routed or shared.routed)
        reason: Literal["nothing-routed", "nothing-close"] = (
            "nothing-close" if is_about else "nothing-routed"
        )
        return NoKnowledge(
            reason,
            tuple(nearest[:N_NEAREST]),
            (*own.routed, *shared.routed),
            own.n_documents + shared.n_documents,
        )
    if isinstance(own, NoKnowledge):
        return shared
    if isinstance(shared, NoKnowledge):
        return own
    known = {(hit.section.heading_path, hit.section.text) for hit in own.hits}
    others = [
        hit for hit in shared.hits if (hit.section.heading_path, hit.section.text) not in known
    ]
    merged = _merge(own.hits, others)
    needed = NEAR_BEST * max(hit.score for hit in merged)
    return replace(
        own,
        hits=tuple(hit for hit in merged if hit.score >= needed),
        routed=(*own.routed, *shared.routed),
        cut=own.cut + shared.cut,
        left_out=(*own.left_out, *shared.left_out),
    )


def cut_hits(outcome: Found | NoKnowledge, limit: int) -> Found | NoKnowledge:
    """Keep the best, and say how many more there are."""
    if isinstance(outcome, NoKnowledge):
        return outcome
    left = outcome.hits[limit:]
    return replace(
        outcome,
        hits=outcome.hits[:limit],
        cut=outcome.cut + len(left),
        left_out=(*left, *outcome.left_out),
    )


def _merge(*lists: Iterable[Hit]) -> list[Hit]:
    """Join lists of hits: the surest head comes next, each list keeps its own order."""
    waiting = [list(hits) for hits in lists]
    merged: list[Hit] = []
    while any(waiting):
        surest = max((each for each in waiting if each), key=lambda each: each[0].score)
        merged.append(surest.pop(0))
    return merged


def _find_same_language(near: Nearest, question: str) -> frozenset[Key]:
    is_chinese = contains_chinese(question)
    return frozenset(
        key_of(hit.section) for hit in near.hits if contains_chinese(hit.section.text) == is_chinese
    )


def _doubt_same_language(near: Nearest, question: str) -> Nearest:
    """Move away what words refuse, though it is written in the language of the question."""
    doubted = _find_same_language(near, question)
    hits = [
        replace(hit, cosine=hit.cosine - SAME_LANGUAGE) if key_of(hit.section) in doubted else hit
        for hit in near.hits
    ]
    return replace(near, hits=tuple(sorted(hits, key=lambda hit: -hit.cosine)))


def _choose_close(near: Nearest) -> dict[Key, Section]:
    """Return the sections that meaning calls close.

    Beside a sure one, what only just passes is noise.
    """
    best = max((hit.cosine for hit in near.hits), default=0.0)
    needed = max(near.needed, NEAR_BEST_COSINE * best)
    return {key_of(hit.section): hit.section for hit in near.hits if hit.cosine >= needed}


def _weigh(
    by_words: Sequence[Hit],
    near: Nearest,
    judged: Nearest,
    close: Mapping[Key, Section],
    *,
    is_found: bool,
) -> dict[Key, Evidence]:
    """Note for each section what the members say about it, and which of them call it close."""
    found_by: tuple[str, ...] = ("words",) if is_found else ()
    evidence = {key_of(hit.section): Evidence(found_by, words=hit.score) for hit in by_words}
    bare = {key_of(hit.section): hit.cosine for hit in near.hits}
    for each in judged.hits:
        key = key_of(each.section)
        known = evidence.get(key, Evidence())
        evidence[key] = replace(
            known,
            found_by=(*known.found_by, "meaning") if key in close else known.found_by,
            meaning=score_cosine(each.cosine, near.needed),
            cosine=bare[key],
        )
    return evidence
