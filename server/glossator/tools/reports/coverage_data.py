"""The data file of coverage.py: `.coverage`, a SQLite database of the lines that ran.

It is read from memory, so that neither a journal beside it nor a lock matters, and only its own
tables are asked: a view or trigger that somebody put in their place does nothing. It says what was
reached and not which lines count.
"""

import sqlite3
from collections.abc import Callable, Iterator

from glossator.tools.reports.report import (
    MAX_COUNTED,
    MAX_LINE,
    BrokenReport,
    FileCoverage,
    Report,
    last_name,
)

_HEADER = b"SQLite format 3\x00"
_ALLOWED = frozenset({sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ})
_MAX_FILES = 200_000
_MAX_VALUE_BYTES = 4 * 1024 * 1024
_STEPS_BETWEEN_LOOKS = 10_000


def read_coverage_data(data: bytes, base_name: str, is_over: Callable[[], bool]) -> Report:
    """Return what a data file says of the files called `base_name`.

    Raises:
        BrokenReport: it is not of this format, broken, or takes too long.
    """
    if not data.startswith(_HEADER):
        raise BrokenReport("it is no data file of coverage.py 5 or newer")
    # A database in memory has no write-ahead log.
    data = data[:18] + b"\x01\x01" + data[20:]
    connection = sqlite3.connect(":memory:")
    connection.text_factory = lambda text: text.decode("utf-8", "surrogateescape")
    try:
        connection.deserialize(data)
        connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _MAX_VALUE_BYTES)
        connection.execute("PRAGMA trusted_schema = OFF")
        connection.execute("PRAGMA cell_size_check = ON")
        connection.set_authorizer(_authorize)
        connection.set_progress_handler(is_over, _STEPS_BETWEEN_LOOKS)
        return _read(connection, base_name)
    except (sqlite3.Error, UnicodeDecodeError) as error:
        reason = "it takes too long to read" if is_over() else "its database is broken"
        raise BrokenReport(reason) from error
    finally:
        connection.close()


def _read(connection: sqlite3.Connection, base_name: str) -> Report:
    tables = {
        name
        for name, kind in connection.execute("SELECT name, type FROM sqlite_master LIMIT 1000")
        if kind == "table"
    }
    if "file" not in tables:
        raise BrokenReport("it has no table of files")
    names = [
        (number, name)
        for number, name in connection.execute(f"SELECT id, path FROM file LIMIT {_MAX_FILES}")
        if isinstance(name, str)
    ]
    files: list[FileCoverage] = []
    for number, name in names:
        if last_name(name) == base_name:
            reached = set(_list_lines(connection, tables, number))
            files.append(FileCoverage(name, reached, missed=None))
    return Report(tuple(files), len(names))


def _list_lines(connection: sqlite3.Connection, tables: set[str], number: int) -> Iterator[int]:
    """Yield the lines of a file that ran, whether lines or the ways between them were measured."""
    if "line_bits" in tables:
        rows = connection.execute("SELECT numbits FROM line_bits WHERE file_id = ?", (number,))
        for (bits,) in rows:
            if isinstance(bits, bytes):
                yield from _unpack(bits)
    if "arc" in tables:
        rows = connection.execute(
            f"SELECT fromno, tono FROM arc WHERE file_id = ? LIMIT {MAX_COUNTED}", (number,)
        )
        for ends in rows:
            # Negative numbers are the entry and the exit of a block.
            yield from (end for end in ends if isinstance(end, int) and 0 < end <= MAX_LINE)


def _unpack(bits: bytes) -> Iterator[int]:
    for place, byte in enumerate(bits[: MAX_LINE // 8]):
        if byte:
            yield from (place * 8 + bit for bit in range(8) if byte >> bit & 1)


def _authorize(action: int, *_: object) -> int:
    return sqlite3.SQLITE_OK if action in _ALLOWED else sqlite3.SQLITE_DENY
