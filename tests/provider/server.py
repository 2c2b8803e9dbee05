"""A model server that plays what a test tells it to: raw bytes over a real socket.

    with Provider() as provider:
        provider.script(say("Hello"), call("read_file", {"path": "a.py"}))
        ... point the product at provider.base_url ...
        assert provider.requests()[0].body["model"] == "tiny"

Replies are used up in order, one per request. `be_strict()` makes it refuse, before the script,
what strict servers refuse. Everything runs in a child process that ends with the test's process.
"""

import asyncio
import base64
import json
import socket
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any

_CHILD = Path(__file__).with_name("child.py")
_TIMEOUT_S = 20


@dataclass(frozen=True)
class Reply:
    """What to send for one request, as steps: ("send", bytes), ("pause", seconds), ("hold", name)
    until `Provider.release(name)`, ("reset", None), ("endless", bytes) again and again, ("stamped",
    [count, seconds]) pieces that say when they were sent. Then the connection is closed, or kept.
    """

    steps: tuple[tuple[str, Any], ...]
    close: bool = True

    def to_json(self) -> dict[str, Any]:
        steps = [
            [kind, base64.b64encode(value).decode() if isinstance(value, bytes) else value]
            for kind, value in self.steps
        ]
        return {"steps": steps, "close": self.close}


@dataclass(frozen=True)
class Request:
    """A request as it was received. `end` is "open", "played" or "client left".
    `connection` counts connections, so that a kept one can be told from a new one."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: Any
    end: str
    connection: int = 0
    violations: tuple[str, ...] = ()


def head(
    status: int = 200, headers: Mapping[str, str] | None = None, *, reason: str = "Said"
) -> bytes:
    """Return the head of an HTTP answer that ends when the connection is closed."""
    lines = {"Content-Type": "text/event-stream", "Connection": "close", **(headers or {})}
    return (
        f"HTTP/1.1 {status} {reason}\r\n"
        + "".join(f"{name}: {value}\r\n" for name, value in lines.items())
        + "\r\n"
    ).encode()


def event(value: object) -> bytes:
    """Return one server-sent event: text as it is, everything else as JSON."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return f"data: {text}\n\n".encode()


def delta(index: int = 0, finish: str | None = None, **fields: Any) -> dict[str, Any]:
    """Return a chunk with one choice."""
    return {
        "id": "c",
        "object": "chat.completion.chunk",
        "choices": [{"index": index, "delta": fields, "finish_reason": finish}],
    }


def usage(prompt: int = 10, completion: int = 5, cached: int = 0) -> dict[str, Any]:
    """Return the chunk that comes last and counts the tokens."""
    return {
        "choices": [],
        "usage": {
            "prompt_tokens": prompt,
            "completion_tokens": completion,
            "prompt_tokens_details": {"cached_tokens": cached},
        },
    }


def stream(*values: object, done: bool = True, keep_alive: bool = False) -> Reply:
    """Return a reply of whole events; bytes among them are sent as they are."""
    parts = [value if isinstance(value, bytes) else event(value) for value in values]
    if done:
        parts.append(event("[DONE]"))
    if not keep_alive:
        return Reply((("send", head()), *(("send", part) for part in parts)))
    chunks = [b"%x\r\n%b\r\n" % (len(part), part) for part in parts]
    start = head(headers={"Connection": "keep-alive", "Transfer-Encoding": "chunked"})
    body = (start, *chunks, b"0\r\n\r\n")
    return Reply(tuple(("send", part) for part in body), close=False)


def say(text: str, *, keep_alive: bool = False) -> Reply:
    """Return a reply that is an answer in pieces of a few characters."""
    pieces = [text[start : start + 5] for start in range(0, len(text), 5)]
    chunks = [delta(role="assistant", content=""), *(delta(content=piece) for piece in pieces)]
    return stream(*chunks, delta(finish="stop"), usage(), keep_alive=keep_alive)


