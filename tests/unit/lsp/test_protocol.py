"""The protocol in process: whatever comes in whatever order, one answer and nothing left."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glossator.lsp.client import read_client
from glossator.lsp.serving import GlossatorServer
from glossator.lsp.stdio import Writer
from lsp.fake_app import FakeApplication

URI = "file:///code/a.py"


class Output:
    """Stands in for the writer: keeps what is sent."""

    is_lost = False

    def __init__(self) -> None:
        self.messages: list[dict[str, Any]] = []
        self.on_send = asyncio.Event()

    def send(self, body: bytes, *, droppable: bool = False) -> bool:
        self.messages.append(json.loads(body))
        self.on_send.set()
        return True

    def answers(self, request_id: Any) -> list[dict[str, Any]]:
        return [m for m in self.messages if "method" not in m and m["id"] == request_id]

    async def answer(self, request_id: Any) -> dict[str, Any]:
        async with asyncio.timeout(10):
            while not self.answers(request_id):
                self.on_send.clear()
                await self.on_send.wait()
        return self.answers(request_id)[0]


@asynccontextmanager
async def serving() -> AsyncIterator[tuple[GlossatorServer, Output]]:
    output = Output()
    client = read_client({"capabilities": {"window": {"workDoneProgress": True}}})
    server = GlossatorServer(client, cast(Writer, output), FakeApplication)  # type: ignore[arg-type]  # the fake has the methods
    await server.backend.application()
    yield server, output
    await server.protocol.cancel_all(timeout_s=1)
    await server.backend.close()


def command(request_id: Any, question: str, token: Any = None) -> dict[str, Any]:
    params = {
        "command": "glossator.ask",
        "arguments": [{"question": question, "partialResultToken": f"p{request_id}"}],
        "workDoneToken": token,
    }
    return {"jsonrpc": "2.0", "id": request_id, "method": "workspace/executeCommand",
            "params": params}  # fmt: skip


def cancel(request_id: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": request_id}}


STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("ask"), st.sampled_from(["quick", "hang", "fail", "crash", "stream"])),
        st.tuples(st.just("cancel"), st.integers(0, 9)),
        st.tuples(st.just("cancel progress"), st.integers(0, 9)),
        st.tuples(st.just("wait"), st.integers(0, 5)),
    ),
    max_size=25,
)


@given(STEPS)
@settings(max_examples=40)
def test_every_request_has_one_answer_and_leaves_nothing(steps: list[tuple[str, Any]]) -> None:
    asyncio.run(play(steps))


async def play(steps: list[tuple[str, Any]]) -> None:
    async with serving() as (server, output):
        n_requests = 0
        for what, value in steps:
            match what:
                case "ask":
                    server.protocol.receive(command(n_requests, value, f"w{n_requests}"))
                    n_requests += 1
                case "cancel":
                    server.protocol.receive(cancel(value))
                case "cancel progress":
                    server.protocol.receive(
                        {"jsonrpc": "2.0", "method": "window/workDoneProgress/cancel",
                         "params": {"token": f"w{value}"}}
                    )  # fmt: skip
                case _:
                    for _ in range(value):
                        await asyncio.sleep(0)
        for request_id in range(n_requests):
            server.protocol.receive(cancel(request_id))
        for request_id in range(n_requests):
            await output.answer(request_id)

        assert [len(output.answers(one)) for one in range(n_requests)] == [1] * n_requests
        assert_nothing_is_left(server)


def assert_nothing_is_left(server: GlossatorServer) -> None:
    assert server.protocol._running == {}
    assert server.protocol._request_futures == {}
    assert server.protocol._result_types == {}
    assert server.requests_by_token == {}


async def test_hundreds_of_saves_and_commands_leave_nothing() -> None:
    async with serving() as (server, output):
        item = {"uri": URI, "languageId": "python", "version": 1, "text": "bad"}
        server.protocol.receive(
            {"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": {"textDocument": item}}
        )
        for number in range(200):
            server.protocol.receive(
                {"jsonrpc": "2.0", "method": "textDocument/didSave",
                 "params": {"textDocument": {"uri": URI}}}
            )  # fmt: skip
            server.protocol.receive(command(number, "quick"))
            await output.answer(number)
        server.protocol.receive({"jsonrpc": "2.0", "id": "end", "method": "shutdown"})
        await output.answer("end")

        assert_nothing_is_left(server)
        assert len(asyncio.all_tasks()) < 5


async def test_a_request_sees_the_document_as_it_was_when_it_came() -> None:
    async with serving() as (server, output):
        inbox: asyncio.Queue[Any] = asyncio.Queue()
        item = {"uri": URI, "languageId": "python", "version": 1, "text": "first"}
        argument = {"uri": URI, "position": {"line": 0, "character": 5}}
        call = {"command": "glossator.explain", "arguments": [argument]}
        change = {
            "textDocument": {"uri": URI, "version": 2},
            "contentChanges": [{"text": "second"}],
        }
        for message in (
            {"method": "textDocument/didOpen", "params": {"textDocument": item}},
            {"id": 1, "method": "workspace/executeCommand", "params": call},
            {"method": "textDocument/didChange", "params": change},
            None,
        ):
            inbox.put_nowait(message)

        await server._pump(inbox)

        assert (await output.answer(1))["result"]["markdown"] == "at `first|`"


async def test_a_late_or_strange_answer_of_the_client_breaks_nothing(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async with serving() as (server, output):
        from lsprotocol import types

        from glossator.lsp.protocol import ClientRefused

        params = types.WorkDoneProgressCreateParams(token="t")
        method = types.WINDOW_WORK_DONE_PROGRESS_CREATE
        with pytest.raises(ClientRefused, match="no answer"):
            await server.protocol.ask_client(method, params, timeout_s=0.01)
        late = output.messages[-1]["id"]
        server.protocol.receive({"jsonrpc": "2.0", "id": late, "result": None})

        asked = asyncio.create_task(
            server.protocol.ask_client(
                types.WINDOW_SHOW_DOCUMENT, types.ShowDocumentParams(uri="file:///a")
            )
        )
        await asyncio.sleep(0)
        strange = output.messages[-1]["id"]
        server.protocol.receive({"jsonrpc": "2.0", "id": strange, "result": 5})
        with pytest.raises(ClientRefused, match="does not fit"):
            await asked

        assert caplog.text == ""
        assert_nothing_is_left(server)


async def test_a_result_that_is_no_json_is_an_error() -> None:
    async with serving() as (server, output):

        async def answer(server: GlossatorServer, params: Any) -> Any:
            return object()

        server.protocol.requests = {"test/odd": answer}
        server.protocol.receive({"jsonrpc": "2.0", "id": 1, "method": "test/odd"})

        assert (await output.answer(1))["error"]["code"] == -32603
