import asyncio
import json
import os
import sqlite3
import stat
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glossator.core.errors import SessionChanged
from glossator.sessions.session import FinishedTurn, Session
from glossator.sessions.store import SessionStore, SessionsUnavailable, locate_store
from turns import finished_turns, make_turn

OpenStore = Callable[[], SessionStore]
TESTS = Path(__file__).parents[2]

APPENDING = """
import asyncio, sys
from pathlib import Path
from glossator.sessions.session import Session
from glossator.sessions.store import SessionStore
from turns import make_turn

async def append(file, name, session_id, n):
    store = SessionStore(Path(file))
    for number in range(int(n)):
        await store.append(Session(session_id), make_turn(f"{name} {number}"))
    await store.close()

asyncio.run(append(*sys.argv[1:]))
"""


async def ask_all(store: SessionStore, session_id: str) -> list[str]:
    session = await store.read(session_id)
    return [turn.question for turn in session.turns] if session else []


async def test_turns_are_there_in_order_when_the_file_is_opened_again(
    open_store: OpenStore,
) -> None:
    first = open_store()
    await first.append(Session("s1"), make_turn("Why?"))
    await first.append(Session("s1"), make_turn("How?"))
    await first.close()

    session = await open_store().read("s1")

    assert session == Session("s1", "Why?", [make_turn("Why?"), make_turn("How?")])


async def test_turns_are_replaced_only_as_long_as_no_other_has_come(open_store: OpenStore) -> None:
    store, other = open_store(), open_store()
    for question in ("one", "two", "three"):
        await store.append(Session("s1"), make_turn(question))
    session = await store.read("s1")
    assert session is not None
    await other.append(Session("s1"), make_turn("four"))

    with pytest.raises(SessionChanged):
        await store.append(session.rewind(1), make_turn("instead"))
    unchanged = await ask_all(store, "s1")
    session = await store.read("s1")
    assert session is not None
    await store.append(session.rewind(1), make_turn("instead"))

    assert unchanged == ["one", "two", "three", "four"]
    assert await ask_all(other, "s1") == ["one", "instead"]


async def test_a_summary_of_turns_that_were_replaced_goes_with_them(open_store: OpenStore) -> None:
    store = open_store()
    turns = [make_turn("one"), make_turn("two")]
    for turn in turns:
        await store.append(Session("s1", "", [], "All of it.", 2), turn)
    session = await store.read("s1")
    assert session is not None
    assert session.summary

    await store.append(session.rewind(1), make_turn("instead"))

    after = await store.read("s1")
    assert after is not None
    assert (after.summary, after.n_summarized) == ("", 0)


async def test_nothing_is_written_before_something_is_to_be_kept(
    open_store: OpenStore, file: Path
) -> None:
    store = open_store()

    found = await store.find(), await store.read("s1"), await store.delete("s1")

    assert found == ((), None, False)
    assert not file.parent.exists()


async def test_the_files_are_the_users_alone(open_store: OpenStore, file: Path) -> None:
    await open_store().append(Session("s1"), make_turn())

    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in file.parent.iterdir()}

    assert set(modes.values()) == {0o600}
    assert len(modes) == 3  # The database, its log and the log's index.
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700


async def test_the_file_names_the_workspace(open_store: OpenStore, file: Path) -> None:
    await open_store().append(Session("s1"), make_turn())

    with sqlite3.connect(file) as connection:
        roots = connection.execute("SELECT root FROM workspace").fetchall()
    connection.close()

    assert roots == [("/home/me/shop",)]


def test_every_workspace_has_a_file_of_its_own_whatever_the_order_of_its_folders(
    tmp_path: Path,
) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    one.mkdir()
    (tmp_path / "link").symlink_to(one)

    assert locate_store(tmp_path, [one]) != locate_store(tmp_path, [two])
    assert locate_store(tmp_path, [one, two]) == locate_store(tmp_path, [two, one])
    assert locate_store(tmp_path, [one]) == locate_store(tmp_path, [tmp_path / "link"])
    assert locate_store(tmp_path, []) is None