def call(*names_and_arguments: Any, text: str = "", ids: tuple[str, ...] = ()) -> Reply:
    """Return a reply that calls tools: name, arguments, name, arguments, ..."""
    pairs = list(zip(names_and_arguments[::2], names_and_arguments[1::2], strict=True))
    chunks = [delta(role="assistant", content=text)]
    for index, (name, arguments) in enumerate(pairs):
        call_id = ids[index] if ids else f"call{index}_{name}"
        written = arguments if isinstance(arguments, str) else json.dumps(arguments)
        begin = {"name": name, "arguments": ""}
        chunks.append(
            delta(
                tool_calls=[{"index": index, "id": call_id, "type": "function", "function": begin}]
            )
        )
        for start in range(0, len(written), 8):
            piece = {"arguments": written[start : start + 8]}
            chunks.append(delta(tool_calls=[{"index": index, "function": piece}]))
    return stream(*chunks, delta(finish="tool_calls"), usage())


def refuse(status: int, body: object = "", headers: Mapping[str, str] | None = None) -> Reply:
    """Return a reply with an HTTP status; a body that is no text is sent as JSON."""
    kind = "text/plain" if isinstance(body, str) else "application/json"
    text = body if isinstance(body, str) else json.dumps(body, ensure_ascii=False)
    start = head(status, {"Content-Type": kind, **(headers or {})})
    return Reply((("send", start + text.encode()),))


class Provider:
    """The parent's side: starts the process, scripts it, reads what it recorded."""

    def __init__(self) -> None:
        self.base_url = ""
        self._process: subprocess.Popen[bytes] | None = None
        self._control = 0

    def start(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, str(_CHILD)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        assert self._process.stdout is not None
        port, self._control = json.loads(self._process.stdout.readline())
        self.base_url = f"http://127.0.0.1:{port}/v1"

    def stop(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.close()
            process.stdout.close()
            try:
                process.wait(5)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    def __enter__(self) -> "Provider":
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()

    def script(self, *replies: Reply) -> None:
        """Add replies, used up in order."""
        self._command(do="script", replies=[reply.to_json() for reply in replies])

    def answer_always(self, reply: Reply) -> None:
        """Set what is sent when the script is used up."""
        self._command(do="default", reply=reply.to_json())

    def be_strict(self, *rules: str) -> None:
        """Refuse what strict servers refuse; `rules` adds what only some of them do."""
        self._command(do="strict", rules=list(rules))

    def clear(self) -> None:
        """Forget script, requests and strictness."""
        self._command(do="clear")

    def release(self, name: str) -> None:
        """Let every reply that holds at `name` go on."""
        self._command(do="release", name=name)

    def requests(self) -> list[Request]:
        """Return all requests so far, in order of arrival."""
        return [
            Request(
                item["method"],
                item["path"],
                item["headers"],
                json.loads(item["body"]) if item["body"] else None,
                item["end"],
                item["connection"],
                tuple(item.get("violations", ())),
            )
            for item in self._command(do="requests")
        ]

    async def wait_for_requests(self, count: int = 1) -> None:
        """Wait until that many requests have arrived."""
        await asyncio.to_thread(self._command, do="wait", end="any", count=count)

    async def wait_for_leaving(self, count: int = 1) -> None:
        """Wait until that many replies were cut short by the client."""
        await asyncio.to_thread(self._command, do="wait", end="client left", count=count)

    async def wait_for_closing(self) -> None:
        """Wait until no connection of a client is open."""
        await asyncio.to_thread(self._command, do="wait-for-closing")

    def _command(self, **command: Any) -> Any:
        address = ("127.0.0.1", self._control)
        with socket.create_connection(address, timeout=_TIMEOUT_S) as connection:
            connection.sendall(json.dumps(command).encode() + b"\n")
            with connection.makefile("rb") as answer:
                return json.loads(answer.readline())
