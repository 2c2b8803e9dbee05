from pathlib import Path

import pytest

from glossator.app import byte_cache
from glossator.app.byte_cache import ByteCache

ONE, TWO = b"1" * 16, b"2" * 16


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "folder" / "vectors.sqlite3"


def test_values_are_kept_by_group_and_hash(path: Path) -> None:
    first = ByteCache(path)
    first.write("use", {ONE: b"abcd"})
    first.write("bge", {ONE: b"efgh", TWO: b"ijkl"})
    first.close()

    second = ByteCache(path)
    assert second.read("use", [ONE, TWO]) == {ONE: b"abcd"}
    assert second.read("bge", [TWO]) == {TWO: b"ijkl"}
    assert second.read("other", [ONE]) == {}
    assert second.measure() == 12
    second.close()
    assert path.stat().st_mode & 0o777 == 0o600


def test_two_processes_share_it(path: Path) -> None:
    one, other = ByteCache(path), ByteCache(path)
    one.write("use", {ONE: b"abcd"})
    other.write("use", {TWO: b"efgh"})

    assert (
        one.read("use", [ONE, TWO])
        == other.read("use", [ONE, TWO])
        == {
            ONE: b"abcd",
            TWO: b"efgh",
        }
    )
    one.close()
    other.close()


@pytest.mark.parametrize("damage", ["no database", "cut", "scrambled", "other tables", "newer"])
def test_a_damaged_file_is_replaced(path: Path, damage: str) -> None:
    cache = ByteCache(path)
    cache.write("use", {bytes([n]) * 16: b"x" * 500 for n in range(200)})
    cache.close()
    data = bytearray(path.read_bytes())
    if damage == "no database":
        path.write_bytes(b"this is no database at all" * 400)
    elif damage == "cut":
        path.write_bytes(data[: len(data) // 3])
    elif damage == "scrambled":
        data[4096:] = b"\xff" * (len(data) - 4096)
        path.write_bytes(data)
    else:
        import sqlite3

        with sqlite3.connect(path) as db:
            db.execute("DROP TABLE vectors")
            if damage == "newer":
                db.execute("PRAGMA user_version = 7")
            db.execute("CREATE TABLE vectors (other)")
        db.close()

    cache = ByteCache(path)
    cache.read("use", [ONE])
    cache.write("use", {ONE: b"abcd"})

    assert cache.read("use", [ONE]) == {ONE: b"abcd"}
    assert cache.problem == ""
    cache.close()


def test_what_was_not_used_for_longest_makes_room(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    today = 1_000
    monkeypatch.setattr(byte_cache, "_today", lambda: today)
    cache = ByteCache(path, max_bytes=200_000)
    cache.write("use", {ONE: b"old and used" * 10})
    for number in range(60):
        cache.write("use", {number.to_bytes(16, "big"): b"x" * 2_000})
    today = 1_001
    cache.read("use", [ONE])
    for number in range(60, 120):
        cache.write("use", {number.to_bytes(16, "big"): b"x" * 2_000})

    assert cache.measure() <= 200_000
    assert cache.read("use", [ONE])
    assert cache.read("use", [(119).to_bytes(16, "big")])
    assert not cache.read("use", [(59).to_bytes(16, "big")])
    cache.close()


def test_a_place_that_cannot_be_used_costs_a_problem_and_nothing_else(path: Path) -> None:
    path.mkdir(parents=True)
    cache = ByteCache(path)

    cache.write("use", {ONE: b"abcd"})

    assert cache.read("use", [ONE]) == {}
    assert str(path) in cache.problem
    cache.close()
