"""Which folders lie on another machine or system, whose changes make no file events here."""

import os
from functools import lru_cache
from pathlib import Path

_MOUNTS = Path("/proc/self/mounts")
_REMOTE = frozenset(
    {
        "9p", "afs", "beegfs", "ceph", "cifs", "coda", "davfs", "drvfs", "gfs2", "glusterfs",
        "lustre", "ncp", "ncpfs", "nfs", "nfs4", "ocfs2", "orangefs", "prl_fs", "smb2", "smb3",
        "smbfs", "vboxsf", "virtiofs", "vmhgfs", "wslfs",
    }
)  # fmt: skip
_REMOTE_FUSE = frozenset(
    {
        "cephfs", "davfs2", "gcsfuse", "glusterfs", "goofys", "gvfsd-fuse", "osxfs", "grpcfuse",
        "prl_fsd", "rclone", "s3fs", "sshfs", "vmhgfs-fuse", "mergerfs", "fakeowner",
    }
)  # fmt: skip


def is_remote(folder: Path) -> bool:
    """Say whether a folder, or the place where it will be, is on a network drive or a host's."""
    try:
        table = _MOUNTS.read_text(encoding="utf-8", errors="surrogateescape")
    except OSError:  # Not Linux: its own file events cover network drives or fail aloud.
        return os.path.realpath(folder).startswith("\\\\")
    return find_kind(os.path.realpath(folder), table) != ""


def find_kind(place: str, table: str) -> str:
    """Return the kind of the remote file system that holds `place`; empty for a local one.

    `table` has the form of `/proc/mounts`.
    """
    best, kind = "", ""
    for point, name in _parse(table):
        is_holder = place == point or place.startswith(point.rstrip("/") + "/")
        if is_holder and len(point) >= len(best):  # The later of two at one point is on top.
            best, kind = point, name
    family, _, driver = kind.partition(".")
    is_remote_fuse = family in {"fuse", "fuseblk"} and driver in _REMOTE_FUSE
    return kind if kind in _REMOTE or is_remote_fuse else ""


@lru_cache(maxsize=4)
def _parse(table: str) -> tuple[tuple[str, str], ...]:
    rows = (line.split() for line in table.splitlines())
    return tuple((_unescape(row[1]), row[2]) for row in rows if len(row) >= 3)


def _unescape(point: str) -> str:
    for code, character in (("\\040", " "), ("\\011", "\t"), ("\\012", "\n"), ("\\134", "\\")):
        point = point.replace(code, character)
    return point
