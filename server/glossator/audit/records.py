"""Reading the record back, whatever has happened to its files meanwhile."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from glossator.audit.files import PATTERN
from glossator.core.messages import Usage

_MAX_LINE_BYTES = 8_000_000
_MAX_NUMBER = 1e15
_YEARS = range(2000, 2200)


@dataclass(frozen=True, slots=True)
class Record:
    """One line. Its values are read by kind: one of another kind counts as absent."""

    time: datetime
    event: str
    values: Mapping[str, Any] = field(repr=False)

    @property
    def turn(self) -> str:
        """The turn it belongs to; empty for what happened outside any."""
        return self.text("turn")

    @property
    def helper(self) -> str:
        """The helper it belongs to; empty for the agent of the turn itself."""
        return self.text("helper")

    def text(self, key: str) -> str:
        """Return a text, or an empty one."""
        value = self.values.get(key)
        return value if isinstance(value, str) else ""

    def number(self, key: str) -> float | None:
        """Return a number that is neither negative nor beyond all measure, or nothing."""
        return _number(self.values.get(key))

    def flag(self, key: str) -> bool:
        """Say whether something is true."""
        return self.values.get(key) is True

    def rows(self, key: str) -> Iterator[list[Any]]:
        """Yield the rows of a table."""
        value = self.values.get(key)
        if isinstance(value, list):
            yield from (row for row in value if isinstance(row, list))

    def group(self, key: str) -> Mapping[str, Any] | None:
        """Return what stands under a key of its own, or nothing."""
        value = self.values.get(key)
        return value if isinstance(value, dict) else None

    def usage(self) -> Usage | None:
        """Return the tokens of a request, if the server counted them."""
        counted = self.group("usage")
        if counted is None:
            return None
        prompt, completion, cached = (
            int(_number(counted.get(key)) or 0)
            for key in ("promptTokens", "completionTokens", "cachedTokens")
        )
        return Usage(prompt, completion, min(cached, prompt))


@dataclass(frozen=True, slots=True)
class Reading:
    """What was found. `n_damaged` lines were no records; `unread` names files and says why."""

    records: tuple[Record, ...] = ()
    n_damaged: int = 0
    unread: tuple[str, ...] = ()


def read_folder(folder: Path, since: datetime | None = None) -> Reading:
    """Read what was recorded in `folder` from `since` on, in order of time."""
    records: list[Record] = []
    n_damaged = 0
    unread: list[str] = []
    for path in sorted(folder.glob(PATTERN)):
        try:
            if since is not None and path.stat().st_mtime < since.timestamp():
                continue
            found, n_bad = parse_lines(path.read_bytes().split(b"\n"))
        except OSError as error:
            unread.append(f"`{path.name}`: {error.strerror}")
            continue
        records += [each for each in found if since is None or each.time >= since]
        n_damaged += n_bad
    records.sort(key=lambda record: record.time)
    return Reading(tuple(records), n_damaged, tuple(unread))


def parse_lines(lines: Iterable[bytes]) -> tuple[list[Record], int]:
    """Return the records of the lines, and how many lines are none."""
    records: list[Record] = []
    n_damaged = 0
    for line in lines:
        if not line.strip():
            continue
        record = _parse(line)
        if record is None:
            n_damaged += 1
        else:
            records.append(record)
    return records, n_damaged


def _parse(line: bytes) -> Record | None:
    if len(line) > _MAX_LINE_BYTES:
        return None
    try:
        values = json.loads(line)
    # No JSON, no UTF-8, nested or with digits beyond all measure.
    except (ValueError, RecursionError):
        return None
    if not isinstance(values, dict) or not isinstance(values.get("event"), str):
        return None
    time = _parse_time(values.get("time"))
    return None if time is None else Record(time, values["event"], values)


def _parse_time(text: object) -> datetime | None:
    if not isinstance(text, str):
        return None
    try:
        time = datetime.fromisoformat(text)
        time = (time if time.tzinfo else time.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError):
        return None
    return time if time.year in _YEARS else None


def _number(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if 0 <= number <= _MAX_NUMBER else None
