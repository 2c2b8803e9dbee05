from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import workbench


@pytest.fixture
async def make_bench(tmp_path: Path) -> AsyncIterator[workbench.MakeBench]:
    """Make benches over `tmp_path / "workspace"`; their applications are closed at the end."""
    async with AsyncExitStack() as stack:

        def make(*arguments: Any, **options: Any) -> workbench.Bench:
            bench = partial(workbench.make_bench, tmp_path / "workspace")(*arguments, **options)
            stack.push_async_callback(bench.application.close)
            return bench

        yield make


@pytest.fixture
def own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a test keep its records and caches for itself: it knows nothing from another one."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
