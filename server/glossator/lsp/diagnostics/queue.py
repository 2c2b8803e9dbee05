"""When documents are checked: at once, but for typing, and one check of each at a time.

Checks run in threads, which nothing can stop: a document that is saved again while it is checked
waits for that, and the last of many saves is the one that is checked next.
"""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass, field
from typing import Any, Literal

from glossator.lsp.documents import Document

Occasion = Literal["open", "save", "type", "pull", "again"]
"""Why a document is checked; `again`: rules or settings are other ones, or it moved."""

Occasions = frozenset[Occasion]
StartTask = Callable[[str, Coroutine[Any, Any, None]], asyncio.Task[None]]

_PAUSE_S = 0.3
_TYPED: Occasions = frozenset({"type"})


@dataclass(eq=False, slots=True)
class _Line:
    """What is asked of one document and not begun."""

    document: Document
    asked: set[Occasion] = field(default_factory=set)
    n_asked: int = 0
    is_urgent: asyncio.Event = field(default_factory=asyncio.Event)
    task: asyncio.Task[None] | None = None


class CheckQueue:
    """Runs `check` for documents with all occasions that have come together since the last one."""

    def __init__(
        self, check: Callable[[Document, Occasions], Awaitable[None]], start_task: StartTask
    ) -> None:
        self._check = check
        self._start_task = start_task
        self._lines: dict[str, _Line] = {}

    def put(self, document: Document, on: Occasion) -> None:
        """Check a document soon; what was typed is checked after a pause."""
        line = self._lines.get(document.uri)
        is_new = line is None
        if line is None:
            line = self._lines[document.uri] = _Line(document)
        line.document = document
        line.asked.add(on)
        line.n_asked += 1
        if on not in _TYPED:
            line.is_urgent.set()
        if is_new:
            line.task = self._start_task(f"check {document.uri}", self._run(document.uri, line))

    def is_busy(self, uri: str) -> bool:
        """Say whether a check of the document runs or waits."""
        return uri in self._lines

    def list_uris(self) -> list[str]:
        """Return the documents that are or will be checked."""
        return list(self._lines)

    async def settle(self, uri: str) -> None:
        """Wait until no check of the document runs or waits."""
        while (line := self._lines.get(uri)) is not None and line.task is not None:
            await asyncio.wait({line.task})

    def drop(self, uri: str) -> None:
        """Check the document no more."""
        line = self._lines.pop(uri, None)
        if line is not None and line.task is not None:
            line.task.cancel()

    async def _run(self, uri: str, line: _Line) -> None:
        try:
            while line.asked:
                await _wait_for_pause(line)
                asked = frozenset(line.asked)
                line.asked.clear()
                line.is_urgent.clear()
                await self._check(line.document, asked)
        finally:
            if self._lines.get(uri) is line:
                del self._lines[uri]


async def _wait_for_pause(line: _Line) -> None:
    """Wait while nothing is asked for but what is being typed."""
    while line.asked <= _TYPED:
        before = line.n_asked
        try:
            async with asyncio.timeout(_PAUSE_S):
                await line.is_urgent.wait()
        except TimeoutError:
            if line.n_asked == before:
                return
