import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glossator.lsp.framing import BadMessage, MessageParser, Unframeable

PING = {"jsonrpc": "2.0", "method": "ping", "params": {"text": "错误处理 🙂"}}


def frame(message: object, *, off_by: int = 0, header: bytes = b"Content-Length") -> bytes:
    body = json.dumps(message, ensure_ascii=False).encode()
    return b"%b: %d\r\n\r\n%b" % (header, len(body) + off_by, body)


def parse(*chunks: bytes) -> list[object]:
    parser = MessageParser()
    return [message for chunk in chunks for message in parser.feed(chunk)]


@given(st.lists(st.integers(1, 40), max_size=30))
def test_messages_arrive_whole_however_the_bytes_are_cut(cuts: list[int]) -> None:
    data = frame(PING) + frame({"id": 1}) + frame(PING)
    chunks = []
    for size in cuts:
        chunks.append(data[:size])
        data = data[size:]

    assert parse(*chunks, data) == [PING, {"id": 1}, PING]


@pytest.mark.parametrize(
    "data",
    [
        frame(PING, header=b"content-length"),
        frame(PING, header=b"CONTENT-LENGTH"),
        frame(PING).replace(b"\r\n\r\n", b"\n\n"),
        b"Content-Type: application/vscode-jsonrpc; charset=utf-8\r\n" + frame(PING),
        b"\r\n\r\n" + frame(PING),
    ],
)
def test_headers_are_read_in_every_spelling(data: bytes) -> None:
    assert parse(data) == [PING]


@given(st.integers(1, 30), st.integers(1, 200))
def test_after_a_length_that_is_too_short_the_next_message_is_read(short: int, cut: int) -> None:
    data = frame(PING, off_by=-short) + frame({"id": 2})

    received = parse(data[:cut], data[cut:])

    assert received[-1] == {"id": 2}
    assert all(isinstance(message, BadMessage) for message in received[:-1])
    assert len(received) >= 2


@given(st.integers(1, 60), st.integers(1, 200))
@settings(max_examples=300)
def test_after_a_length_that_is_too_long_nothing_is_lost(surplus: int, cut: int) -> None:
    data = frame(PING, off_by=surplus) + frame({"id": 2}) + frame({"id": 3})

    received = [
        message for message in parse(data[:cut], data[cut:]) if not isinstance(message, BadMessage)
    ]

    assert received == [PING, {"id": 2}, {"id": 3}]


def test_a_length_that_is_too_long_does_not_keep_the_last_message_back() -> None:
    assert parse(frame(PING, off_by=20)) == [PING]


@pytest.mark.parametrize("length", [b"x", b"-1", b"", b"1.5"])
def test_a_length_that_is_no_number_is_reported_and_the_next_message_is_read(length: bytes) -> None:
    received = parse(b"Content-Length: " + length + b"\r\n\r\n{}" + frame(PING))

    assert isinstance(received[0], BadMessage)
    assert received[-1] == PING


def test_a_message_of_ten_gigabytes_ends_the_reading() -> None:
    with pytest.raises(Unframeable, match="10000000000 bytes"):
        parse(b"Content-Length: 10000000000\r\n\r\n")


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b"\xff\xfe{}", -32700),
        (b"{", -32700),
        (b"[" * 100_000, -32700),
        (b"[1]", -32600),
        (b'"text"', -32600),
        (b"null", -32600),
    ],
)
def test_what_is_no_message_is_reported_between_good_ones(body: bytes, code: int) -> None:
    bad = b"Content-Length: %d\r\n\r\n%b" % (len(body), body)

    received = parse(frame(PING) + bad + frame(PING))

    assert received[0] == received[2] == PING
    assert isinstance(received[1], BadMessage)
    assert received[1].code == code


def test_a_byte_order_mark_before_a_message_is_no_part_of_it() -> None:
    body = b"\xef\xbb\xbf" + json.dumps(PING).encode()

    assert parse(b"Content-Length: %d\r\n\r\n%b" % (len(body), body) + frame(PING)) == [PING] * 2


@given(st.lists(st.binary(max_size=300), max_size=8))
def test_any_bytes_are_survived(chunks: list[bytes]) -> None:
    parser = MessageParser()

    for chunk in chunks:
        try:
            list(parser.feed(chunk))
        except Unframeable:
            return


def test_an_endless_line_without_a_header_is_not_kept() -> None:
    parser = MessageParser()

    for _ in range(100):
        list(parser.feed(b"x" * 65536))

    assert list(parser.feed(b"\r\n" + frame(PING)))[-1] == PING