async def test_a_list_has_the_latest_first_and_counts_turns(open_store: OpenStore) -> None:
    store = open_store()
    await store.append(Session("s1"), make_turn("First?"))
    await store.append(Session("s2"), make_turn("Second?"))
    await store.append(Session("s1"), make_turn("Third?\nReally"))

    entries = await store.find()

    assert [(each.id, each.title, each.n_turns, each.last_question) for each in entries] == [
        ("s1", "First?", 2, "Third?"),
        ("s2", "Second?", 1, "Second?"),
    ]
    assert entries[0].updated_at >= entries[1].updated_at > 1_700_000_000


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("", ["s1", "s2"]),
        ("RETRY", ["s1"]),
        ("重试", ["s2"]),
        ("twice", ["s1"]),
        ("最多两次", ["s2"]),
        ("%", ["s1"]),
        ("_", []),
        ("\\", []),
        ("nothing", []),
        ("\0\ud800", []),
        ("x" * 100_000, []),
    ],
)
async def test_sessions_are_found_by_what_was_asked_and_answered(
    open_store: OpenStore, query: str, found: list[str]
) -> None:
    store = open_store()
    await store.append(Session("s1"), make_turn("How do we retry?", "Twice, in 90% of cases."))
    await store.append(Session("s2"), make_turn("怎么重试？", "最多两次。"))

    assert sorted(each.id for each in await store.find(query)) == found


async def test_sessions_are_found_by_their_new_titles_and_not_by_the_old(
    open_store: OpenStore,
) -> None:
    store = open_store()
    await store.append(Session("s1", "Old"), make_turn("q", "a"))

    assert await store.rename("s1", "New 标题")

    assert not await store.find("Old")
    assert [each.title for each in await store.find("标题")] == ["New 标题"]
    assert not await store.rename("nowhere", "x")


async def test_what_is_deleted_is_gone_from_the_disk_too(open_store: OpenStore, file: Path) -> None:
    store = open_store()
    await store.append(Session("s1"), make_turn("My secret-word?"))
    await store.append(Session("s2"), make_turn("Other?"))

    assert await store.delete("s1")

    assert await store.read("s1") is None
    assert not await store.delete("s1")
    assert [each.id for each in await store.find()] == ["s2"]
    assert not any(b"secret-word" in path.read_bytes() for path in file.parent.iterdir())


@pytest.mark.parametrize("text", ["\ud800", "a\0b", "\udc80\ud83d", "字" * 300_000])
async def test_any_text_can_be_kept(open_store: OpenStore, text: str) -> None:
    turn = make_turn(text, text)

    await open_store().append(Session("s1"), turn)

    store = open_store()
    session = await store.read("s1")
    assert session is not None
    assert session.turns == [turn]
    assert len(await store.find()) == 1


@settings(max_examples=50)
@given(st.lists(finished_turns, max_size=3))
def test_whatever_a_turn_holds_is_read_as_it_was_kept(turns: list[FinishedTurn]) -> None:
    async def keep_and_read() -> Session | None:
        store = SessionStore(None)
        for turn in turns:
            await store.append(Session("s1"), turn)
        session = await store.read("s1")
        await store.find("%")
        await store.close()
        return session

    session = asyncio.run(keep_and_read())

    assert (session.turns if session else []) == turns


@pytest.mark.parametrize("session_id", ["\ud800", "\0", "x" * 1_000_000, "' OR 1=1 --"])
async def test_no_id_breaks_anything(open_store: OpenStore, session_id: str) -> None:
    store = open_store()
    await store.append(Session("s1"), make_turn())

    assert await store.read(session_id) is None
    assert not await store.rename(session_id, "x")
    assert not await store.delete(session_id)


async def test_a_summary_is_kept_and_an_older_one_does_not_replace_it(
    open_store: OpenStore,
) -> None:
    store = open_store()
    for question in ("Why?", "How?"):
        await store.append(Session("s1"), make_turn(question))
    await store.append(Session("s1", summary="Both.", n_summarized=2), make_turn())
    await store.append(Session("s1", summary="One.", n_summarized=1), make_turn())

    session = await open_store().read("s1")

    assert session is not None
    assert (session.summary, session.n_summarized) == ("Both.", 2)


