"""The header of a `SKILL.md` as the Agent Skills specification has it, read leniently.

What breaks the specification is said with its line; only a missing description keeps a skill out.
"""

import difflib
import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from glossator.core.text import split_lines

MAX_NAME = 64
MAX_DESCRIPTION = 1024
MAX_COMPATIBILITY = 500
MAX_LINES = 500
MAX_ITEMS = 100

KEYS = (
    "name", "description", "license", "compatibility", "metadata", "allowed-tools",
    "disable-model-invocation", "user-invocable",
)  # fmt: skip
# Near misses of `name` and `description` are told by whoever reads the header of any document.
_OWN_KEYS = KEYS[2:]
_TRUE = frozenset({"true", "yes", "on", "1", "是"})
_FALSE = frozenset({"false", "no", "off", "0", "否"})
_GAP = re.compile(r"[\s,，]+(?![^()]*\))")

Problem = tuple[int, str]


class WrittenEntry(Protocol):
    """One `key: value` of a header, as whoever parsed it left it."""

    @property
    def key(self) -> str:
        """The key as written."""
        ...

    @property
    def line(self) -> int:
        """Where it stands, from 1."""
        ...

    @property
    def value(self) -> Any:
        """Text, a list, a mapping, or None where nothing was written."""
        ...


@dataclass(frozen=True, slots=True)
class SkillHeader:
    """What the header of a skill says; `is_usable` is false when the skill has to be skipped.

    `problems` are pairs of a 1-based line and a message.
    """

    name: str
    description: str = ""
    license: str = ""
    compatibility: str = ""
    metadata: tuple[tuple[str, str], ...] = ()
    allowed_tools: tuple[str, ...] = ()
    for_model: bool = True
    for_user: bool = True
    is_usable: bool = True
    problems: tuple[Problem, ...] = ()


def read_skill_header(
    entries: Mapping[str, WrittenEntry], *, fallback: str, folder: str = ""
) -> SkillHeader:
    """Read the header of a skill.

    `folder` is the name of the folder that a `SKILL.md` stands in; without it the skill is a flat
    file of our own format, of which less is asked. `fallback` is its name when the header has none
    that can be used.
    """
    return _SkillReader(entries).read(fallback=fallback, folder=folder)


def find_name_fault(name: str) -> str:
    """Return what is wrong with the name of a skill; empty when nothing is."""
    name = unicodedata.normalize("NFKC", name)
    if not name:
        return "it is empty"
    if len(name) > MAX_NAME:
        return f"it has {len(name)} characters, and {MAX_NAME} are allowed"
    odd = sorted({c for c in name if not (c.isalnum() or c == "-")})
    if odd:
        return f"it holds {', '.join(map(_show_character, odd[:5]))}"
    if name != name.lower():
        return "it has capital letters"
    if name.startswith("-") or name.endswith("-"):
        return "it begins or ends with a hyphen"
    return "it has two hyphens in a row" if "--" in name else ""


def _show_character(character: str) -> str:
    if character == " ":
        return "a space"
    return f"`{character}`" if character.isprintable() else f"U+{ord(character):04X}"


