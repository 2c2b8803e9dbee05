"""The two pipes to the client: taken at start so that nothing else can reach them.

What the client takes at once is written at once; the rest waits for a thread. Frames are never
torn, and a client that stops reading blocks nothing but that thread: first progress is dropped (and
this is said), and when far too much waits the client is given up.
"""

import os
import select
import socket
import stat
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import suppress

from glossator.lsp.framing import Message, MessageParser

CHUNK_BYTES = 64 * 1024
_DROP_AT_BYTES = 1024 * 1024
_GIVE_UP_AT_BYTES = 64 * 1024 * 1024


def take_stdio() -> tuple[int, int]:
    """Return own descriptors of stdin and stdout.

    Afterwards descriptor 0 is empty and descriptor 1 is stderr, for us, for libraries that print
    and for child processes.
    """
    incoming, outgoing = os.dup(0), os.dup(1)
    if sys.platform == "win32":
        import msvcrt  # There is no such module elsewhere.

        msvcrt.setmode(incoming, os.O_BINARY)
        msvcrt.setmode(outgoing, os.O_BINARY)
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    try:
        os.dup2(2, 1)
    except OSError:
        os.dup2(nothing, 1)
    os.close(nothing)
    return incoming, outgoing


class Reader:
    """Messages from the client, in order.

    The descriptor is read directly: a thread that waits inside a buffered reader holds its lock,
    and the interpreter cannot end then.
    """

    def __init__(self, descriptor: int) -> None:
        self.descriptor = descriptor
        self._parser = MessageParser()
        self._waiting: deque[Message] = deque()

    def __iter__(self) -> Iterator[Message]:
        """Yield messages as they come until the other side is closed.

        Raises:
            Unframeable: the client cannot be followed any further.
        """
        is_open = True
        while is_open:
            yield from self.take()
            is_open = self.read()
        yield from self.take()

    def take(self) -> Iterator[Message]:
        """Yield the messages that have been read and not taken yet."""
        while self._waiting:
            yield self._waiting.popleft()

    def read(self) -> bool:
        """Read what has arrived, or wait for it; say whether more may come.

        Raises:
            Unframeable: the client cannot be followed any further.
        """
        try:
            chunk = os.read(self.descriptor, CHUNK_BYTES)
        except OSError:
            return False
        self._waiting.extend(self._parser.feed(chunk))
        return bool(chunk)


class Writer:
    """Sends frames in order, at once or from one thread.

    `on_lost` is called once, from that thread or a sender's, when the client cannot be reached any
    more; `on_dropped` with the number of messages that were left out, when it reads again.
    """

    def __init__(self, descriptor: int, *, give_up_at_bytes: int = _GIVE_UP_AT_BYTES) -> None:
        self.on_lost: Callable[[str], None] = _ignore
        self.on_dropped: Callable[[int], None] = _ignore
        self._descriptor = descriptor
        self._give_up_at_bytes = give_up_at_bytes
        self._frames: deque[bytes] = deque()
        self._waiting_bytes = 0
        self._n_dropped = 0
        self.is_lost = False
        self._is_closing = False
        self._is_writing = False
        self._way = _Way(descriptor)
        self._changed = threading.Condition()
        self._thread = threading.Thread(target=self._write, name="lsp-writer", daemon=True)
        self._thread.start()

    def send(self, body: bytes, *, droppable: bool = False) -> bool:
        """Queue one message; say whether it was taken. Never blocks, from any thread."""
        frame = b"Content-Length: %d\r\n\r\n%b" % (len(body), body)
        with self._changed:
            if self.is_lost or self._is_closing:
                return False
            if droppable and self._waiting_bytes > _DROP_AT_BYTES:
                self._n_dropped += 1
                return False
            if not self._frames and not self._is_writing:
                with suppress(OSError):  # Then the thread learns of it too, and says so.
                    frame = frame[self._way.write(frame) :]
            if not frame:
                return True
            self._frames.append(frame)
            self._waiting_bytes += len(frame)
            is_too_much = self._waiting_bytes > self._give_up_at_bytes
            self._changed.notify()
        if is_too_much:
            self._lose(f"{self._waiting_bytes} bytes wait for a client that does not read")
        return not is_too_much

    def close(self, *, timeout_s: float) -> None:
        """Send what waits, for at most `timeout_s`, and take nothing more."""
        with self._changed:
            self._is_closing = True
            self._changed.notify()
        self._thread.join(timeout_s)
        with self._changed:
            self._way.close()

    def _write(self) -> None:
        while (chunk := self._take()) is not None:
            view = memoryview(chunk)
            try:
                while view:
                    view = view[os.write(self._descriptor, view[:CHUNK_BYTES]) :]
            except OSError as error:
                self._lose(f"stdout is closed ({error.strerror})")
                return
            self._count_written(len(chunk))

    def _take(self) -> bytes | None:
        """Return the frames that wait as one piece; None when there will be no more."""
        with self._changed:
            self._is_writing = False
            while not self._frames and not self._is_closing:
                self._changed.wait()
            if not self._frames or self.is_lost:
                return None
            frames = [self._frames.popleft()]
            size = len(frames[0])
            while self._frames and size + len(self._frames[0]) <= CHUNK_BYTES:
                frames.append(self._frames.popleft())
                size += len(frames[-1])
            self._is_writing = True
        return b"".join(frames)

    def _count_written(self, n_bytes: int) -> None:
        with self._changed:
            self._waiting_bytes -= n_bytes
            n_dropped = self._n_dropped if not self._frames else 0
            self._n_dropped -= n_dropped
        if n_dropped:
            self.on_dropped(n_dropped)

    def _lose(self, reason: str) -> None:
        with self._changed:
            if self.is_lost:
                return
            self.is_lost = True
            self._frames.clear()
            self._changed.notify()
        self.on_lost(reason)


class _Way:
    """Writes as much as the other side takes without waiting."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._connection: socket.socket | None = None
        self._room: select.poll | None = None
        mode = os.fstat(descriptor).st_mode
        if stat.S_ISSOCK(mode) and hasattr(socket, "MSG_DONTWAIT"):
            self._connection = socket.socket(fileno=os.dup(descriptor))
        elif stat.S_ISFIFO(mode) and hasattr(select, "poll"):
            self._room = select.poll()
            self._room.register(descriptor, select.POLLOUT)

    def write(self, data: bytes) -> int:
        """Return how much was written."""
        if self._room is not None:
            return _pipe_some(self._descriptor, self._room, data)
        if self._connection is None:
            return 0
        try:
            return self._connection.send(data, socket.MSG_DONTWAIT)
        except BlockingIOError:
            return 0

    def close(self) -> None:
        """Write nothing any more."""
        if self._connection is not None:
            self._connection.close()
        self._connection = self._room = None


def _pipe_some(descriptor: int, room: "select.poll", data: bytes) -> int:
    """Write in pieces that a pipe takes whole where it takes anything, as POSIX has it."""
    n_written = 0
    while n_written < len(data) and any(event & select.POLLOUT for _, event in room.poll(0)):
        n_written += os.write(descriptor, data[n_written : n_written + select.PIPE_BUF])
    return n_written


def _ignore(_: object) -> None:
    """Listen to nothing."""
