import json
import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from glossator.audit.records import parse_lines, read_folder
from glossator.core.events import RoundEnded, TurnEnded
from glossator.core.messages import Usage
from recorded import BEGAN, lines_of, write_file

TURN = (RoundEnded(1, "stop", 0, Usage(10, 5, 4), 1.0, 0.5), TurnEnded("answered", Usage(), 1.0))


def test_records_of_several_processes_are_in_order_of_time(tmp_path: Path) -> None:
    write_file(tmp_path, lines_of("late", TURN, at=BEGAN + timedelta(hours=1)), "1-1")
    write_file(tmp_path, lines_of("early", TURN), "2-2")

    reading = read_folder(tmp_path)

    assert [record.turn for record in reading.records] == ["early"] * 3 + ["late"] * 3


def test_only_what_happened_since_then_is_read(tmp_path: Path) -> None:
    since = BEGAN + timedelta(seconds=1)
    write_file(tmp_path, lines_of("t1", TURN))
    old = write_file(tmp_path, lines_of("t2", TURN), "0-0")
    os.utime(old, (0, 0))

    reading = read_folder(tmp_path, since)

    assert [(record.turn, record.event) for record in reading.records] == [
        ("t1", "RoundEnded"),
        ("t1", "TurnEnded"),
    ]


def test_there_may_be_no_folder_yet(tmp_path: Path) -> None:
    assert read_folder(tmp_path / "none").records == ()


@pytest.mark.parametrize(
    "line",
    [
        b'{"time": "2026-03-02T12:00:00+00:00", "event": "TurnEn',
        b"\0\0\0\0",
        b'{"time": "2026-03-02T12:00:00+00:00", "event": "\xe6\x9c"}',
        b"[1, 2]",
        b'{"event": "TurnEnded"}',
        b'{"time": "yesterday", "event": "TurnEnded"}',
        b'{"time": "0001-01-01T00:00:00+14:00", "event": "TurnEnded"}',
        b'{"time": 5, "event": "TurnEnded"}',
        b'{"time": "2026-03-02T12:00:00+00:00", "event": 5}',
        b"[" * 100_000,
        b"9" * 10_000,
    ],
)
def test_a_line_that_is_no_record_is_counted_and_its_neighbours_are_read(line: bytes) -> None:
    good = lines_of("t1", TURN)[0].encode()

    records, n_damaged = parse_lines([good, line, b"", good])

    assert (len(records), n_damaged) == (2, 1)


def test_a_file_cut_at_any_byte_gives_its_whole_lines(tmp_path: Path) -> None:
    path = write_file(tmp_path, lines_of("t1", TURN))
    data = path.read_bytes()

    for length in range(len(data) + 1):
        records, n_damaged = parse_lines(data[:length].split(b"\n"))
        n_whole = data[:length].count(b"\n")
        # A line may be whole without its end.
        assert len(records) - n_whole in (0, 1)
        assert len(records) + n_damaged <= n_whole + 1


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    write_file(tmp_path, lines_of("t1", TURN))
    (tmp_path / "audit-2-2.jsonl").mkdir()

    reading = read_folder(tmp_path)

    assert len(reading.records) == 3
    assert reading.unread == ("`audit-2-2.jsonl`: Is a directory",)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=5,
)


@given(st.sampled_from(["durationMs", "usage", "hits", "tool", "isError"]), JSON)
def test_a_value_of_another_kind_counts_as_absent(key: str, value: object) -> None:
    line = json.dumps({"time": "2026-03-02T12:00:00Z", "event": "TurnEnded", key: value})

    [record], _ = parse_lines([line.encode()])

    assert isinstance(record.text(key), str)
    assert isinstance(record.flag(key), bool)
    assert record.number(key) is None or record.number(key) == value
    assert all(isinstance(row, list) for row in record.rows(key))
    usage = record.usage()
    assert usage is None or 0 <= usage.cached_tokens <= usage.prompt_tokens


def test_a_time_without_a_zone_is_universal_time() -> None:
    [record], _ = parse_lines([b'{"time": "2026-03-02T12:00:00", "event": "TurnEnded"}'])

    assert record.time == datetime(2026, 3, 2, 12, tzinfo=UTC)
