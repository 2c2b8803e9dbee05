"""What running the compiled checks on a text has shown, as a value that can be kept and sent.

A record names rules by their ids: the rules themselves are those of whoever reads it.
"""

import json
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from glossator.app.checking.reasons import Reason
from glossator.core.locations import Point, Range
from glossator.rules.finding import Finding
from glossator.rules.outlines import Outline
from glossator.rules.rule import Rule

_CHECK_BYTES = 4

VERSION = 2
"""Of the form of records, and of everything else that decides what a check finds."""


@dataclass(frozen=True, slots=True)
class Record:
    """Findings in a text by position, or the reason for which it was not checked.

    `may_suppress` says that the text holds what a comment for suppressing begins with. In the
    `broken_lines` the rules `lost_ids` could not be checked. `outline` is that of
    `rules.matching`; it is neither kept nor sent with the record.
    """

    findings: tuple[Finding, ...] = ()
    reason: Reason | None = None
    may_suppress: bool = False
    broken_lines: tuple[tuple[int, int], ...] = ()
    lost_ids: tuple[str, ...] = ()
    outline: Outline | None = None


def encode_record(record: Record) -> bytes:
    """Return a record as JSON, with what shows whether it is whole."""
    reason = record.reason
    rows = [
        [
            each.rule.id, _numbers(each.range), each.message, each.severity, each.code,
            [[_numbers(place), text] for place, text in each.fix], list(each.tags),
        ]
        for each in record.findings
    ]  # fmt: skip
    told = [reason.code, *reason.arguments] if reason else None
    value = [told, record.may_suppress, rows, record.broken_lines, record.lost_ids]
    # Half characters may stand in code and are written as escapes.
    data = json.dumps(value, separators=(",", ":")).encode()
    return zlib.crc32(data).to_bytes(_CHECK_BYTES) + data


def decode_record(data: bytes, rules: Mapping[str, Rule]) -> Record | None:
    """Return the record in `data`; None when it is not whole, or a rule of it is not known."""
    check, text = data[:_CHECK_BYTES], data[_CHECK_BYTES:]
    if len(check) < _CHECK_BYTES or zlib.crc32(text).to_bytes(_CHECK_BYTES) != check:
        return None
    told, may_suppress, rows, broken, lost_ids = json.loads(text)
    try:
        findings = tuple(_to_finding(row, rules) for row in rows)
    except (KeyError, ValueError):
        return None
    reason = Reason(told[0], tuple(told[1:])) if told else None
    broken_lines = tuple((first, last) for first, last in broken)
    return Record(findings, reason, may_suppress, broken_lines, tuple(lost_ids))


def _numbers(place: Range) -> list[int]:
    return [place.start.line, place.start.column, place.end.line, place.end.column]


def _to_range(numbers: list[int]) -> Range:
    first_line, first_column, last_line, last_column = numbers
    return Range(Point(first_line, first_column), Point(last_line, last_column))


def _to_finding(row: list[Any], rules: Mapping[str, Rule]) -> Finding:
    rule_id, place, message, severity, code, fix, tags = row
    return Finding(
        rule=rules[rule_id],
        range=_to_range(place),
        message=message,
        severity=severity,
        code=code,
        fix=tuple((_to_range(numbers), text) for numbers, text in fix),
        tags=tuple(tags),
    )
