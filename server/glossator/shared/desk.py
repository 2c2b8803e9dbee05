"""Questions to a shared index: one thread, one connection, and never longer than they may take.

What fails or is slow is left alone for a while, each time for longer; until then every question is
told at once why. A server that has stopped in the middle of an answer is not waited for.
"""

import logging
import queue
import socket
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from glossator.shared.connecting import Address, SharedUnavailable, connect, explain
from glossator.shared.searching import SharedIndex, State, read_state
from glossator.shared.vectors import count_vectors

if TYPE_CHECKING:
    from glossator.shared.connecting import Connection

T = TypeVar("T")

_log = logging.getLogger(__name__)

ANSWER_S = 2.5
"""A question waits so long; then the local index answers alone."""

_STATEMENT_MS = 2_000
_UNUSED_S = 60.0
_FIRST_REST_S, _LONGEST_REST_S = 5.0, 300.0


@dataclass(frozen=True, slots=True)
class Overview:
    """What a collection holds; `vectors` are encoders with the number of their vectors."""

    n_documents: int
    n_sections: int
    vectors: tuple[tuple[str, int], ...] = ()


class SharedDesk:
    """Takes questions from any thread.

    `problem` says why the index is away, if it is; `seen` is what the last survey has found.
    """

    def __init__(self, address: Address, collection: str, *, answer_s: float = ANSWER_S) -> None:
        self.address = address
        self.collection = collection
        self.problem = ""
        self.seen: Overview | None = None
        self._answer_s = answer_s
        self._lock = threading.Lock()
        self._worker: _Worker | None = None
        self._resting_until = 0.0
        self._rest_s = _FIRST_REST_S
        self._is_closed = False

    def ask(self, act: Callable[[SharedIndex], T]) -> T:
        """Return what `act` makes of the index at one moment.

        Raises:
            SharedUnavailable: the index is away, slow or of another version, or was a moment ago.
        """
        return self._ask(lambda worker: act(worker.open_index()))

    def survey(self) -> Overview:
        """Return what the collection holds.

        Raises:
            SharedUnavailable: as with `ask`.
        """
        self.seen = self._ask(lambda worker: worker.survey())
        return self.seen

    def forget_failures(self) -> None:
        """Try again at the next question, whatever happened before."""
        with self._lock:
            self._resting_until, self._rest_s = 0.0, _FIRST_REST_S

    def close(self) -> None:
        """Close the connection; who waits is refused."""
        with self._lock:
            self._is_closed = True
            worker, self._worker = self._worker, None
        if worker is not None:
            worker.abandon()

    def _ask(self, act: "Callable[[_Worker], T]") -> T:
        worker = self._find_worker()
        try:
            result = worker.run(act).result(self._answer_s)
        except TimeoutError:
            self._give_up(worker)
            raise self._rest(
                SharedUnavailable(
                    f"The shared index {self.address.shown} gives no answer within "
                    f"{self._answer_s:g} s."
                )
            ) from None
        except SharedUnavailable as error:
            self._give_up(worker)
            raise self._rest(error) from None
        with self._lock:
            self.problem = ""
            self._resting_until, self._rest_s = 0.0, _FIRST_REST_S
        return result

    def _find_worker(self) -> "_Worker":
        with self._lock:
            if self._is_closed:
                raise SharedUnavailable("The shared index was closed.")
            if time.monotonic() < self._resting_until:
                raise SharedUnavailable(self.problem)
            if self._worker is None:
                self._worker = _Worker(self.address, self.collection)
            return self._worker

    def _give_up(self, worker: "_Worker") -> None:
        with self._lock:
            if self._worker is worker:
                self._worker = None
        worker.abandon()

    def _rest(self, error: SharedUnavailable) -> SharedUnavailable:
        with self._lock:
            self.problem = str(error)
            self._resting_until = time.monotonic() + self._rest_s
            self._rest_s = min(2 * self._rest_s, _LONGEST_REST_S)
        return error


class _Worker:
    """A thread with a connection, which is closed when nobody asks for a while."""

    def __init__(self, address: Address, collection: str) -> None:
        self._address = address
        self._collection = collection
        self._tasks: queue.SimpleQueue[tuple[Callable[[_Worker], Any], Future[Any]] | None]
        self._tasks = queue.SimpleQueue()
        self._connection: Connection | None = None
        self._state: State | None = None
        self._is_abandoned = False
        threading.Thread(target=self._serve, name="shared-index", daemon=True).start()

    def run(self, act: "Callable[[_Worker], T]") -> "Future[T]":
        """Have something done in the thread, in a transaction that sees one moment."""
        future: Future[T] = Future()
        self._tasks.put((act, future))
        return future

    def abandon(self) -> None:
        """End the thread, even one that waits for a server that says nothing more."""
        self._is_abandoned = True
        self._tasks.put(None)
        connection = self._connection
        if connection is not None:
            with suppress(Exception):
                _shut_down(connection.fileno())

    def open_index(self) -> SharedIndex:
        """Return the index as it is in the transaction that runs."""
        assert self._connection is not None
        self._state = read_state(
            self._connection, self._collection, self._address.shown, self._state
        )
        return SharedIndex(self._connection, self._state)

    def survey(self) -> Overview:
        """Return what the collection holds."""
        index = self.open_index()
        assert self._connection is not None
        assert self._state is not None
        vectors = count_vectors(self._connection, self._state.id)
        return Overview(len(index.documents), index.n_sections, tuple(vectors))

    def _serve(self) -> None:
        while not self._is_abandoned:
            try:
                task = self._tasks.get(timeout=_UNUSED_S if self._connection else None)
            except queue.Empty:
                self._close()
                continue
            if task is None:
                break
            act, future = task
            if future.set_running_or_notify_cancel():
                try:
                    future.set_result(self._carry_out(act))
                except SharedUnavailable as error:
                    future.set_exception(error)
                except Exception as error:  # noqa: BLE001 - the task ends here; who asked is told.
                    explained = explain(error, self._address)
                    _log.warning("%s: %s", type(error).__name__, explained)
                    future.set_exception(explained)
        self._close()

    def _carry_out(self, act: "Callable[[_Worker], T]") -> T:
        if self._connection is None or self._connection.closed:
            self._connection = connect(self._address)
        connection = self._connection
        with connection.transaction():
            connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
            connection.execute(f"SET LOCAL statement_timeout = {_STATEMENT_MS}")
            return act(self)

    def _close(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(Exception):
                connection.close()


def _shut_down(file: int) -> None:
    """Cut a connection, so that whoever reads from it goes on; the file stays its owner's."""
    with socket.socket(fileno=socket.dup(file)) as duplicate:
        duplicate.shutdown(socket.SHUT_RDWR)
