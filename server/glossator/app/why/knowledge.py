"""How documents of knowledge stand: found for a question, or how near they come, and why."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from glossator.app.grounds import Grounds
from glossator.app.library import Library
from glossator.app.material import is_given_already
from glossator.app.why.report import Cause, Passage, Verdict
from glossator.app.why.search import WholeSearch
from glossator.core.globs import matches_any
from glossator.core.tokens import estimate_tokens
from glossator.instructions.standing import Standing
from glossator.knowledge.documents import Document, Section
from glossator.knowledge.index import Hit
from glossator.knowledge.routing import (
    CLOSE_ANYWHERE,
    CLOSE_ROUTED,
    NEAR_BEST,
    Found,
    NoKnowledge,
    is_about,
)
from glossator.knowledge.wording import Wording, read_wording

_N_NEAREST = 400
"""So many sections, the best by their words, are looked at for how near a document comes."""

Hits = Mapping[str, Sequence[Hit]]


@dataclass(frozen=True, slots=True)
class Findings:
    """What a search found, by the path of the document, and what only came near.

    `path` is the file that is looked at, below its root. Of what was `found`, `held_back` tells
    what is not given and why: it was cut, or stands in instructions or skills that are given.
    `needed` is the score that decided. Documents that ship with the product and are about nothing
    here are `unused` unless they are named.
    """

    wording: Wording
    path: str | None
    found: Hits
    held_back: Mapping[Section, Cause]
    found_by: Mapping[Section, tuple[str, ...]]
    near: Hits
    routed: frozenset[str]
    best: float
    needed: float
    n_lines_cut: Mapping[Section, int]
    unused: Collection[str]


def look_around(
    grounds: Grounds,
    standings: Sequence[Standing],
    library: Library,
    path: str | None,
    search: WholeSearch,
    unused: Collection[str],
) -> Findings:
    """Put what `search` found for a question beside what comes near it."""
    knowledge = grounds.knowledge
    given = knowledge.hits if isinstance(knowledge, Found) else ()
    cut = dict(search.list_cut(given))
    covered = {
        hit.section: Cause("covered")
        for hit in given
        if is_given_already(hit.section, grounds, standings)
    }
    near = library.index.search(grounds.subject, limit=_N_NEAREST)
    return Findings(
        wording=read_wording(grounds.subject),
        path=path,
        found=_by_document((*given, *cut)),
        held_back=covered | {hit.section: cause for hit, cause in cut.items()},
        found_by={hit.section: search.who_found(hit.section) for hit in (*given, *cut)},
        near=_by_document(near),
        routed=frozenset(knowledge.routed),
        best=max((hit.score for hit in given), default=0.0),
        needed=knowledge.needed if isinstance(knowledge, Found) else CLOSE_ANYWHERE,
        n_lines_cut={hit.section: _count_cut(knowledge) for hit in given[:1]},
        unused=unused,
    )


def _count_cut(knowledge: Found | NoKnowledge) -> int:
    """Return how many lines of the first section are not given."""
    return knowledge.n_lines_cut if isinstance(knowledge, Found) else 0


def judge_knowledge(document: Document, findings: Findings) -> Verdict:
    """Say what comes of a document for a question."""
    routing = tuple(explain_routing(document, findings.wording, findings.path))
    hits = findings.found.get(document.path, ())
    if hits:
        found = judge_sections(hits, findings)
        return replace(found, causes=(*routing, *found.causes))
    return Verdict("unused", (*routing, _explain_missing(document, findings)))


def judge_sections(hits: Sequence[Hit], findings: Findings) -> Verdict:
    """Say what is given of a document's sections that were found."""
    passages = tuple(_passage_of(hit, findings) for hit in hits)
    cut = [each.cause for each in passages if each.cause and each.cause.code != "covered"]
    score = Cause("score", score=max(hit.score for hit in hits), needed=findings.needed)
    if len(cut) == len(passages):
        return Verdict("unused", (score, cut[0]), passages=passages)
    n_tokens = sum(passage.n_tokens for passage in passages if passage.is_given)
    return Verdict("used", (score,), n_tokens, passages=passages)


def await_question(document: Document, path: str | None, unused: Collection[str]) -> Verdict:
    """Say what would lead a question to a document."""
    if document.path in unused:
        return Verdict("by-question", (_ask_for_name(document),))
    always = (Cause("always"),) if document.always else ()
    return Verdict("by-question", (*match_globs(document, path), *always, Cause("search")))


def _ask_for_name(document: Document) -> Cause:
    return Cause("no-file-matches", document.name)


def explain_routing(document: Document, wording: Wording, path: str | None) -> Iterator[Cause]:
    """Yield what leads a question to a document before its sections are looked at."""
    keywords = [keyword for keyword in document.keywords if wording.mentions(keyword)]
    yield from (Cause("keyword", word, said=wording.find_synonym(word)) for word in keywords)
    if wording.mentions(document.name):
        yield Cause("named", document.name)
    elif not keywords and is_about(document, wording):
        yield Cause("description")
    yield from match_globs(document, path)
    if document.always:
        yield Cause("always")


def match_globs(document: Document, path: str | None) -> Iterator[Cause]:
    """Yield the globs of a document that name the file `path`, as they are written."""
    written = document.globs_written
    shown = written if len(written) == len(document.globs) else document.globs
    for glob, text in zip(document.globs, shown, strict=True):
        if path and matches_any((glob,), path):
            yield Cause("glob", text)


def _needed_for(document: Document, findings: Findings) -> float:
    is_routed = _is_routed(document, findings)
    return CLOSE_ROUTED if is_routed else CLOSE_ANYWHERE


def _is_routed(document: Document, findings: Findings) -> bool:
    return document.name in findings.routed or (document.always and bool(findings.routed))


def _explain_missing(document: Document, findings: Findings) -> Cause:
    """Say how near a document comes that was not found."""
    if document.path in findings.unused and not findings.wording.mentions(document.name):
        return _ask_for_name(document)
    near = findings.near.get(document.path, ())
    if not near:
        return Cause("not-mentioned")
    best = max(near, key=lambda hit: hit.score)
    needed = max(_needed_for(document, findings), NEAR_BEST * findings.best)
    title = best.section.title
    if best.score < needed:
        return Cause("too-low", title, best.score, needed)
    is_outranked = bool(findings.routed) and not _is_routed(document, findings)
    return Cause("outranked" if is_outranked else "over-limit", title, best.score, needed)


def _by_document(hits: Sequence[Hit]) -> Hits:
    found: defaultdict[str, list[Hit]] = defaultdict(list)
    for hit in hits:
        found[hit.section.path].append(hit)
    return found


def _passage_of(hit: Hit, findings: Findings) -> Passage:
    section = hit.section
    return Passage(
        title=section.title,
        first_line=section.first_line,
        last_line=section.last_line,
        score=hit.score,
        n_tokens=estimate_tokens(section.text),
        is_given=section not in findings.held_back,
        cause=findings.held_back.get(section),
        n_lines_cut=findings.n_lines_cut.get(section, 0),
        found_by=findings.found_by.get(section, ()),
    )
