"""How long a server asks to wait before the next try, wherever and however it says so."""

import math
import re
import time
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

_RESETS = re.compile(r"(?:x-)?ratelimit-reset(?:-\w+)?|anthropic-ratelimit-[\w-]+-reset")
_SECONDS = {"ms": 0.001, "mil": 0.001, "s": 1, "m": 60, "h": 3600, "d": 86_400}
_PART = re.compile(
    r"(\d+(?:\.\d+)?)\s*"
    r"(?:(ms|mil)(?:liseconds?)?|(d)(?:ays?)?|(h)(?:ours?)?|(m)(?:ins?|inutes?)?|"
    r"(s)(?:ecs?|econds?)?)(?![a-z])[\s,]*",
    re.IGNORECASE,
)
_IN_WORDS = re.compile(
    r"(?:(?:try again|retry)(?: your request)? (?:in|after)|please wait(?: for)?)(?: about)?\s+",
    re.IGNORECASE,
)
# No duration of a limit is that long: larger numbers are moments since 1970.
_LONGEST_DURATION_S = 1e9


def find_wait(headers: Mapping[str, str]) -> float | None:
    """Return the pause in seconds that the headers of a refusal name."""
    milliseconds = _parse_number(headers.get("retry-after-ms", ""))
    if milliseconds is not None:
        return milliseconds / 1000
    wait_s = _parse_wait(headers.get("retry-after", ""))
    return _find_reset(headers) if wait_s is None else wait_s


def find_wait_in_words(text: str) -> float | None:
    """Return the pause in seconds that a message names, such as "try again in 1m20s"."""
    said = _IN_WORDS.search(text)
    return _parse_duration(text[said.end() :], to_end=False) if said else None


def render_wait(seconds: float) -> str:
    """Return a pause for people."""
    if seconds > 365 * 86_400:
        return "more than a year"
    for unit, size_s in (("days", 86_400), ("hours", 3600), ("minutes", 60)):
        if seconds >= 3 * size_s:
            return f"{seconds / size_s:.0f} {unit}"
    return f"{seconds:.0f} s"


def _find_reset(headers: Mapping[str, str]) -> float | None:
    """Return when the limits that are used up begin anew."""
    waits = [
        _parse_wait(value)
        for name, value in headers.items()
        if _RESETS.fullmatch(name) and _is_used_up(headers, name)
    ]
    return max((wait for wait in waits if wait is not None), default=None)


def _is_used_up(headers: Mapping[str, str], name: str) -> bool:
    left = headers.get(name.replace("reset", "remaining"))
    return left is None or _parse_number(left) == 0


def _parse_wait(value: str) -> float | None:
    """Return the seconds from now that a number, a duration or a date means."""
    number = _parse_number(value)
    if number is not None:
        if number < _LONGEST_DURATION_S:
            return number
        moment = number / 1000 if number >= 1000 * _LONGEST_DURATION_S else number
        return max(0.0, moment - time.time())
    duration = _parse_duration(value, to_end=True)
    if duration is not None:
        return duration
    for parse in (datetime.fromisoformat, parsedate_to_datetime):
        try:
            date = parse(value.strip())
        except (ValueError, TypeError, OverflowError):
            continue
        date = date if date.tzinfo else date.replace(tzinfo=UTC)
        return max(0.0, (date - datetime.now(UTC)).total_seconds())
    return None


def _parse_number(value: str) -> float | None:
    try:
        number = float(value)
    except ValueError:
        return None
    return number if number >= 0 and math.isfinite(number) else None


def _parse_duration(text: str, *, to_end: bool) -> float | None:
    """Return the seconds of `6m0s`, `120ms` or `1 hour 5 minutes` at the beginning of `text`."""
    seconds, end = 0.0, 0
    while part := _PART.match(text, end):
        count, *units = part.groups()
        seconds += float(count) * _SECONDS[next(unit for unit in units if unit).lower()]
        end = part.end()
    is_whole = end == len(text) or not to_end
    return seconds if end and is_whole and math.isfinite(seconds) else None
