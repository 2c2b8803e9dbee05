"""Check files in processes beside this one: in parallel, and a crash or a hang costs one file.

Each process has a thread here that hands it a few files at a time and reads its outcomes. It passes
them on together: to wake another thread for each of thousands takes as long as to check some.
"""

import os
import queue
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress

from glossator.app.checking.reasons import Reason
from glossator.app.checking.records import Record, encode_record
from glossator.app.checking.worker import Outcome, SetUp, Task
from glossator.app.checking.worker_process import GONE, START_S, WorkerProcess, take_process

_BATCH = 8
_LOOK_EVERY_S = 0.1
_PASS_ON_EVERY_S = 0.05
_END_S = 5.0


_Outcomes = list[tuple[int, Outcome]]


class NoWorkers(Exception):
    """Processes cannot be started here, or end before they do anything."""


def count_processors() -> int:
    """Return how many processes can work at once."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def check_in_processes(
    tasks: Sequence[Task], set_up: SetUp, n_processes: int, is_stopped: Callable[[], bool]
) -> Iterator[tuple[int, Outcome]]:
    """Yield the number of each task and its outcome, as they come.

    A file whose check crashes or takes too long has a record that says so. Ends early, and all
    processes with it, when `is_stopped`, or when the generator is closed.

    Raises:
        NoWorkers: the rest has to be checked otherwise.
    """
    crew = _Crew(tasks, set_up)
    try:
        crew.start(n_processes)
        n_left = len(tasks)
        while n_left and not is_stopped():
            crew.end_overdue()
            with suppress(queue.Empty):
                found = crew.outcomes.get(timeout=_LOOK_EVERY_S)
                if isinstance(found, NoWorkers):
                    raise found
                n_left -= len(found)
                yield from found
    finally:
        crew.end()


class _Crew:
    """The processes of one check, and what is left to do."""

    def __init__(self, tasks: Sequence[Task], set_up: SetUp) -> None:
        self.set_up = set_up
        self.outcomes: queue.SimpleQueue[_Outcomes | NoWorkers] = queue.SimpleQueue()
        self.is_ended = False
        self._left = deque(enumerate(tasks))
        self._hands: list[_Hand] = []

    def start(self, n_processes: int) -> None:
        for number in range(n_processes):
            hand = _Hand(self, number)
            self._hands.append(hand)
            hand.thread.start()

    def take(self) -> list[tuple[int, Task]]:
        """Return the next few tasks."""
        batch: list[tuple[int, Task]] = []
        with suppress(IndexError):
            while len(batch) < _BATCH and not self.is_ended:
                batch.append(self._left.popleft())
        return batch

    def end_overdue(self) -> None:
        now = time.monotonic()
        for hand in self._hands:
            if now > hand.deadline:
                hand.kill(is_overdue=True)

    def end(self) -> None:
        self.is_ended = True
        for hand in self._hands:
            hand.kill()
        for hand in self._hands:
            hand.thread.join(_END_S)


class _Hand:
    """One process, and the thread that talks to it."""

    def __init__(self, crew: _Crew, number: int) -> None:
        self.thread = threading.Thread(
            target=self._work, name=f"glossator-check-{number}", daemon=True
        )
        self.deadline = float("inf")
        self._crew = crew
        self._lock = threading.Lock()
        self._process: WorkerProcess | None = None
        self._is_overdue = False

    def kill(self, *, is_overdue: bool = False) -> None:
        """End the process at once, whatever it does."""
        with self._lock:
            self.deadline = float("inf")
            self._is_overdue = is_overdue
            if self._process is not None:
                self._process.kill()

    def _work(self) -> None:
        left = self._crew.take()
        while left and not self._crew.is_ended:
            try:
                process = self._start()
            except GONE as error:
                self._crew.outcomes.put(NoWorkers(str(error)))
                break
            try:
                while left:
                    self._hand_over(left, process)
                    left = self._crew.take()
            # It is gone: what it was at is the first task without an outcome.
            except GONE:
                if left and not self._crew.is_ended:
                    number, _ = left.pop(0)
                    self._crew.outcomes.put([(number, self._explain())])
                    left = left or self._crew.take()
            self._end()
        self._end()

    def _start(self) -> WorkerProcess:
        with self._lock:
            if self._crew.is_ended:
                raise EOFError
            self._is_overdue = False
            process = self._process = take_process()
        self.deadline = time.monotonic() + START_S
        process.set_up(self._crew.set_up)
        return process

    def _hand_over(self, left: list[tuple[int, Task]], process: WorkerProcess) -> None:
        """Have tasks done; each is taken from the list when its outcome is there."""
        process.send([task for _, task in left])
        found: _Outcomes = []
        began = passed_on = time.monotonic()
        try:
            while left:
                self.deadline = began + self._crew.set_up.timeout_s
                outcome = process.receive()
                number, _ = left.pop(0)
                found.append((number, outcome))
                began = time.monotonic()
                if began - passed_on > _PASS_ON_EVERY_S:
                    self._crew.outcomes.put(found)
                    found, passed_on = [], began
        finally:
            self._crew.outcomes.put(found)
        self.deadline = float("inf")

    def _explain(self) -> Outcome:
        limit = Reason("timeout", (f"{self._crew.set_up.timeout_s:g}",))
        reason = limit if self._is_overdue else Reason("crashed")
        return Outcome(encode_record(Record(reason=reason)))

    def _end(self) -> None:
        with self._lock:
            process, self._process = self._process, None
            self.deadline = float("inf")
        if process is not None:
            process.end()
