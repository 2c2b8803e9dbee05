"""The index: which files Git tracks, and what they were like when it last looked."""

import io
import os
import struct
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from glossator.core.errors import UnreadableRepository
from glossator.tools.git.folder import GitFolder

if TYPE_CHECKING:  # Loaded when a repository is looked at.
    from dulwich.index import SerializedIndexEntry

_MAX_INDEX_BYTES = 256 * 1024 * 1024
_SKIP_WORKTREE = 0x4000
_FOLDER_MODE = 0o040000
# How far apart two changes must be for their times to differ, and where only seconds are kept.
_TICK_NS, _COARSE_TICK_NS = 100_000_000, 2_000_000_000


@dataclass(frozen=True, slots=True)
class IndexEntry:
    """A tracked file. `is_left_out` when a sparse checkout does not have it on the disk."""

    mode: int
    object_id: str
    size_bytes: int
    mtime: tuple[int, int]
    inode: int
    is_left_out: bool
    is_racy: bool

    def matches(self, status: os.stat_result) -> bool:
        """Say whether a file is certainly as it was, without reading it."""
        return not self.is_racy and self.has_status(status)

    def has_status(self, status: os.stat_result) -> bool:
        """Say whether nothing but the content could tell a file from what it was."""
        seconds, nanoseconds = divmod(status.st_mtime_ns, 1_000_000_000)
        # Some programs write whole seconds.
        is_same_time = self.mtime in {(seconds, nanoseconds), (seconds, 0)}
        return (
            is_same_time
            and self.size_bytes == status.st_size & 0xFFFFFFFF
            and self.inode in {0, status.st_ino & 0xFFFFFFFF}
        )


@dataclass(frozen=True, slots=True)
class Index:
    """The tracked files by path; conflicted ones and folders of a sparse checkout apart."""

    entries: Mapping[str, IndexEntry] = field(default_factory=dict)
    conflicts: frozenset[str] = frozenset()
    folders_left_out: tuple[str, ...] = ()


def read_index(folder: GitFolder) -> Index:
    """Return the index of a working tree; an empty one when there is none.

    One that is split over two files gives no entries: then every file is compared by content.

    Raises:
        UnreadableRepository: it is broken.
    """
    from dulwich import index as library

    file_path = folder.own / "index"
    try:
        written_ns = file_path.stat().st_mtime_ns
    except OSError:
        return Index()
    data = folder.read(file_path, limit_bytes=_MAX_INDEX_BYTES)
    if data is None:
        return Index()
    file = io.BytesIO(data)
    try:
        serialized = list(library.read_index(file))
        extensions = _list_extensions(data, file.tell())
    except (library.UnsupportedIndexFormat, AssertionError, ValueError, struct.error, LookupError,
            TypeError) as error:  # fmt: skip
        raise UnreadableRepository(
            "The index of the repository is broken or of an unknown format. Run `git status`."
        ) from error
    if b"link" in extensions:
        return Index()
    entries: dict[str, IndexEntry] = {}
    conflicts: set[str] = set()
    folders: list[str] = []
    for item in serialized:
        path = os.fsdecode(item.name)
        if item.stage() != library.Stage.NORMAL:
            conflicts.add(path)
        elif item.mode == _FOLDER_MODE:
            folders.append(path.rstrip("/"))
        else:
            entries[path] = _describe(item, written_ns)
    return Index(entries, frozenset(conflicts), tuple(folders))


def _describe(item: "SerializedIndexEntry", written_ns: int) -> IndexEntry:
    seconds, nanoseconds = item.mtime if isinstance(item.mtime, tuple) else (int(item.mtime), 0)
    tick_ns = _TICK_NS if nanoseconds else _COARSE_TICK_NS
    return IndexEntry(
        mode=item.mode,
        object_id=item.sha.decode("ascii"),
        size_bytes=item.size,
        mtime=(seconds, nanoseconds),
        inode=item.ino,
        is_left_out=bool(item.extended_flags & _SKIP_WORKTREE),
        # Written in the same moment as the index: the file may have changed since, unseen.
        is_racy=seconds * 1_000_000_000 + nanoseconds >= written_ns - tick_ns,
    )


def _list_extensions(data: bytes, position: int) -> set[bytes]:
    names: set[bytes] = set()
    while position + 8 <= len(data) - 20:
        name, size = struct.unpack(">4sI", data[position : position + 8])
        names.add(name)
        position += 8 + size
    return names
