"""A segment in a file: written whole, read whole, refused unless every byte is right.

The file is a magic number, a head in JSON with its checksum, and the tables of the segment, each
with its checksum in the head. The head names what decides words and sections, so that an index of
another version is not used. It is safe for two processes to share: a file is replaced, not changed.
It is read and not mapped: a mapped file that somebody cuts off would end the process.
"""

import json
import mmap
import os
import stat
import sys
import tempfile
import unicodedata
import zlib
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import cache
from hashlib import blake2b
from importlib.util import find_spec
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from glossator.core.errors import GlossatorError
from glossator.knowledge.segment import TABLES, Segment

MAGIC = b"GLOSSIDX"
FORMAT = 1

_ALIGNMENT = 8
_CHUNK = 1 << 20
_MAX_HEAD = 1 << 26


class SnapshotUnusable(GlossatorError):
    """A file of an index that is not there, not whole, or of another version: build it anew."""

    code = "snapshot-unusable"


class Snapshot(NamedTuple):
    """What a file holds: the segment, and what its writer noted beside it."""

    segment: Segment
    note: bytes


def write_snapshot(path: Path, segment: Segment, note: bytes) -> None:
    """Write a file in one step: whoever reads `path` meets the old one or the new one, whole.

    Raises OSError. Blocks, in small pieces: call it in a worker thread.
    """
    tables: dict[str, memoryview] = {**segment.tables, "note": memoryview(note)}
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".tmp")
    try:
        with os.fdopen(handle, "wb") as file:
            _write(file, tables)
            file.flush()
            os.fsync(file.fileno())
        Path(name).replace(path)
    except BaseException:
        with suppress(OSError):
            Path(name).unlink()
        raise
    _sync_folder(path.parent)


def _write(file: BinaryIO, tables: Mapping[str, memoryview]) -> None:
    sizes = {name: table.nbytes for name, table in tables.items()}
    sums = {name: _sum_up(_cut(table)) for name, table in tables.items()}
    head = json.dumps(
        {"format": FORMAT, "made_by": find_fingerprint(), "sizes": sizes, "sums": sums}
    ).encode()
    file.write(MAGIC)
    file.write(len(head).to_bytes(4, "little") + zlib.crc32(head).to_bytes(4, "little"))
    file.write(head)
    for table in tables.values():
        file.write(bytes(-file.tell() % _ALIGNMENT))
        for piece in _cut(table):
            file.write(piece)


def _cut(table: memoryview) -> Iterator[memoryview]:
    flat = table.cast("B")
    for start in range(0, len(flat), _CHUNK):
        yield flat[start : start + _CHUNK]


def _sum_up(pieces: Iterator[memoryview]) -> int:
    total = 0
    for piece in pieces:
        total = zlib.crc32(piece, total)
    return total


def _sync_folder(folder: Path) -> None:
    """Make the new name last; Windows knows no such thing."""
    if os.name == "nt":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def read_snapshot(path: Path) -> Snapshot:
    """Read a file, or say why it is not used. Blocks: call it in a worker thread."""
    try:
        with open(path, "rb", opener=_open) as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise ValueError("it is no regular file")
            return _read(file)
    except OSError as error:
        raise SnapshotUnusable(f"`{path}` cannot be read: {error.strerror or error}") from error
    except (ValueError, KeyError, TypeError, IndexError) as error:
        raise SnapshotUnusable(f"`{path}` is not used: {error}") from error


def _open(path: str, flags: int) -> int:
    """Open a file without waiting for anybody: of a pipe, for who writes into it."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def _read(file: BinaryIO) -> Snapshot:
    head = _read_head(file)
    places, start = _find_places(head["sizes"], file.tell()), file.tell()
    end = max(stop for _, stop in places.values())
    if os.fstat(file.fileno()).st_size != end:
        raise ValueError("it is cut off, or something was added to it")
    # Memory of its own, which goes back to the system as a whole.
    data = memoryview(mmap.mmap(-1, max(1, end - start)))[: end - start]
    n_read = 0
    while n_read < len(data):
        n_more = file.readinto(data[n_read:])  # type: ignore[attr-defined] # BinaryIO lacks it
        if not n_more:
            raise ValueError("it is cut off")
        n_read += n_more
    found = {name: data[first - start : stop - start] for name, (first, stop) in places.items()}
    for name, table in found.items():
        if _sum_up(_cut(table)) != head["sums"][name]:
            raise ValueError(f"its table of {name} is damaged")
    tables = {name: found[name].toreadonly().cast(code) for name, code in TABLES.items()}
    return Snapshot(Segment(tables), bytes(found["note"]))


def _find_places(sizes: Mapping[str, int], end: int) -> dict[str, tuple[int, int]]:
    """Return where in the file each table begins and ends."""
    places: dict[str, tuple[int, int]] = {}
    for name, size in sizes.items():
        start = end + -end % _ALIGNMENT
        end = start + size
        places[name] = start, end
    return places


def _read_head(file: BinaryIO) -> dict[str, Any]:
    if file.read(len(MAGIC)) != MAGIC:
        raise ValueError("it is not an index")
    size, expected = (int.from_bytes(file.read(4), "little") for _ in range(2))
    data = file.read(size) if size <= _MAX_HEAD else b""
    if len(data) != size or zlib.crc32(data) != expected:
        raise ValueError("its head is damaged")
    head: dict[str, Any] = json.loads(data)
    if head["format"] != FORMAT or head["made_by"] != find_fingerprint():
        raise ValueError("it was made by another version")
    if set(head["sizes"]) != {*TABLES, "note"} or min(head["sizes"].values()) < 0:
        raise ValueError("its tables are not those of an index")
    return head


@cache
def find_fingerprint() -> str:
    """Return a hash of all that decides how documents are cut and words are found."""
    digest = blake2b(digest_size=16)
    versions = (sys.byteorder, unicodedata.unidata_version)
    digest.update(" ".join(versions).encode())
    for file in list_deciding_files():
        digest.update(file.name.encode())
        digest.update(file.read_bytes())
    return digest.hexdigest()


def list_deciding_files() -> list[Path]:
    """Return the source of this package and of what it cuts text with, be it loaded or not."""
    package = Path(__file__).parent
    own = sorted(each for each in package.iterdir() if each.is_file())
    core = package.parent / "core"
    reader = find_spec("markdown_it")  # The file names its version.
    assert reader is not None
    assert reader.origin is not None
    return [*own, core / "text.py", core / "globs.py", Path(reader.origin)]
