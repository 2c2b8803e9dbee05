"""The SQLite file of one workspace: opened, migrated, and set aside when it cannot be read."""

import os
import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

from glossator.model.surrogates import replace_lone_surrogates

MIGRATIONS: tuple[tuple[str, ...], ...] = (
    (
        "CREATE TABLE workspace (root TEXT NOT NULL)",
        "CREATE TABLE sessions (id TEXT PRIMARY KEY, title TEXT NOT NULL, created_at REAL NOT NULL,"
        " updated_at REAL NOT NULL, summary TEXT NOT NULL, n_summarized INTEGER NOT NULL)",
        # Question and answer stand beside the content, which holds them too, to be searched.
        "CREATE TABLE turns (session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,"
        " number INTEGER NOT NULL, question TEXT NOT NULL, answer TEXT NOT NULL,"
        " content BLOB NOT NULL, PRIMARY KEY (session_id, number))",
    ),
)
"""What leads from each version to the next; `PRAGMA user_version` counts those that were run."""

BUSY_TIMEOUT_S = 5.0
"""Another process writes for milliseconds; whoever holds the file longer is no editor of ours."""

_PROBES = (
    "SELECT root FROM workspace LIMIT 0",
    "SELECT id, title, created_at, updated_at, summary, n_summarized FROM sessions LIMIT 0",
    "SELECT session_id, number, question, answer, content FROM turns LIMIT 0",
)
_DAMAGE = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}
_BUSY = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}


@dataclass(frozen=True, slots=True)
class Trouble:
    """Why not everything is kept as it should be.

    `set-aside`: a file that could not be read lies at `path`. `newer`, `unusable`: the file at
    `path` is left alone, and sessions are in memory; `reason` says what is wrong with it.
    """

    kind: Literal["set-aside", "newer", "unusable"]
    path: Path
    reason: str = ""


class DamagedFile(sqlite3.DatabaseError):
    """A file that is no database, or not one of ours."""

    sqlite_errorcode = sqlite3.SQLITE_CORRUPT


class NewerFile(sqlite3.DatabaseError):
    """A file that a later version of Glossator has written."""


class Database:
    """A connection that is opened when it is first needed. Lives on one thread.

    Without a path it is in memory from the beginning; a file that cannot be used is replaced by
    memory until the process ends, and `trouble` says why.
    """

    def __init__(self, path: Path | None, roots: Sequence[Path]) -> None:
        self.path = path
        self.trouble: Trouble | None = None
        self._roots = roots
        self._connection: sqlite3.Connection | None = None
        self._file_id: tuple[int, int] | None = None

    def connect(self, *, create: bool) -> sqlite3.Connection | None:
        """Return the connection; None when there is no file and none is to be made.

        Raises:
            sqlite3.Error: another program has locked the file.
        """
        if self._connection is not None and self._is_current(self._connection):
            return self._connection
        self.close()
        if self.path is None:
            self._connection = _prepare(sqlite3.connect(":memory:", isolation_level=None), ())
            return self._connection
        if not create and not self.path.exists():
            self._look_for_trouble(self.path)
            return None
        try:
            self._open(self.path)
        except NewerFile as error:
            self._fall_back("newer", str(error))
        except (sqlite3.Error, OSError) as error:
            if is_busy(error):
                raise
            self._fall_back("unusable", describe_error(error))
        return self._connection

    def close(self) -> None:
        """Close the connection; what is in memory is gone."""
        connection, self._connection, self._file_id = self._connection, None, None
        if connection is not None:
            # A file on a disk that fails cannot be closed in order, and nothing more can be done.
            with suppress(sqlite3.Error):
                connection.close()

    def set_aside(self) -> None:
        """Rename the file, which cannot be read, so that a new one can take its place."""
        path, file_id = self.path, self._file_id
        self.close()
        if path is None or _identify(path) != file_id:
            return  # Another process has been faster, and this is its new file.
        moment = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
        target = path.with_name(f"{path.name}.damaged-{moment}-{os.getpid()}")
        path.rename(target)
        for suffix in ("-wal", "-shm"):
            companion = path.with_name(path.name + suffix)
            with suppress(FileNotFoundError):
                companion.rename(target.with_name(target.name + suffix))

    def _is_current(self, connection: sqlite3.Connection) -> bool:
        """Say whether the open file still stands where it was, and in the version that we write.

        It may have been deleted, or a later Glossator has been started on it meanwhile.
        """
        if self.path is None:
            return True
        return _identify(self.path) == self._file_id and _version_of(connection) == len(MIGRATIONS)

    def _open(self, path: Path) -> None:
        try:
            self._open_once(path)
        except sqlite3.DatabaseError as error:
            if not is_damage(error):
                raise
            self.set_aside()
            self._open_once(path)
        self._look_for_trouble(path)

    def _open_once(self, path: Path) -> None:
        _make_file(path)
        self._file_id = _identify(path)
        connection = sqlite3.connect(path, timeout=BUSY_TIMEOUT_S, isolation_level=None)
        try:
            _use_write_ahead_log(connection)
            self._connection = _prepare(connection, self._roots)
        except BaseException:
            connection.close()
            raise

    def _fall_back(self, kind: Literal["newer", "unusable"], reason: str) -> None:
        assert self.path is not None
        self.trouble = Trouble(kind, self.path, reason)
        self.path = None
        self.connect(create=True)

    def _look_for_trouble(self, path: Path) -> None:
        """Tell of files that were set aside, now or before, for as long as they lie there."""
        found = sorted(path.parent.glob(f"{path.name}.damaged-*"))
        found = [each for each in found if not each.name.endswith(("-wal", "-shm"))]
        self.trouble = Trouble("set-aside", found[-1]) if found else None


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """Write as a whole or not at all; other processes wait."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    finally:
        # Some errors, a full disk among them, have rolled back already.
        if connection.in_transaction:
            connection.execute("ROLLBACK")


def is_damage(error: BaseException) -> bool:
    """Say whether the file is broken, rather than busy, full or forbidden."""
    return _code_of(error) in _DAMAGE


def is_busy(error: BaseException) -> bool:
    """Say whether another program has locked the file."""
    return _code_of(error) in _BUSY


def describe_error(error: BaseException) -> str:
    """Say what is wrong, without paths: they stand beside it."""
    return (error.strerror if isinstance(error, OSError) else None) or str(error)


def _code_of(error: BaseException) -> int:
    # The lowest byte is the kind of error; those above tell it more exactly.
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


def _identify(path: Path) -> tuple[int, int] | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino


def _make_file(path: Path) -> None:
    """Make folder and file for the user alone; SQLite gives its other files the same mode."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    try:
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
    except FileExistsError:
        # Not opened: to close it again would end the locks that SQLite has on it in this process.
        if not path.is_file():
            raise OSError("it is no file") from None  # A pipe would be waited for without an end.


