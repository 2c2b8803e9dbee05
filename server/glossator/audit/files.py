"""The files of the record: one for each process, turned over when full, the oldest dropped."""

import errno
import os
import time
from pathlib import Path

_MAX_FILE_BYTES = 5_000_000
# Bytes count, not files alone: a command in a terminal leaves a file with a few lines.
_KEEP_BYTES = 20 * _MAX_FILE_BYTES
_KEEP_FILES = 1000

PATTERN = "audit-*.jsonl"


class AuditFiles:
    """Appends lines to the newest file of this process in `folder`. Use it on one thread."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._path: Path | None = None
        self._is_torn = False

    def append(self, line: bytes) -> None:
        """Write one line, which only the user can read.

        Raises:
            OSError: it is not written whole.
        """
        descriptor = self._open()
        try:
            data = line + b"\n"
            if self._is_torn:
                data = b"\n" + data
            n_written = os.write(descriptor, data)
            # A full disk takes a part: the next line must not go on in the same one.
            self._is_torn = 0 < n_written < len(data) or (self._is_torn and not n_written)
            if n_written < len(data):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        finally:
            os.close(descriptor)

    def _open(self) -> int:
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT
        try:
            return os.open(self._current_file(), flags, 0o600)
        except FileNotFoundError:
            # The folder was removed meanwhile, as by somebody who wants the record gone.
            self._path = None
            return os.open(self._current_file(), flags, 0o600)

    def _current_file(self) -> Path:
        if self._path is not None and _size_of(self._path) < _MAX_FILE_BYTES:
            return self._path
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._drop_oldest()
        self._path = self.folder / f"audit-{time.time_ns()}-{os.getpid()}.jsonl"
        return self._path

    def _drop_oldest(self) -> None:
        """Make room for a file that is full."""
        n_bytes = _MAX_FILE_BYTES
        newest_first = sorted(self.folder.glob(PATTERN), reverse=True)
        for n_newer, path in enumerate(newest_first, 1):
            n_bytes += _size_of(path)
            if n_bytes > _KEEP_BYTES or n_newer >= _KEEP_FILES:
                path.unlink(missing_ok=True)


def _size_of(path: Path) -> int:
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0
