"""Telemetry: what the listeners of turns hear becomes spans, on a thread of its own.

Nothing of OpenTelemetry is imported before the first turn, and then on that thread. A collector
that cannot be reached slows and breaks nothing.
"""

import logging
import threading
import time
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import TYPE_CHECKING

from glossator import __version__
from glossator.core.events import Emit, Event, TurnEnded, TurnStarted, only_paints
from glossator.telemetry.subject import Subject

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import TracerProvider

    from glossator.telemetry.exporting import QuietExporter
    from glossator.telemetry.spans import TurnSpans

_log = logging.getLogger(__name__)

_BROKEN = (
    "OpenTelemetry is installed but cannot be loaded, so no spans are sent. Run "
    "`pip install --force-reinstall 'glossator[otel]'` and restart."
)


class Telemetry:
    """Sends spans of turns to the collector at `endpoint`. Use it on one event loop.

    Its thread only makes spans; those are sent by a thread of OpenTelemetry's.
    """

    def __init__(self, endpoint: str, subject: Subject) -> None:
        self._endpoint = endpoint
        self._subject = subject
        self._thread = ThreadPoolExecutor(1, "telemetry")
        self._last: Future[None] | None = None
        self._exporter: QuietExporter | None = None
        self._provider: TracerProvider | None = None
        self._closing: threading.Thread | None = None
        self._n_open = 0
        self._is_broken = False
        self._is_retired = False

    @property
    def problem(self) -> str:
        """What people should know: spans that did not arrive."""
        if self._is_broken:
            return _BROKEN
        n_lost = self._exporter.n_lost if self._exporter is not None else 0
        return f"{n_lost} spans could not be sent to `{self._endpoint}`." if n_lost else ""

    def listen(self, turn_id: str) -> Emit:
        """Return what hears the events of one turn."""
        spans: list[TurnSpans] = []

        def take(event: Event, at: int) -> None:
            if not spans and not self._is_broken:
                spans.extend(self._begin(turn_id))
            for turn in spans:
                turn.take(event, at)

        def hear(event: Event) -> None:
            if only_paints(event):
                return
            self._n_open += isinstance(event, TurnStarted)
            self._last = self._thread.submit(take, event, time.time_ns())
            self._last.add_done_callback(_log_failure)
            if isinstance(event, TurnEnded):
                self._n_open -= 1
                self._close_when_idle()

        return hear

    def retire(self) -> None:
        """Close when the turns that are under way have ended; no others begin."""
        self._is_retired = True
        self._close_when_idle()

    def close(self, timeout_s: float = 0.5) -> None:
        """Send what is left, for a while; what takes longer is given up."""
        closing = self._start_closing()
        closing.join(timeout_s)
        if closing.is_alive() and self._exporter is not None:
            self._exporter.shutdown()

    def _begin(self, turn_id: str) -> "Sequence[TurnSpans]":
        """Runs on the thread, where the import keeps nobody waiting; none when it fails."""
        try:
            from glossator.telemetry.exporting import make_provider
            from glossator.telemetry.spans import TurnSpans
        except ImportError as error:
            # It is there, as was looked up before, but in parts that do not fit together.
            self._is_broken = True
            _log.warning("%s (%s)", _BROKEN, error)
            return ()
        if self._provider is None:
            self._provider, self._exporter = make_provider(self._endpoint)
        tracer = self._provider.get_tracer("glossator", __version__)
        return (TurnSpans(tracer, turn_id, self._subject),)

    def _close_when_idle(self) -> None:
        if self._is_retired and self._n_open == 0:
            self._start_closing()

    def _start_closing(self) -> threading.Thread:
        if self._closing is None:
            # A thread that the end of the process does not wait for.
            self._closing = threading.Thread(
                target=self._shut_down, name="telemetry-end", daemon=True
            )
            self._closing.start()
        return self._closing

    def _shut_down(self) -> None:
        if self._last is not None:
            wait([self._last])
        if self._provider is not None:
            self._provider.shutdown()


def _log_failure(done: "Future[None]") -> None:
    if (error := done.exception()) is not None:
        _log.error("A span could not be made: %s", error, exc_info=error)