class _SkillReader:
    """Takes the values out of one header and collects what is wrong with them."""

    def __init__(self, entries: Mapping[str, WrittenEntry]) -> None:
        self._entries = entries
        self._problems: list[Problem] = []

    def read(self, *, fallback: str, folder: str) -> SkillHeader:
        name = self._read_name(fallback, folder)
        description = self._read_description(is_required=bool(folder))
        for_model = not self._flag("disable-model-invocation", default=False)
        for_user = self._flag("user-invocable", default=True)
        if not (for_model or for_user):
            self._complain(
                "user-invocable",
                "`user-invocable` and `disable-model-invocation` leave nobody who can activate "
                "this skill. Allow the user or the model.",
            )
        return SkillHeader(
            name=name,
            description=description,
            license=self._text("license"),
            compatibility=self._limited("compatibility", MAX_COMPATIBILITY),
            metadata=tuple(self._read_metadata()),
            allowed_tools=tuple(self._read_tools()),
            for_model=for_model,
            for_user=for_user,
            is_usable=bool(description) or not folder,
            problems=(*self._problems, *self._find_misspelt()),
        )

    def _read_name(self, fallback: str, folder: str) -> str:
        name = unicodedata.normalize("NFKC", self._text("name"))
        if not name:
            if folder:
                self._complain("name", f"`name` is missing; the folder's name `{folder}` is used.")
            return fallback
        fault = find_name_fault(name)
        if fault and folder:
            self._complain(
                "name",
                f"`name` is to be 1 to {MAX_NAME} lowercase letters, digits and single hyphens; of "
                f"`{_shorten(name)}`, {fault}.",
            )
        if len(name) > MAX_NAME:
            return fallback
        if folder and name != unicodedata.normalize("NFKC", folder):
            self._complain(
                "name",
                f"`name` is `{name}`, but the folder is called `{folder}`; the skill is loaded as "
                f"`{name}`. Give both the same name: other tools skip it.",
            )
        return name

    def _read_description(self, *, is_required: bool) -> str:
        description = self._text("description")
        if not description and is_required:
            self._complain(
                "description",
                "`description` is missing, so nobody could tell when to use this skill: it is "
                "skipped. Say what it does and when it is meant.",
            )
        if is_required and len(description) > MAX_DESCRIPTION:
            self._complain(
                "description",
                f"`description` has {len(description):,} characters; the specification allows "
                f"{MAX_DESCRIPTION:,}. Its beginning is shown to models.",
            )
        return description

    def _read_metadata(self) -> Iterator[tuple[str, str]]:
        entry = self._entries.get("metadata")
        if entry is None or entry.value in (None, ""):
            return
        if not isinstance(entry.value, Mapping):
            self._complain("metadata", "`metadata` must be a map from text to text; it is ignored.")
            return
        odd = [str(key) for key, value in entry.value.items() if not isinstance(value, str)]
        if odd:
            names = ", ".join(f"`{_shorten(key)}`" for key in odd[:5])
            self._complain("metadata", f"`metadata`: {names} must be text; they are ignored.")
        for key, value in list(entry.value.items())[:MAX_ITEMS]:
            if isinstance(value, str):
                yield str(key), value

    def _read_tools(self) -> Iterator[str]:
        entry = self._entries.get("allowed-tools")
        if entry is None or entry.value in (None, ""):
            return
        written = entry.value
        if isinstance(written, list) and all(isinstance(item, str) for item in written):
            self._complain(
                "allowed-tools", "`allowed-tools` is one text with spaces between the tools."
            )
            yield from [item.strip() for item in written if item.strip()][:MAX_ITEMS]
        elif isinstance(written, str):
            yield from [item for item in _GAP.split(written.strip()) if item][:MAX_ITEMS]
        else:
            self._complain(
                "allowed-tools", "`allowed-tools` must be text, tools with spaces between; ignored."
            )

    def _find_misspelt(self) -> Iterator[Problem]:
        for key, entry in self._entries.items():
            if key in KEYS:
                continue
            written = key.lower().replace("_", "-")
            near = difflib.get_close_matches(written, _OWN_KEYS, n=1, cutoff=0.85)
            if near:
                yield entry.line, f"`{entry.key}` is not a key; did you mean `{near[0]}`?"

    # Values

    def _text(self, key: str) -> str:
        entry = self._entries.get(key)
        if entry is None or entry.value is None:
            return ""
        if not isinstance(entry.value, str):
            if key not in ("name", "description"):  # Those are told for any document.
                self._complain(key, f"`{key}` must be text; it is ignored.")
            return ""
        return " ".join(entry.value.split())

    def _limited(self, key: str, limit: int) -> str:
        text = self._text(key)
        if len(text) > limit:
            self._complain(
                key, f"`{key}` has {len(text):,} characters; the specification allows {limit:,}."
            )
        return text

    def _flag(self, key: str, *, default: bool) -> bool:
        entry = self._entries.get(key)
        if entry is None or entry.value in (None, ""):
            return default
        word = str(entry.value).strip().lower()
        if word not in _TRUE | _FALSE:
            self._complain(key, f"`{key}` must be `true` or `false`; it is ignored.")
            return default
        return word in _TRUE

    def _complain(self, key: str, message: str) -> None:
        entry = self._entries.get(key)
        self._problems.append((entry.line if entry is not None else 1, message))


def judge_body(body: str, first_line: int) -> Iterator[Problem]:
    """Yield what the specification has to say about the text below the header."""
    n_lines = len(split_lines(body))
    if not body.strip():
        yield 1, "The skill has no text below its header; activating it tells a model nothing."
    elif n_lines > MAX_LINES:
        yield (
            first_line,
            f"The skill has {n_lines} lines; the specification advises fewer than {MAX_LINES}. "
            "Move details to files in `references/` and name them in the text.",
        )


def _shorten(text: str, limit: int = 60) -> str:
    return text if len(text) <= limit else text[: limit - 1] + "…"
