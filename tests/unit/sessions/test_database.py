import os
import random
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from glossator.sessions import database
from glossator.sessions.database import MIGRATIONS
from glossator.sessions.session import Session
from glossator.sessions.store import SessionStore
from turns import make_turn

OpenStore = Callable[[], SessionStore]

QUESTIONS = [f"question {number}" for number in range(6)]


async def ask_all(store: SessionStore, session_id: str = "s1") -> list[str]:
    session = await store.read(session_id)
    return [turn.question for turn in session.turns] if session else []


def make_version(file: Path, version: int) -> None:
    """Write an empty database as an earlier version of Glossator has left it."""
    file.parent.mkdir(parents=True)
    connection = sqlite3.connect(file)
    for statements in MIGRATIONS[:version]:
        for statement in statements:
            connection.execute(statement)
    connection.execute(f"PRAGMA user_version = {version}")
    connection.close()


def write(file: Path, content: bytes) -> None:
    file.parent.mkdir(parents=True)
    file.write_bytes(content)


def list_set_aside(folder: Path) -> list[Path]:
    return [each for each in folder.glob("*.damaged-*") if not each.name.endswith(("wal", "shm"))]


@pytest.mark.parametrize("version", range(len(MIGRATIONS) + 1))
async def test_a_file_of_every_earlier_version_is_brought_up_to_date(
    open_store: OpenStore, file: Path, version: int
) -> None:
    make_version(file, version)

    await open_store().append(Session("s1"), make_turn("Why?"))

    store = open_store()
    assert await ask_all(store) == ["Why?"]
    assert store.trouble is None


