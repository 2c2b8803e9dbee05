"""How sure the index is: on documents made for one property each."""

import pytest

from glossator.knowledge.documents import parse_document
from glossator.knowledge.index import KnowledgeIndex
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
