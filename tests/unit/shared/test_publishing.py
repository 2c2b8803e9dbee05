"""Publishing costs what changed, takes out what vanished on demand, and never half of it."""

import threading

import psycopg
import pytest

from glossator.knowledge.documents import Document, parse_document
from glossator.shared.connecting import Address, SharedUnavailable, connect
from glossator.shared.publishing import Publication, Published, plan, publish
from glossator.shared.searching import SharedIndex, read_state

A, B, C = (
    parse_document(f"# {name}\nThe {name} says what is what.\n", path=f"knowledge/{name}.md")
    for name in ("apple", "banana", "cherry")
)


def put(
    address: Address, *documents: Document, source: str = "api", removes: bool = False
) -> Published:
    publication = Publication("default", source, documents, removes=removes)
    with connect(address) as connection:
        return publish(connection, publication, address)


def list_paths(address: Address) -> list[str]:
    with connect(address) as connection:
        return list(read_state(connection, "default", "db").headers.documents)


def search(address: Address, question: str) -> list[str]:
    with connect(address) as connection:
        index = SharedIndex(connection, read_state(connection, "default", "db"))
        return [hit.section.path for hit in index.search(question)]


def test_only_what_changed_is_written_again(address: Address) -> None:
    first = put(address, A, B)
    changed = parse_document("# banana\nA berry, in fact.\n", path=B.path)

    second = put(address, A, changed, C)

    assert (first.added, first.n_unchanged) == (
        ("api/knowledge/apple.md", "api/knowledge/banana.md"),
        0,
    )
    assert second.added == ("api/knowledge/cherry.md",)
    assert second.changed == ("api/knowledge/banana.md",)
    assert second.n_unchanged == 1
    assert search(address, "berry") == ["shared/default/api/knowledge/banana.md"]


def test_what_vanished_stays_until_its_removal_is_asked_for(address: Address) -> None:
    put(address, A, B)

    kept = put(address, A)
    gone = put(address, A, removes=True)

    assert (kept.vanished, kept.removed) == (("api/knowledge/banana.md",), ())
    assert (gone.vanished, gone.removed) == ((), ("api/knowledge/banana.md",))
    assert list_paths(address) == ["shared/default/api/knowledge/apple.md"]
    assert search(address, "banana") == []


def test_two_sources_share_a_collection_without_touching_each_other(address: Address) -> None:
    put(address, A, source="api")
    put(address, A, B, source="web")

    put(address, source="web", removes=True)

    assert list_paths(address) == ["shared/default/api/knowledge/apple.md"]


def test_a_plan_changes_nothing_and_makes_no_tables(address: Address) -> None:
    publication = Publication("default", "api", (A, B))

    with connect(address) as connection:
        planned = plan(connection, publication, address)
        row = connection.execute("SELECT to_regnamespace('glossator')").fetchone()

    assert planned.added == ("api/knowledge/apple.md", "api/knowledge/banana.md")
    assert row == (None,)


def test_publishers_at_the_same_time_wait_for_each_other(address: Address) -> None:
    documents = [
        parse_document(f"# number {n}\nText of {n}.\n", path=f"knowledge/{n}.md") for n in range(40)
    ]
    failures: list[BaseException] = []

    def run(source: str) -> None:
        try:
            put(address, *documents, source=source)
        except SharedUnavailable as error:
            failures.append(error)

    threads = [threading.Thread(target=run, args=(name,)) for name in ("a", "a", "b", "c")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)

    assert failures == []
    assert len(list_paths(address)) == 3 * 40
    with connect(address) as connection:
        state = read_state(connection, "default", "db")
        row = connection.execute("SELECT count(*), sum(length) FROM glossator.sections").fetchone()
    assert row == (state.n_sections, state.total_length)


def test_what_fails_half_way_has_changed_nothing(address: Address) -> None:
    put(address, A)
    broken = parse_document("# x\ny\n", path="knowledge/x.md")
    with psycopg.connect(address.url) as connection:
        connection.execute(
            "ALTER TABLE glossator.documents ADD CHECK (path <> 'api/knowledge/x.md')"
        )

    with pytest.raises(SharedUnavailable):
        put(address, B, broken, removes=True)

    assert list_paths(address) == ["shared/default/api/knowledge/apple.md"]


def test_text_that_a_database_cannot_keep_is_published_all_the_same(address: Address) -> None:
    odd = parse_document(
        "# odd\nNUL \0 and half \ud83d of a pair, 数据库。\n", path="k/奇怪 \ud83d.md"
    )

    put(address, odd)

    assert search(address, "数据库")[0].startswith("shared/default/api/k/奇怪")


def test_a_user_who_may_not_publish_is_told_so(address: Address) -> None:
    with psycopg.connect(address.url, autocommit=True) as connection:
        connection.execute("DROP ROLE IF EXISTS reader")
        connection.execute("CREATE ROLE reader LOGIN")
    reader = Address(address.url.replace("//postgres:@", "//reader@"), address.shown)

    with pytest.raises(SharedUnavailable, match="does not let this user publish"):
        put(reader, A)
