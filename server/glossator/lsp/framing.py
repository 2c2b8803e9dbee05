"""Bytes from a client, cut into JSON messages; what cannot be read is reported and skipped.

A wrong `Content-Length` must not silence a server for the rest of its life. A length that is too
short shows as broken JSON followed by bytes that are no header; one that is too long shows as a
message with a piece of the next header behind it. Both are repaired at the next `Content-Length`:
JSON escapes line breaks, so a header line cannot stand inside a message.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

PARSE_ERROR = -32700
INVALID_REQUEST = -32600

_LENGTH = re.compile(rb"content-length[ \t]*:[ \t]*([^\r\n]*?)[ \t]*\r?\n", re.IGNORECASE)
_HEADER_LINE = re.compile(rb"[A-Za-z-]+[ \t]*:[^\r\n]*\r?\n")
_BLANK_LINE = re.compile(rb"\r?\n\r?\n")
_MAX_HEADER_BYTES = 16 * 1024
# An overlong length is noticed at once when at most this much of the message is missing.
_MAX_SURPLUS_BYTES = 1024


class Unframeable(Exception):
    """The stream cannot be followed any further; the text says why."""


@dataclass(frozen=True, slots=True)
class BadMessage:
    """Something that was received and is no JSON message."""

    code: int
    reason: str


Message = dict[str, Any] | BadMessage


class MessageParser:
    """Turns chunks of bytes into decoded JSON objects, in order."""

    def __init__(self, *, max_bytes: int = 128 * 1024 * 1024) -> None:
        self._max_bytes = max_bytes
        self._buffer = bytearray()
        self._missing: int | None = None

    def feed(self, chunk: bytes) -> Iterator[dict[str, Any] | BadMessage]:
        """Yield what is complete now.

        Raises:
            Unframeable: a message is announced that is too large to be meant seriously.
        """
        self._buffer += chunk
        while True:
            if self._missing is None:
                found = self._take_header()
                if isinstance(found, BadMessage):
                    yield found
                    continue
                self._missing = found
            if self._missing is None or (message := self._take_message()) is None:
                return
            yield message

    def _take_header(self) -> int | BadMessage | None:
        """Take the next header and return the length it names; None while it is incomplete."""
        start = _start_of_header(self._buffer)
        junk = bytes(self._buffer[:start])
        del self._buffer[:start]
        if junk.strip():
            return BadMessage(
                PARSE_ERROR,
                f"{len(junk)} bytes between two messages were skipped; "
                "a Content-Length before them was wrong.",
            )
        end = _BLANK_LINE.search(self._buffer)
        if end is None:
            return None
        header = bytes(self._buffer[: end.end()])
        del self._buffer[: end.end()]
        found = _LENGTH.search(header)
        if found is None or not found[1].isdigit():
            return BadMessage(PARSE_ERROR, "A header without a usable Content-Length was skipped.")
        if int(found[1][:20]) > self._max_bytes:
            raise Unframeable(
                f"a message of {found[1][:20].decode()} bytes is announced; "
                f"at most {self._max_bytes} are read"
            )
        return int(found[1])

    def _take_message(self) -> dict[str, Any] | BadMessage | None:
        assert self._missing is not None
        length = self._missing
        if len(self._buffer) < length:
            return self._take_early(length)
        body = bytes(self._buffer[:length])
        del self._buffer[:length]
        self._missing = None
        message = _decode(body)
        if isinstance(message, BadMessage) and (header := _LENGTH.search(body)):
            # The length was too long: give the beginning of the next message back.
            self._buffer[:0] = body[header.start() :]
            return _decode(body[: header.start()])
        if isinstance(message, BadMessage) and (cut := _partial_header(body)):
            self._buffer[:0] = body[cut:]
            return _decode(body[:cut])
        return message

    def _take_early(self, length: int) -> dict[str, Any] | None:
        """Take a message that is whole before its announced length is.

        No proper beginning of a JSON object is a JSON object, so a whole one is never a piece.
        """
        missing = length - len(self._buffer)
        if missing > _MAX_SURPLUS_BYTES or not self._buffer.endswith(b"}"):
            return None
        message = _decode(bytes(self._buffer))
        if isinstance(message, BadMessage):
            return None
        self._buffer.clear()
        self._missing = None
        return message


def _decode(body: bytes) -> dict[str, Any] | BadMessage:
    try:
        value = json.loads(body.decode("utf-8-sig"))  # Some clients write a byte order mark.
    except RecursionError:
        return BadMessage(PARSE_ERROR, "The message is nested too deeply.")
    except UnicodeDecodeError:
        return BadMessage(PARSE_ERROR, "The message is not UTF-8.")
    except ValueError:
        return BadMessage(PARSE_ERROR, "The message is not valid JSON.")
    if not isinstance(value, dict):
        return BadMessage(INVALID_REQUEST, "The message is not an object.")
    return value


def _start_of_header(buffer: bytearray) -> int:
    """Return where the next header begins, or how much can be dropped when none is in sight."""
    if _HEADER_LINE.match(buffer):
        return 0
    found = _LENGTH.search(buffer)
    if found is not None:
        return found.start()
    # The last line may be the beginning of a header, unless it is far too long for one.
    last_line = buffer.rfind(b"\n") + 1
    if len(buffer) - last_line > _MAX_HEADER_BYTES:
        return len(buffer) - 64
    position = buffer.lower().find(b"content-length", last_line)
    return position if position >= 0 else last_line


def _partial_header(body: bytes) -> int:
    """Return where a header begins that the end of `body` cuts, or 0."""
    word = b"content-length:"
    tail = body[-64:].lower()
    start = tail.rfind(b"content-length")
    if start < 0:
        for size in range(len(word) - 1, 0, -1):
            if tail.endswith(b"}" + word[:size]):
                return len(body) - size
        return 0
    return len(body) - len(tail) + start
