import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glossator.knowledge.documents import parse_document
from glossator.knowledge.index import Hit, KnowledgeIndex

DOCUMENTS = [
    parse_document(
        "---\nkeywords: [sql]\n---\n# Database\n\n## Migrations\nAdd a nullable column first.\n\n"
        "## Transactions\nKeep transactions short; never call a service inside.\n",
        path="database.md",
    ),
    parse_document(
        "# 数据库\n\n## 索引\n联合索引把等值列放最左边。\n\n## 事务\n事务要短。\n", path="zh.md"
    ),
    parse_document("# React\n\n## Effects\nReturn a cleanup from `useEffect`.\n", path="react.md"),
]


@pytest.fixture
def index() -> KnowledgeIndex:
    return KnowledgeIndex.build(DOCUMENTS)


def titles(hits: tuple[Hit, ...]) -> list[str]:
    return [hit.section.title for hit in hits]


@pytest.mark.parametrize(
    ("question", "title"),
    [
        ("how do I add a column in a migration", "Database › Migrations"),
        ("索引", "数据库 › 索引"),
        ("联合索引怎么建", "数据库 › 索引"),
        ("use-effect cleanup", "React › Effects"),
        ("ｕｓｅＥｆｆｅｃｔ", "React › Effects"),
        ("Can a transaction call services?", "Database › Transactions"),
    ],
)
@pytest.mark.parametrize("weighting", ["bm25", "cosine"])
def test_the_section_that_speaks_of_it_comes_first(
    index: KnowledgeIndex, question: str, title: str, weighting: str
) -> None:
    hits = index.search(question, weighting="cosine" if weighting == "cosine" else "bm25")

    assert titles(hits)[0] == title
    assert all(0 < hit.score <= 1 for hit in hits)


def test_a_heading_without_text_is_not_found_by_itself(index: KnowledgeIndex) -> None:
    assert "Database" not in titles(index.search("database"))
    assert index.n_sections == 5


def test_only_the_documents_named_are_searched(index: KnowledgeIndex) -> None:
    hits = index.search("transactions 事务", among=["zh.md", "unknown.md"])

    assert {hit.section.path for hit in hits} == {"zh.md"}


def test_an_index_is_a_value_that_replacing_leaves_alone(index: KnowledgeIndex) -> None:
    before = index.search("transactions")

    changed = parse_document(
        "# Database\n\n## Locks\nTake them in one order.\n", path="database.md"
    )
    after = index.replace([changed], removed=["react.md"])

    assert index.search("transactions") == before
    assert len(index.documents) == 3
    assert set(after.documents) == {"database.md", "zh.md"}
    assert titles(after.search("locks")) == ["Database › Locks"]
    assert after.search("nullable") == ()
    assert after.search("useEffect") == ()


def test_documents_of_the_same_content_and_unknown_removals_change_nothing(
    index: KnowledgeIndex,
) -> None:
    again = index.replace(DOCUMENTS[:1], removed=["never.md"])

    assert again.search("transactions") == index.search("transactions")


@pytest.mark.parametrize("question", ["", "?!", "\ud800", "怎么", "zzz" * 5000, "a " * 100_000])
def test_a_question_without_words_finds_little_and_never_fails(
    index: KnowledgeIndex, question: str
) -> None:
    started = time.process_time()

    hits = index.search(question)

    assert all(hit.score < 0.5 for hit in hits)
    assert time.process_time() - started < 1


def test_an_empty_index_finds_nothing() -> None:
    assert KnowledgeIndex.build([]).search("anything") == ()


def test_a_file_stuffed_with_keywords_does_not_push_out_what_answers(
    index: KnowledgeIndex,
) -> None:
    stuffing = " ".join(["migration column transaction index effect service 索引 事务"] * 2000)
    stuffed = parse_document(f"# All\n\n{stuffing}\n", path="spam.md")

    hits = index.replace([stuffed]).search("add a nullable column in a migration")

    assert titles(hits)[0] == "Database › Migrations"


_TEXTS = st.lists(
    st.sampled_from(
        ["# Alpha", "## Beta", "cache miss", "缓存 穿透", "retry the request", "", "x"]
    ),
    max_size=8,
).map("\n".join)
_CHANGES = st.lists(
    st.tuples(st.sampled_from(["a.md", "b.md", "c.md"]), st.none() | _TEXTS), max_size=12
)


@given(_CHANGES)
@settings(max_examples=60)
def test_replacing_gives_what_building_anew_gives(changes: list[tuple[str, str | None]]) -> None:
    index = KnowledgeIndex.build([])
    current: dict[str, str] = {}
    for path, text in changes:
        if text is None:
            current.pop(path, None)
            index = index.replace(removed=[path])
        else:
            current[path] = text
            index = index.replace([parse_document(text, path=path)])
    fresh = KnowledgeIndex.build(
        parse_document(text, path=path) for path, text in sorted(current.items())
    )

    assert index.n_sections == fresh.n_sections
    assert dict(index.documents) == dict(fresh.documents)
    for question in ("cache", "缓存", "alpha retry request", "beta x"):
        assert index.search(question) == fresh.search(question)
        assert index.search(question, weighting="cosine") == fresh.search(
            question, weighting="cosine"
        )


@pytest.mark.parametrize("fence", ["check", "python bad", "python good"])
def test_checks_and_examples_of_rules_are_not_what_a_section_says(fence: str) -> None:
    text = f"# Queries\n\n- Bind values.\n  ```{fence}\n  email = boss\n  ```\n  Even twice.\n"
    index = KnowledgeIndex.build([parse_document(text, path="sql.md")])

    assert index.search("email boss") == ()
    assert titles(index.search("bind")) == titles(index.search("twice")) == ["Queries"]
    assert index.replace(removed=["sql.md"]).n_sections == 0


def test_code_that_people_are_shown_is_found() -> None:
    index = KnowledgeIndex.build([parse_document("# A\n\n```python\nretry()\n```\n", path="a.md")])

    assert titles(index.search("retry")) == ["A"]
