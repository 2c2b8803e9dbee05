"""Beginning and end of the protocol, and messages that no proper client sends."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from lsp.wire import ALL_CAPABILITIES, Wire


@pytest.fixture
def wire() -> Iterator[Wire]:
    with Wire() as wire:
        yield wire


@pytest.fixture(scope="module")
def ready() -> Iterator[Wire]:
    with Wire() as wire:
        wire.initialize()
        yield wire


def frame(body: bytes) -> bytes:
    return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)


def still_answers(wire: Wire) -> bool:
    return "result" in wire.ask("workspace/executeCommand", {"command": "glossator.status"})


def test_a_request_before_initialize_is_refused(wire: Wire) -> None:
    answer = wire.ask("textDocument/codeAction", {})

    assert answer["error"]["code"] == -32002
    assert "capabilities" in wire.initialize()


@pytest.mark.parametrize(
    "params",
    [
        {},
        None,
        [],
        {"capabilities": None, "processId": "x", "trace": "loud"},
        {"capabilities": {"textDocument": {"completion": {"completionItem": {"tagSupport": {}}}}}},
        {"capabilities": {"workspace": None, "general": {"positionEncodings": [7]}}},
    ],
)
def test_initialize_is_answered_whatever_it_holds(wire: Wire, params: Any) -> None:
    answer = wire.ask("initialize", params)

    assert answer["result"]["capabilities"]["textDocumentSync"]["change"] == 2
    wire.notify("initialized", {})
    assert still_answers(wire)


def test_nothing_heavy_is_imported_before_initialize_is_answered() -> None:
    import subprocess
    import sys

    code = (
        "import sys, glossator.lsp.server as s\n"
        "heavy = {'openai', 'pydantic', 'yaml', 'ast_grep_py', 'tree_sitter', 'pygls', 'attrs',\n"
        "         'lsprotocol', 'watchdog', 'markdown_it', 'glossator.app'} & set(sys.modules)\n"
        "print(sorted(heavy))"
    )

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout == "[]\n"


def test_a_second_initialize_is_refused(ready: Wire) -> None:
    answer = ready.ask("initialize", {"capabilities": {}, "processId": None})

    assert answer["error"]["code"] == -32600


@pytest.mark.parametrize(
    "params",
    [
        None,
        {},
        [],
        7,
        {"textDocument": 3},
        {"textDocument": {"uri": "file:///a.py"}, "range": {"start": {}}, "context": {}},
        {
            "textDocument": {"uri": "file:///a.py"},
            "range": {
                "start": {"line": "x", "character": 0}, "end": {"line": 0, "character": 0},
            },
            "context": {"diagnostics": []},
        },
    ],
)  # fmt: skip
def test_malformed_parameters_are_told_in_words(ready: Wire, params: Any) -> None:
    error = ready.ask("textDocument/codeAction", params)["error"]

    assert error["code"] == -32602
    assert "codeAction" in error["message"]
    assert "Traceback" not in error["message"]
    assert "/" not in error["message"].replace("textDocument/codeAction", "")


@pytest.mark.parametrize(
    "params",
    [
        {"command": "glossator.explain"},
        {"command": "glossator.explain", "arguments": []},
        {"command": "glossator.explain", "arguments": [1, 2]},
        {"command": "glossator.explain", "arguments": [{"uri": 1}]},
        {"command": "glossator.explain", "arguments": "x"},
        {"command": "glossator.nothing", "arguments": [{}]},
        {"command": 1},
    ],
)
def test_arguments_of_commands_are_judged_by_us(ready: Wire, params: Any) -> None:
    assert ready.ask("workspace/executeCommand", params)["error"]["code"] == -32602


def test_an_unknown_method_is_said_to_be_unknown(ready: Wire) -> None:
    answer = ready.ask("foo/bar", {"a": 1})
    ready.notify("foo/baz", {"a": 1})
    ready.notify("$/foo", None)

    assert answer["error"]["code"] == -32601
    assert still_answers(ready)


@pytest.mark.parametrize("body", [b"{", b"\xff\xfe", b"[" * 100_000, b"[]", b"3", b"null", b"{}"])
def test_a_body_that_is_no_message_gets_an_error_and_no_pop_up(ready: Wire, body: bytes) -> None:
    ready.messages.clear()

    ready.send_bytes(frame(body))

    error = ready.wait_for(lambda message: "error" in message)
    assert error["id"] is None
    assert error["error"]["code"] in (-32700, -32600)
    assert still_answers(ready)
    assert not [m for m in ready.messages if m.get("method") == "window/showMessage"]


@pytest.mark.parametrize(
    "message",
    [
        {"jsonrpc": "2.0", "id": {"a": 1}, "method": "shutdown"},
        {"jsonrpc": "2.0", "id": None, "method": "shutdown"},
        {"jsonrpc": "2.0", "id": True, "method": "shutdown"},
        {"jsonrpc": "2.0", "id": "method-is-a-number", "method": 7},
    ],
)
def test_an_id_or_method_of_the_wrong_kind_is_refused(ready: Wire, message: Any) -> None:
    n_errors = sum("error" in one for one in ready.messages)

    ready.send(message)

    ready.wait_for(lambda _: sum("error" in one for one in ready.messages) > n_errors)
    assert still_answers(ready)


def test_answers_to_nothing_we_asked_are_ignored(ready: Wire) -> None:
    ready.send({"jsonrpc": "2.0", "id": "zzz", "result": 1})
    ready.send({"jsonrpc": "2.0", "id": "zzz", "error": {"code": 1, "message": "x"}})
    ready.send({"jsonrpc": "2.0", "id": None, "error": {"code": 1, "message": "x"}})

    assert still_answers(ready)


def test_a_parameter_called_jsonrpc_is_a_parameter(ready: Wire) -> None:
    argument = {"question": "q", "jsonrpc": "2.0", "method": "m", "id": 5}

    answer = ready.answer(ready.command("glossator.ask", argument))

    assert answer["result"]["markdown"] == "echo q"


def test_an_id_that_is_under_way_is_not_taken_twice(ready: Wire) -> None:
    request_id = ready.command("glossator.ask", {"question": "hang"})
    ready.send({"jsonrpc": "2.0", "id": request_id, "method": "shutdown"})
    ready.answer(request_id)
    ready.notify("$/cancelRequest", {"id": request_id})

    ready.wait_for(lambda _: len(ready.all_answers(request_id)) == 2)
    codes = [answer["error"]["code"] for answer in ready.all_answers(request_id)]
    assert codes == [-32600, -32800]


@pytest.mark.parametrize("off_by", [-5, 20])
def test_a_wrong_length_does_not_silence_the_server(off_by: int) -> None:
    with Wire() as wire:
        wire.initialize()
        body = json.dumps({"jsonrpc": "2.0", "id": 77, "method": "foo/bar"}).encode()

        wire.send_bytes(b"Content-Length: %d\r\n\r\n%b" % (len(body) + off_by, body))

        for _ in range(4):
            assert still_answers(wire)


@pytest.mark.parametrize("header", [b"content-length: %d\r\n\r\n", b"Content-Length: %d\n\n"])
def test_headers_may_be_spelt_otherwise(ready: Wire, header: bytes) -> None:
    request_id = f"spelt-{len(header)}"
    body = json.dumps({"jsonrpc": "2.0", "id": request_id, "method": "foo/bar"}).encode()

    ready.send_bytes(header % len(body) + body)

    assert ready.answer(request_id)["error"]["code"] == -32601


def test_a_message_of_ten_gigabytes_ends_the_server_with_a_word() -> None:
    with Wire() as wire:
        wire.initialize()

        wire.send_bytes(b"Content-Length: 10000000000\r\n\r\n")

        assert wire.exit_code() == 1
        assert b"10000000000" in wire.stderr


def test_after_shutdown_requests_are_refused_and_exit_is_clean(wire: Wire) -> None:
    wire.initialize(capabilities=ALL_CAPABILITIES)
    assert wire.ask("shutdown", None)["result"] is None

    assert wire.ask("foo/bar", {})["error"]["code"] == -32600
    assert wire.command("glossator.status")
    wire.notify("exit", None)

    assert wire.exit_code() == 0


def test_exit_without_shutdown_is_an_error(wire: Wire) -> None:
    wire.initialize()

    wire.notify("exit", None)

    assert wire.exit_code() == 1


def test_exit_before_initialize_is_an_error(wire: Wire) -> None:
    wire.notify("exit", None)

    assert wire.exit_code() == 1
