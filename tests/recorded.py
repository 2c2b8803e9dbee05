"""Records of turns, made as the audit log makes them."""

import json
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from glossator.audit.recording import Describer, TurnRecords
from glossator.audit.records import Record, parse_lines
from glossator.core.events import Event, TurnStarted

BEGAN = datetime(2026, 3, 2, 12, tzinfo=UTC)


def lines_of(
    turn_id: str,
    events: Iterable[Event],
    *,
    at: datetime = BEGAN,
    session: str = "s1",
    subject: str = "What is a?",
    keep_content: bool = False,
) -> list[str]:
    """Return the lines of one turn; the events come a second apart."""
    turn = TurnRecords(Describer(keep_content), turn_id, "local")
    lines = []
    for number, event in enumerate([TurnStarted("ask", session, subject), *events]):
        time = at + timedelta(seconds=number)
        framed = ({"time": time.isoformat(), **each} for each in turn.take(event, time.timestamp()))
        lines.extend(map(json.dumps, framed))
    return lines


def records_of(turn_id: str, events: Iterable[Event], **options: Any) -> list[Record]:
    records, n_damaged = parse_lines(line.encode() for line in lines_of(turn_id, events, **options))
    assert n_damaged == 0
    return records


def write_file(folder: Path, lines: Iterable[str], name: str = "1-1") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"audit-{name}.jsonl"
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path
