from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from glossator.sessions.store import SessionStore

OpenStore = Callable[[], SessionStore]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "state" / "sessions" / "a.sqlite3"


@pytest.fixture
async def open_store(file: Path) -> AsyncIterator[OpenStore]:
    """Open stores over one file, as several processes would; they are closed at the end."""
    async with AsyncExitStack() as stack:

        def open_() -> SessionStore:
            store = SessionStore(file, [Path("/home/me/shop")])
            stack.push_async_callback(store.close)
            return store

        yield open_
