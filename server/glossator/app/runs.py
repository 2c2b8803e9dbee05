"""The owner of the turns and of the rebuilds: each has a key and can be cancelled."""

import asyncio
import logging
from collections.abc import Callable, Coroutine
from itertools import count
from typing import Any, TypeVar

_log = logging.getLogger(__name__)

T = TypeVar("T")
Start = Callable[[], Coroutine[Any, Any, T]]


class Runs:
    """The tasks that are under way, by key. Use it on one event loop only."""

    def __init__(self) -> None:
        self._tasks: dict[str, asyncio.Task[Any]] = {}
        self._numbers = count(1)
        self._is_closed = False

    def __len__(self) -> int:
        return len(self._tasks)

    @property
    def turns(self) -> tuple[str, ...]:
        """The keys of those that somebody waits for, `kind#number`; the others are upkeep."""
        return tuple(key for key in self._tasks if "#" in key)

    async def run(self, kind: str, start: Start[T]) -> T:
        """Run `start()` and return its result. Cancelling the caller cancels it."""
        task = self._begin(f"{kind}#{next(self._numbers)}", start)
        try:
            return await task
        finally:
            if not task.done():
                task.cancel()

    def replace(self, key: str, start: Start[Any]) -> asyncio.Task[Any]:
        """Run `start()` in the background; an earlier run with the same key is cancelled.

        What it raises is logged: nobody waits for it.
        """
        self.cancel(key)
        task = self._begin(key, start)
        task.add_done_callback(_log_failure)
        return task

    def cancel(self, key: str) -> None:
        """Cancel the run with this key, if there is one."""
        task = self._tasks.pop(key, None)
        if task is not None:
            task.cancel()

    async def close(self) -> None:
        """Cancel everything and wait until nothing runs. No run starts afterwards."""
        self._is_closed = True
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks, timeout=5)

    def _begin(self, key: str, start: Start[T]) -> asyncio.Task[T]:
        if self._is_closed:
            raise asyncio.CancelledError("Glossator is shutting down.")
        task = asyncio.get_running_loop().create_task(start(), name=key)
        self._tasks[key] = task
        task.add_done_callback(lambda done: self._forget(key, done))
        return task

    def _forget(self, key: str, task: asyncio.Task[Any]) -> None:
        if self._tasks.get(key) is task:
            del self._tasks[key]


def _log_failure(task: asyncio.Task[Any]) -> None:
    if not task.cancelled() and (error := task.exception()) is not None:
        _log.error("%s failed: %s", task.get_name(), error, exc_info=error)