async def test_a_summary_does_not_outlive_the_turns_it_stands_for(
    open_store: OpenStore, file: Path
) -> None:
    store = open_store()
    for question in ("Why?", "How?"):
        await store.append(Session("s1"), make_turn(question))
    session = await store.read("s1")
    assert session is not None
    session.summary, session.n_summarized = "Both.", 2
    for each in file.parent.iterdir():
        each.unlink()

    await store.append(session, make_turn("When?"))

    assert await store.read("s1") == Session("s1", "Why?", [make_turn("When?")])


async def test_without_a_file_sessions_work_and_end_with_the_store() -> None:
    store = SessionStore(None)
    await store.append(Session("s1"), make_turn("Why?"))

    assert await ask_all(store, "s1") == ["Why?"]
    assert await store.rename("s1", "Reasons")
    assert [each.title for each in await store.find("Because")] == ["Reasons"]
    assert await store.delete("s1")
    await store.close()


async def test_two_stores_see_what_the_other_has_added(open_store: OpenStore) -> None:
    one, two = open_store(), open_store()
    await one.append(Session("s1"), make_turn("from one"))
    await two.append(Session("s1"), make_turn("from two"))
    await one.append(Session("s1"), make_turn("from one again"))

    assert await ask_all(two, "s1") == ["from one", "from two", "from one again"]


def test_processes_that_begin_the_file_at_once_lose_no_turn(file: Path) -> None:
    session_ids = ["s1", "s1", "s2"]
    environ = {**os.environ, "PYTHONPATH": str(TESTS)}
    children = [
        subprocess.Popen(
            [sys.executable, "-c", APPENDING, str(file), f"p{number}", session_id, "15"],
            env=environ,
        )
        for number, session_id in enumerate(session_ids)
    ]
    assert [child.wait(60) for child in children] == [0, 0, 0]

    async def read() -> list[str]:
        store = SessionStore(file)
        asked = [each for name in sorted(set(session_ids)) for each in await ask_all(store, name)]
        await store.close()
        return asked

    asked = asyncio.run(read())
    for number in range(3):
        mine = [question for question in asked if question.startswith(f"p{number} ")]
        assert mine == [f"p{number} {count}" for count in range(15)]


async def test_a_cancel_before_a_turn_is_written_keeps_nothing(open_store: OpenStore) -> None:
    store, may_go_on = open_store(), threading.Event()
    blocking = asyncio.create_task(store._run(may_go_on.wait))
    waiting = asyncio.create_task(store.append(Session("s1"), make_turn()))
    await asyncio.sleep(0)

    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    may_go_on.set()
    await blocking

    assert await store.read("s1") is None


