"""How sure the index is: on documents made for one property each, and against the formula."""

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glossator.knowledge.confidence import (
    HALF_SURE,
    HALF_SURE_EACH,
    HEADER_CREDIT,
    LEAST,
    LENGTH_SHARE,
    MENTIONS_PER_SECTION,
    MOST_HALF_SURE,
    RARITY_POWER,
    SATURATION,
    TOGETHER_POWER,
    UNSEEN,
    VAGUE,
    judge_sections,
)
from glossator.knowledge.documents import parse_document
from glossator.knowledge.index import KnowledgeIndex
from glossator.knowledge.question import Unit, Way
from glossator.knowledge.routing import Found, retrieve


def index_of(*texts: str) -> KnowledgeIndex:
    return KnowledgeIndex.build(
        parse_document(text, path=f"d{number:04}.md") for number, text in enumerate(texts)
    )


def best(index: KnowledgeIndex, question: str) -> float:
    return max((hit.score for hit in index.search(question)), default=0.0)


FILLER = [
    f"# Part {n}\n\nThe service {n} stores its orders in the queue and retries them later.\n"
    for n in range(600)
]


def test_more_of_the_question_is_surer() -> None:
    index = index_of("# A\n\nRotate signing keys.\n", "# B\n\nRotate logs daily.\n", *FILLER[:20])

    assert best(index, "rotate signing keys") > best(index, "rotate signing certificates")


def test_a_word_that_stands_once_in_one_section_of_many_is_an_example_and_no_subject() -> None:
    example = "# Greeting\n\nThe service greets users. It stores the orders, say those of a joke.\n"
    subject = "# Jokes\n\nA joke is short. Every joke has a point; no joke is told twice.\n"

    incidental = best(index_of(example, *FILLER), "any joke?")
    telling = best(index_of(subject, *FILLER), "any joke?")

    assert telling > 1.3 * incidental


@pytest.mark.parametrize("n_others", [600, 3_000])
@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Where is the branchone quokka wombat numbat agreed?", "branchone quokka wombat numbat"),
        ("What about the floodone heron?", "floodone heron"),
        ("苍鹭和袋熊怎么登记？", "苍鹭、袋熊的登记"),
    ],
)
def test_words_that_one_section_alone_has_are_believed_where_they_stand_together(
    n_others: int, question: str, answer: str
) -> None:
    others = [f"The zebra{n} is agreed. retry payment kafka" for n in range(n_others)]
    apart = [f"The {word} is one example among many others." for word in answer.split()[:1]]

    assert isinstance(retrieve(index_of(f"The {answer} is agreed.", *others), question), Found)
    assert not isinstance(retrieve(index_of(*apart, *others), question + " 海牛 manatee"), Found)


@pytest.mark.parametrize("n_sections", [20, 60])
def test_a_small_library_answers_where_a_word_of_the_question_stands_nowhere(
    n_sections: int,
) -> None:
    answer = "Uploads are kept in a bucket. An upload ends after ten minutes, and its parts go."
    index = index_of(answer, *FILLER[:n_sections])

    assert isinstance(retrieve(index, "When do resumable uploads end?"), Found)


def test_a_name_of_the_code_is_believed_though_one_section_alone_has_it() -> None:
    index = index_of("# Ports\n\nThe daemon zebra77x3 listens on 8443.\n", *FILLER)

    assert isinstance(retrieve(index, "What is zebra77x3?"), Found)


@pytest.mark.parametrize("n_others", [0, 20, 600])
def test_a_question_that_one_section_answers_is_known_in_small_and_large_libraries(
    n_others: int,
) -> None:
    answer = (
        "# Certificates\n\nTLS certificates are renewed by the ingress, 30 days before expiry.\n"
    )
    index = index_of(answer, *FILLER[:n_others])

    assert isinstance(retrieve(index, "How are TLS certificates renewed?"), Found)
    assert not isinstance(retrieve(index, "How do I bake sourdough bread?"), Found)


def test_scores_stay_between_0_and_1() -> None:
    index = index_of("# A\n\n" + "cache " * 2_000 + "\n", *FILLER[:5])

    hits = index.search("cache the cache of caches")

    assert all(0 < hit.score <= 1 for hit in hits)


def test_a_synonym_in_the_other_language_is_nearly_as_sure() -> None:
    index = index_of("# Pagination\n\nPagination uses cursors.\n", *FILLER[:20])

    assert 0.5 * best(index, "pagination") < best(index, "分页") <= best(index, "pagination")


