import asyncio

import pytest

from glossator.app.runs import Runs


async def test_a_later_run_with_the_same_key_cancels_the_earlier_one() -> None:
    runs = Runs()
    first_started, finished = asyncio.Event(), []

    async def wait_for_ever() -> None:
        first_started.set()
        await asyncio.Event().wait()
        finished.append("first")

    async def finish() -> None:
        finished.append("second")

    first = runs.replace("check:a", wait_for_ever)
    await first_started.wait()
    await runs.replace("check:a", finish)

    assert first.cancelled()
    assert finished == ["second"]
    assert len(runs) == 0


async def test_cancelling_the_caller_cancels_the_run() -> None:
    runs = Runs()
    started, cancelled = asyncio.Event(), asyncio.Event()

    async def work() -> None:
        started.set()
        try:
            await asyncio.Event().wait()
        finally:
            cancelled.set()

    caller = asyncio.create_task(runs.run("ask", work))
    await started.wait()
    caller.cancel()

    with pytest.raises(asyncio.CancelledError):
        await caller
    async with asyncio.timeout(5):
        await cancelled.wait()
    assert len(runs) == 0


async def test_closing_leaves_nothing_running_and_nothing_starts_afterwards() -> None:
    runs = Runs()
    started = asyncio.Event()

    async def work() -> None:
        started.set()
        await asyncio.Event().wait()

    task = runs.replace("a", work)
    await started.wait()
    await runs.close()

    assert task.cancelled()
    with pytest.raises(asyncio.CancelledError):
        await runs.run("b", work)


async def test_what_a_background_run_raises_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    runs = Runs()

    async def fail() -> None:
        raise ValueError("broken")

    with pytest.raises(ValueError, match="broken"):
        await runs.replace("index", fail)

    assert "index failed: broken" in caplog.text