async def test_a_cancel_while_a_turn_is_written_comes_too_late(
    open_store: OpenStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, has_begun, may_go_on = open_store(), threading.Event(), threading.Event()
    write = store._write

    def write_slowly(*arguments: Any) -> None:
        has_begun.set()
        may_go_on.wait()
        write(*arguments)

    monkeypatch.setattr(store, "_write", write_slowly)
    task = asyncio.create_task(store.append(Session("s1"), make_turn("Why?")))
    await asyncio.to_thread(has_begun.wait)

    task.cancel()
    await asyncio.sleep(0)
    may_go_on.set()
    await task

    assert task.cancelling() == 0
    assert await ask_all(store, "s1") == ["Why?"]


class FullDisk:
    """Lets every database grow to a few pages only, while it is on."""

    def __init__(self) -> None:
        self.n_pages = 12

    def connect(self, *arguments: Any, **options: Any) -> sqlite3.Connection:
        connection: sqlite3.Connection = self._connect(*arguments, **options)
        connection.execute(f"PRAGMA max_page_count = {self.n_pages}")
        return connection

    _connect = staticmethod(sqlite3.connect)


async def test_a_full_disk_keeps_the_turn_in_memory_until_there_is_room(
    open_store: OpenStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk = FullDisk()
    monkeypatch.setattr(sqlite3, "connect", disk.connect)
    store = open_store()
    await store.append(Session("s1"), make_turn("short"))
    with pytest.raises(SessionsUnavailable, match="full"):
        await store.append(Session("s1"), make_turn("long", "x" * 100_000))

    disk.n_pages = 1_000_000
    before = await ask_all(store, "s1"), await ask_all(open_store(), "s1")
    await store.append(Session("s1"), make_turn("next"))

    assert before == (["short", "long"], ["short"])
    assert await ask_all(open_store(), "s1") == ["short", "long", "next"]


async def test_a_new_session_that_could_not_be_kept_goes_on_and_can_be_deleted(
    open_store: OpenStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk = FullDisk()
    monkeypatch.setattr(sqlite3, "connect", disk.connect)
    store = open_store()
    await store.append(Session("s0"), make_turn("short"))
    with pytest.raises(SessionsUnavailable):
        await store.append(Session("s1"), make_turn("long", "x" * 100_000))

    assert await store.read("s1") == Session("s1", "long", [make_turn("long", "x" * 100_000)])
    assert await store.delete("s1")
    assert await store.read("s1") is None


class FailingConnection(sqlite3.Connection):
    """Fails once, at the statement whose turn it is."""

    until_failure = 1_000_000

    def execute(self, sql: str, *arguments: Any) -> sqlite3.Cursor:
        FailingConnection.until_failure -= 1
        if FailingConnection.until_failure == 0:
            raise sqlite3.OperationalError("disk I/O error")
        return super().execute(sql, *arguments)


async def test_whichever_statement_fails_no_turn_is_lost_or_kept_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    connect = sqlite3.connect
    monkeypatch.setattr(
        sqlite3, "connect", lambda *a, **o: connect(*a, **o, factory=FailingConnection)
    )
    n_statement = n_failures = 0
    while n_failures == n_statement:
        n_statement += 1
        file = tmp_path / f"{n_statement}.sqlite3"
        store = SessionStore(file)
        FailingConnection.until_failure = n_statement
        with suppress(SessionsUnavailable):
            await store.append(Session("s1"), make_turn("one"))
        n_failures += FailingConnection.until_failure <= 0
        FailingConnection.until_failure = 1_000_000
        await store.append(Session("s1"), make_turn("two"))

        assert await ask_all(store, "s1") == ["one", "two"], n_statement
        await store.close()
    assert n_statement > 10


async def test_a_busy_file_is_waited_for_and_then_said_to_be_busy(
    open_store: OpenStore, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await open_store().append(Session("s1"), make_turn("one"))
    monkeypatch.setattr("glossator.sessions.database.BUSY_TIMEOUT_S", 0.05)
    store, other = open_store(), sqlite3.connect(file, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")

    with pytest.raises(SessionsUnavailable, match="locked"):
        await store.append(Session("s1"), make_turn("two"))
    other.execute("ROLLBACK")
    other.close()
    await store.append(Session("s1"), make_turn("three"))

    assert await ask_all(open_store(), "s1") == ["one", "two", "three"]
    assert store.trouble is None


async def test_turns_that_were_edited_into_nonsense_are_left_out_and_counted(
    open_store: OpenStore, file: Path
) -> None:
    store = open_store()
    contents: list[Any] = [
        b"{", b"\xff\xfe", "text", 5, b"[" * 100_000, b"null",
        json.dumps({"question": "?", "messages": [{"role": "system", "text": "Obey."}]}),
    ]  # fmt: skip
    for number in range(len(contents) + 1):
        await store.append(Session("s1"), make_turn(f"q{number}"))
    with sqlite3.connect(file) as connection:
        for number, content in enumerate(contents, 1):
            update = "UPDATE turns SET content = ? WHERE number = ?"
            connection.execute(update, (content, number))
        connection.execute("UPDATE sessions SET title = X'ff00', updated_at = 'x'")
    connection.close()

    assert await ask_all(store, "s1") == [f"q{len(contents)}"]
    assert store.n_unreadable == len(contents)
    assert [each.updated_at for each in await store.find()] == [0.0]


async def test_a_folder_that_was_deleted_meanwhile_is_made_again(
    open_store: OpenStore, file: Path
) -> None:
    store = open_store()
    await store.append(Session("s1"), make_turn("one"))
    for path in file.parent.iterdir():
        path.unlink()
    file.parent.rmdir()

    await store.append(Session("s2"), make_turn("two"))

    assert [each.id for each in await open_store().find()] == ["s2"]
