"""Read the files that other assistants are instructed with: their headers, modes and globs.

Every family has its own keys and its own idea of a glob. What comes out is a `Document` in our
terms; what a header says that its own tool would not heed is not heeded here either, and is said.
"""

from dataclasses import dataclass, replace

from glossator.core.globs import EXACT, expand_braces
from glossator.instructions.places import Form
from glossator.knowledge.documents import (
    Document,
    DocumentProblem,
    Family,
    Header,
    Origin,
    make_document,
)
from glossator.knowledge.front_matter import FrontMatter
from glossator.knowledge.headers import HeaderReader

_ALL_FILES = frozenset({"*", "**", "**/*", "**/**"})
_AGENTS = ("code-review", "coding-agent")


@dataclass(frozen=True, slots=True)
class Home:
    """The folder that a file speaks for: as it is shown, and below its workspace folder."""

    shown: str = ""
    scope: str = ""


@dataclass(slots=True)
class _Mode:
    """What a header decides beside name and text."""

    globs_written: tuple[str, ...] = ()
    manual: bool = False
    excludes: tuple[str, ...] = ()


def parse_instructions(
    text: str,
    *,
    path: str,
    family: Family,
    form: Form = "plain",
    home: Home | str = "",
    also_for: tuple[str, ...] = (),
    origin: Origin = "workspace",
    imported_by: str = "",
    notes: tuple[str, ...] = (),
    problems: tuple[tuple[int, str], ...] = (),
) -> Document:
    """Read a file of instructions. Never raises: what cannot be used is a problem.

    `notes` and `problems` are what was found out about the file beside its text.
    """
    place = home if isinstance(home, Home) else Home(home, home)
    mode = _Mode()

    def read_header(front_matter: FrontMatter) -> Header:
        header = _READERS[form](mode, place, front_matter)
        return replace(header, name=_name_of(path, form, header.name))

    document = make_document(text, path=path, origin=origin, read_header=read_header)
    found = [*document.problems, *(DocumentProblem(path, line, words) for line, words in problems)]
    return replace(
        document,
        family=family,
        home=place.shown,
        home_scope=place.scope,
        also_for=also_for,
        manual=mode.manual,
        globs_written=mode.globs_written,
        excludes=mode.excludes,
        imported_by=imported_by,
        notes=notes,
        problems=tuple(sorted(found, key=lambda problem: problem.line)),
    )


def _name_of(path: str, form: Form, written: str) -> str:
    """Return the name people call a file by: `python` of a rule, `AGENTS.md` of what is alone."""
    file_name = path.replace("\\", "/").rpartition("/")[2]
    if form == "plain":
        return file_name
    return written or file_name.rpartition(".")[0].removesuffix(".instructions") or file_name


def _read_plain(mode: _Mode, home: Home, front_matter: FrontMatter) -> Header:
    """A header means nothing in these files: they always count."""
    reader = HeaderReader(front_matter, ("description",))
    scoped = [key for key in ("globs", "paths", "applyTo") if key in front_matter.entries]
    for key in scoped:
        message = f"`{key}` means nothing in this file: it counts for its whole folder."
        reader.problems.append((front_matter.entries[key].line, message))
    return Header(
        description=reader.text("description"), always=True, problems=tuple(reader.problems)
    )


def _read_cursor_rule(mode: _Mode, home: Home, front_matter: FrontMatter) -> Header:
    """Read the four modes of Cursor: always, by files, by its description, only when named."""
    reader = HeaderReader(front_matter, ("description", "globs", "alwaysApply"))
    description = reader.text("description")
    always = reader.flag("alwaysApply", is_strict=True)
    written = _usable(reader, "globs")
    globs = () if always else tuple(_below(home, glob) for glob in written)
    if always and written:
        entry = front_matter.entries["globs"]
        message = "`globs` narrows nothing here: with `alwaysApply: true` the rule always counts."
        reader.problems.append((entry.line, message))
    mode.globs_written = () if always else written
    mode.manual = not (always or globs or description)
    return Header(
        description=description, always=always, globs=globs, problems=tuple(reader.problems)
    )


def _read_claude_rule(mode: _Mode, home: Home, front_matter: FrontMatter) -> Header:
    """Read `paths`; without them a rule counts for all files."""
    reader = HeaderReader(front_matter, ("name", "description", "paths"))
    for key in ("globs", "applyTo"):
        if key in front_matter.entries:
            message = f"`{key}` is not a key of this file; did you mean `paths`?"
            reader.problems.append((front_matter.entries[key].line, message))
    written = _usable(reader, "paths")
    mode.globs_written = written
    return Header(
        name=reader.text("name"),
        description=reader.text("description"),
        always=not written,
        globs=tuple(_whole_path(home, glob) for glob in written),
        problems=tuple(reader.problems),
    )


def _read_copilot_rule(mode: _Mode, home: Home, front_matter: FrontMatter) -> Header:
    """Read `applyTo`; without it only its description can call for a file."""
    reader = HeaderReader(front_matter, ("name", "description", "applyTo", "excludeAgent"))
    for key in ("globs", "paths"):
        if key in front_matter.entries:
            message = f"`{key}` is not a key of this file; did you mean `applyTo`?"
            reader.problems.append((front_matter.entries[key].line, message))
    written = _usable(reader, "applyTo")
    description = reader.text("description")
    mode.globs_written = written
    mode.manual = not (written or description)
    mode.excludes = reader.items("excludeAgent")
    for agent in mode.excludes:
        if agent not in _AGENTS:
            entry = front_matter.entries["excludeAgent"]
            message = f"`{agent}` is no agent; `excludeAgent` is {' or '.join(_AGENTS)}."
            reader.problems.append((entry.line, message))
    always = any(glob in _ALL_FILES for glob in written)
    return Header(
        name=reader.text("name"),
        description=description,
        always=always,
        globs=() if always else tuple(_whole_path(home, glob) for glob in written),
        problems=tuple(reader.problems),
    )


_READERS = {
    "plain": _read_plain,
    "cursor-rule": _read_cursor_rule,
    "claude-rule": _read_claude_rule,
    "copilot-rule": _read_copilot_rule,
}


def _usable(reader: HeaderReader, key: str) -> tuple[str, ...]:
    return tuple(
        glob
        for glob in reader.items(key)
        if all(reader.is_usable_glob(key, each) for each in expand_braces(glob))
    )


def _below(home: Home, glob: str) -> str:
    """Put a glob of the gitignore kind below a home: `*.py` is any file of it, `src/*` is not.

    Who wrote the way from the top into a nested file means the top.
    """
    sign = "!" if glob.startswith("!") else ""
    bare = glob.removeprefix("!").removeprefix("./")
    if not home.scope or bare.lstrip("/").startswith(f"{home.scope}/"):
        return sign + bare
    is_anchored = "/" in bare.rstrip("/")
    between = "" if is_anchored else "**/"
    return f"{sign}/{home.scope}/{between}{bare.lstrip('/')}"


def _whole_path(home: Home, glob: str) -> str:
    """Let a glob name the whole path: `*.py` is a file of the folder itself, `**/*.py` any."""
    sign = "!" if glob.startswith("!") else ""
    bare = glob.removeprefix("!").removeprefix("./").lstrip("/")
    if bare in _ALL_FILES:
        bare = "**"
    if home.scope and not bare.startswith(f"{home.scope}/"):
        bare = f"{home.scope}/{bare}"
    return f"{sign}{EXACT}{bare}"
