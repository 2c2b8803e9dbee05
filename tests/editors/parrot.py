"""A model for the editors' tests: an OpenAI-compatible server that always does the same.

It reads `shop.py` with a tool, then answers in pieces. A conversation whose question says SILENCE
gets a first piece and then nothing more until the client hangs up.
"""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

ANSWER = (
    "It adds up prices, see `shop.py:5`, and is called in `till.py:5`.\n\n"
    "约定也成立；`gone.py:9` is not there. FINISHED\n"
)
_PAUSE_S = 0.05


class _Handler(BaseHTTPRequestHandler):
    server: "_Parrot"

    def do_POST(self) -> None:
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        try:
            self._reply(request["messages"])
        except OSError:
            return  # The client hung up, as it does when an answer is stopped.

    def _reply(self, messages: list[dict[str, Any]]) -> None:
        last_question = [each for each in messages if each["role"] == "user"][-1]
        if "SILENCE" in json.dumps(last_question):
            self._send_piece({"content": "hold on"})
            while not self.server.is_closing.wait(_PAUSE_S):
                self._send(": still thinking\n\n")
        elif messages[-1]["role"] == "tool":
            for word in ANSWER.split(" "):
                self._send_piece({"content": f"{word} "})
                self.server.is_closing.wait(_PAUSE_S)
            self._send_piece({}, "stop")
        else:
            arguments = json.dumps({"path": "shop.py", "first_line": 1})
            function = {"name": "read_file", "arguments": arguments}
            call = {"index": 0, "id": "call-1", "type": "function", "function": function}
            self._send_piece({"tool_calls": [call]})
            self._send_piece({}, "tool_calls")
        usage = {"prompt_tokens": 60, "completion_tokens": 15, "total_tokens": 75}
        self._send_chunk({"choices": [], "usage": usage})
        self._send("data: [DONE]\n\n")

    def _send_piece(self, delta: dict[str, Any], finish_reason: str | None = None) -> None:
        choice = {"index": 0, "delta": delta, "finish_reason": finish_reason}
        self._send_chunk({"choices": [choice]})

    def _send_chunk(self, chunk: dict[str, Any]) -> None:
        head = {"id": "1", "object": "chat.completion.chunk", "created": 0, "model": "parrot"}
        self._send(f"data: {json.dumps(head | chunk)}\n\n")

    def _send(self, text: str) -> None:
        self.wfile.write(text.encode())
        self.wfile.flush()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 (the base's name)
        """Stay quiet: a test's output is the editor's."""


class _Parrot(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.is_closing = threading.Event()


@contextmanager
def run_parrot() -> Iterator[str]:
    """Serve on a free port; yields the base URL."""
    with _Parrot() as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.05,))
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}/v1"
        finally:
            server.is_closing.set()
            server.shutdown()
            thread.join()
