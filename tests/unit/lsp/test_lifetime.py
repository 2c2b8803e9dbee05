import asyncio
import subprocess
import sys
from collections.abc import Iterator

import pytest

from glossator.lsp import lifetime
from glossator.lsp.lifetime import EditorWatch


@pytest.fixture
def editor() -> Iterator[subprocess.Popen[bytes]]:
    idle = [sys.executable, "-c", "input()"]
    with subprocess.Popen(idle, stdin=subprocess.PIPE) as process:
        yield process
        process.kill()


@pytest.mark.parametrize("process_id", [2**31, 2**40, 2**70])
async def test_a_number_that_no_process_has_is_not_watched(process_id: int) -> None:
    calls: list[None] = []
    watch = EditorWatch(process_id, lambda: calls.append(None))

    watch.start()
    watch.stop()

    assert not calls


@pytest.mark.parametrize("has_descriptors", [True, False])
async def test_the_end_of_the_process_is_told_once(
    editor: subprocess.Popen[bytes], has_descriptors: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not has_descriptors:
        monkeypatch.delattr("os.pidfd_open", raising=False)
        monkeypatch.setattr(lifetime, "_POLL_EVERY_S", 0.02)
    gone = asyncio.Event()
    calls: list[None] = []
    watch = EditorWatch(editor.pid, lambda: (calls.append(None), gone.set())[1])
    watch.start()
    editor.kill()
    await asyncio.to_thread(editor.wait)

    async with asyncio.timeout(5):
        await gone.wait()

    watch.stop()
    assert len(calls) == 1


async def test_another_process_with_the_same_number_is_not_the_editor(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delattr("os.pidfd_open", raising=False)
    monkeypatch.setattr(lifetime, "_POLL_EVERY_S", 0.02)
    times = iter(["100", "100", "100"])
    monkeypatch.setattr(lifetime, "_start_time", lambda process_id: next(times, "200"))
    monkeypatch.setattr(lifetime, "_is_alive", lambda process_id: True)
    gone = asyncio.Event()

    EditorWatch(12345, gone.set).start()

    async with asyncio.timeout(5):
        await gone.wait()


async def test_a_watch_that_is_stopped_tells_nothing(editor: subprocess.Popen[bytes]) -> None:
    watch = EditorWatch(editor.pid, lambda: pytest.fail("told"))
    watch.start()

    watch.stop()
    watch.stop()

    editor.kill()
    await asyncio.to_thread(editor.wait)
