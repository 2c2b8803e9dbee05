"""What is known of the files, as bytes that are kept with the index for the next start.

One line of JSON for a few hundred files at a time, so that neither writing nor reading holds up
the other threads for long. Whatever is not as expected is not used: everything is read anew then.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

import glossator
from glossator.app.library.items import Item
from glossator.app.library.value import Known
from glossator.app.results import Problem
from glossator.knowledge.index import KnowledgeIndex
from glossator.rules.rule import Check, Example, Rule

_FORMAT = 1
_ITEMS_A_LINE = 200
# What an item is made with, beside what the index itself answers for.
_MAKERS = (
    "rules", "skills", "instructions", "app/library", "app/shelves.py", "app/skills/files.py",
    "app/instructions/files.py", "app/instructions/folders.py", "app/instructions/imports.py",
)  # fmt: skip


def pack(known: Known) -> bytes:
    """Return what is known, without the documents."""
    lines = [json.dumps([_FORMAT, _fingerprint(), known.key, len(known.items), known.read_at_s])]
    rows = (_row_of(item) for item in known.items.values())
    while block := list(islice(rows, _ITEMS_A_LINE)):
        lines.append(json.dumps(block, separators=(",", ":")))
    return "\n".join(lines).encode("ascii")


def unpack(index: KnowledgeIndex) -> Known | None:
    """Return what was known when `index` was kept; None when it is not to be used.

    Documents that were not in the index are missing: their files are read again.
    """
    try:
        return _unpack(index)
    except (ValueError, TypeError, KeyError, RecursionError):
        return None


def _unpack(index: KnowledgeIndex) -> Known | None:
    head, *blocks = bytes(index.note).decode("ascii").split("\n")
    number, fingerprint, key, n_items, read_at_s = json.loads(head)
    if (number, fingerprint) != (_FORMAT, _fingerprint()):
        return None
    items = {item.file: item for block in blocks for item in map(_item_of, json.loads(block))}
    if len(items) != n_items:
        return None
    shelves = tuple(tuple(part) for part in key)
    return Known(key=shelves, items=items, index=index, read_at_s=float(read_at_s))


def _row_of(item: Item) -> list[Any]:
    problems = [[each.path, each.line, each.message, each.is_note] for each in item.problems]
    rules = [_values_of(rule) for rule in item.rules]
    row = [
        item.file, item.path, item.name, item.kind, item.origin, item.is_used, item.signature,
        item.content_hash, item.stamp, problems, rules, item.has_text,
    ]  # fmt: skip
    if rules and not _survives(rules):
        row[6] = row[7] = None  # Something in a rule that JSON has no word for: read it again.
        row[10] = []
    return row


def _item_of(row: Sequence[Any]) -> Item:
    file, path, name, kind, origin, is_used, signature, content, stamp, problems, rules, text = row
    return Item(
        file=file,
        path=path,
        name=name,
        kind=kind,
        origin=origin,
        is_used=is_used,
        signature=None if signature is None else tuple(signature),
        content_hash=content or "",
        stamp=stamp,
        problems=tuple(Problem(*each) for each in problems),
        rules=tuple(_rule_of(each) for each in rules),
        has_text=text,
    )


def _values_of(rule: Rule) -> list[Any]:
    values = [getattr(rule, each.name) for each in fields(Rule)]
    for position, each in enumerate(fields(Rule)):
        if each.name in ("checks", "examples"):
            values[position] = [
                [getattr(part, name.name) for name in fields(part)] for part in values[position]
            ]
    return values


def _rule_of(values: Sequence[Any]) -> Rule:
    parts = dict(zip((each.name for each in fields(Rule)), map(_as_tuple, values), strict=True))
    parts["checks"] = tuple(Check(*map(_as_tuple, each)) for each in parts["checks"])
    parts["examples"] = tuple(Example(*each) for each in parts["examples"])
    return Rule(**parts)


def _as_tuple(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def _survives(rules: Sequence[Any]) -> bool:
    try:
        return bool(_without_tuples(rules) == json.loads(json.dumps(rules)))
    except (TypeError, ValueError):
        return False


def _without_tuples(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _without_tuples(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_without_tuples(each) for each in value]
    return value


@cache
def _fingerprint() -> str:
    digest = hashlib.blake2b(glossator.__version__.encode(), digest_size=16)
    for file in list_makers():
        digest.update(file.read_bytes())
    return digest.hexdigest()


def list_makers() -> Iterator[Path]:
    """Yield the source of what makes items, be it loaded or not."""
    package = Path(glossator.__file__).parent
    for name in _MAKERS:
        place = package / name
        if place.is_dir():
            yield from sorted(place.glob("*.py"))
        elif place.is_file():
            yield place
