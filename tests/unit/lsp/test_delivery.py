"""A client that pulls is asked to pull again whenever it shows what is known no more."""

import asyncio
from collections.abc import Coroutine
from types import SimpleNamespace
from typing import Any, cast

from glossator.core.text import SourceText
from glossator.lsp.diagnostics.delivery import Pull
from glossator.lsp.diagnostics.shown import Published
from glossator.lsp.serving import GlossatorServer

URI = "file:///shop/pay.py"


class Client:
    """A server's side of a client that can be asked to pull again; counts how often it is."""

    def __init__(self) -> None:
        self.client = SimpleNamespace(refreshes_diagnostics=True)
        self.protocol = self
        self.tasks: list[asyncio.Task[None]] = []
        self.n_asked = 0

    def start_task(self, name: str, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.create_task(work, name=name)
        self.tasks.append(task)
        return task

    async def ask_client(self, method: str, params: object, timeout_s: float) -> None:
        self.n_asked += 1

    async def settle(self) -> None:
        for task in self.tasks:
            await task


def test_findings_withdrawn_twice_at_once_are_pulled_again() -> None:
    async def run() -> int:
        client = Client()
        delivery = Pull(cast(GlossatorServer, client))
        delivery.note_pulled(URI, Published(SourceText("pay.py", "print(1)\n")))

        # A folder that is taken out takes findings away; so does the check that follows.
        delivery.withdraw(URI, is_open=True)
        delivery.withdraw(URI, is_open=True)

        await client.settle()
        return client.n_asked

    assert asyncio.run(run()) == 1


def test_nothing_is_pulled_again_for_a_document_that_showed_nothing() -> None:
    async def run() -> int:
        client = Client()
        Pull(cast(GlossatorServer, client)).withdraw(URI, is_open=True)
        await client.settle()
        return client.n_asked

    assert asyncio.run(run()) == 0
