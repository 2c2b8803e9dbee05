"""The local encoder with the real model."""

import os
import signal
import threading
from collections.abc import Iterator

import pytest

from glossator.semantic.encoder import EncoderUnavailable
from glossator.semantic.local import DIMENSION, LocalEncoder


@pytest.fixture(scope="module")
def encoder() -> Iterator[LocalEncoder]:
    encoder = LocalEncoder()
    yield encoder
    encoder.close()


def test_translations_are_nearer_than_other_things(encoder: LocalEncoder) -> None:
    rows = encoder.encode(
        ["How do I rename a database column?", "怎么重命名数据库的列？", "企鹅每年数两次。"],
        timeout_s=30,
    )

    assert rows.shape == (3, DIMENSION)
    assert (rows * rows).sum(axis=1).tolist() == pytest.approx([1, 1, 1], abs=1e-3)
    assert rows[0] @ rows[1] > 0.6 > 0.3 > rows[0] @ rows[2]


@pytest.mark.parametrize("text", ["", "\ud83d", "\0", "a" * 20_000, "中" * 5_000, "\n\n"])
def test_any_text_has_a_vector(encoder: LocalEncoder, text: str) -> None:
    assert encoder.encode([text], timeout_s=30).shape == (1, DIMENSION)


def test_a_process_that_was_killed_is_started_again(encoder: LocalEncoder) -> None:
    encoder.encode(["a"], timeout_s=30)
    assert encoder.process_id is not None
    os.kill(encoder.process_id, signal.SIGKILL)

    for _ in range(2):  # It may be noticed only by the next question.
        try:
            rows = encoder.encode(["a"], timeout_s=30)
        except EncoderUnavailable:
            continue
        break

    assert rows.shape == (1, DIMENSION)


def test_a_process_that_hangs_is_ended(encoder: LocalEncoder) -> None:
    encoder.encode(["a"], timeout_s=30)
    assert encoder.process_id is not None
    os.kill(encoder.process_id, signal.SIGSTOP)

    with pytest.raises(EncoderUnavailable, match=r"took longer than 0\.3 seconds"):
        encoder.encode(["b"], timeout_s=0.3)

    assert encoder.encode(["b"], timeout_s=30).shape == (1, DIMENSION)


def test_closing_ends_the_process_and_refuses_what_follows() -> None:
    encoder = LocalEncoder()
    failures: list[str] = []

    def ask() -> None:
        try:
            encoder.encode(["a"] * 2_000, timeout_s=60)
        except EncoderUnavailable as error:
            failures.append(str(error))

    thread = threading.Thread(target=ask)
    thread.start()
    while encoder.process_id is None:
        thread.join(0.01)
    encoder.close()
    thread.join(10)

    assert failures == ["The local embedding model was closed."]
    assert encoder.process_id is None
    with pytest.raises(EncoderUnavailable, match="was closed"):
        encoder.encode(["a"], timeout_s=1)
