"""What the Agent Skills specification demands of the header of a `SKILL.md`."""

import re
import unicodedata
from collections.abc import Iterator

from glossator.core.locations import Point, Range
from glossator.linting.finding import Finding, Repair, find, replace_with
from glossator.linting.header import Entry
from glossator.linting.subject import Subject

MAX_NAME_CHARS = 64
MAX_CHARS = {"description": 1024, "compatibility": 500}


def check_skill_header(subject: Subject) -> Iterator[Finding]:
    """Judge name and description, and how long the values are."""
    if not subject.is_skill_folder:
        return
    folder = subject.around.folder.rpartition("/")[2]
    name = subject.header.get("name")
    if name is None or not name.value:
        yield _report_missing_name(subject, folder)
    elif not name.below:
        yield from _check_name(name, folder)
    if not subject.document.description:
        description = subject.header.get("description")
        place = description.key_range if description else subject.line(1)
        yield find("missing-description", place)
    for key, limit in MAX_CHARS.items():
        entry = subject.header.get(key)
        length = _measure(entry) if entry else 0
        if entry and length > limit:
            yield find("too-long-value", entry.key_range, key=key, length=length, limit=limit)


def is_valid_name(name: str) -> bool:
    """Say whether a name is made of small letters, digits and single hyphens, 64 at most."""
    name = unicodedata.normalize("NFKC", name)
    return (
        0 < len(name) <= MAX_NAME_CHARS
        and name == name.lower()
        and all(part.isalnum() for part in name.split("-"))
    )


def _measure(entry: Entry) -> int:
    value = entry.value.lstrip("|>+-") if entry.below else entry.value.strip("\"'")
    return len(" ".join([value.strip(), *(line.strip() for line in entry.below)]).strip())


def _report_missing_name(subject: Subject, folder: str) -> Finding:
    repair = None
    if subject.header.is_there and is_valid_name(folder) and subject.header.get("name") is None:
        start = Point(subject.header.first_line + 1, 0)
        edit = (Range(start, start), f"name: {folder}\n")
        repair = Repair("insert", (edit,), f"name: {folder}")
    return find("missing-name", subject.line(1), repair=repair, folder=folder)


def _check_name(entry: Entry, folder: str) -> Iterator[Finding]:
    name = entry.value.strip("\"'")
    is_same = unicodedata.normalize("NFKC", name) == unicodedata.normalize("NFKC", folder)
    wanted = folder if is_valid_name(folder) else ""
    if not is_valid_name(name):
        if not folder:
            wanted = _make_valid(name)
        repair = replace_with(entry.value_range, wanted) if wanted and not is_same else None
        yield find(
            "name-grammar", entry.value_range, repair=repair, name=name, limit=MAX_NAME_CHARS
        )
    elif folder and not is_same:
        repair = replace_with(entry.value_range, wanted) if wanted else None
        yield find("name-not-folder", entry.value_range, repair=repair, name=name, folder=folder)


def _make_valid(name: str) -> str:
    parts = re.split(r"[\W_]+", unicodedata.normalize("NFKC", name).lower())
    made = "-".join(part for part in parts if part)[:MAX_NAME_CHARS].rstrip("-")
    return made if is_valid_name(made) else ""
