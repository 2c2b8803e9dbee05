"""Check texts in processes beside this one: ast-grep lets nothing else run here until it is done.

A rule that looks through all ancestors of all nodes may take hours for a long file. Then the
process is ended, and only that file is not checked.
"""

import threading
import time
from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

from glossator.app.checking.examining import examine
from glossator.app.checking.reasons import Reason
from glossator.app.checking.records import Record, decode_record
from glossator.app.checking.selecting import Selection
from glossator.app.checking.worker import Outcome, SetUp, Task
from glossator.app.checking.worker_process import GONE, START_S, WorkerProcess
from glossator.core.deadlines import end_after
from glossator.rules.matching import RuleSet

Result = TypeVar("Result")
Examine = Callable[[str, RuleSet, Selection, str], Record]
"""Runs the checks of a selection on a text that stands at a place of `rules.scope`."""
Measure = Callable[[str, RuleSet, Selection, str], tuple[Record, float]]
"""Does the same and returns the seconds of CPU time that it took, too."""

_TIMEOUT_S = 10.0
_MAX_IDLE = 1
# To start a process takes longer than to check so little, whatever the rules are.
_SHORT_CHARACTERS = 4_000


def examine_here(text: str, rule_set: RuleSet, selection: Selection, place: str) -> Record:
    """Run the checks in this process."""
    return examine(text, rule_set, selection.language_id, place, with_outline=True)


def measure_here(
    text: str, rule_set: RuleSet, selection: Selection, place: str
) -> tuple[Record, float]:
    """Run the checks in this process and return the seconds of CPU time that they took, too."""
    began = time.thread_time()
    record = examine_here(text, rule_set, selection, place)
    return record, time.thread_time() - began


class Guard:
    """Examines texts within a time limit. For any thread, and any number of them."""

    def __init__(self, timeout_s: float = _TIMEOUT_S) -> None:
        self._timeout_s = timeout_s
        self._lock = threading.Lock()
        self._rule_set: RuleSet | None = None
        self._idle: list[WorkerProcess] = []
        self._busy: set[WorkerProcess] = set()
        self._is_closed = False

    def examine(
        self, text: str, rule_set: RuleSet, selection: Selection, place: str
    ) -> tuple[Record, float]:
        """Run the checks and return the seconds of CPU time that they took, too.

        The record says so where they crash or take too long.
        """
        if len(text) <= _SHORT_CHARACTERS:
            return measure_here(text, rule_set, selection, place)
        try:
            process, is_new = self._take(rule_set)
        except GONE:
            if self._is_closed:
                return Record(reason=Reason("crashed")), 0.0
            # None can be started here.
            return measure_here(text, rule_set, selection, place)
        outcome = _within(
            process, self._timeout_s, lambda: _check_in(process, text, selection, place)
        )
        self._give_back(process, rule_set, is_gone=isinstance(outcome, Reason))
        if outcome == Reason("crashed") and not is_new:
            # It may have been ended while it waited, which this text has no part in.
            return self.examine(text, rule_set, selection, place)
        if isinstance(outcome, Reason):
            return Record(reason=outcome), self._timeout_s
        record = decode_record(outcome.record, selection.rules)
        if record is None:
            return Record(reason=Reason("crashed")), outcome.took_s
        return replace(record, outline=outcome.outline), outcome.took_s

    def close(self) -> None:
        """End all processes, whatever they do. Nothing may be examined any more."""
        with self._lock:
            self._is_closed = True
            for process in self._busy:
                process.kill()  # Whoever waits for it ends it.
        self._end_idle()

    def _take(self, rule_set: RuleSet) -> tuple[WorkerProcess, bool]:
        """Return a process that knows these rules, and if it is new; those that know others end.

        Raises:
            OSError, EOFError: no process can be started, or nothing may be examined any more.
        """
        with self._lock:
            if self._is_closed:
                raise EOFError
            others: list[WorkerProcess] = []
            if rule_set is not self._rule_set:
                others, self._idle, self._rule_set = self._idle, [], rule_set
            process = self._idle.pop() if self._idle else None
            is_new = process is None
            process = process or WorkerProcess()
            self._busy.add(process)
        for other in others:
            other.end()
        set_up = SetUp((), rule_set.rules, self._timeout_s)
        if is_new and _within(process, START_S, lambda: process.set_up(set_up)) is not None:
            self._give_back(process, rule_set, is_gone=True)
            raise EOFError
        return process, is_new

    def _give_back(self, process: WorkerProcess, rule_set: RuleSet, *, is_gone: bool) -> None:
        with self._lock:
            self._busy.discard(process)
            is_wanted = rule_set is self._rule_set and not self._is_closed
            is_kept = is_wanted and not is_gone and len(self._idle) < _MAX_IDLE
            if is_kept:
                self._idle.append(process)
        if not is_kept:
            process.end()

    def _end_idle(self) -> None:
        with self._lock:
            idle, self._idle = self._idle, []
        for process in idle:
            process.end()


def _check_in(process: WorkerProcess, text: str, selection: Selection, place: str) -> Outcome:
    process.send([Task("", place, selection.language_id, text)])
    return process.receive()


def _within(process: WorkerProcess, limit_s: float, work: Callable[[], Result]) -> Result | Reason:
    """Return what comes of `work`; the process is killed when that takes too long."""
    with end_after(limit_s, process.kill) as is_late:
        try:
            return work()
        except GONE:
            return Reason("timeout", (f"{limit_s:g}",)) if is_late.is_set() else Reason("crashed")
