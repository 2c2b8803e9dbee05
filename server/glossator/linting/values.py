"""The values of a header: do YAML and the tools that read it take them as they look."""

import difflib
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import yaml

from glossator.knowledge.front_matter import GLOB_KEYS, KEYWORD_KEYS
from glossator.linting.finding import Finding, Repair, find, replace_with, soften
from glossator.linting.header import Entry
from glossator.linting.subject import Subject

_TEXTS = ("name", "description", "license", "compatibility")
_LISTS = (*KEYWORD_KEYS, *GLOB_KEYS)
_FLAGS = ("always", "alwaysApply", "disable-model-invocation", "user-invocable")
_BOOLEANS = ("true", "false")
_OTHER_BOOLEANS = {
    "yes": "true", "on": "true", "1": "true", "是": "true",
    "no": "false", "off": "false", "0": "false", "否": "false",
}  # fmt: skip
_MAX_VALUE_CHARS = 16_384


def check_values(subject: Subject) -> Iterator[Finding]:
    """Judge how each value is written."""
    for entry in subject.header.entries:
        if len(entry.value) > _MAX_VALUE_CHARS:
            continue
        if entry.key in _FLAGS:
            yield from _check_flag(subject, entry)
        elif entry.key in _TEXTS and _is_of_type(entry, list, dict):
            yield find("wrong-type", entry.key_range, key=entry.key, text="yes")
        elif entry.key in _LISTS and _is_of_type(entry, dict):
            yield find("wrong-type", entry.key_range, key=entry.key, list="yes")
        elif entry.value:
            yield from _check_text(subject, entry)


def _check_flag(subject: Subject, entry: Entry) -> Iterator[Finding]:
    written, word = entry.value, entry.value.strip("\"'").strip().lower()
    if not written or written.lower() in _BOOLEANS:
        return
    if word in _BOOLEANS and written[0] in "\"'":
        unquoted = replace_with(entry.value_range, word)
        found = find("quoted-boolean", entry.value_range, repair=unquoted, key=entry.key, new=word)
        yield found if entry.key == "alwaysApply" else soften(found)
        return
    word = word.partition(" #")[0].strip()
    if word in _BOOLEANS:
        return
    if word in _OTHER_BOOLEANS and subject.document.family not in ("cursor", "skill"):
        return  # Our own reader takes it.
    near = difflib.get_close_matches(word, _BOOLEANS, n=1, cutoff=0.6)
    wanted = _OTHER_BOOLEANS.get(word) or (near[0] if near else "")
    repair = replace_with(entry.value_range, wanted) if wanted else None
    yield find("wrong-type", entry.value_range, repair=repair, key=entry.key, flag="yes")


def _is_of_type(entry: Entry, *types: type) -> bool:
    """Say whether YAML reads a value as one of these types."""
    try:
        value = yaml.load("\n".join([f"k: {entry.value}", *entry.below]), yaml.BaseLoader)["k"]
    except (yaml.YAMLError, ValueError, TypeError, KeyError, RecursionError):
        return False
    return isinstance(value, types)


def _check_text(subject: Subject, entry: Entry) -> Iterator[Finding]:
    if entry.below or entry.value[0] in "\"'|>":
        return
    comment = _find_comment(entry.value)
    if comment is not None and entry.key in _TEXTS:
        yield find(
            "value-cut-by-comment",
            entry.value_range,
            repair=_quote(entry),
            key=entry.key,
            text=entry.value[comment:].strip()[:60],
        )
    elif comment is None and not _is_yaml(entry.value):
        repair = _quote(entry)
        found = find("unquoted-value", entry.value_range, repair=repair, key=entry.key)
        # Cursor writes its globs like this, and reads them.
        is_usual = subject.document.family == "cursor" and entry.key == "globs"
        yield replace(found, severity="hint") if is_usual else found


def _find_comment(value: str) -> int | None:
    if value[0] in "[{":
        return None
    if value[0] == "#":
        return 0
    position = value.find(" #")
    return position if position >= 0 else None


def _is_yaml(value: str) -> bool:
    """Say whether YAML reads this as what it looks like: a list, or the very text."""
    try:
        read: Any = yaml.load(f"k: {value}", yaml.BaseLoader)["k"]
    except (yaml.YAMLError, ValueError, TypeError, KeyError, RecursionError):
        return False
    if value[0] == "[":
        return isinstance(read, list) and all(isinstance(item, str) for item in read)
    if value[0] == "{":
        return isinstance(read, dict)
    return isinstance(read, str) and read == value


def _quote(entry: Entry) -> Repair:
    value = entry.value
    if value[0] == "[" and value[-1] == "]":
        items = [item.strip() for item in value[1:-1].split(",") if item.strip()]
        text = f"[{', '.join(quote(item.strip(chr(34) + chr(39))) for item in items)}]"
    else:
        text = quote(value)
    return Repair("quote", ((entry.value_range, text),), text)


def quote(text: str) -> str:
    """Return a text in quotes as YAML reads them."""
    if '"' in text or "\\" in text:
        return "'" + text.replace("'", "''") + "'"
    return f'"{text}"'