WORDS = ["alpha", "beta", "gamma", "delta", "缓", "缓存"]
WAYS = st.builds(
    Way,
    st.lists(st.sampled_from(WORDS), min_size=1, max_size=3, unique=True).map(tuple),
    st.sampled_from([0.4, 0.9, 1.0]),
)
UNITS = st.builds(
    Unit,
    st.lists(st.sampled_from(WORDS), min_size=1, max_size=2).map(tuple),
    st.sampled_from([0.3, 0.5, 1.0]),
    st.lists(WAYS, min_size=1, max_size=5).map(tuple),
    st.booleans(),
)
SECTIONS = st.tuples(
    st.dictionaries(st.sampled_from(WORDS), st.integers(1, 40)),
    st.frozensets(st.sampled_from(WORDS)),
    st.floats(0.05, 8),
)


class Sections(NamedTuple):
    """Sections with how often each has a word, what its header has, and its length."""

    held: Sequence[tuple[dict[str, int], frozenset[str], float]]

    @property
    def n_sections(self) -> int:
        return len(self.held)

    def count_holders(self, word: str) -> int:
        return sum(word in counts for counts, _, _ in self.held)

    def find_counts(self, word: str, among: Sequence[int]) -> tuple[list[int], list[int]]:
        in_text = [self.held[i][0].get(word, 0) for i in among]
        in_header = [int(word in self.held[i][1]) for i in among]
        return in_text if any(in_text) else [], in_header if any(in_header) else []

    def find_lengths(self, among: Sequence[int]) -> list[float]:
        return [self.held[i][2] for i in among]

    def judge(self, units: Sequence[Unit], place: int) -> float:
        """Return how sure a section is, by the book: the best of each unit in all its ways."""
        had = covered = gained = trusted = asked = total = 0.0
        for unit in units:
            known = max(map(self.count_holders, unit.own))
            unseen = self.n_sections + UNSEEN
            idf = math.log(1 + (unseen - known + 0.5) / (known + 0.5))
            rarity = idf / math.log(1 + (unseen + 0.5) / 0.5) if known else 1.0
            weight = unit.share * rarity**RARITY_POWER
            believes_all = unit.is_name or not known
            covers = [
                (credit, gain, gain if believes_all else gain * self._trust(count + known - 1))
                for way in unit.ways
                for credit, gain, count in self._cover(way, place)
            ]
            credit, gain, believed = map(max, zip((0, 0, 0), *covers, strict=True))
            had, asked, total = had + unit.share * credit, asked + unit.share, total + weight
            covered, gained = covered + weight * credit, gained + weight * gain
            trusted += weight * believed
        if had > 1:
            together = ((had - 1) / (asked - 1)) ** TOGETHER_POWER * min(1, asked - 1)
            trusted = trusted * (1 - together) + gained * together
        sure = covered / total * trusted / (total + VAGUE)
        half_sure = HALF_SURE + HALF_SURE_EACH * math.log(self.n_sections)
        return max(LEAST, sure / (sure + min(half_sure, MOST_HALF_SURE)))

    def _trust(self, n_mentions: int) -> float:
        return n_mentions / (n_mentions + MENTIONS_PER_SECTION * self.n_sections)

    def _cover(self, way: Way, place: int) -> Iterator[tuple[float, float, int]]:
        counts, header, length = self.held[place]
        if count := min(counts.get(word, 0) for word in way.words):
            slack = SATURATION * (1 - LENGTH_SHARE + LENGTH_SHARE * length)
            yield way.credit, way.credit * (SATURATION + 1) * count / (count + slack), count
        if header.issuperset(way.words):
            yield way.credit * HEADER_CREDIT, way.credit * HEADER_CREDIT, 1


@given(st.lists(UNITS, min_size=1, max_size=6), st.lists(SECTIONS, min_size=1, max_size=12))
@settings(max_examples=200)
def test_a_section_is_as_sure_as_the_formula_says(
    units: list[Unit], held: list[tuple[dict[str, int], frozenset[str], float]]
) -> None:
    sections = Sections(held)
    places = list(reversed(range(len(held))))

    sure = judge_sections(units, [(place, 1.0) for place in places], sections)

    assert sure == pytest.approx([sections.judge(units, place) for place in places])
