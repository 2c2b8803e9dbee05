"""How the use cases look for knowledge: one door, whatever it is found with.

Words always answer. Beside them may stand meaning (vectors of the sections) and an index that the
team shares. A member that is not ready, slow or away changes nothing but a notice.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from glossator.app.library import Library
from glossator.app.phrasing import Phrasing
from glossator.app.retrieval.fusion import (
    POOL,
    Evidence,
    Key,
    Looked,
    Near,
    Nearest,
    cut_hits,
    join_outcomes,
    key_of,
    look,
)
from glossator.app.retrieval.members import Members
from glossator.core.errors import GlossatorError
from glossator.core.text import SourceText
from glossator.knowledge.documents import Section
from glossator.knowledge.index import KnowledgeIndex
from glossator.knowledge.question import parse_question
from glossator.knowledge.routing import Found, NoKnowledge, retrieve
from glossator.semantic.encoder import EncoderUnavailable
from glossator.shared.connecting import SharedUnavailable
from glossator.shared.searching import SharedIndex

if TYPE_CHECKING:
    from glossator.semantic.encoder import Matrix


@dataclass(frozen=True, slots=True)
class Query:
    """A question that knowledge is looked for with, asked while looking at the file `path`.

    At most `limit` sections answer. Documents `without` count only when the question names them.
    """

    question: str
    path: str | None = None
    limit: int = 6
    without: Collection[str] = ()


Find = Callable[[Library, Query], Found | NoKnowledge]
"""Returns what answers a query, or what comes nearest. Blocks: call it in a worker thread."""


def find_knowledge(library: Library, query: Query) -> Found | NoKnowledge:
    """Find by words alone what is known. May read files: call it in a worker thread."""
    return retrieve(
        library.index,
        query.question,
        path=query.path,
        limit=query.limit,
        without=query.without,
    )


class Seeker:
    """Looks for knowledge in one turn, and remembers who was asked and what they said."""

    def __init__(self, members: Members | None = None) -> None:
        self.asked: tuple[str, ...] = ()
        self._members = members or Members()
        self._evidence: dict[Key, Evidence] = {}
        self._notices: dict[str, tuple[str, str]] = {}

    def find(self, library: Library, query: Query) -> Found | NoKnowledge:
        """Return what answers, or what comes nearest, whoever finds it.

        Takes as long as the slowest member may: call it in a worker thread.
        """
        self._note("words")
        has_members = self._members.meaning is not None or self._members.shared is not None
        if not has_members or not parse_question(query.question).has_subject:
            return find_knowledge(library, query)
        vector = self._encode(query.question)
        near = self._ask_meaning(library.index, vector)
        looked = look(library.index, query.question, query.path, near, query.without)
        shared = self._ask_shared(query, vector)
        outcome = looked.outcome
        self._evidence |= looked.evidence
        if shared is not None:
            outcome = join_outcomes(outcome, shared.outcome)
            self._evidence |= shared.evidence
        outcome = cut_hits(outcome, query.limit)
        if isinstance(outcome, Found) and shared is not None:
            given = (hit.section for hit in outcome.hits)
            self._members.given.add(each for each in given if key_of(each) in shared.evidence)
        return outcome

    def evidence_of(self, section: Section) -> Evidence | None:
        """Return who found a section, where more than words was asked."""
        return self._evidence.get(key_of(section))

    def list_notices(self, say: Phrasing) -> list[str]:
        """Say which member was not asked and why, as far as it was not said before."""
        return [say(english, chinese) for english, chinese in self._notices.values()]

    def list_given(self) -> tuple[SourceText, ...]:
        """Return what was given of documents without a file, in this turn and before."""
        return self._members.given.list_texts()

    def _encode(self, question: str) -> "Matrix | None":
        meaning, shared = self._members.meaning, self._members.shared
        if meaning is None:
            return None
        meaning.settle()
        if not meaning.is_ready and shared is None:
            return None
        try:
            return meaning.encode_question(question)
        except EncoderUnavailable as error:
            self._tell_error("meaning", error, "By words alone", "仅按词语查找")
            return None

    def _ask_meaning(self, index: KnowledgeIndex, vector: "Matrix | None") -> Nearest | None:
        meaning = self._members.meaning
        if meaning is None:
            return None
        if vector is not None and meaning.is_ready:
            self._note("meaning")
            self._members.said.pop("meaning", None)
            return meaning.find(vector, index, limit=POOL)
        n_sections = meaning.describe().n_sections
        is_idle = not (meaning.is_ready or meaning.is_computing)
        if self._members.expects_meaning and is_idle and n_sections:
            self._tell(
                "meaning",
                f"By words alone: none of the {n_sections:,} sections has a vector yet. "
                "`glossator index --meaning` makes them at once.",
                f"仅按词语查找：{n_sections:,} 个章节都还没有向量。"
                "可运行 `glossator index --meaning` 立即生成。",
            )
        return None

    def _ask_shared(self, query: Query, vector: "Matrix | None") -> Looked | None:
        desk, meaning = self._members.shared, self._members.meaning
        if desk is None:
            return None
        encoder = meaning.encoder.name if meaning is not None else ""
        try:
            looked = desk.ask(lambda index: _look_shared(index, query, encoder, vector))
        except SharedUnavailable as error:
            self._tell_error("shared", error, "Without the team's index", "未使用团队共享索引")
            return None
        self._members.said.pop("shared", None)
        self._note("shared")
        return looked

    def _note(self, member: str) -> None:
        if member not in self.asked:
            self.asked = (*self.asked, member)

    def _tell_error(self, member: str, error: GlossatorError, english: str, chinese: str) -> None:
        """Say what is done instead, and the error for which it is."""
        why = Phrasing(is_chinese=True).translate(str(error))
        self._tell(member, f"{english}: {error}", f"{chinese}：{why}")

    def _tell(self, member: str, english: str, chinese: str) -> None:
        """Say something about a member, once until it has changed."""
        if self._members.said.get(member) != english:
            self._members.said[member] = english
            self._notices[member] = (english, chinese)


def _look_shared(index: SharedIndex, query: Query, encoder: str, vector: "Matrix | None") -> Looked:
    """Look into the team's index as into the local one."""
    found = index.find_nearest(encoder, vector, POOL) if vector is not None else None
    near = None
    if found is not None:
        hits, needed = found
        near = Nearest(tuple(Near(section, cosine) for section, cosine in hits), needed)
    looked = look(index, query.question, query.path, near)
    return replace(looked, evidence=_mark_shared(looked.evidence))


def _mark_shared(evidence: Mapping[Key, Evidence]) -> dict[Key, Evidence]:
    return {
        key: replace(each, found_by=("shared", *each.found_by)) for key, each in evidence.items()
    }
