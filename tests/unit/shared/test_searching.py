"""The shared index finds what the local one finds, with the same scores."""

import random
from collections.abc import Sequence

import pytest

from glossator.knowledge.documents import Document, parse_document
from glossator.knowledge.index import KnowledgeIndex
from glossator.shared.connecting import Address, connect
from glossator.shared.publishing import Publication, publish
from glossator.shared.searching import SharedIndex, read_state
from unit.shared.team import index_as_shared

QUESTIONS = (
    "How do I rename a column?",
    "rate limit of the API",
    "金额字段用什么类型?",
    "useEffect cleanup function",
    "提交信息怎么写",
    "useEffect 的清理函数",
    "index",
    "the",
    "",
    "a question about nothing that is there: zyxwv",
    "不小心把密钥提交到仓库了怎么办",
)


def publish_all(address: Address, documents: Sequence[Document]) -> None:
    with connect(address) as connection:
        publish(connection, Publication("default", "api", documents), address)


@pytest.mark.parametrize("question", QUESTIONS)
def test_hits_and_scores_are_those_of_the_local_index(
    team_index: tuple[SharedIndex, KnowledgeIndex], question: str
) -> None:
    shared, local = team_index

    found = shared.search(question, limit=40)

    expected = local.search(question, limit=40)
    assert [hit.section for hit in found] == [hit.section for hit in expected]
    assert [hit.score for hit in found] == pytest.approx([hit.score for hit in expected], abs=1e-6)


def test_they_agree_on_any_words_in_any_documents(address: Address) -> None:
    rng = random.Random(7)
    words = ["cache", "缓存", "userName", "index", "数据库", "retry", "rate-limit", "the", "名字"]
    documents = [
        parse_document(
            f"# {rng.choice(words)}\n"
            + "".join(
                f"## {rng.choice(words)} {rng.choice(words)}\n"
                f"{' '.join(rng.choices(words, k=rng.randrange(1, 40)))}\n"
                for _ in range(rng.randrange(1, 6))
            ),
            path=f"knowledge/{number}.md",
        )
        for number in range(30)
    ]
    publish_all(address, documents)
    local = index_as_shared(documents)

    with connect(address) as connection:
        shared = SharedIndex(connection, read_state(connection, "default", "db"))
        for _ in range(30):
            question = " ".join(rng.choices(words, k=rng.randrange(1, 5)))
            among = rng.sample(sorted(local.documents), 12) if rng.random() < 0.5 else None
            found = shared.search(question, limit=10, among=among)
            expected = local.search(question, limit=10, among=among)
            assert [hit.section for hit in found] == [hit.section for hit in expected]
            assert [hit.score for hit in found] == pytest.approx(
                [hit.score for hit in expected], abs=1e-6
            )


def test_headers_route_as_those_of_files(team_index: tuple[SharedIndex, KnowledgeIndex]) -> None:
    shared, local = team_index

    assert shared.n_sections == local.n_sections
    assert shared.documents.keys() == local.documents.keys()
    for path, document in local.documents.items():
        there = shared.documents[path]
        assert (there.name, there.description, there.keywords, there.globs, there.always) == (
            document.name,
            document.description,
            document.keywords,
            document.globs,
            document.always,
        )
        assert there.origin == "shared"
        assert there.sections == (document.sections if document.globs else ())
