"""Work in a thread that only something else can end, such as killing the process it waits for."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def end_after(limit_s: float, end: Callable[[], None]) -> Iterator[threading.Event]:
    """Call `end` from another thread if the block takes longer than `limit_s` seconds.

    What is yielded is set before `end` is called: it tells a late end from any other.
    """
    is_late = threading.Event()

    def end_late() -> None:
        is_late.set()
        end()

    timer = threading.Timer(limit_s, end_late)
    timer.daemon = True
    timer.start()
    try:
        yield is_late
    finally:
        timer.cancel()
