"""The editor's side of a server process: requests, and the moment at which each answer came."""

import json
import os
import subprocess
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Any, Self

from benchmarks.measuring import cpu_ms_of_process

TIMEOUT_S = 120
_CAPABILITIES: Mapping[str, Any] = {
    "general": {"positionEncodings": ["utf-16"]},
    "workspace": {"configuration": True, "workspaceFolders": True},
    "textDocument": {
        "codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": []}}},
        "publishDiagnostics": {"versionSupport": True},
    },
}

Message = dict[str, Any]


class Pending:
    """A request under way. Times are `perf_counter` seconds."""

    def __init__(self) -> None:
        self.sent_at = time.perf_counter()
        self.answered_at = 0.0
        self.message: Message = {}
        self._arrived = threading.Event()

    def arrive(self, message: Message, at: float) -> None:
        self.message, self.answered_at = message, at
        self._arrived.set()

    def wait(self) -> float:
        """Wait for the answer and return how many milliseconds it took."""
        if not self._arrived.wait(TIMEOUT_S):
            raise TimeoutError("the server does not answer")
        if "error" in self.message:
            raise RuntimeError(self.message["error"])
        return (self.answered_at - self.sent_at) * 1000

    @property
    def is_answered(self) -> bool:
        return self._arrived.is_set()

    @property
    def result(self) -> Any:
        self.wait()
        return self.message["result"]


class Editor:
    """One server process, killed when the context is left."""

    def __init__(self, command: Sequence[str], env: Mapping[str, str]) -> None:
        self.on_notification: Callable[[str, Any, float], None] = _ignore
        self._pending: dict[int, Pending] = {}
        self._ids = count(1)
        self._sending = threading.Lock()
        self.started_at = time.perf_counter()
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=env,
            bufsize=0,
        )
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait(10)
        self._reader.join(10)
        for stream in (self.process.stdin, self.process.stdout):
            assert stream is not None
            stream.close()

    def initialize(self, *folders: Path) -> float:
        """Shake hands; return the milliseconds from the start of the process to the answer."""
        roots = [{"uri": folder.as_uri(), "name": folder.name} for folder in folders]
        params = {
            "processId": os.getpid(),
            "rootUri": roots[0]["uri"] if roots else None,
            "workspaceFolders": roots or None,
            "capabilities": _CAPABILITIES,
            "initializationOptions": {"clientShowsAnswers": True},
        }
        pending = self.request("initialize", params)
        pending.wait()
        self.notify("initialized", {})
        return (pending.answered_at - self.started_at) * 1000

    def open(self, uri: str, text: str, language: str = "python") -> None:
        item = {"uri": uri, "languageId": language, "version": 1, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": item})

    def change(self, uri: str, version: int, first: int, end: int, text: str) -> float:
        """Put `text` in place of the lines from `first` to before `end`; return when it began."""
        began = time.perf_counter()
        lines = {
            "start": {"line": first, "character": 0},
            "end": {"line": end, "character": 0},
        }
        document = {"uri": uri, "version": version}
        self.notify(
            "textDocument/didChange",
            {"textDocument": document, "contentChanges": [{"range": lines, "text": text}]},
        )
        return began

    def code_actions(self, uri: str, line: int, character: int = 4) -> Pending:
        position = {"line": line, "character": character}
        params = {
            "textDocument": {"uri": uri},
            "range": {"start": position, "end": position},
            "context": {"diagnostics": []},
        }
        return self.request("textDocument/codeAction", params)

    def command(self, name: str, **argument: Any) -> Pending:
        return self.request("workspace/executeCommand", {"command": name, "arguments": [argument]})

    def request(self, method: str, params: Any) -> Pending:
        request_id = next(self._ids)
        message = {"jsonrpc": "2.0", "id": request_id, "method": method, "params": params}
        pending = self._pending[request_id] = Pending()
        self._send(message)
        return pending

    def notify(self, method: str, params: Any) -> None:
        self._send({"jsonrpc": "2.0", "method": method, "params": params})

    def cpu_ms(self) -> float:
        """Return the CPU time of the server so far."""
        return cpu_ms_of_process(self.process.pid)

    def wait_until_ready(self) -> None:
        """Wait until knowledge and rules are read."""
        until = time.monotonic() + TIMEOUT_S
        while not self.command("glossator.status").result["index"]["ready"]:
            if time.monotonic() > until:
                raise TimeoutError("the server does not get ready")
            time.sleep(0.05)

    def _send(self, message: Message) -> None:
        body = json.dumps(message).encode()
        view = memoryview(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
        assert self.process.stdin is not None
        with self._sending:
            while view:
                view = view[self.process.stdin.write(view) or 0 :]

    def _read(self) -> None:
        assert self.process.stdout is not None
        buffer = bytearray()
        while chunk := self.process.stdout.read(1 << 16):
            at = time.perf_counter()
            buffer += chunk
            while (message := _take_frame(buffer)) is not None:
                self._receive(message, at)

    def _receive(self, message: Message, at: float) -> None:
        if "method" not in message:
            pending = self._pending.pop(message["id"], None)
            if pending is not None:
                pending.arrive(message, at)
        elif "id" in message:
            is_question = message["method"] == "workspace/configuration"
            result: Any = [{}] if is_question else None
            with suppress(OSError, ValueError):
                self._send({"jsonrpc": "2.0", "id": message["id"], "result": result})
        else:
            self.on_notification(message["method"], message.get("params"), at)


def _take_frame(buffer: bytearray) -> Message | None:
    end = buffer.find(b"\r\n\r\n")
    if end < 0:
        return None
    size = next(
        int(line.split(b":")[1])
        for line in bytes(buffer[:end]).split(b"\r\n")
        if line.lower().startswith(b"content-length")
    )
    start = end + 4
    if len(buffer) < start + size:
        return None
    message: Message = json.loads(bytes(buffer[start : start + size]))
    del buffer[: start + size]
    return message


def _ignore(method: str, params: Any, at: float) -> None:
    """Hear nothing."""
