"""What stands in braces behind a rule: `{#id severity=error files="src/**" language=go .prose}`.

The form is that of Markdown attributes in Pandoc, so that other tools read or show it as it is.
"""

import difflib
import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import cast

from glossator.core.globs import find_invalid_glob
from glossator.rules.rule import SEVERITIES, Severity, name_language, suggest_language

KEYS = ("severity", "files", "language", "link")
CLASSES = ("judged", "prose")

_LINE_END = re.compile(r"\}[ \t]*$", re.MULTILINE)
_BRACES = re.compile(
    r"""\{(?P<inside>(?:\#|\.[a-z]|(?:severity|files|language|link)=)
    (?:"[^"\n]*"|'[^'\n]*'|[^{}"'\n])*)\}[ \t]*$""",
    re.VERBOSE,
)
_MAX_CHARS = 600
_PART = re.compile(
    r"""\#(?P<id>\S*)|\.(?P<name>[^\s=]+)
    |(?P<key>[\w-]+)=(?P<value>"[^"]*"|'[^']*'|\S*)|(?P<other>\S+)""",
    re.VERBOSE,
)
_VALID_ID = re.compile(r"[^\W_][\w.-]*\Z")  # Letters and digits of any language.
_URL = re.compile(r"https?://\S+\Z")
_LIKENESS = 0.6


@dataclass(slots=True)
class Attributes:
    """What a rule says of itself beside its words.

    `files` are globs, `languages` names as `Rule` has them; none means all. `classes` are those of
    `CLASSES` that were written. `faults` say in words what was not used.
    """

    id: str = ""
    severity: Severity | None = None
    files: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    link: str = ""
    classes: tuple[str, ...] = ()
    faults: list[str] = field(default_factory=list)


def find_attributes(text: str) -> re.Match[str] | None:
    """Return the first attributes at the end of a line; `inside` is what the braces hold."""
    for end in _LINE_END.finditer(text):
        line = text.rfind("\n", 0, end.start()) + 1
        found = _BRACES.search(text, max(line, end.start() - _MAX_CHARS), end.end())
        if found is not None:
            return found
    return None


def strip_attributes(line: str) -> str:
    """Return a line without the attributes at its end."""
    written = find_attributes(line)
    return line if written is None else line[: written.start()].rstrip()


def parse_attributes(inside: str) -> Attributes:
    """Read what stands between the braces. Nothing fails: what is wrong becomes a fault."""
    read = Attributes()
    for part in _PART.finditer(inside):
        if part["id"] is not None:
            _take_id(read, part["id"])
        elif part["name"] is not None:
            _take_class(read, part["name"])
        elif part["key"] is not None:
            _take_value(read, part["key"], part["value"].strip("\"'"))
        else:
            read.faults.append(_refuse_attribute(part["other"]))
    return read


def _refuse_attribute(written: str) -> str:
    known = (*(f"{key}=" for key in KEYS), *(f".{name}" for name in CLASSES))
    return f"`{written}` is not an attribute of a rule; {_suggest(written, known)}"


def _take_id(read: Attributes, written: str) -> None:
    written = unicodedata.normalize("NFC", written)
    if not _VALID_ID.match(written):
        read.faults.append(
            f"`{written}` cannot be the id of a rule; use letters, digits, `-`, `_` and `.`."
        )
    elif read.id:
        read.faults.append(f"A rule has one id; `#{written}` is not used.")
    else:
        read.id = written


def _take_class(read: Attributes, name: str) -> None:
    if name in CLASSES:
        read.classes = (*read.classes, name)
    else:
        read.faults.append(_refuse_attribute(f".{name}"))


def _take_value(read: Attributes, key: str, value: str) -> None:
    take = _TAKERS.get(key)
    if take is None:
        read.faults.append(_refuse_attribute(f"{key}="))
    else:
        read.faults += take(read, value)


def _take_severity(read: Attributes, value: str) -> Iterator[str]:
    if value in SEVERITIES:
        read.severity = cast(Severity, value)
    else:
        yield f"`{value}` is not a severity; {_suggest(value, SEVERITIES)}"


def _take_files(read: Attributes, value: str) -> Iterator[str]:
    globs = tuple(_split_outside_braces(value))
    invalid = find_invalid_glob(globs)
    if invalid is not None or not globs:
        yield f'`{invalid or ""}` is not a glob; write `files="src/**"`.'
    else:
        read.files = globs


def _split_outside_braces(value: str) -> list[str]:
    """Split at commas and blanks, but not within `{ts,tsx}`."""
    return [part for part in re.findall(r"(?:\{[^{}]*\}|[^\s,])+", value) if part]


def _take_languages(read: Attributes, value: str) -> Iterator[str]:
    languages = []
    for name in filter(None, re.split(r"[\s,]+", value)):
        suggestion = suggest_language(name)
        if suggestion:
            yield f"`{name}` is not a language; did you mean `{suggestion}`?"
        else:
            languages.append(name_language(name))
    read.languages = tuple(dict.fromkeys(languages))


def _take_link(read: Attributes, value: str) -> Iterator[str]:
    if _URL.match(value):
        read.link = value
    else:
        yield f"`{value}` is not a link; it begins with `https://`."


_TAKERS: Mapping[str, Callable[[Attributes, str], Iterator[str]]] = {
    "severity": _take_severity,
    "files": _take_files,
    "language": _take_languages,
    "link": _take_link,
}


def _suggest(written: str, known: tuple[str, ...]) -> str:
    near = difflib.get_close_matches(written.lower(), known, 1, _LIKENESS)
    if near:
        return f"did you mean `{near[0]}`?"
    return "use one of " + ", ".join(f"`{name}`" for name in known) + "."
