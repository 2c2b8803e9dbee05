"""A client made of a process and bytes: it can do everything that no proper client does."""

import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import Any, Self

SERVER = (sys.executable, "-m", "glossator", "lsp")
FAKE_SERVER = (sys.executable, str(Path(__file__).with_name("fake_app.py")))
ALL_CAPABILITIES: Mapping[str, Any] = {
    "general": {"positionEncodings": ["utf-16", "utf-8", "utf-32"]},
    "window": {"workDoneProgress": True, "showDocument": {"support": True}},
    "workspace": {
        "configuration": True,
        "workspaceEdit": {"documentChanges": True},
        "didChangeConfiguration": {"dynamicRegistration": True},
        "didChangeWatchedFiles": {"dynamicRegistration": True},
        "fileOperations": {"didRename": True, "didDelete": True},
    },
    "textDocument": {
        "codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": []}}},
        "publishDiagnostics": {
            "relatedInformation": True,
            "versionSupport": True,
            "codeDescriptionSupport": True,
            "dataSupport": True,
        },
    },
}

Message = dict[str, Any]


class Wire:
    """One server process and what it has sent. Every wait is bounded."""

    def __init__(
        self,
        command: Sequence[str] = FAKE_SERVER,
        *,
        env: Mapping[str, str] | None = None,
        reads: bool = True,
        answers: bool = True,
    ) -> None:
        self._cache = tempfile.TemporaryDirectory()
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, "XDG_CACHE_HOME": self._cache.name, **(env or {})},
            bufsize=0,
        )
        self.messages: list[Message] = []
        self._sending = threading.Lock()
        self._held: bytearray | None = None
        self.junk = bytearray()
        self.stderr = bytearray()
        self.answers = answers
        self._ids = count(1)
        self._changed = threading.Condition()
        self._threads = [threading.Thread(target=self._read_stderr, daemon=True)]
        if reads:
            self._threads.append(threading.Thread(target=self._read, daemon=True))
        for thread in self._threads:
            thread.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait(10)
        for thread in self._threads:
            thread.join(10)
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            assert stream is not None
            stream.close()
        self._cache.cleanup()

    def initialize(self, **params: Any) -> Message:
        """Shake hands and return the result of `initialize`."""
        params = {"processId": None, "capabilities": ALL_CAPABILITIES, "rootUri": None, **params}
        answer = self.ask("initialize", params)
        self.notify("initialized", {})
        return answer["result"]

    def open(self, uri: str, text: str, *, language: str = "python", version: int = 1) -> None:
        item = {"uri": uri, "languageId": language, "version": version, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": item})

    def command(self, name: str, argument: Any = None, **params: Any) -> int:
        """Send a command and return its request's id."""
        arguments = [] if argument is None else [argument]
        return self.request(
            "workspace/executeCommand", {"command": name, "arguments": arguments, **params}
        )

    def request(self, method: str, params: Any) -> int:
        request_id = next(self._ids)
        self.send({"jsonrpc": "2.0", "id": request_id, "method": method, "params": params})
        return request_id

    def ask(self, method: str, params: Any, *, timeout_s: float = 10) -> Message:
        """Send a request and return its answer."""
        return self.answer(self.request(method, params), timeout_s=timeout_s)

    def notify(self, method: str, params: Any) -> None:
        self.send({"jsonrpc": "2.0", "method": method, "params": params})

    @contextmanager
    def at_once(self) -> Iterator[None]:
        """Send all messages of the block in one write, so that no time passes between them."""
        self._held = bytearray()
        try:
            yield
            held = bytes(self._held)
        finally:
            self._held = None
        self.send_bytes(held)

    def send(self, message: Message) -> None:
        body = json.dumps(message).encode()
        frame = b"Content-Length: %d\r\n\r\n%b" % (len(body), body)
        # What the server asks is answered by another thread, which holds nothing back.
        if self._held is not None and threading.current_thread() not in self._threads:
            self._held += frame
        else:
            self.send_bytes(frame)

    def send_bytes(self, data: bytes) -> None:
        assert self.process.stdin is not None
        view = memoryview(data)
        with self._sending:
            while view:
                view = view[self.process.stdin.write(view) or 0 :]

    def close_stdin(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()

    def answer(self, request_id: Any, *, timeout_s: float = 10) -> Message:
        """Wait for the answer to a request."""
        return self.wait_for(
            lambda message: "method" not in message and message.get("id") == request_id,
            timeout_s=timeout_s,
        )

    def notification(self, method: str, *, timeout_s: float = 10) -> Any:
        """Wait for the next notification or request of this method and take it."""
        found = self.wait_for(lambda message: message.get("method") == method, timeout_s=timeout_s)
        self.messages.remove(found)
        return found.get("params")

    def progress(self, token: Any) -> list[Any]:
        """Return the values that came under a token so far."""
        return [
            message["params"]["value"]
            for message in self.messages
            if message.get("method") == "$/progress" and message["params"]["token"] == token
        ]

    def wait_for(self, is_it: Callable[[Message], bool], *, timeout_s: float = 10) -> Message:
        """Wait until a message fits, and return it."""
        until = time.monotonic() + timeout_s
        with self._changed:
            while True:
                for message in self.messages:
                    if is_it(message):
                        return message
                if not self._changed.wait(until - time.monotonic()):
                    raise AssertionError(f"nothing came; stderr: {self.stderr.decode()[-2000:]}")

    def exit_code(self, *, timeout_s: float = 5) -> int:
        """Wait for the end of the process."""
        return self.process.wait(timeout_s)

    def all_answers(self, request_id: Any) -> list[Message]:
        """Return every answer to a request; there should be one."""
        return [
            message
            for message in self.messages
            if "method" not in message and message.get("id") == request_id
        ]

    def _read(self) -> None:
        stdout = self.process.stdout
        assert stdout is not None
        buffer = bytearray()
        while chunk := stdout.read(65536):
            buffer += chunk
            while (message := self._take(buffer)) is not None:
                self._receive(message)

    def _take(self, buffer: bytearray) -> Message | None:
        """Take one frame; whatever is none is kept as junk."""
        start = buffer.find(b"Content-Length: ")
        if start > 0:
            self.junk += buffer[:start]
            del buffer[:start]
        head, separator, rest = bytes(buffer).partition(b"\r\n\r\n")
        if start < 0 or not separator:
            return None
        size = int(head.split(b"\r\n")[0].removeprefix(b"Content-Length: "))
        if len(rest) < size:
            return None
        del buffer[: len(head) + 4 + size]
        message: Message = json.loads(rest[:size])
        return message

    def _receive(self, message: Message) -> None:
        if self.answers and "method" in message and "id" in message:
            answer = {"jsonrpc": "2.0", "id": message["id"], "result": self._result_for(message)}
            # The test may have closed its side, or the server ended.
            with suppress(OSError, ValueError):
                self.send(answer)
        with self._changed:
            self.messages.append(message)
            self._changed.notify_all()

    def _result_for(self, message: Message) -> Any:
        if message["method"] == "workspace/configuration":
            return [{}]
        return {"success": True} if message["method"] == "window/showDocument" else None

    def _read_stderr(self) -> None:
        assert self.process.stderr is not None
        while chunk := self.process.stderr.read(65536):
            self.stderr += chunk
