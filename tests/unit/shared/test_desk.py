"""A shared index that is away, slow or foreign costs a notice and a bounded time, never more."""

import os
import signal
import threading
import time
import traceback
from collections.abc import Iterator

import psycopg
import pytest

from databases import Server
from glossator.shared.connecting import Address, SharedUnavailable, connect, read_address
from glossator.shared.desk import SharedDesk
from glossator.shared.publishing import Publication, publish
from unit.shared.team import read_team

QUESTION = "How do I rename a column?"


@pytest.fixture
def published(address: Address) -> Address:
    with connect(address) as connection:
        publish(connection, Publication("default", "api", read_team()[:4]), address)
    return address


@pytest.fixture
def desk(published: Address) -> Iterator[SharedDesk]:
    desk = SharedDesk(published, "default")
    yield desk
    desk.close()


def ask(desk: SharedDesk) -> list[str]:
    return desk.ask(lambda index: [hit.section.path for hit in index.search(QUESTION, limit=3)])


def test_it_answers_from_any_thread_over_one_connection(
    desk: SharedDesk, published: Address
) -> None:
    answers: list[list[str]] = []
    threads = [threading.Thread(target=lambda: answers.append(ask(desk))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)

    assert len(answers) == 8
    assert all(answer == answers[0] for answer in answers)
    assert answers[0][0].startswith("shared/default/api/knowledge/database")
    assert count_connections(published) == 1


def count_connections(address: Address) -> int:
    with psycopg.connect(address.url) as connection:
        row = connection.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
            " AND application_name = 'glossator'"
        ).fetchone()
    assert row is not None
    return int(row[0])


def find_backend(address: Address) -> int:
    with psycopg.connect(address.url) as connection:
        row = connection.execute(
            "SELECT pid FROM pg_stat_activity WHERE datname = current_database()"
            " AND application_name = 'glossator'"
        ).fetchone()
    assert row is not None
    return int(row[0])


def test_a_server_that_stops_in_the_middle_of_questions_raises_nothing_else(
    server: Server, desk: SharedDesk
) -> None:
    seen: list[str] = []
    stop = threading.Event()
    first = threading.Event()

    def go_on() -> None:
        while not stop.is_set():
            try:
                ask(desk)
                seen.append("answered")
            except SharedUnavailable as error:
                seen.append(str(error))
            first.set()

    threads = [threading.Thread(target=go_on) for _ in range(3)]
    for thread in threads:
        thread.start()
    assert first.wait(20)
    try:
        server.stop()
        until = time.monotonic() + 20
        while seen[-1] == "answered" and time.monotonic() < until:
            first.clear()
            first.wait(1)
    finally:
        stop.set()
        for thread in threads:
            thread.join(20)
        server.start()

    assert not any(thread.is_alive() for thread in threads)
    assert seen[0] == "answered"
    assert "The shared index" in seen[-1]
    assert desk.problem
    desk.forget_failures()
    assert ask(desk)
    assert desk.problem == ""


def test_after_a_failure_nobody_waits_for_it_again_until_later() -> None:
    desk = SharedDesk(read_address("postgresql://me:pa55word@127.0.0.1:1/team"), "default")
    with pytest.raises(SharedUnavailable) as first:
        ask(desk)

    began = time.monotonic()
    with pytest.raises(SharedUnavailable) as second:
        ask(desk)

    assert time.monotonic() - began < 0.1
    assert str(first.value) == str(second.value) == desk.problem
    assert "team at 127.0.0.1:1" in desk.problem
    desk.close()


def test_a_server_that_falls_silent_is_not_waited_for(desk: SharedDesk, published: Address) -> None:
    ask(desk)
    backend = find_backend(published)
    os.kill(backend, signal.SIGSTOP)
    try:
        began = time.monotonic()
        with pytest.raises(SharedUnavailable, match="no answer within"):
            ask(desk)
        assert time.monotonic() - began < 4
    finally:
        os.kill(backend, signal.SIGCONT)

    desk.forget_failures()
    assert ask(desk)


def test_tables_of_another_version_are_left_alone(desk: SharedDesk, published: Address) -> None:
    with psycopg.connect(published.url) as connection:
        connection.execute("UPDATE glossator.schema_version SET version = 99")

    with pytest.raises(SharedUnavailable, match="has version 99"):
        ask(desk)
    with (
        connect(published) as connection,
        pytest.raises(SharedUnavailable, match="has version 99"),
    ):
        publish(connection, Publication("default", "api", read_team()), published)


def test_words_that_another_version_counted_are_not_mixed_with_ours(
    desk: SharedDesk, published: Address
) -> None:
    with psycopg.connect(published.url) as connection:
        connection.execute("UPDATE glossator.collections SET words = 'other'")
        connection.execute("UPDATE glossator.postings SET word = 'x' || word")

    with pytest.raises(SharedUnavailable, match="another version"):
        ask(desk)

    with connect(published) as connection:
        publish(connection, Publication("default", "api", read_team()[:4]), published)
    desk.forget_failures()
    assert ask(desk)


@pytest.mark.parametrize(
    ("collection", "said"), [("nowhere", "has no collection `nowhere`"), ("default", "")]
)
def test_a_collection_that_is_not_there_is_named(
    published: Address, collection: str, said: str
) -> None:
    desk = SharedDesk(published, collection)
    if said:
        with pytest.raises(SharedUnavailable, match=said):
            ask(desk)
    else:
        assert ask(desk)
    desk.close()


def test_a_database_without_tables_says_how_to_make_them(address: Address) -> None:
    desk = SharedDesk(address, "default")
    with pytest.raises(SharedUnavailable, match="`glossator share` makes one"):
        ask(desk)
    desk.close()


def test_a_database_in_another_encoding_is_refused(server: Server) -> None:
    options = "ENCODING 'SQL_ASCII' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0"
    address = read_address(server.make_database("ascii", options))

    with pytest.raises(SharedUnavailable, match="is not in UTF-8"):
        connect(address)


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://me:s3cr3t-pw@127.0.0.1:1/team",
        "postgresql://me:s3cr3t-pw@no-such-host.invalid/team",
        "postgresql://127.0.0.1:1/team?user=me&password=s3cr3t-pw",
        "postgresql://me:s3cr3t%2Dpw@127.0.0.1:1/team?no_such_option=1",
        "postgresql://me:s3cr3t-pw%@127.0.0.1:1/team",
        "mysql://me:s3cr3t-pw@127.0.0.1/team",
        "postgresql://me:s3cr3t-pw @127.0.0.1/team",
        "host=127.0.0.1 password=s3cr3t-pw",
        "postgresql://me:s3cr3t-pw@[::1/team",
    ],
)
def test_no_password_is_in_what_people_see(url: str) -> None:
    with pytest.raises(SharedUnavailable) as failure:
        connect(read_address(url), timeout_s=1)

    assert "s3cr3t" not in "".join(traceback.format_exception(failure.value))
