"""Reading what a model replied: JSON, however it is wrapped or cut.

What is of no use in a reply is left out; a reply of no use at all has a `problem`, which is told
to the model. Nothing that a model writes makes this raise.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from glossator.rules.judging.claim import Claim

MAX_CLAIMS = 200
"""More in one reply are not looked at: no careful reader writes so many."""

_MAX_CHARACTERS = 400_000
# A reply that opens so many brackets for nothing is no JSON.
_MAX_FAILURES = 500
_THINKING = re.compile(
    r"\A\s*(?:<(think|thinking|thought)>.*?(?:</\1>|\Z)|\[THINK\].*?(?:\[/THINK\]|\Z))", re.S
)
_DECODER = json.JSONDecoder(strict=False)
_NUMBER = re.compile(r"\s*[Ll]?(\d{1,9})\b")
_NEXT_ENTRY = re.compile(r"[\s,]*(?=\{)")


@dataclass(frozen=True, slots=True)
class Claims:
    """What a detector claims. `is_whole`: its list has an end; `problem` says why it has none."""

    claims: tuple[Claim, ...] = ()
    is_whole: bool = True
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Verdicts:
    """Which claims, by their numbers, a verifier confirms."""

    confirmed: frozenset[int] = frozenset()
    problem: str = ""


def parse_claims(text: str) -> Claims:
    """Read `{"findings": [...]}`; of a reply that was cut, the whole entries before the cut."""
    entries, is_whole, problem = _read_list(text, "findings")
    claims = [claim for claim in map(_read_claim, entries) if claim is not None]
    return Claims(tuple(claims[:MAX_CLAIMS]), is_whole and len(claims) <= MAX_CLAIMS, problem)


def parse_verdicts(text: str) -> Verdicts:
    """Read `{"verdicts": [...]}`. A claim is confirmed if it is said to hold and never not to."""
    entries, _, problem = _read_list(text, "verdicts")
    said: dict[int, set[bool]] = {}
    for entry in entries:
        number = _read_number(entry.get("claim"))
        if number is not None:
            said.setdefault(number, set()).add(entry.get("holds") is True)
    return Verdicts(frozenset(n for n, holds in said.items() if holds == {True}), problem)


def _read_list(text: str, key: str) -> tuple[list[Mapping[str, Any]], bool, str]:
    """Return the objects in the list under `key`, whether it has an end, and what is wrong."""
    if len(text) > _MAX_CHARACTERS:
        return [], False, "it is too long"
    while (thinking := _THINKING.match(text)) is not None:
        text = text[thinking.end() :]
    if not text.strip():
        return [], False, "it is empty"
    # A model that thinks aloud writes its answer last.
    lists = [found for value in _find_values(text) if (found := _list_in(value, key)) is not None]
    if lists:
        return [entry for entry in lists[-1] if isinstance(entry, dict)], True, ""
    begun = list(re.finditer(rf'"{key}"\s*:\s*\[', text))
    if not begun:
        return [], False, f'there is no JSON object with the key "{key}" in it'
    entries = list(_read_whole_entries(text, begun[-1].end()))
    return entries, False, "" if entries else "its JSON is not valid"


def _list_in(value: Any, key: str) -> list[Any] | None:
    """Return the list that a value has under `key`, itself or one level down; or a bare list.

    An empty bare list is none: `items[]` in a sentence is no answer.
    """
    if isinstance(value, dict):
        holders = (value, *(inner for inner in value.values() if isinstance(inner, dict)))
        value = next((holder[key] for holder in holders if key in holder), None)
        return value if isinstance(value, list) else None
    is_bare = isinstance(value, list) and value and all(isinstance(each, dict) for each in value)
    return value if is_bare else None


def _find_values(text: str) -> Iterator[Any]:
    """Yield the JSON values in `text` that are objects or lists, from left to right."""
    place = n_failures = 0
    while n_failures < _MAX_FAILURES and (start := _find_opening(text, place)) >= 0:
        value, place = _decode(text, start)
        n_failures += value is None
        yield value


def _find_opening(text: str, start: int) -> int:
    found = [place for place in (text.find("{", start), text.find("[", start)) if place >= 0]
    return min(found, default=-1)


def _decode(text: str, start: int) -> tuple[Any, int]:
    """Return the JSON value at `start` and where it ends; None and the next place if none is."""
    try:
        return _DECODER.raw_decode(text, start)
    except (ValueError, RecursionError):
        return None, start + 1


def _read_whole_entries(text: str, start: int) -> Iterator[Mapping[str, Any]]:
    """Yield the objects of a list without an end, up to the one that is broken."""
    while (match := _NEXT_ENTRY.match(text, start)) is not None:
        value, start = _decode(text, match.end())
        if not isinstance(value, dict):
            return
        yield value


def _read_claim(entry: Mapping[str, Any]) -> Claim | None:
    rule_id, quote, code = (entry.get(key) for key in ("rule", "rule_quote", "code"))
    if not (isinstance(rule_id, str) and isinstance(quote, str) and isinstance(code, str)):
        return None
    message, fix = entry.get("message"), entry.get("fix")
    return Claim(
        rule_id=rule_id.strip().strip("`"),
        rule_quote=quote,
        code=code,
        line=_read_number(entry.get("line")),
        message=message if isinstance(message, str) else "",
        fix=fix if isinstance(fix, str) else None,
    )


def _read_number(value: Any) -> int | None:
    if isinstance(value, str):
        match = _NUMBER.match(value)
        return int(match[1]) if match else None
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return int(value) if 0 <= value < 1e9 else None
