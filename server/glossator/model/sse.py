r"""Server-sent events from bytes, as servers really send them.

Bytes may be split anywhere. Lines end with `\n`, `\r\n` or `\r`. Comments, `id`, `retry` and
empty events are no events, so they are no sign of progress either. Fields are found in any case,
indented or behind a byte order mark, so that no text is lost. What is not server-sent events
at all is kept for the message that says so, or because it is a plain JSON answer after all.
"""

import re
from dataclasses import dataclass, field

MAX_EVENT_BYTES = 16 * 1024 * 1024
_BOM = b"\xef\xbb\xbf"
_LINE_END = re.compile(rb"\r\n|\r|\n")
_ODD_FIELD = re.compile(rb"[ \t]*(data|event):", re.IGNORECASE)
_JSON_START = re.compile(rb"\s*[{\[]")


class OversizedEvent(ValueError):
    """One event, or a body without any, is larger than `MAX_EVENT_BYTES`."""


@dataclass(frozen=True, slots=True)
class Event:
    """The data of one event, its lines joined; `kind` is its `event:` field."""

    data: bytes
    kind: str = ""


@dataclass(slots=True)
class EventReader:
    """Turn bytes into events; `unread` is what came before the first event."""

    unread: bytearray = field(default_factory=bytearray)
    n_events: int = 0
    _tail: bytearray = field(default_factory=bytearray)
    _data: list[bytes] = field(default_factory=list)
    _data_size: int = 0
    _kind: str = ""
    _skip_line_feed: bool = False

    def feed(self, data: bytes) -> list[Event]:
        """Return the events that `data` completes."""
        if self._skip_line_feed and data:
            self._skip_line_feed = False
            if data.startswith(b"\n"):
                data = data[1:]
        if b"\n" not in data and b"\r" not in data:
            self._keep_tail(data)
            return []
        self._skip_line_feed = data.endswith(b"\r")
        if self._tail:
            data = bytes(self._tail) + data
            self._tail.clear()
        lines = data.split(b"\n") if b"\r" not in data else _LINE_END.split(data)
        self._keep_tail(lines.pop())
        events: list[Event] = []
        for line in lines:
            self._read_line(line, events)
        return events

    def close(self) -> list[Event]:
        """Return the event that the end of the stream completes, if one is open."""
        events: list[Event] = []
        if self._tail:
            self._read_line(bytes(self._tail), events)
            self._tail.clear()
        self._end_event(events)
        return events

    def _keep_tail(self, data: bytes) -> None:
        self._tail += data
        if len(self._tail) > MAX_EVENT_BYTES:
            raise OversizedEvent

    def _read_line(self, line: bytes, events: list[Event]) -> None:
        while line.startswith(_BOM):  # At the start, or wherever a server began to write anew.
            line = line[len(_BOM) :]
        if line.startswith(b"data:"):
            self._add_data(line[6:] if line.startswith(b"data: ") else line[5:])
        elif not line:
            self._end_event(events)
        elif line.startswith(b"event:"):
            self._kind = line[6:].strip().decode("utf-8", "replace")
        elif line.startswith(b'{"') and line.endswith(b"}") and not self._is_within_json():
            # No field has such a name: an error or an answer written without `data:` before it.
            self._add_data(line)
            self._end_event(events)
        elif odd := _ODD_FIELD.match(line):
            self._read_line(odd[1].lower() + b":" + line[odd.end() :], events)
        if not self.n_events and not line.startswith(b":"):
            self.unread += line + b"\n"
            if len(self.unread) > MAX_EVENT_BYTES:
                raise OversizedEvent

    def _is_within_json(self) -> bool:
        """Say whether all up to here is one JSON value over several lines, and no events."""
        return not self.n_events and _JSON_START.match(self.unread) is not None

    def _add_data(self, data: bytes) -> None:
        self._data.append(data)
        self._data_size += len(data) + 1
        if self._data_size > MAX_EVENT_BYTES:
            raise OversizedEvent

    def _end_event(self, events: list[Event]) -> None:
        kind, self._kind = self._kind, ""
        if not self._data:
            return
        data = self._data[0] if len(self._data) == 1 else b"\n".join(self._data)
        self._data, self._data_size = [], 0
        if data.strip():
            events.append(Event(data, kind))
            self.n_events += 1