def _use_write_ahead_log(connection: sqlite3.Connection) -> None:
    """Let readers and the one writer not wait for each other.

    Where the file system cannot do that, SQLite goes on without, which is safe too. The change
    itself is refused at once, not waited for, while another process is at it.
    """
    until = time.monotonic() + BUSY_TIMEOUT_S
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            if not is_busy(error) or time.monotonic() > until:
                raise
            time.sleep(0.01)


def _prepare(connection: sqlite3.Connection, roots: Sequence[Path]) -> sqlite3.Connection:
    """Bring a database to the latest version."""
    # Edited text may be anything.
    connection.text_factory = lambda data: data.decode("utf-8", "replace")
    # A commit is on the disk when it returns: a turn survives the end of the process at any byte,
    # and of the power as well.
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA foreign_keys = ON")
    # What is deleted is overwritten.
    connection.execute("PRAGMA secure_delete = ON")
    connection.execute("PRAGMA trusted_schema = OFF")
    [state] = connection.execute("PRAGMA quick_check(1)").fetchone()
    if state != "ok":
        raise DamagedFile(str(state))
    if _version_of(connection) != len(MIGRATIONS):
        _migrate(connection, roots)
    try:
        for probe in _PROBES:
            connection.execute(probe)
    except sqlite3.OperationalError as error:
        if _code_of(error) == sqlite3.SQLITE_ERROR:
            raise DamagedFile(str(error)) from error
        raise
    return connection


def _migrate(connection: sqlite3.Connection, roots: Sequence[Path]) -> None:
    with transaction(connection):
        # Asked again: another process may have done it meanwhile.
        version = _version_of(connection)
        if version > len(MIGRATIONS):
            raise NewerFile(f"it has version {version}, this Glossator knows {len(MIGRATIONS)}")
        if version < 0:
            raise DamagedFile(f"it has version {version}")
        try:
            for statements in MIGRATIONS[version:]:
                for statement in statements:
                    connection.execute(statement)
        except sqlite3.OperationalError as error:
            if _code_of(error) == sqlite3.SQLITE_ERROR:
                raise DamagedFile(str(error)) from error
            raise
        if version == 0:
            shown = [(replace_lone_surrogates(str(root)),) for root in roots]
            connection.executemany("INSERT INTO workspace (root) VALUES (?)", shown)
        connection.execute(f"PRAGMA user_version = {len(MIGRATIONS)}")


def _version_of(connection: sqlite3.Connection) -> int:
    [version] = connection.execute("PRAGMA user_version").fetchone()
    return int(version)
