"""What one turn asks the editor: each thing once, several at a time, and never for long."""

import asyncio
import threading
import time
from concurrent.futures import CancelledError, Future

from glossator.core.locations import Point
from glossator.core.text import SourceText
from glossator.tools.editor.facts import Editor, EditorSilent, Facts, Silence, Subject
from glossator.tools.workspace import Workspace

REQUEST_S = 1.5
TURN_S = 3.0

_Key = tuple[Subject, str, int | None, Point | None]


class Inquiry:
    """The questions of one turn. Made on the event loop; asked from worker threads.

    A subject that was too slow once is not asked for again: a slow server costs a turn one limit.
    `silences` are why there was no answer, by subject.
    """

    def __init__(
        self,
        editor: Editor,
        workspace: Workspace,
        *,
        request_s: float = REQUEST_S,
        turn_s: float = TURN_S,
    ) -> None:
        self.silences: dict[Subject, Silence] = {}
        self.request_s = request_s
        self._editor = editor
        self._workspace = workspace
        self._loop = asyncio.get_running_loop()
        self._left_s = turn_s
        self._asked: dict[_Key, Future[Facts | None]] = {}
        self._lock = threading.Lock()
        self._is_closed = False

    def offers(self, subject: Subject) -> bool:
        """Say whether the editor can be asked this, and has not been too slow to."""
        return subject in self._editor.offers and self.silences.get(subject) != "slow"

    def begin(self, subject: Subject, source: SourceText, point: Point | None = None) -> None:
        """Ask without waiting, for an answer that is wanted soon."""
        if self.offers(subject):
            self._start(subject, source, point)

    def ask(self, subject: Subject, source: SourceText, point: Point | None = None) -> Facts | None:
        """Return what the editor says, None when it says nothing. Waits: not on the loop."""
        with self._lock:
            left_s = self._left_s
        if not self.offers(subject):
            return None
        if left_s <= 0:
            self.silences[subject] = "slow"
            return None
        future = self._start(subject, source, point)
        if future is None:
            return None
        started = time.monotonic()
        try:
            return future.result(left_s)
        except EditorSilent as error:
            self.silences[subject] = error.silence
        except TimeoutError:
            self.silences[subject] = "slow"
            future.cancel()
        except CancelledError:
            pass  # The turn is over.
        finally:
            with self._lock:
                self._left_s -= time.monotonic() - started
        return None

    def close(self) -> None:
        """Withdraw what is still asked; nothing is asked any more."""
        with self._lock:
            self._is_closed = True
            asked = tuple(self._asked.values())
        for future in asked:
            future.cancel()

    def _start(
        self, subject: Subject, source: SourceText, point: Point | None
    ) -> Future[Facts | None] | None:
        key = (subject, source.name, source.version, point)
        with self._lock:
            if self._is_closed:
                return None
            if key not in self._asked:
                question = self._editor.ask(
                    subject, source, point, self._workspace, timeout_s=self.request_s
                )
                self._asked[key] = asyncio.run_coroutine_threadsafe(question, self._loop)
            return self._asked[key]
