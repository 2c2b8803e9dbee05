"""The log: to stderr through a thread, and warnings to the editor's log as well.

A client that never reads stderr fills the pipe, and the next line would block whoever writes it;
so lines wait in a bounded queue and are dropped when it is full.
"""

import logging
import os
import queue
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress

LEVEL_VARIABLE = "GLOSSATOR_LOG"
_MAX_WAITING_LINES = 1000
_MAX_LINES_A_MINUTE = 60


def start_logging(level: str | None) -> None:
    """Send the log to stderr: warnings and worse, or what `level` or the environment asks for."""
    name = (level or os.environ.get(LEVEL_VARIABLE) or "warning").upper()
    handler = _StderrHandler()
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.getLevelNamesMapping().get(name, logging.WARNING))
    # At `info` these log every message with its content.
    for noisy in ("pygls", "openai", "httpx2", "httpcore2", "asyncio"):
        logging.getLogger(noisy).setLevel(max(root.level, logging.WARNING))
    threading.excepthook = _log_thread_failure


class ClientHandler(logging.Handler):
    """Passes warnings to the client's log, without tracebacks and not too many."""

    def __init__(self, send: Callable[[int, str], None]) -> None:
        super().__init__(logging.WARNING)
        self._send = send
        self._minute = 0.0
        self._n_sent = 0

    def emit(self, record: logging.LogRecord) -> None:
        """Send one record, or say once that more of them are only on stderr."""
        now = time.monotonic()
        if now - self._minute > 60:
            self._minute, self._n_sent = now, 0
        self._n_sent += 1
        if self._n_sent < _MAX_LINES_A_MINUTE:
            self._send(record.levelno, record.getMessage())
        elif self._n_sent == _MAX_LINES_A_MINUTE:
            self._send(record.levelno, "More messages follow; they are on stderr only.")


class _StderrHandler(logging.Handler):
    def __init__(self) -> None:
        super().__init__()
        self._lines: queue.Queue[str] = queue.Queue(_MAX_WAITING_LINES)
        self._is_idle = threading.Event()
        self._is_idle.set()
        threading.Thread(target=self._write, name="log-writer", daemon=True).start()

    def emit(self, record: logging.LogRecord) -> None:
        self._is_idle.clear()
        with suppress(queue.Full):
            self._lines.put_nowait(self.format(record))

    def flush(self) -> None:
        """Wait a moment for the lines that are on their way."""
        self._is_idle.wait(0.2)

    def _write(self) -> None:
        while True:
            print(self._lines.get(), file=sys.stderr, flush=True)
            if self._lines.empty():
                self._is_idle.set()


def flush_logs() -> None:
    """Let the last lines reach stderr, if somebody reads it."""
    for handler in logging.getLogger().handlers:
        handler.flush()


def _log_thread_failure(failure: threading.ExceptHookArgs) -> None:
    name = failure.thread.name if failure.thread else "a thread"
    value = failure.exc_value
    if value is not None:
        logging.getLogger(__name__).error("%s failed: %r", name, value, exc_info=value)
