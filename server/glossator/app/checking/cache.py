"""What checks found, kept in the cache folder from one run to the next.

One file for all workspaces and processes of a user. A record is known by the content that was
checked and by the checks; what a file holds is known by its status, as Git does it. Nothing is
kept that cannot be found again.
"""

import hashlib
import os
import struct
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from glossator.app.byte_cache import ByteCache

FILE_NAME = "checks.sqlite3"
MAX_BYTES = 64 * 1024 * 1024
"""About 300,000 files with a finding each."""

_CONTENTS, _RECORDS = "contents", "records"
_SIGNATURE = struct.Struct("<qqqQ")
_CONTENT_BYTES = 16
# Times are as coarse as this: what changed so shortly before it was looked at may change once more
# and look the same.
_RACY_NS = 2_000_000_000

Signature = bytes
"""The status of a file: it changes whenever its content does."""


@dataclass(frozen=True, slots=True)
class Seen:
    """A file as it was looked at: its status, and what it held."""

    path: str
    signature: Signature
    content: bytes


def can_keep(folder: Path) -> bool:
    """Say whether anything can be kept in a folder; it is made when it is not there."""
    file = ByteCache(folder / FILE_NAME)
    file.read(_CONTENTS, ())
    file.close()
    return not file.problem


class CheckCache:
    """Records by key and contents by file. Without a folder nothing is kept."""

    def __init__(self, folder: Path | None) -> None:
        self._file = ByteCache(folder / FILE_NAME, max_bytes=MAX_BYTES) if folder else None

    def find_contents(self, signatures: Mapping[str, Signature]) -> dict[str, bytes | None]:
        """Return what files hold, by their paths; None for those that were known otherwise."""
        if self._file is None:
            return {}
        names = {_hash_path(path): path for path in signatures}
        known = self._file.read(_CONTENTS, tuple(names))
        return {
            names[name]: value[-_CONTENT_BYTES:]
            if value[:-_CONTENT_BYTES] == signatures[names[name]] != NO_SIGNATURE
            else None
            for name, value in known.items()
        }

    def find_records(self, keys: Sequence[bytes]) -> Mapping[bytes, bytes]:
        """Return the encoded records that are known."""
        if self._file is None:
            return {}
        return self._file.read(_RECORDS, keys)

    def keep(self, seen: Iterable[Seen], records: Mapping[bytes, bytes]) -> None:
        """Keep files and encoded records; what was not asked for longest makes room."""
        if self._file is None:
            return
        contents = {_hash_path(each.path): each.signature + each.content for each in seen}
        if contents:
            self._file.write(_CONTENTS, contents)
        if records:
            self._file.write(_RECORDS, records)

    def close(self) -> None:
        """Close the file; it is opened again when it is needed."""
        if self._file is not None:
            self._file.close()


NO_SIGNATURE: Signature = bytes(_SIGNATURE.size)
"""That of a file whose status would not show each change: what it holds has to be read."""


@dataclass(frozen=True, slots=True)
class Look:
    """The status of a file at one moment."""

    size_bytes: int
    signature: Signature


def look_at_file(path: str) -> Look | None:
    """Return the status of a file; None when there is none."""
    now = time.time_ns()
    try:
        status = os.lstat(path)
    except (OSError, ValueError):
        return None
    if max(status.st_mtime_ns, status.st_ctime_ns) > now - _RACY_NS:
        return Look(status.st_size, NO_SIGNATURE)
    inode = status.st_ino & (2**64 - 1)
    signature = _SIGNATURE.pack(status.st_size, status.st_mtime_ns, status.st_ctime_ns, inode)
    return Look(status.st_size, signature)


def _hash_path(path: str) -> bytes:
    data = path.encode("utf-8", "surrogateescape")
    return hashlib.blake2b(data, digest_size=_CONTENT_BYTES).digest()