async def test_what_is_kept_outlives_a_new_version(
    open_store: OpenStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = open_store()
    await old.append(Session("s1"), make_turn("Why?"))
    await old.close()
    added = ("ALTER TABLE sessions ADD COLUMN colour TEXT", "UPDATE sessions SET colour = 'red'")
    monkeypatch.setattr(database, "MIGRATIONS", (*MIGRATIONS, added))

    store = open_store()
    await store.append(Session("s1"), make_turn("How?"))

    assert await ask_all(store) == ["Why?", "How?"]


async def test_a_migration_that_fails_changes_nothing(
    open_store: OpenStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = open_store()
    await old.append(Session("s1"), make_turn("Why?"))
    await old.close()
    with monkeypatch.context() as patch:
        # The second statement cannot be carried out where there is something.
        added = ("CREATE TABLE colours (name TEXT)", "INSERT INTO sessions SELECT * FROM sessions")
        patch.setattr(database, "MIGRATIONS", (*MIGRATIONS, added))
        store = open_store()
        await store.find()
        assert store.trouble is not None
        assert store.trouble.kind == "unusable"

    assert await ask_all(open_store()) == ["Why?"]


async def test_a_file_of_a_later_version_is_left_alone_and_sessions_are_in_memory(
    open_store: OpenStore, file: Path
) -> None:
    make_version(file, len(MIGRATIONS))
    with sqlite3.connect(file) as connection:
        connection.execute(f"PRAGMA user_version = {len(MIGRATIONS) + 1}")
    connection.close()

    store = open_store()
    await store.append(Session("s1"), make_turn("Why?"))

    assert await ask_all(store) == ["Why?"]
    assert store.trouble is not None
    assert (store.trouble.kind, store.trouble.path) == ("newer", file)
    with sqlite3.connect(file) as connection:
        assert connection.execute("SELECT count(*) FROM turns").fetchone() == (0,)
    connection.close()


async def test_a_file_that_a_later_version_takes_over_meanwhile_is_left_alone(
    open_store: OpenStore, file: Path
) -> None:
    store = open_store()
    await store.append(Session("s1"), make_turn("Why?"))
    with sqlite3.connect(file) as connection:
        connection.execute(f"PRAGMA user_version = {len(MIGRATIONS) + 1}")
    connection.close()

    await store.append(Session("s1"), make_turn("How?"))

    assert await ask_all(store) == ["How?"]
    assert store.trouble is not None
    assert (store.trouble.kind, store.trouble.path) == ("newer", file)
    with sqlite3.connect(file) as connection:
        assert connection.execute("SELECT question FROM turns").fetchall() == [("Why?",)]
    connection.close()


@pytest.mark.parametrize(
    "content",
    [
        b"this is no database",
        b"SQLite format 3\0" + b"\xff" * 5000,
        b"\0" * 8192,
    ],
)
async def test_a_file_that_is_no_database_is_set_aside(
    open_store: OpenStore, file: Path, content: bytes
) -> None:
    write(file, content)

    store = open_store()
    await store.append(Session("s1"), make_turn("Why?"))

    assert store.trouble is not None
    assert store.trouble.kind == "set-aside"
    assert store.trouble.path.read_bytes() == content
    assert await ask_all(open_store()) == ["Why?"]


async def test_somebody_elses_database_is_set_aside(open_store: OpenStore, file: Path) -> None:
    file.parent.mkdir(parents=True)
    with sqlite3.connect(file) as connection:
        connection.execute("CREATE TABLE sessions (cookie TEXT)")
    connection.close()

    store = open_store()
    await store.append(Session("s1"), make_turn("Why?"))

    assert store.trouble is not None
    assert store.trouble.kind == "set-aside"
    assert await ask_all(store) == ["Why?"]


async def test_a_file_set_aside_before_is_told_of_until_it_is_deleted(
    open_store: OpenStore, file: Path
) -> None:
    write(file, b"this is no database")
    await open_store().find()

    store = open_store()
    await store.find()
    assert store.trouble is not None
    store.trouble.path.unlink()

    store = open_store()
    await store.find()
    assert store.trouble is None


def put_in_the_way(file: Path, kind: str) -> None:
    if kind == "file-for-folder":
        write(file.parent, b"in the way")
    else:
        file.parent.mkdir(parents=True)
        file.mkdir() if kind == "folder" else os.mkfifo(file)


@pytest.mark.parametrize("in_the_way", ["folder", "pipe", "file-for-folder"])
async def test_where_no_file_can_be_sessions_are_in_memory(
    open_store: OpenStore, file: Path, in_the_way: str
) -> None:
    put_in_the_way(file, in_the_way)

    store = open_store()
    await store.append(Session("s1"), make_turn("Why?"))

    assert await ask_all(store) == ["Why?"]
    assert store.path is None
    assert store.trouble is not None
    assert (store.trouble.kind, store.trouble.path) == ("unusable", file)
    assert store.trouble.reason


async def test_two_processes_that_find_the_same_broken_file_do_not_undo_each_other(
    open_store: OpenStore, file: Path
) -> None:
    one, two = open_store(), open_store()
    await one.append(Session("s1"), make_turn("old"))
    await two.append(Session("s1"), make_turn("older"))
    # As if each had met a broken page.
    await one._run(one._database.set_aside)
    await one.append(Session("s2"), make_turn("new"))
    await two._run(two._database.set_aside)
    await two.append(Session("s2"), make_turn("newer"))

    assert await ask_all(open_store(), "s2") == ["new", "newer"]
    assert len(list_set_aside(file.parent)) == 1


@pytest.fixture
async def crashed(open_store: OpenStore, file: Path, tmp_path: Path) -> Path:
    """Files as a process leaves them that ends while it is writing: all is in the log."""
    store = open_store()
    for question in QUESTIONS:
        await store.append(Session("s1"), make_turn(question))
    return Path(shutil.copytree(file.parent, tmp_path / "crashed"))


@pytest.fixture
async def closed(open_store: OpenStore, file: Path, tmp_path: Path) -> Path:
    """Files as they are when all processes have ended in order: all is in the database."""
    store = open_store()
    for question in QUESTIONS:
        await store.append(Session("s1"), make_turn(question, "x" * 3000))
    await store.close()
    return Path(shutil.copytree(file.parent, tmp_path / "closed"))


def choose_places(size: int, n: int) -> Iterator[int]:
    """Choose the ends of pages and some places within them."""
    chooser = random.Random(7)
    yield from range(0, size, max(4096, size // n))
    yield from (chooser.randrange(size) for _ in range(n))


async def read_after(damaged: Path, *, index: bool) -> list[str]:
    """Return what is still there, after one more turn was kept beside it."""
    if not index:
        (damaged / "a.sqlite3-shm").unlink(missing_ok=True)
    store = SessionStore(damaged / "a.sqlite3")
    await store.find("question")
    left = await ask_all(store)
    await store.append(Session("s1"), make_turn("after"))
    assert (await ask_all(store))[-1] == "after"
    await store.close()
    return left


async def test_a_log_cut_at_any_place_loses_only_the_turns_behind_it(
    crashed: Path, tmp_path: Path
) -> None:
    log = (crashed / "a.sqlite3-wal").read_bytes()
    lengths = []
    for number, place in enumerate(sorted(choose_places(len(log), 30))):
        damaged = Path(shutil.copytree(crashed, tmp_path / f"cut-{number}"))
        (damaged / "a.sqlite3-wal").write_bytes(log[:place])
        left = await read_after(damaged, index=number % 2 == 0)
        assert left == QUESTIONS[: len(left)]
        assert list_set_aside(damaged) == []
        lengths.append(len(left))

    assert lengths == sorted(lengths)
    assert lengths[-1] > lengths[0]


async def test_a_database_cut_at_any_place_is_read_or_set_aside(
    closed: Path, tmp_path: Path
) -> None:
    content = (closed / "a.sqlite3").read_bytes()
    n_set_aside = 0
    for number, place in enumerate(choose_places(len(content), 30)):
        damaged = Path(shutil.copytree(closed, tmp_path / f"cut-{number}"))
        (damaged / "a.sqlite3").write_bytes(content[:place])
        left = await read_after(damaged, index=True)
        set_aside = list_set_aside(damaged)
        assert left == [] or left == QUESTIONS
        # An empty file is a new one: nothing in it is worth keeping.
        assert bool(set_aside) == (left == [] and place > 0)
        n_set_aside += bool(set_aside)

    assert n_set_aside > 20


async def test_a_database_with_a_torn_page_is_read_or_set_aside(
    closed: Path, tmp_path: Path
) -> None:
    content = (closed / "a.sqlite3").read_bytes()
    for number, place in enumerate(choose_places(len(content), 30)):
        damaged = Path(shutil.copytree(closed, tmp_path / f"torn-{number}"))
        torn = bytearray(content)
        torn[place : place + 512] = (b"\0" if number % 2 else b"\xa5") * len(
            torn[place : place + 512]
        )
        (damaged / "a.sqlite3").write_bytes(torn)
        left = await read_after(damaged, index=True)
        # A torn text may be read: what stands in it cannot be known to be wrong.
        assert len(left) <= len(QUESTIONS)


def break_all_pages_but_the_first(file: Path) -> None:
    size = file.stat().st_size
    with file.open("r+b") as broken:
        broken.seek(4096)
        broken.write(b"\xff" * (size - 4096))


async def test_a_page_that_is_found_to_be_broken_later_sets_the_file_aside(
    open_store: OpenStore, file: Path
) -> None:
    store = open_store()
    # More than SQLite holds in memory.
    for question in QUESTIONS:
        await store.append(Session("s1"), make_turn(question, "x" * 600_000))
    await store.close()
    store = open_store()
    await store.find()
    break_all_pages_but_the_first(file)

    assert await ask_all(store) == []
    await store.append(Session("s1"), make_turn("after"))

    assert store.trouble is not None
    assert store.trouble.kind == "set-aside"
    assert await ask_all(store) == ["after"]
