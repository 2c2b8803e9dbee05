"""The other end of `worker_process`: checks files and texts in a process of its own.

Standard input and output carry pickles between two processes of ours: first what all tasks have
in common, then batches of tasks. The answer to each task is one outcome, in their order.
"""

import os
import pickle
import signal
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from glossator.app.checking.examining import examine, hash_content
from glossator.app.checking.reading import decode_data, read_data
from glossator.app.checking.reasons import Reason
from glossator.app.checking.records import Record, encode_record
from glossator.rules.matching import RuleSet
from glossator.rules.outlines import Outline
from glossator.rules.rule import Rule
from glossator.tools.workspace import Workspace

_GRACE_S = 10.0
"""So long after its time is up a process ends by itself, if nobody else has ended it."""


@dataclass(frozen=True, slots=True)
class SetUp:
    """What all tasks have in common; `timeout_s` is for each."""

    roots: tuple[str, ...]
    rules: tuple[Rule, ...]
    timeout_s: float


@dataclass(frozen=True, slots=True)
class Task:
    """A file to check; `path` is real, `place` is that of `rules.scope`.

    With a `text`, that is checked and no file is read.
    """

    path: str
    place: str
    language_id: str
    text: str | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """The encoded record of a file and what it held; no content where it could not be read.

    `took_s` is the CPU time that a text took, `outline` is that of its record.
    """

    record: bytes
    content: bytes | None = None
    took_s: float = 0.0
    outline: Outline | None = None


class Examiner:
    """Checks files and texts one after the other."""

    def __init__(self, workspace: Workspace, rule_set: RuleSet) -> None:
        self._workspace = workspace
        self._rule_set = rule_set

    def examine(self, task: Task) -> Outcome:
        """Check the text of a task; without one, read and check its file."""
        if task.text is not None:
            return self._examine_text(task, task.text)
        data = read_data(task.path, self._workspace)
        if isinstance(data, Reason):
            return Outcome(encode_record(Record(reason=data)))
        text = decode_data(data)
        if isinstance(text, Reason):
            record = Record(reason=text)
        else:
            record = examine(text, self._rule_set, task.language_id, task.place)
        return Outcome(encode_record(record), hash_content(data))

    def _examine_text(self, task: Task, text: str) -> Outcome:
        began = time.thread_time()
        record = examine(text, self._rule_set, task.language_id, task.place, with_outline=True)
        took_s = time.thread_time() - began
        return Outcome(encode_record(record), took_s=took_s, outline=record.outline)


def main() -> None:
    """Answer until standard input ends."""
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    # Whatever else is printed belongs to nobody's answer.
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    try:
        set_up: SetUp = pickle.load(sys.stdin.buffer)
    except EOFError:
        return  # It was started early, and nobody took it.
    examiner = Examiner(Workspace(map(Path, set_up.roots)), RuleSet(set_up.rules))
    _answer(answers, None)
    while True:
        try:
            tasks: list[Task] = pickle.load(sys.stdin.buffer)
        except EOFError:
            return
        for task in tasks:
            _end_after(set_up.timeout_s + _GRACE_S)
            _answer(answers, examiner.examine(task))
        _end_after(0)


def _answer(answers: IO[bytes], outcome: Outcome | None) -> None:
    try:
        pickle.dump(outcome, answers)
        answers.flush()
    except BrokenPipeError:
        os._exit(1)  # Whoever asked was ended, and nobody wants to hear of it.


def _end_after(timeout_s: float) -> None:
    """End this process by then, though it be inside a library: nobody may be left to do it."""
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, timeout_s)
