"""The search of a turn, which also tells what was close enough and left out all the same."""

from collections.abc import Iterator
from dataclasses import replace

from glossator.app.library import Library
from glossator.app.phrasing import Phrasing
from glossator.app.retrieval.members import Given, Members
from glossator.app.retrieval.retrieving import Query, Seeker
from glossator.app.why.report import Cause
from glossator.knowledge.documents import Section
from glossator.knowledge.index import Hit
from glossator.knowledge.routing import POOL, Found, NoKnowledge


class WholeSearch:
    """Finds what a turn finds, by the same search, and remembers what its limit cuts off."""

    def __init__(self, members: Members) -> None:
        # What is said and found here changes nothing for the turns that come later.
        self._seeker = Seeker(replace(members, said={}, given=Given()))
        self._hits: tuple[Hit, ...] = ()
        self._limit = 0

    def find(self, library: Library, query: Query) -> Found | NoKnowledge:
        """Return what a turn is given; as `retrieving.Find`."""
        limit = query.limit
        found = self._seeker.find(library, replace(query, limit=max(limit, POOL)))
        if isinstance(found, NoKnowledge):
            return found
        self._hits, self._limit = (*found.hits, *found.left_out), limit
        hits, over = found.hits[:limit], found.hits[limit:]
        left_out = (*over, *found.left_out)
        return replace(found, hits=hits, cut=found.cut + len(over), left_out=left_out)

    def list_cut(self, given: tuple[Hit, ...]) -> Iterator[tuple[Hit, Cause]]:
        """Yield what was close enough and is not `given`: over the limit, or over the budget."""
        # Not by the whole section: one that is larger than all there is room for is given in part.
        begun = {(hit.section.path, hit.section.first_line) for hit in given}
        for place, hit in enumerate(self._hits):
            if (hit.section.path, hit.section.first_line) not in begun:
                yield hit, Cause("over-limit" if place >= self._limit else "over-budget")

    def who_found(self, section: Section) -> tuple[str, ...]:
        """Return who found a section, where more than words was asked."""
        evidence = self._seeker.evidence_of(section)
        return evidence.found_by if evidence is not None else ()

    def list_notices(self, say: Phrasing) -> list[str]:
        """Say who was not asked, and why."""
        return self._seeker.list_notices(say)
