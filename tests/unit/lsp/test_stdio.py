import os
import socket
import threading

import pytest

from glossator.lsp.stdio import Reader, Writer


@pytest.fixture
def pipe() -> tuple[int, int]:
    return os.pipe()


def read_all(descriptor: int) -> bytes:
    with os.fdopen(descriptor, "rb") as file:
        return file.read()


def test_frames_leave_in_order(pipe: tuple[int, int]) -> None:
    incoming, outgoing = pipe
    writer = Writer(outgoing)

    assert writer.send(b"{1}")
    assert writer.send("{错}".encode())
    writer.close(timeout_s=5)
    os.close(outgoing)

    assert (
        read_all(incoming) == b"Content-Length: 3\r\n\r\n{1}Content-Length: 5\r\n\r\n{\xe9\x94\x99}"
    )
    assert not writer.send(b"late")


def test_progress_is_dropped_first_and_this_is_said(pipe: tuple[int, int]) -> None:
    incoming, outgoing = pipe
    writer = Writer(outgoing)
    said = threading.Event()
    dropped: list[int] = []
    writer.on_dropped = lambda count: (dropped.append(count), said.set())  # type: ignore[func-returns-value]  # both are wanted
    body = b"x" * 100_000
    for _ in range(20):
        writer.send(body)

    taken = [writer.send(b"progress", droppable=True) for _ in range(5)]
    answered = writer.send(b"answer")
    reader = threading.Thread(target=lambda: received.append(read_all(incoming)))
    received: list[bytes] = []
    reader.start()
    said.wait(5)
    writer.close(timeout_s=5)
    os.close(outgoing)
    reader.join(5)

    assert taken == [False] * 5
    assert answered
    assert dropped == [5]
    assert b"progress" not in received[0]
    assert received[0].endswith(b"answer")


def test_a_client_that_never_reads_is_given_up(pipe: tuple[int, int]) -> None:
    incoming, outgoing = pipe
    writer = Writer(outgoing, give_up_at_bytes=1_000_000)
    reasons: list[str] = []
    writer.on_lost = reasons.append

    sent = [writer.send(b"x" * 100_000) for _ in range(12)]

    assert sent[-1] is False
    assert "does not read" in reasons[0]
    os.close(incoming)
    writer.close(timeout_s=5)
    os.close(outgoing)
    assert len(reasons) == 1


def test_a_closed_pipe_is_told_once(pipe: tuple[int, int]) -> None:
    incoming, outgoing = pipe
    os.close(incoming)
    writer = Writer(outgoing)
    lost = threading.Event()
    reasons: list[str] = []
    writer.on_lost = lambda reason: (reasons.append(reason), lost.set())  # type: ignore[func-returns-value]  # both are wanted

    writer.send(b"{}")
    lost.wait(5)
    writer.send(b"{}")
    writer.close(timeout_s=5)
    os.close(outgoing)

    assert len(reasons) == 1
    assert "stdout is closed" in reasons[0]


def test_a_socket_gets_all_of_a_message_however_little_it_takes_at_once() -> None:
    ours, theirs = socket.socketpair()
    writer = Writer(ours.fileno())
    bodies = [b"first", b"x" * 3_000_000, b"last"]
    for body in bodies:
        writer.send(body)
    reader = threading.Thread(target=lambda: received.append(read_all(theirs.detach())))
    received: list[bytes] = []

    reader.start()
    writer.close(timeout_s=5)
    ours.shutdown(socket.SHUT_RDWR)
    ours.close()
    reader.join(5)

    frames = (b"Content-Length: %d\r\n\r\n%b" % (len(body), body) for body in bodies)
    assert received == [b"".join(frames)]


def test_messages_are_taken_in_the_order_in_which_they_came(pipe: tuple[int, int]) -> None:
    incoming, outgoing = pipe
    reader = Reader(incoming)
    frames = (b'Content-Length: 8\r\n\r\n{"id":%d}' % number for number in range(3))
    os.write(outgoing, b"".join(frames))
    os.close(outgoing)

    first = next(iter(reader))
    others = [*reader.take()]

    assert [first, *others] == [{"id": 0}, {"id": 1}, {"id": 2}]
    assert [*reader] == []
    os.close(incoming)
