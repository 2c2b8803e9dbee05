"""The audit log: what the listeners of turns hear, written by a thread of its own.

Every process writes a file of its own, so two editors never mix their lines. A full or slow disk
never stops the work: the record is lost, the turn is not.
"""

import json
import logging
import threading
import time
from concurrent.futures import Future, ThreadPoolExecutor, wait
from datetime import UTC, datetime
from pathlib import Path

from glossator.audit.files import AuditFiles
from glossator.audit.recording import Describer, TurnRecords, Values
from glossator.core.events import Emit, Event, only_paints

_log = logging.getLogger(__name__)

_MAX_WAITING = 1000
"""Events that wait for a disk; more are lost."""
_PATIENCE_S = 0.02
"""So long the event loop may stand still for a disk that was in time until then."""


class AuditLog:
    """Writes events to `folder` as JSON lines. What fails is counted in `n_lost`, never raised.

    An event is on its way to the disk before the next one is taken, unless the disk is slow: of a
    process that is killed at most the last record is missing. One that ends by itself writes all.
    """

    def __init__(
        self, folder: Path, *, keep_content: bool = False, secrets: tuple[str, ...] = ()
    ) -> None:
        self.folder = folder
        self._describer = Describer(keep_content, secrets)
        self._files = AuditFiles(folder)
        self._thread = ThreadPoolExecutor(1, "audit")
        self._room = threading.Semaphore(_MAX_WAITING)
        self._last: Future[None] | None = None
        self._is_behind = False
        self._n_dropped = 0
        self._n_unwritten = 0

    @property
    def n_lost(self) -> int:
        """How many events could not be recorded."""
        return self._n_dropped + self._n_unwritten

    def listen(self, turn_id: str, *, model: str = "") -> Emit:
        """Return what hears the events of one turn; `model` is the one asked by default."""
        turn = TurnRecords(self._describer, turn_id, model)

        def hear(event: Event) -> None:
            self._submit(turn, event)

        return hear

    def record(self, event: Event) -> None:
        """Record what happens outside any turn."""
        self._submit(TurnRecords(self._describer), event)

    def flush(self, timeout_s: float = 1.0) -> None:
        """Wait until everything is written, for a while."""
        if self._last is not None:
            wait([self._last], timeout_s)

    def _submit(self, turn: TurnRecords, event: Event) -> None:
        if only_paints(event):
            return
        self._await_last()
        if not self._room.acquire(blocking=False):
            self._n_dropped += 1
            return
        self._last = self._thread.submit(self._write, turn, event, time.time())
        self._last.add_done_callback(_log_failure)

    def _await_last(self) -> None:
        """Let the record before get to the disk; once that took too long, wait no more for it."""
        if self._last is None or self._last.done():
            self._is_behind = False
        elif not self._is_behind:
            self._is_behind = not wait([self._last], _PATIENCE_S).done

    def _write(self, turn: TurnRecords, event: Event, at: float) -> None:
        try:
            for values in turn.take(event, at):
                self._append(values, at)
        finally:
            self._room.release()

    def _append(self, values: Values, at: float) -> None:
        now = datetime.fromtimestamp(at, UTC).isoformat(timespec="milliseconds")
        try:
            self._files.append(json.dumps({"time": now, **values}).encode())
        except OSError:
            self._n_unwritten += 1


def _log_failure(done: "Future[None]") -> None:
    if (error := done.exception()) is not None:
        _log.error("A record could not be made: %s", error, exc_info=error)
