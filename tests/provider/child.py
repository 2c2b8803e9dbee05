"""The scripted provider's process: plays raw bytes to whoever asks, and records every request.

Started by `server.py`, never imported by tests. It listens on two ports of 127.0.0.1: one speaks
HTTP to the client under test, the other takes commands, one JSON line per connection. It ends when
its stdin ends, so that it cannot outlive the tests.
"""

import asyncio
import base64
import json
import socket
import struct
import sys
import time
from collections import deque
from typing import Any

from strict import find_violations

EXHAUSTED = {"close": True, "steps": [["send", base64.b64encode(
    b"HTTP/1.1 400 Bad Request\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n"
    b'{"error": {"message": "the scripted provider has no reply left"}}'
).decode()]]}  # fmt: skip


class State:
    """What the provider was told to do and what it has seen."""

    def __init__(self) -> None:
        self.changed = asyncio.Condition()
        self.n_open = 0
        self.clear()

    def clear(self) -> None:
        self.script: deque[dict[str, Any]] = deque()
        self.default: dict[str, Any] = EXHAUSTED
        self.requests: list[dict[str, Any]] = []
        self.n_connections = 0
        self.released: set[str] = set()
        self.strict: list[str] | None = None

    async def notify(self) -> None:
        async with self.changed:
            self.changed.notify_all()


class Client(asyncio.Protocol):
    """One connection of the client under test."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.buffer = bytearray()
        self.arrived = asyncio.Event()
        self.gone = asyncio.Event()
        self.may_write = asyncio.Event()
        self.may_write.set()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        sock = transport.get_extra_info("socket")
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.state.n_connections += 1
        self.state.n_open += 1
        self.number = self.state.n_connections
        self.task = asyncio.create_task(self.serve())

    def data_received(self, data: bytes) -> None:
        self.buffer += data
        self.arrived.set()

    def pause_writing(self) -> None:
        self.may_write.clear()

    def resume_writing(self) -> None:
        self.may_write.set()

    def eof_received(self) -> None:
        self.gone.set()
        self.arrived.set()

    def connection_lost(self, exc: Exception | None) -> None:
        self.gone.set()
        self.arrived.set()
        self.state.n_open -= 1
        self.telling = asyncio.create_task(self.state.notify())

    async def serve(self) -> None:
        while (request := await self.read_request()) is not None:
            problems = []
            if self.state.strict is not None:
                problems = find_violations(request["body"], self.state.strict)
                request["violations"] = problems
            if problems:
                reply = refusal(problems)
            else:
                reply = self.state.script.popleft() if self.state.script else self.state.default
            request["connection"] = self.number
            self.state.requests.append(request)
            await self.state.notify()
            request["end"] = await self.play(reply)
            await self.state.notify()
            if reply["close"] or request["end"] != "played":
                break
        self.transport.close()

    async def read_request(self) -> dict[str, Any] | None:
        while b"\r\n\r\n" not in self.buffer:
            if self.gone.is_set():
                return None
            await self.wait_for_data()
        head, _, rest = bytes(self.buffer).partition(b"\r\n\r\n")
        first, *lines = head.decode("latin-1").split("\r\n")
        headers = {
            name.strip().lower(): value.strip()
            for name, _, value in (line.partition(":") for line in lines)
        }
        size = int(headers.get("content-length", "0"))
        while len(rest) < size:
            if self.gone.is_set():
                return None
            await self.wait_for_data()
            rest = bytes(self.buffer).partition(b"\r\n\r\n")[2]
        self.buffer = bytearray(rest[size:])
        method, path, _ = first.split(" ", 2)
        body = rest[:size].decode("utf-8")
        return {"method": method, "path": path, "headers": headers, "body": body, "end": "open"}

    async def wait_for_data(self) -> None:
        self.arrived.clear()
        await self.arrived.wait()

    async def play(self, reply: dict[str, Any]) -> str:
        """Play the steps, unless the client goes away first; say which it was."""
        playing = asyncio.create_task(self.play_steps(reply["steps"]))
        leaving = asyncio.create_task(self.gone.wait())
        await asyncio.wait((playing, leaving), return_when=asyncio.FIRST_COMPLETED)
        was_played = playing.done()
        for task in (playing, leaving):
            task.cancel()
        return "played" if was_played else "client left"

    async def play_steps(self, steps: list[list[Any]]) -> None:
        for kind, value in steps:
            if kind == "send":
                self.transport.write(base64.b64decode(value))
                await asyncio.sleep(0)
            elif kind == "endless":
                await self.send_for_ever(base64.b64decode(value))
            elif kind == "stamped":
                await self.send_stamped(*value)
            elif kind == "pause":
                await asyncio.sleep(value)
            elif kind == "hold":
                async with self.state.changed:
                    await self.state.changed.wait_for(lambda: value in self.state.released)  # noqa: B023 (awaited at once)
            elif kind == "reset":
                sock = self.transport.get_extra_info("socket")
                sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                self.transport.abort()

    async def send_for_ever(self, data: bytes) -> None:
        """Send `data` again and again, as fast as it is taken."""
        data *= 1 + 65_536 // len(data)
        while True:
            self.transport.write(data)
            await asyncio.sleep(0)
            await self.may_write.wait()

    async def send_stamped(self, n_pieces: int, pace_s: float) -> None:
        """Send pieces of text that say when they were sent, in nanoseconds of the monotonic clock.

        On Linux that clock is the same in every process.
        """
        for number in range(n_pieces):
            chunk = {"choices": [{"index": 0, "delta": {"content": "%d "}, "finish_reason": None}]}
            text = "data: " + json.dumps(chunk) + "\n\n"
            self.transport.write((text % time.monotonic_ns()).encode())
            await asyncio.sleep(pace_s * (1 + (number % 7 - 3) / 10))


def refusal(problems: list[str]) -> dict[str, Any]:
    body = json.dumps({"error": {"message": "; ".join(problems), "type": "invalid_request_error"}})
    head = "HTTP/1.1 400 Bad Request\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n"
    return {
        "close": True,
        "steps": [["send", base64.b64encode((head + body).encode()).decode()]],
    }


async def obey(state: State, command: dict[str, Any]) -> Any:
    match command["do"]:
        case "clear":
            state.clear()
        case "script":
            state.script.extend(command["replies"])
        case "default":
            state.default = command["reply"]
        case "strict":
            state.strict = command["rules"]
        case "release":
            state.released.add(command["name"])
            await state.notify()
        case "requests":
            return state.requests
        case "wait-for-closing":
            async with state.changed:
                await state.changed.wait_for(lambda: state.n_open == 0)
        case "wait":
            end, count = command["end"], command["count"]
            async with state.changed:
                await state.changed.wait_for(
                    lambda: sum(end in ("any", item["end"]) for item in state.requests) >= count
                )
    return None


async def main() -> None:
    state = State()
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: Client(state), "127.0.0.1", 0)

    async def control(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        answer = await obey(state, json.loads(await reader.readline()))
        writer.write(json.dumps(answer).encode() + b"\n")
        await writer.drain()
        writer.close()

    commands = await asyncio.start_server(control, "127.0.0.1", 0, limit=64 * 1024 * 1024)
    ports = [item.sockets[0].getsockname()[1] for item in (server, commands)]
    sys.stdout.write(json.dumps(ports) + "\n")
    sys.stdout.flush()
    await asyncio.to_thread(sys.stdin.buffer.read)


if __name__ == "__main__":
    asyncio.run(main())
