"""What words and meaning find is joined; each may be missing without harm."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

import workbench
from glossator.app.byte_cache import ByteCache
from glossator.app.library import Library, read_library
from glossator.app.phrasing import Phrasing
from glossator.app.retrieval.fusion import fuse_ranks, join_outcomes, score_cosine
from glossator.app.retrieval.meaning import Meaning
from glossator.app.retrieval.members import Members
from glossator.app.retrieval.retrieving import Query, Seeker, find_knowledge
from glossator.core.events import KnowledgeFound
from glossator.knowledge.documents import parse_document
from glossator.knowledge.index import Hit, KnowledgeIndex
from glossator.knowledge.routing import CLOSE_ANYWHERE, Found, NoKnowledge
from unit.semantic.encoders import MeaningEncoder

LEDGER = """\
# Bookkeeping
## Closing
The ledger is sealed each evening; afterwards nobody posts to it.
## Penguins
Penguins are counted twice a year.
## Paint
Walls are painted in grey.
"""
MEANINGS = (("ledger", "账本"), ("Penguins", "企鹅"), ("painted", "油漆"))
ENGLISH, CHINESE = Phrasing(is_chinese=False), Phrasing(is_chinese=True)


@pytest.fixture
def library() -> Library:
    document = parse_document(LEDGER, path="knowledge/books.md")
    return replace(read_library(()), index=KnowledgeIndex.build([document]))


@pytest.fixture
def encoder() -> MeaningEncoder:
    return MeaningEncoder(MEANINGS)


@pytest.fixture
def meaning(encoder: MeaningEncoder, tmp_path: Path) -> Iterator[Meaning]:
    meaning = Meaning(encoder, ByteCache(tmp_path / "vectors.sqlite3"))
    yield meaning
    meaning.close()


def prepare(meaning: Meaning, library: Library) -> Seeker:
    meaning.follow(library.index, compute=True)
    assert meaning.wait(20)
    return Seeker(Members(meaning))


def test_a_chinese_question_finds_an_english_section_that_shares_no_word(
    library: Library, meaning: Meaning
) -> None:
    seeker = prepare(meaning, library)

    found = seeker.find(library, Query("账本什么时候封存"))

    assert isinstance(find_knowledge(library, Query("账本什么时候封存")), NoKnowledge)
    assert isinstance(found, Found)
    assert [hit.section.heading_path[-1] for hit in found.hits] == ["Closing"]
    assert CLOSE_ANYWHERE <= found.hits[0].score <= 1
    evidence = seeker.evidence_of(found.hits[0].section)
    assert evidence is not None
    assert evidence.found_by == ("meaning",)
    assert evidence.cosine is not None
    assert evidence.cosine > 0.8
    assert seeker.asked == ("words", "meaning")
    assert seeker.list_notices(ENGLISH) == []


def test_what_nobody_calls_close_stays_refused(library: Library, meaning: Meaning) -> None:
    seeker = prepare(meaning, library)

    outcome = seeker.find(library, Query("怎么做红烧肉?"))

    assert isinstance(outcome, NoKnowledge)


def test_what_words_and_meaning_find_stands_before_what_one_of_them_finds(
    library: Library, meaning: Meaning
) -> None:
    seeker = prepare(meaning, library)

    found = seeker.find(library, Query("who posts to the ledger after closing"))

    assert isinstance(found, Found)
    evidence = seeker.evidence_of(found.hits[0].section)
    assert evidence is not None
    assert evidence.found_by == ("words", "meaning")


def test_without_vectors_words_answer_alone_and_this_is_said_once(
    library: Library, meaning: Meaning
) -> None:
    meaning.follow(library.index, compute=False)
    assert meaning.wait(20)
    members = Members(meaning, expects_meaning=True)
    first, second = Seeker(members), Seeker(members)

    found = first.find(library, Query("when is the ledger sealed?"))
    second.find(library, Query("when is the ledger sealed?"))

    assert found == find_knowledge(library, Query("when is the ledger sealed?"))
    assert first.asked == ("words",)
    assert "none of the 3 sections" in first.list_notices(ENGLISH)[0]
    assert "glossator index --meaning" in first.list_notices(CHINESE)[0]
    assert second.list_notices(ENGLISH) == []


def test_who_did_not_choose_to_find_by_meaning_is_not_told_that_it_is_not_done_yet(
    library: Library, meaning: Meaning
) -> None:
    meaning.follow(library.index, compute=False)
    assert meaning.wait(20)
    seeker = Seeker(Members(meaning))

    seeker.find(library, Query("when is the ledger sealed?"))

    assert seeker.list_notices(ENGLISH) == []


def test_an_encoder_that_fails_leaves_words_alone_and_is_not_asked_again_at_once(
    library: Library, meaning: Meaning, encoder: MeaningEncoder
) -> None:
    prepare(meaning, library)
    members = Members(meaning)
    encoder.fail = "The local embedding model is busy."
    first, second = Seeker(members), Seeker(members)

    outcomes = [each.find(library, Query("账本什么时候封存")) for each in (first, second)]

    assert all(isinstance(outcome, NoKnowledge) for outcome in outcomes)
    assert first.list_notices(ENGLISH) == ["By words alone: The local embedding model is busy."]
    assert first.list_notices(CHINESE) == ["仅按词语查找：本地嵌入模型正忙。"]
    assert second.list_notices(ENGLISH) == []
    assert members.list_problems() == ["The local embedding model is busy."]


def test_a_question_without_a_subject_is_not_sent_to_the_encoder(
    library: Library, meaning: Meaning, encoder: MeaningEncoder
) -> None:
    seeker = prepare(meaning, library)
    asked = encoder.asked

    seeker.find(library, Query("how do I do this?"))

    assert encoder.asked == asked


def test_a_changed_section_is_not_found_by_what_it_said_before(
    library: Library, meaning: Meaning
) -> None:
    seeker = prepare(meaning, library)
    changed = parse_document(LEDGER.replace("ledger", "safe"), path="knowledge/books.md")
    later = replace(library, index=KnowledgeIndex.build([changed]))

    assert isinstance(seeker.find(later, Query("账本什么时候封存")), NoKnowledge)


def test_ranks_are_fused_by_their_reciprocals() -> None:
    a, b, c = ("a", 1), ("b", 1), ("c", 1)

    assert fuse_ranks([a, b], [c, b]) == [b, a, c]
    assert fuse_ranks([a, b], []) == [a, b]
    assert fuse_ranks([], []) == []
    assert fuse_ranks([a], [c, b], doubted={b, c}) == [a, c, b]


@pytest.mark.parametrize("needed", [0.1, 0.38, 0.9])
def test_a_cosine_becomes_a_score_on_the_scale_of_words(needed: float) -> None:
    assert score_cosine(needed, needed) == pytest.approx(CLOSE_ANYWHERE)
    assert score_cosine(1.0, needed) == pytest.approx(1.0)
    assert score_cosine(-0.5, needed) == 0.0
    assert score_cosine(needed / 2, needed) < CLOSE_ANYWHERE


def test_a_section_that_both_indexes_have_is_given_once_as_the_local_one() -> None:
    own, shared = (
        parse_document(LEDGER, path=path).sections[1]
        for path in ("knowledge/books.md", "shared/default/api/books.md")
    )
    other = parse_document(LEDGER, path="shared/default/api/books.md").sections[2]

    joined = join_outcomes(
        Found((Hit(own, 0.8),), ("books",), 0),
        Found((Hit(shared, 0.9), Hit(other, 0.85)), (), 1),
    )

    assert isinstance(joined, Found)
    assert [hit.section for hit in joined.hits] == [other, own]
    assert joined.cut == 1


def test_two_refusals_name_the_nearest_of_both() -> None:
    near, nearer = parse_document(LEDGER, path="a.md").sections[:2]

    joined = join_outcomes(
        NoKnowledge("nothing-routed", (Hit(near, 0.2),), (), 3),
        NoKnowledge("nothing-close", (Hit(nearer, 0.4),), ("books",), 5),
    )

    assert isinstance(joined, NoKnowledge)
    assert [hit.score for hit in joined.nearest] == [0.4, 0.2]
    assert (joined.reason, joined.routed, joined.n_documents) == ("nothing-close", ("books",), 8)


async def test_the_notice_of_an_answer_and_the_events_say_who_was_asked(
    make_bench: workbench.MakeBench, meaning: Meaning, encoder: MeaningEncoder
) -> None:
    members = Members(meaning, expects_meaning=True)
    bench = make_bench({"knowledge/books.md": LEDGER}, make_members=lambda: members)

    answer = await bench.application.ask("When is the ledger sealed?", emit=bench.hear)

    assert "none of the" in answer.notice
    assert [event.members for event in bench.heard(KnowledgeFound)] == [("words",)]
    status = bench.application.status()
    assert status.meaning is not None
    assert status.meaning.encoder == "meanings-1"
