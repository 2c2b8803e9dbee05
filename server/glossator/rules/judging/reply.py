"""Reading what a model replied: JSON, however it is wrapped, misspelt or cut.

Nothing that is read is true yet, so it may be read generously: quotes in strings that are not
escaped, and commas too many or too few, cost no entry. What is of no use is left out; a reply of
no use at all has a `problem`, which is told to the model. Nothing that a model writes raises.
"""

import itertools
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
    r"\s*(?:<(think|thinking|thought)>.*?(?:</\1>|\Z)|\[THINK\].*?(?:\[/THINK\]|\Z))", re.S
)
# Each one that is broken is looked through to its end.
_MAX_BROKEN_LISTS = 20
_OPENING = re.compile(r"[\[{]")
_DECODER = json.JSONDecoder(strict=False)
_NUMBER = re.compile(r"\s*[Ll]?(\d{1,9})\b")
_NEXT_ENTRY = re.compile(r"[\s,]*(?=\{)")
_LIST_END = re.compile(r"[\s,]*\]")
_VALUE = re.compile(r"\s*(\".*\"|[\w.+-]+)\s*", re.S)
_LAST_VALUE = re.compile(rf"{_VALUE.pattern}(?:,\s*)?\}}", re.S)
_ESCAPE = re.compile(r"\\(?:[\"\\/bfnrtu]|(?P<odd>.))|(?P<bare>\")", re.S)
_CONSTANTS: Mapping[str, bool | None] = {"true": True, "false": False, "null": None, "none": None}


@dataclass(frozen=True, slots=True)
class _Form:
    """An object with a list: the key of that, and the fields of its entries in their order."""

    key: str
    fields: tuple[str, ...]

    def make_list_finder(self) -> re.Pattern[str]:
        return re.compile(rf'"{self.key}"\s*:\s*\[')

    def make_field_finder(self) -> re.Pattern[str]:
        return re.compile(rf'"({"|".join(self.fields)})"\s*:')


_FINDINGS = _Form("findings", ("rule", "rule_quote", "code", "line", "message", "fix"))
_VERDICTS = _Form("verdicts", ("claim", "why", "holds"))


@dataclass(frozen=True, slots=True)
class Claims:
    """What a detector claims. `is_whole`: its list has an end; `problem` says why it has none."""

    claims: tuple[Claim, ...] = ()
    is_whole: bool = True
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Verdicts:
    """Which claims, by their numbers, a verifier confirms, and of which it says anything."""

    confirmed: frozenset[int] = frozenset()
    told: frozenset[int] = frozenset()
    problem: str = ""


def parse_claims(text: str) -> Claims:
    """Read `{"findings": [...]}`; of a reply that was cut, the whole entries before the cut."""
    entries, is_whole, problem = _read_list(text, _FINDINGS)
    claims = [claim for claim in map(_read_claim, entries) if claim is not None]
    if entries and not claims:
        problem = "no entry has a rule, its words and code, each as a string"
    return Claims(tuple(claims[:MAX_CLAIMS]), is_whole and len(claims) <= MAX_CLAIMS, problem)


def parse_verdicts(text: str) -> Verdicts:
    """Read `{"verdicts": [...]}`. A claim is confirmed if it is said to hold and never not to."""
    entries, _, problem = _read_list(text, _VERDICTS)
    said: dict[int, set[bool]] = {}
    for entry in entries:
        number, holds = _read_number(entry.get("claim")), entry.get("holds")
        if number is not None and isinstance(holds, bool):
            said.setdefault(number, set()).add(holds)
    if not problem and not said:
        problem = "no entry has the number of a claim and says whether it holds"
    confirmed = frozenset(number for number, holds in said.items() if holds == {True})
    return Verdicts(confirmed, frozenset(said), problem)


def _read_list(text: str, form: _Form) -> tuple[list[Mapping[str, Any]], bool, str]:
    """Return the objects in the lists of a form, whether each has an end, and what is wrong.

    Some answer several times: what is said twice or taken back is seen to later.
    """
    if len(text) > _MAX_CHARACTERS:
        return [], False, "it is too long"
    text = text[_find_thinking_end(text) :]
    if not text.strip():
        return [], False, "it is empty"
    find_list = form.make_list_finder()
    begun = find_list.search(text)
    if begun is None:
        found = _find_bare_lists(text, form)
        entries = [entry for bare in found for entry in bare]
        problem = f'there is no JSON object with the key "{form.key}" in it'
        return entries, True, "" if entries else problem
    entries, n_broken = [], 0
    while begun is not None and n_broken < _MAX_BROKEN_LISTS:
        more, is_whole, end = _read_entries(text, begun.end() - 1, form)
        entries += more
        n_broken += not is_whole
        begun = find_list.search(text, end)
    return entries, not n_broken, "its JSON is not valid" if n_broken and not entries else ""


