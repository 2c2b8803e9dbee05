"""The editor's process: when it is gone, so are we, even if somebody holds our stdin open."""

import asyncio
import logging
import os
import sys
from collections.abc import Callable
from pathlib import Path

logger = logging.getLogger(__name__)

_POLL_EVERY_S = 3.0


class EditorWatch:
    """Calls `on_gone` once when the process ends.

    A descriptor of the process is used where the system has them: it wakes us, and it never means
    another process that got the same number later. Elsewhere the process is looked at every few
    seconds, together with its start time. On Windows only the end of stdin counts: asking there
    whether a process lives would end it.
    """

    def __init__(self, process_id: int, on_gone: Callable[[], None]) -> None:
        self._process_id = process_id
        self._on_gone = on_gone
        self._loop = asyncio.get_running_loop()
        self._descriptor: int | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._started_at = _start_time(process_id)

    def start(self) -> None:
        """Begin to watch. A process that cannot be seen from here is not watched."""
        if sys.platform == "win32":
            return
        if not _is_alive(self._process_id):
            # In a container the editor's number names no process, or another one's.
            logger.info("The editor's process is not visible from here and is not watched.")
            return
        try:
            self._descriptor = os.pidfd_open(self._process_id)
            self._loop.add_reader(self._descriptor, self._gone)
        except (AttributeError, OSError):
            self._poll()

    def stop(self) -> None:
        """Watch no longer."""
        if self._descriptor is not None:
            self._loop.remove_reader(self._descriptor)
            os.close(self._descriptor)
            self._descriptor = None
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _poll(self) -> None:
        if _is_alive(self._process_id) and _start_time(self._process_id) == self._started_at:
            self._timer = self._loop.call_later(_POLL_EVERY_S, self._poll)
        else:
            self._gone()

    def _gone(self) -> None:
        self.stop()
        self._on_gone()


def _is_alive(process_id: int) -> bool:
    try:
        os.kill(process_id, 0)
    except (ProcessLookupError, OverflowError):
        return False  # The other one: no system has a number that large.
    except OSError:
        return True
    return True


def _start_time(process_id: int) -> str | None:
    """Return when a process started, where the system says so in a file."""
    try:
        status = Path(f"/proc/{process_id}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    # The name in brackets may hold anything; what follows it is fields.
    fields = status.rpartition(")")[2].split()
    return fields[19] if len(fields) > 19 else None
