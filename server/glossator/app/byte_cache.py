"""What was computed once, as bytes by what they are of and by a hash of what they depend on.

One SQLite file for all workspaces and processes of a user. It holds nothing that cannot be
computed again: a file that is damaged, or of another version, is replaced.
"""

import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")

VERSION = 1
MAX_BYTES = 400 * 1024 * 1024
"""About 300,000 sections of the local encoder."""

_BUSY_TIMEOUT_S = 5.0
_DAY_S = 86_400
_ASKED_AT_ONCE = 500
_PART_KEPT = 0.8
_DAMAGE = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR}


class ByteCache:
    """Bytes by group and hash. Threads share it; `problem` says why nothing is kept."""

    def __init__(self, path: Path, *, max_bytes: int = MAX_BYTES) -> None:
        self.path = path
        self.problem = ""
        self._max_bytes = max_bytes
        self._lock = threading.Lock()
        self._connection: sqlite3.Connection | None = None

    def read(self, group: str, hashes: Sequence[bytes]) -> dict[bytes, bytes]:
        """Return the values that are there. They count as used today."""
        nothing: dict[bytes, bytes] = {}
        return self._try(lambda db: _read(db, group, hashes), nothing)

    def write(self, group: str, values: Mapping[bytes, bytes]) -> None:
        """Keep values; those that were not used for longest make room."""
        self._try(lambda db: _write(db, group, values, self._max_bytes), None)

    def measure(self) -> int:
        """Return how many bytes of values are kept; 0 when there is no file yet."""
        if not self.path.exists():
            return 0
        return self._try(_measure, 0)

    def close(self) -> None:
        """Close the file; it is opened again when it is needed."""
        with self._lock:
            self._close()

    def _try(self, act: Callable[[sqlite3.Connection], T], otherwise: T) -> T:
        """Do something with the file, once more with a new one if it is damaged."""
        with self._lock:
            for is_last in (False, True):
                try:
                    result = act(self._open())
                except (sqlite3.Error, OSError) as error:
                    self._close()
                    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
                    if code in _DAMAGE and not is_last:
                        self._throw_away()
                        continue
                    reason = (isinstance(error, OSError) and error.strerror) or str(error)
                    self.problem = (
                        f"Nothing is kept in `{self.path}`: it cannot be used ({reason}). "
                        "What it is for is computed again each time."
                    )
                    return otherwise
                self.problem = ""
                return result
        return otherwise

    def _open(self) -> sqlite3.Connection:
        if self._connection is None:
            self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            with suppress(FileExistsError):
                os.close(os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
            if not self.path.is_file():
                raise OSError(0, "it is no file")
            self._connection = sqlite3.connect(
                self.path, timeout=_BUSY_TIMEOUT_S, isolation_level=None, check_same_thread=False
            )
            _prepare(self._connection)
        return self._connection

    def _close(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(sqlite3.Error):
                connection.close()

    def _throw_away(self) -> None:
        for suffix in ("", "-wal", "-shm"):
            with suppress(OSError):
                self.path.with_name(self.path.name + suffix).unlink()


def _prepare(db: sqlite3.Connection) -> None:
    db.execute("PRAGMA journal_mode = WAL")
    # What a power cut takes away is computed again.
    db.execute("PRAGMA synchronous = NORMAL")
    with _transaction(db):
        [version] = db.execute("PRAGMA user_version").fetchone()
        if version != VERSION:
            # The names of its first use: others would throw away what users have.
            db.execute("DROP TABLE IF EXISTS vectors")
            db.execute(
                "CREATE TABLE vectors (encoder TEXT NOT NULL, hash BLOB NOT NULL, "
                "vector BLOB NOT NULL, used_on INTEGER NOT NULL, PRIMARY KEY (encoder, hash)) "
                "WITHOUT ROWID"
            )
            db.execute("CREATE INDEX used ON vectors (used_on)")
            db.execute(f"PRAGMA user_version = {VERSION}")
    db.execute("SELECT encoder, hash, vector, used_on FROM vectors LIMIT 0")


@contextmanager
def _transaction(db: sqlite3.Connection) -> Iterator[None]:
    db.execute("BEGIN IMMEDIATE")
    try:
        yield
        db.execute("COMMIT")
    finally:
        if db.in_transaction:
            db.execute("ROLLBACK")


def _read(db: sqlite3.Connection, group: str, hashes: Sequence[bytes]) -> dict[bytes, bytes]:
    today = _today()
    found: dict[bytes, bytes] = {}
    for start in range(0, len(hashes), _ASKED_AT_ONCE):
        some = hashes[start : start + _ASKED_AT_ONCE]
        marks = ",".join("?" * len(some))
        rows = db.execute(
            f"SELECT hash, vector, used_on FROM vectors WHERE encoder = ? AND hash IN ({marks})",
            (group, *some),
        ).fetchall()
        found |= {hash_: value for hash_, value, _ in rows}
        old = [(today, group, hash_) for hash_, _, used_on in rows if used_on != today]
        if old:
            with _transaction(db):
                db.executemany("UPDATE vectors SET used_on = ? WHERE encoder = ? AND hash = ?", old)
    return found


def _write(
    db: sqlite3.Connection, group: str, values: Mapping[bytes, bytes], max_bytes: int
) -> None:
    today = _today()
    rows = [(group, hash_, value, today) for hash_, value in values.items()]
    with _transaction(db):
        db.executemany(
            "INSERT OR REPLACE INTO vectors (encoder, hash, vector, used_on) VALUES (?, ?, ?, ?)",
            rows,
        )
        if _measure_file(db) > max_bytes:
            _make_room(db, int(max_bytes * _PART_KEPT))


def _make_room(db: sqlite3.Connection, max_bytes: int) -> None:
    """Delete what was not used for longest. The file keeps its size and fills up again."""
    kept = 0
    for group, hash_, size in db.execute(
        "SELECT encoder, hash, length(vector) FROM vectors ORDER BY used_on DESC, hash"
    ).fetchall():
        kept += size
        if kept > max_bytes:
            db.execute("DELETE FROM vectors WHERE encoder = ? AND hash = ?", (group, hash_))


def _measure(db: sqlite3.Connection) -> int:
    [size] = db.execute("SELECT coalesce(sum(length(vector)), 0) FROM vectors").fetchone()
    return int(size)


def _measure_file(db: sqlite3.Connection) -> int:
    """Return the bytes of the pages in use: cheaper than adding up all values."""
    [pages] = db.execute("PRAGMA page_count").fetchone()
    [free] = db.execute("PRAGMA freelist_count").fetchone()
    [size] = db.execute("PRAGMA page_size").fetchone()
    return int((pages - free) * size)


def _today() -> int:
    return int(time.time() // _DAY_S)
