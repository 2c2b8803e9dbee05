"""The time of an event loop, moved by hand, so that no test waits and none is late."""

import asyncio

import pytest


class Clock:
    """Stands still until it is moved; timers of the loop run when they are due."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        loop = asyncio.get_running_loop()
        self.now = loop.time()
        monkeypatch.setattr(loop, "time", lambda: self.now)

    async def move(self, seconds: float, *, step_s: float = 0.25) -> None:
        """Let time pass in steps, and what is due happen."""
        end = self.now + seconds
        while self.now < end:
            self.now = min(end, self.now + step_s)
            # Once to find the timers that are due, once to run them.
            await asyncio.sleep(0)
            await asyncio.sleep(0)
