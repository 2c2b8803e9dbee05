import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glossator.model import sse
from glossator.model.sse import Event, EventReader, OversizedEvent

_BODY = (
    '\ufeff: hello\ndata: {"a": "中文😀"}\n\nretry: 10\nid: 3\n\n'
    'event: error\ndata:one\ndata: two\ndata\n\ndata:\n\n{"bare": 1}\ndata: last'
).encode()
_EVENTS = [
    Event('{"a": "中文😀"}'.encode()),
    Event(b"one\ntwo", "error"),
    Event(b'{"bare": 1}'),
    Event(b"last"),
]


def _read(pieces: list[bytes]) -> list[Event]:
    reader = EventReader()
    events = [event for piece in pieces for event in reader.feed(piece)]
    return events + reader.close()


@given(
    st.lists(st.integers(0, len(_BODY)), max_size=12).map(sorted),
    st.sampled_from([b"\n", b"\r\n", b"\r"]),
)
def test_events_do_not_depend_on_where_the_bytes_are_split(cuts: list[int], end: bytes) -> None:
    body = _BODY.replace(b"\n", end)
    edges = [0, *cuts, len(body)]
    pieces = [body[start:stop] for start, stop in pairwise(edges)]

    assert _read(pieces) == _EVENTS


@given(st.lists(st.binary(max_size=40), max_size=10))
def test_any_bytes_are_read_without_an_exception(pieces: list[bytes]) -> None:
    assert _read(pieces) == _read([b"".join(pieces)])


def test_what_is_no_stream_is_kept_for_the_message() -> None:
    reader = EventReader()

    reader.feed(b": ping\n<html>\r\n<body>")
    reader.close()

    assert re.split(rb"\s+", bytes(reader.unread).strip()) == [b"<html>", b"<body>"]


@pytest.mark.parametrize("piece", [b"x", b"data: x\n", b"data: x", b"\n<p>"])
def test_what_never_ends_is_not_collected_for_ever(
    piece: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sse, "MAX_EVENT_BYTES", 1000)
    reader = EventReader()

    with pytest.raises(OversizedEvent):
        _feed_often(reader, piece)


def _feed_often(reader: EventReader, piece: bytes) -> None:
    for _ in range(1001):
        reader.feed(piece)