def _find_thinking_end(text: str) -> int:
    end = 0
    while (thinking := _THINKING.match(text, end)) is not None:
        end = thinking.end()
    return end


def _find_bare_lists(text: str, form: _Form) -> Iterator[list[Mapping[str, Any]]]:
    """Yield the lists of a reply that stand alone.

    One is an answer only by its entries: `items[]` in a sentence is none.
    """
    for value in _find_values(text):
        if isinstance(value, list) and all(
            isinstance(each, dict) and form.fields[0] in each for each in value
        ):
            yield value


def _find_values(text: str) -> Iterator[Any]:
    """Yield the JSON values in `text` that are objects or lists, from left to right."""
    place = n_failures = 0
    while n_failures < _MAX_FAILURES and (opening := _OPENING.search(text, place)) is not None:
        value, place = _decode(text, opening.start())
        n_failures += value is None
        yield value


def _decode(text: str, start: int) -> tuple[Any, int]:
    """Return the JSON value at `start` and where it ends; None and the next place if none is."""
    try:
        return _DECODER.raw_decode(text, start)
    except (ValueError, RecursionError):
        return None, start + 1


def _read_entries(text: str, start: int, form: _Form) -> tuple[list[Mapping[str, Any]], bool, int]:
    """Return the objects of the list at `start`, whether it has an end, and where it was read to.

    It need not be valid JSON.
    """
    whole, end = _decode(text, start)
    if isinstance(whole, list):
        return [each for each in whole if isinstance(each, dict)], True, end
    entries: list[Mapping[str, Any]] = []
    find_field = form.make_field_finder()
    while len(entries) <= MAX_CLAIMS and (match := _NEXT_ENTRY.match(text, end)) is not None:
        value, end = _decode(text, match.end())
        if not isinstance(value, dict):
            value, end = _read_loosely(text, match.end(), find_field)
        if value is None:
            return entries, False, end
        entries.append(value)
    return entries, _LIST_END.match(text, end) is not None, end


def _read_loosely(
    text: str, start: int, find_field: re.Pattern[str]
) -> tuple[dict[str, Any] | None, int]:
    """Return an object whose strings hold bare quotes, and where it ends; None if it has no end.

    A value ends where the next field begins, the object where the first one comes again.
    """
    fields: dict[str, re.Match[str]] = {}
    limit = len(text)
    for field in find_field.finditer(text, start):
        if field[1] in fields:
            limit = field.start()
            break
        fields[field[1]] = field
    read: dict[str, Any] = {}
    others = itertools.islice(fields.values(), 1, None)
    for (name, field), following in itertools.zip_longest(fields.items(), others):
        form, end = (_VALUE, following.start()) if following else (_LAST_VALUE, limit)
        value = form.match(text, field.end(), end)
        if value is None:
            return None, start
        read[name] = _read_value(value[1])
        start = value.end()
    return (read, start) if read else (None, start)


def _read_value(written: str) -> Any:
    """Return the value of a field, whose string may hold bare quotes and odd escapes."""
    if written.lower() in _CONSTANTS:
        return _CONSTANTS[written.lower()]
    if written.startswith('"'):
        written = f'"{_ESCAPE.sub(_escape, written[1:-1])}"'
    return _decode(written, 0)[0]


def _escape(found: re.Match[str]) -> str:
    if found["bare"]:
        return '\\"'
    return f"\\{found[0]}" if found["odd"] else found[0]


def _read_claim(entry: Mapping[str, Any]) -> Claim | None:
    rule_id, quote, code = (entry.get(key) for key in ("rule", "rule_quote", "code"))
    if not (isinstance(rule_id, str) and isinstance(quote, str) and isinstance(code, str)):
        return None
    message, fix = entry.get("message"), entry.get("fix")
    return Claim(
        rule_id=rule_id.strip().removeprefix("id=").strip("`\"'"),
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
