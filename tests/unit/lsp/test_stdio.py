import os
import threading

import pytest

from glossator.lsp.stdio import Writer, read_chunks


@pytest.fixture
def pipe() -> tuple[int, int]:
    return os.pipe()


def read_all(descriptor: int) -> bytes:
    data = b"".join(read_chunks(descriptor))
    os.close(descriptor)
    return data


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
