"""One answer from the bytes of an HTTP body: events to chunks, chunks to the assembly."""

import json
import re
from dataclasses import dataclass, field
from typing import Any

from glossator.model.assembly import Assembly
from glossator.model.endpoints import Endpoint
from glossator.model.failures import (
    Failure,
    Kind,
    Retry,
    add_quote,
    classify_stream_error,
    find_stream_error,
)
from glossator.model.reports import cut, leave_out_keys, strip_markup
from glossator.model.sse import Event, EventReader, OversizedEvent

MAX_ANSWER_BYTES = 64 * 1024 * 1024
_GLUE = re.compile(r"\s*(?:data:\s*)?")
_PREFIXES = re.compile(r"(?:data:\s*)+")
CAME_WHOLE = "the answer came whole, not as a stream"
"""The note of an answer that a server did not stream."""
_DECODER = json.JSONDecoder()
_ASK_AGAIN = "Ask again."


@dataclass(slots=True)
class AnswerReader:
    """Reads one answer. `failure` is why it cannot be used; `is_done` that `[DONE]` was read."""

    endpoint: Endpoint
    assembly: Assembly
    content_type: str = ""
    failure: Failure | None = None
    is_done: bool = False
    is_closed: bool = False
    _events: EventReader = field(default_factory=EventReader)
    _n_bytes: int = 0
    _ignored: str = ""

    def feed(self, data: bytes) -> bool:
        """Take in bytes; say whether there was a sign of progress among them."""
        self._n_bytes += len(data)
        if self._n_bytes > MAX_ANSWER_BYTES:
            self._fail_oversized()
            return False
        try:
            return self._take(self._events.feed(data))
        except OversizedEvent:
            self._fail_oversized()
            return False

    def close(self) -> None:
        """Take in the end of the body and judge whether the answer is whole."""
        self.is_closed = True
        if not self.is_done and self.failure is None:
            self._take(self._events.close())
        is_stream = self.is_done or "event-stream" in self.content_type
        if not self._events.n_events and self.failure is None:
            self._read_plain_body()
        elif self._events.n_events == 1 and not is_stream:
            # One JSON value on one line is taken for an event without its prefix.
            self.assembly.notes.append(CAME_WHOLE)
        if self.failure is None:
            self._judge_end()

    def _take(self, events: list[Event]) -> bool:
        progressed = False
        for event in events:
            if self.failure is not None:
                break
            if self.is_done:
                self._take_late_usage(event)
            elif event.data.startswith(b"{") and event.kind != "error":
                progressed |= self._take_chunks(event.data)
            else:
                progressed |= self._take_odd(event)
        return progressed

    def _take_late_usage(self, event: Event) -> None:
        """Take in the usage that some servers tell after the end; nothing else can follow it."""
        try:
            value = json.loads(event.data)
        except (ValueError, RecursionError):
            return
        if isinstance(value, dict):
            self.assembly.feed({"usage": value.get("usage")})

    def _take_chunks(self, data: bytes) -> bool:
        try:
            value = json.loads(data.decode("utf-8"))
        except (ValueError, RecursionError) as error:
            return self._take_several(data, is_text=not isinstance(error, UnicodeDecodeError))
        return self._take_value(value)

    def _take_several(self, data: bytes, *, is_text: bool) -> bool:
        """Take in the values of an event that is not one: events may be written as one."""
        text = data.decode("utf-8", "replace")
        progressed, end = False, 0
        while is_text and self.failure is None:
            start = _GLUE.match(text, end).end()  # type: ignore[union-attr]  # It fits anywhere.
            if start == len(text):
                return progressed
            if text.startswith("[DONE]", start):
                self.is_done = True
                return progressed
            try:
                value, end = _DECODER.raw_decode(text, start)
            except (ValueError, RecursionError):
                break
            progressed |= self._take_value(value)
        if self.failure is None:
            what = "is not JSON" if is_text else "is not UTF-8"
            text = f"`{self.endpoint.host}` sent a piece that {what}"
            self._fail(text, self._quote(data.decode("utf-8", "replace")), _ASK_AGAIN)
        return progressed

    def _take_value(self, value: Any) -> bool:
        if isinstance(value, list):
            # Each is taken in, whatever the one before it was.
            return sum(self._take_value(item) for item in value if isinstance(item, dict)) > 0
        if not isinstance(value, dict):
            return False
        if "error" in value or not value.get("choices"):
            error = find_stream_error(value)
            if error is not None:
                self.failure = classify_stream_error(self.endpoint, error)
                return False
        progressed = self.assembly.feed(value)
        if self.assembly.error is not None:
            self.failure = classify_stream_error(self.endpoint, self.assembly.error)
        return progressed

    def _take_odd(self, event: Event) -> bool:
        """Take in what is not a chunk: the end, an error, a list, or just a sign of life."""
        text = event.data.decode("utf-8", "replace").strip()
        if text.strip('"').upper() == "[DONE]":
            self.is_done = True
        elif event.kind == "error":
            self.failure = classify_stream_error(self.endpoint, text)
        elif text.startswith("["):
            return self._take_chunks(event.data)
        elif text.startswith("data:"):
            # Wrapped twice, by a server and by what stands before it.
            return self._take([Event(_PREFIXES.sub("", text).encode())])
        else:
            self._ignored = text
        return False

    def _read_plain_body(self) -> None:
        """Use a body that is one JSON value instead of a stream."""
        body = bytes(self._events.unread).strip()
        if not body.startswith((b"{", b"[")):
            return
        try:
            value = json.loads(body.decode("utf-8"))
        except (ValueError, RecursionError):
            return
        self._take_value(value)
        if self.assembly.n_chunks:
            self.assembly.has_ended = True
            self.assembly.notes.append(CAME_WHOLE)

    def _judge_end(self) -> None:
        host = self.endpoint.host
        if not self.assembly.n_chunks:
            self._fail_without_chunks()
        elif not (self.is_done or self.assembly.has_ended):
            text = f"`{host}` closed the connection before the answer ended"
            self._fail(text, self._quote(self._ignored), _ASK_AGAIN)
        elif not self.assembly.has_ended:
            # Some servers never send a finish; `[DONE]` then is the end. A call must be whole.
            if self.assembly.has_cut_call():
                self._fail(f"`{host}` ended the answer inside a tool call", "", _ASK_AGAIN)
            self.assembly.notes.append("no finish reason")

    def _fail_without_chunks(self) -> None:
        body = self._quote(self._ignored or self._events.unread[:2000].decode("utf-8", "replace"))
        kind = cut(self._quote(self.content_type), 60) or "no type"
        if self.is_done:
            what = "a stream without an answer in it"
        elif not body:
            what = f"an empty body (`{kind}`) instead of an answer"
        else:
            what = f"`{kind}` instead of a stream"
        self._fail(
            f"`{self.endpoint.host}` sent {what}",
            "" if self.is_done else body,
            "Check the base URL; it usually ends in `/v1`.",
            "not-a-stream",
            "never" if body and not self.is_done else "once",
        )

    def _fail_oversized(self) -> None:
        most = MAX_ANSWER_BYTES // 2**20
        text = f"`{self.endpoint.host}` sent more than the {most} MB that an answer may have"
        self._fail(text, "", _ASK_AGAIN, retry="never")

    def _fail(
        self,
        text: str,
        quote: str,
        remedy: str,
        kind: Kind = "broken-stream",
        retry: Retry = "once",
    ) -> None:
        self.failure = Failure(kind, add_quote(text, quote, remedy), remedy, retry)

    def _quote(self, text: str) -> str:
        return leave_out_keys(strip_markup(text), self.endpoint.api_key)
