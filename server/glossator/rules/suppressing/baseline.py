"""The baseline: a JSON file of dismissed findings that a team commits, one entry a line.

Sorted, so that two branches rarely touch the same lines. A file that is not as it should be is
read as far as it can be, and then never written.
"""

import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, get_args

from glossator.core.text import split_lines

Kind = Literal["ignored", "wrong"]
VERSION = 1
_KINDS: tuple[str, ...] = get_args(Kind)
_CONFLICT = re.compile(r"(?:<{7}|={7}|>{7}|\|{7})(?: |\Z)")
_TEXT_KEYS = ("path", "rule", "code", "ruleHash", "kind", "reason", "date")
_REQUIRED = ("path", "rule", "code", "ruleHash")

Trouble = Literal["conflict", "syntax", "shape", "version", "entry", "unreadable"]


@dataclass(frozen=True, slots=True)
class Entry:
    """One dismissed finding. `code` and `rule_hash` are those of `rules.finding`.

    `path` is posix and below the workspace folder. `number` says which of several alike it is, for
    those that are merely ignored: what is `wrong` is wrong wherever it stands in the file. `lines`
    are hashes of the lines that a model judged. `extra` is what a later version wrote.
    """

    path: str
    rule: str
    code: str
    rule_hash: str
    number: int = 0
    kind: Kind = "ignored"
    reason: str = ""
    date: str = ""
    lines: tuple[str, ...] = ()
    extra: Mapping[str, Any] = field(default_factory=dict, compare=False)
    line: int = field(default=0, compare=False)

    @property
    def key(self) -> tuple[str, str, str, str, int]:
        """What an entry is known by; two with the same key are one."""
        return (self.path, self.rule, self.code, self.rule_hash, self.number)


@dataclass(frozen=True, slots=True)
class Problem:
    """Why a baseline must not be written; `line` is 1-based, `detail` what the reader said."""

    trouble: Trouble
    line: int
    detail: str = ""


@dataclass(frozen=True)
class Baseline:
    """The entries of a file in its order, and what is wrong with it."""

    entries: tuple[Entry, ...] = ()
    problem: Problem | None = None

    @cached_property
    def by_path(self) -> Mapping[str, tuple[Entry, ...]]:
        """The entries of each file."""
        return _group(self.entries, lambda entry: entry.path)

    @cached_property
    def by_rule(self) -> Mapping[str, tuple[Entry, ...]]:
        """The entries of each rule."""
        return _group(self.entries, lambda entry: entry.rule)


def _group(
    entries: Iterable[Entry], key_of: Callable[[Entry], str]
) -> Mapping[str, tuple[Entry, ...]]:
    groups: dict[str, list[Entry]] = {}
    for entry in entries:
        groups.setdefault(key_of(entry), []).append(entry)
    return {key: tuple(group) for key, group in groups.items()}


def parse_baseline(text: str) -> Baseline:
    """Read a baseline; of a broken one every line that still is an entry counts."""
    text = text.removeprefix("\ufeff")
    if not text.strip():
        return Baseline()
    lines = split_lines(text)
    for number, line in enumerate(lines, start=1):
        if _CONFLICT.match(line):
            return _salvage(lines, Problem("conflict", number))
    try:
        values = json.loads(text)
    except json.JSONDecodeError as error:
        return _salvage(lines, Problem("syntax", error.lineno, error.msg))
    except (ValueError, RecursionError) as error:
        return _salvage(lines, Problem("syntax", 1, str(error)))
    if not isinstance(values, dict) or not isinstance(values.get("findings"), list):
        return _salvage(lines, Problem("shape", 1))
    if values.get("version") != VERSION:
        return _salvage(lines, Problem("version", 1, str(values.get("version"))))
    return _read(values["findings"], lines)


def render_baseline(entries: Iterable[Entry]) -> str:
    """Return the text of a baseline: sorted, each entry on a line of its own, no one twice."""
    distinct = {entry.key: entry for entry in entries}
    rows = [
        f"    {json.dumps(_to_json(distinct[key]), ensure_ascii=False)}" for key in sorted(distinct)
    ]
    inside = "\n" + ",\n".join(rows) + "\n  " if rows else ""
    return f'{{\n  "version": {VERSION},\n  "findings": [{inside}]\n}}\n'


def _to_json(entry: Entry) -> dict[str, Any]:
    values: dict[str, Any] = {
        "path": entry.path,
        "rule": entry.rule,
        "code": entry.code,
        "ruleHash": entry.rule_hash,
        "number": entry.number,
        "kind": entry.kind,
        "reason": entry.reason,
        "date": entry.date,
    }
    if entry.lines:
        values["lines"] = list(entry.lines)
    return {**values, **entry.extra}


def _read(values: list[Any], lines: list[str]) -> Baseline:
    rows = iter(_find_rows(lines))
    entries = []
    problem = None
    for value in values:
        line = next(rows, 1)
        entry = _from_json(value, line)
        if entry is not None:
            entries.append(entry)
        elif problem is None:
            problem = Problem("entry", line)
    return Baseline(tuple(entries), problem)


def _find_rows(lines: list[str]) -> list[int]:
    """Return the line of each entry, however somebody laid them out."""
    return [number for number, line in enumerate(lines, start=1) if '"path":' in line]


def _salvage(lines: list[str], problem: Problem) -> Baseline:
    entries = []
    for number in _find_rows(lines):
        try:
            value = json.loads(lines[number - 1].strip().removesuffix(","))
        except (ValueError, RecursionError):
            continue
        entry = _from_json(value, number)
        if entry is not None:
            entries.append(entry)
    return Baseline(tuple(entries), problem)


def _from_json(value: Any, line: int) -> Entry | None:
    if not isinstance(value, dict):
        return None
    texts = {key: value.get(key, "") for key in _TEXT_KEYS}
    number, hashes = value.get("number", 0), value.get("lines", [])
    if (
        not all(isinstance(text, str) for text in texts.values())
        or not all(texts[key] for key in _REQUIRED)
        or (texts["kind"] or "ignored") not in _KINDS
        or type(number) is not int
        or not isinstance(hashes, list)
        or not all(isinstance(each, str) for each in hashes)
    ):
        return None
    return Entry(
        path=texts["path"],
        rule=texts["rule"],
        code=texts["code"],
        rule_hash=texts["ruleHash"],
        number=number,
        kind="wrong" if texts["kind"] == "wrong" else "ignored",
        reason=texts["reason"],
        date=texts["date"],
        lines=tuple(hashes),
        extra={key: each for key, each in value.items() if key not in _KNOWN_KEYS},
        line=line,
    )


_KNOWN_KEYS = frozenset((*_TEXT_KEYS, "number", "lines"))
