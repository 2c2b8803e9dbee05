"""A child process that ends when its time is up or nobody waits for it any more."""

import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

_LOOK_EVERY_S = 0.05


@contextmanager
def kept_short(
    process: "subprocess.Popen[bytes]", stop: threading.Event, timeout_s: float
) -> Iterator[None]:
    """Kill `process` once `stop` is set or `timeout_s` seconds are over; at the end in any case."""
    done = threading.Event()
    deadline = time.monotonic() + timeout_s

    def watch() -> None:
        while not done.wait(_LOOK_EVERY_S):
            if stop.is_set() or time.monotonic() > deadline:
                process.kill()
                return

    watcher = threading.Thread(target=watch, name="glossator-kept-short", daemon=True)
    watcher.start()
    try:
        yield
    finally:
        done.set()
        watcher.join()
        process.kill()
        # Closes the pipes too, and reaps the process.
        process.communicate()
