"""The entries of a header: is each one read as it is written, and by whom."""

import difflib
from collections.abc import Iterator, Mapping

from glossator.core.locations import Point, Range, Span
from glossator.knowledge.front_matter import GLOB_KEYS, KEYWORD_KEYS
from glossator.linting.finding import Finding, Repair, find, remove, replace_with
from glossator.linting.header import Entry, range_of_lines
from glossator.linting.subject import Subject

_OWN = ("name", "description", "keywords", "always", "globs")
_ALIASES = ("alwaysApply", "applyTo", "paths", "tags")
_SKILL = (
    "license",
    "compatibility",
    "metadata",
    "allowed-tools",
    "disable-model-invocation",
    "user-invocable",
)
KEYS: Mapping[str, tuple[str, ...]] = {
    "knowledge": (*_OWN, *_ALIASES),
    "skill": (*_OWN, *_ALIASES, *_SKILL),
    "cursor": ("description", "globs", "alwaysApply"),
    "copilot": ("applyTo", "excludeAgent", "name", "description"),
    "claude": ("paths", "description"),
}
"""The keys that are read in a header of each family; other families have none of their own."""

# What is called otherwise elsewhere, by meaning; the first is what the family itself calls it.
_MEANINGS = (GLOB_KEYS, ("alwaysApply", "always"), KEYWORD_KEYS)
_OWNERS = {
    "globs": "Cursor",
    "alwaysApply": "Cursor",
    "applyTo": "Copilot",
    "excludeAgent": "Copilot",
    "paths": "Claude",
    "always": "Glossator",
    "keywords": "Glossator",
}
_ALL_KEYS = frozenset(key for keys in KEYS.values() for key in keys)
_LIKENESS = 0.8


def check_entries(subject: Subject) -> Iterator[Finding]:
    """Judge where the header ends, and its keys."""
    header = subject.header
    if not header.is_there:
        return
    if header.first_line > 1:
        above = range_of_lines(1, header.first_line - 1)
        yield find("late-header", subject.line(header.first_line), repair=remove(above))
    if not header.is_closed:
        yield find(
            "unclosed-header",
            subject.line(header.first_line),
            repair=_close(subject),
            line=header.last_line,
        )
    for number in header.stray:
        text = subject.lines[number - 1].strip()
        yield find("not-an-entry", subject.line(number), text=text[:60])
    seen: dict[str, Entry] = {}
    for entry in header.entries:
        if entry.key in seen:
            yield _report_duplicate(subject, seen[entry.key], entry)
        seen[entry.key] = entry
        yield from _check_colon(entry)
        yield from _check_key(subject, entry)


def _close(subject: Subject) -> Repair:
    """Return the closing fence, put where the reader assumes it."""
    line = subject.document.body_first_line
    if line <= len(subject.lines):
        return Repair("insert", ((Range(Point(line, 0), Point(line, 0)), "---\n"),), "---")
    end = Point(len(subject.lines), len(subject.lines[-1]))
    return Repair("insert", ((Range(end, end), "\n---\n"),), "---")


def _report_duplicate(subject: Subject, first: Entry, second: Entry) -> Finding:
    return find(
        "duplicate-key",
        second.key_range,
        repair=remove(range_of_lines(first.line, first.last_line)),
        related=(Span(subject.document.path, first.line, first.last_line),),
        key=second.key,
        line=first.line,
    )


def _check_colon(entry: Entry) -> Iterator[Finding]:
    if entry.colon == ":" and (not entry.value or entry.has_blank):
        return
    text = ": " if entry.value else ":"
    shown = f"{entry.key}: {entry.value}"[:60]
    repair = Repair("replace", ((entry.colon_range, text),), shown)
    yield find("loose-key", entry.key_range, repair=repair, key=entry.key, text=shown)


def _check_key(subject: Subject, entry: Entry) -> Iterator[Finding]:
    family = subject.document.family
    own = KEYS.get(family, ())
    if entry.key in own or not own or not subject.has_meaning_in_header:
        return
    taken = {each.key for each in subject.header.entries}
    is_meant_elsewhere = any(entry.key in keys for keys in _MEANINGS)
    if family not in ("knowledge", "skill") and (is_meant_elsewhere or entry.key == "excludeAgent"):
        yield _report_foreign(entry, family, own, taken)
        return
    if entry.key in _ALL_KEYS:
        return  # It means something in other files, and does no harm here.
    likeness = {key.lower(): key for key in reversed(own)}
    written = entry.key.lower().replace("_", "").replace("-", "")
    near = difflib.get_close_matches(written, likeness, n=1, cutoff=_LIKENESS)
    if near:
        wanted = likeness[near[0]]
        repair = None if wanted in taken else replace_with(entry.key_range, wanted)
        yield find("unknown-key", entry.key_range, repair=repair, key=entry.key, new=wanted)


def _report_foreign(entry: Entry, family: str, own: tuple[str, ...], taken: set[str]) -> Finding:
    same = next((keys for keys in _MEANINGS if entry.key in keys), ())
    wanted = next((key for key in own if key in same), "")
    repair = replace_with(entry.key_range, wanted) if wanted and wanted not in taken else None
    return find(
        "foreign-key",
        entry.key_range,
        repair=repair,
        key=entry.key,
        owner=_OWNERS.get(entry.key, "Agent Skills"),
        reader=family.capitalize(),
        new=wanted,
    )
