"""Open a file without being tricked: by what it is, and by where it really stands.

A path that was checked can point elsewhere a moment later. So the checks that count are made on
the opened handle: it is a regular file (never a pipe or device, which could block or never end)
and the system says that it stands where it may be read.
"""

import os
import stat
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from glossator.core.errors import UnreadableFile

_FLAGS = (
    os.O_RDONLY
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_NOCTTY", 0)
    | getattr(os, "O_BINARY", 0)
)
_CHUNK_BYTES = 1 << 20
_MAX_LOOKS = 5


class NotAllowed(OSError):
    """The opened handle stands where nothing may be read."""


class NotAFile(OSError):
    """What was opened is a pipe, device, socket or folder; the text says which."""


def resolve_links(path: str | os.PathLike[str]) -> str:
    """Return the real path, with links followed; there may be no such file.

    A link that is replaced between the two looks that `realpath` takes makes it fail. One that may
    not be followed, as those of other people's processes, is taken for what it is called.

    Raises:
        UnreadableFile: it is replaced all the time.
    """
    for _ in range(_MAX_LOOKS):
        with suppress(OSError):
            try:
                return os.path.realpath(path)
            except PermissionError:
                return os.path.abspath(path)  # noqa: PTH100 - text, as above
    raise UnreadableFile(
        f"`{Path(path).name}` changes while it is looked at. Try again in a moment."
    )


@dataclass(frozen=True, slots=True)
class Content:
    """The first bytes of a file. `size_bytes` is what the system says, 0 for some special files."""

    data: bytes
    size_bytes: int
    mtime_ns: int
    is_cut: bool


def read_content(path: str, *, limit_bytes: int, is_allowed: Callable[[str], bool]) -> Content:
    """Return up to `limit_bytes` of the regular file at `path`.

    `is_allowed` judges the real path of the opened handle.

    Raises:
        NotAllowed: the handle stands elsewhere.
        NotAFile: it is no regular file.
        OSError: it cannot be opened or read.
    """
    handle, status = open_regular(path, is_allowed=is_allowed)
    try:
        data = _read_up_to(handle, limit_bytes + 1, status.st_size)
        return Content(
            data[:limit_bytes], status.st_size, status.st_mtime_ns, len(data) > limit_bytes
        )
    finally:
        os.close(handle)


def open_regular(path: str, *, is_allowed: Callable[[str], bool]) -> tuple[int, os.stat_result]:
    """Return a handle of the regular file at `path`, for the caller to close, and its status.

    Raises:
        NotAllowed, NotAFile, OSError: as `read_content`.
    """
    # Asked before opening as well: opening some devices does something.
    _require_file(os.stat(path))  # noqa: PTH116 - thousands of files a second go through here
    handle = os.open(path, _FLAGS)
    try:
        status = os.fstat(handle)
        _require_file(status)
        if not _stands_where_allowed(handle, path, status, is_allowed):
            raise NotAllowed(path)
    except BaseException:
        os.close(handle)
        raise
    return handle, status


def _require_file(status: os.stat_result) -> None:
    if not stat.S_ISREG(status.st_mode):
        raise NotAFile(_describe_kind(status.st_mode))


def _describe_kind(mode: int) -> str:
    if stat.S_ISDIR(mode):
        return "a folder"
    if stat.S_ISFIFO(mode):
        return "a named pipe"
    if stat.S_ISSOCK(mode):
        return "a socket"
    return "a device"


def _read_up_to(handle: int, limit: int, expected: int) -> bytes:
    pieces: list[bytes] = []
    left = limit
    while left > 0:
        # One byte more than expected, so that most files take one call to read and one to end.
        piece = os.read(handle, min(left, max(1, min(expected + 1, _CHUNK_BYTES))))
        if not piece:
            break
        pieces.append(piece)
        left -= len(piece)
        expected = max(expected - len(piece), 65536)
    return pieces[0] if len(pieces) == 1 else b"".join(pieces)


def _stands_where_allowed(
    handle: int, path: str, status: os.stat_result, is_allowed: Callable[[str], bool]
) -> bool:
    real = _path_of_handle(handle)
    if real is not None:
        return is_allowed(real)
    # No way to ask: resolve again and see whether an allowed path leads to the same file.
    again = resolve_links(path)
    return is_allowed(again) and os.path.samestat(os.lstat(again), status)


def _path_of_handle(handle: int) -> str | None:
    """Return the real path of an open file where the system tells it."""
    if sys.platform == "linux":
        try:
            return os.readlink(f"/proc/self/fd/{handle}")  # noqa: PTH115 - as above
        except OSError:
            return None
    if sys.platform == "darwin":
        import fcntl  # Not on every system.

        found = fcntl.fcntl(handle, fcntl.F_GETPATH, bytes(1024))
        return os.fsdecode(found.rstrip(b"\x00"))
    return None
