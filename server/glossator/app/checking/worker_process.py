"""A process beside this one that checks files and texts: the end of `worker` that is here.

It is started anew and given nothing but what it is told, so it does not matter how many threads
this process has.
"""

import pathlib
import pickle
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # They load what the process itself needs.
    from glossator.app.checking.worker import Outcome, SetUp, Task

# Without the folder that we are in, and without what is set for other programs.
COMMAND = (
    sys.executable, "-I", "-c",
    "import pickle, sys; sys.path[:] = pickle.load(sys.stdin.buffer); "
    "from glossator.app.checking.worker import main; main()",
)  # fmt: skip

START_S = 30.0
"""So long it may take until a process is ready for tasks."""

GONE = (OSError, EOFError, pickle.PickleError)
"""What is raised when the process has ended, by itself or killed."""


class WorkerProcess:
    """One process, which begins at once to load what it needs.

    For one thread at a time, but for `kill`.
    """

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            COMMAND,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,  # Who stops us with Ctrl+C does not stop it: we do.
        )
        try:
            self._send([path for path in sys.path if pathlib.Path(path).is_absolute()])
        except OSError:
            self.end()
            raise

    def set_up(self, set_up: "SetUp") -> None:
        """Tell what all tasks have in common, and wait until it is ready for them."""
        self._send(set_up)
        self.receive()

    def send(self, tasks: "list[Task]") -> None:
        """Hand tasks over; there is an outcome to `receive` for each, in their order."""
        self._send(tasks)

    def receive(self) -> "Outcome":
        """Wait for the next outcome."""
        assert self._process.stdout is not None
        outcome: Outcome = pickle.load(self._process.stdout)
        return outcome

    def kill(self) -> None:
        """End it at once, whatever it does. From any thread."""
        self._process.kill()

    def end(self) -> None:
        """End it and wait until it is gone."""
        self._process.kill()
        with suppress(OSError):  # What was not sent yet goes to nobody.
            self._process.communicate()

    def _send(self, value: object) -> None:
        assert self._process.stdin is not None
        pickle.dump(value, self._process.stdin)
        self._process.stdin.flush()


_early: list[WorkerProcess] = []


@contextmanager
def started_early() -> Iterator[None]:
    """Start a process for whoever takes one first; it is ended in the end if nobody has.

    To load what it needs takes as long as to find out what is to be checked.
    """
    with suppress(OSError):  # Whoever takes one will hear of it.
        _early.append(WorkerProcess())
    try:
        yield
    finally:
        while _early:
            _early.pop().end()


def take_process() -> WorkerProcess:
    """Return the process that was started early, or start one."""
    with suppress(IndexError):
        return _early.pop()
    return WorkerProcess()
