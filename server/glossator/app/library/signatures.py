"""What the file system says of a file, to see without reading that it is the same."""

import os
import time

Signature = tuple[int, int, int, int]
"""Time of change, size, number of the file, time of any change to its entry."""

_TICK_NS = 50_000_000
_COARSE_TICK_NS = 2_500_000_000


def sign(status: os.stat_result) -> Signature:
    """Return the signature in `status`."""
    return status.st_mtime_ns, status.st_size, status.st_ino, status.st_ctime_ns


def is_settled(signature: Signature, now_ns: int | None = None) -> bool:
    """Say whether another change would be seen in the times, as their clock has ticked since.

    A file that is written twice within one tick looks the same after both. File systems that count
    in seconds or in twos of them have round times.
    """
    now_ns = time.time_ns() if now_ns is None else now_ns
    latest = max(signature[0], signature[3])
    tick = _TICK_NS if latest % 1_000_000 else _COARSE_TICK_NS
    return latest < now_ns - tick
