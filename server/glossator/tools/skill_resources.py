"""The files beside a `SKILL.md`: listed, and read when asked for. Nothing is ever run.

They are guarded as those of a workspace are, with the skill's folder as the only one that may be
looked into: links are followed before a path is judged, and what was opened is judged once more.
"""

import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from glossator.core.errors import (
    GlossatorError,
    InvalidArguments,
    OutsideWorkspace,
    ProtectedFile,
    UnreadableFile,
)
from glossator.core.text import SourceText
from glossator.skills.skill import MANIFESTS
from glossator.tools.escaping import escape_invisible, quote_name
from glossator.tools.walking import Entry
from glossator.tools.workspace import Part, Workspace, describe_size

MAX_FILE_BYTES = 1_000_000
MAX_CHARACTERS = 24_000
MAX_LINE_CHARACTERS = 4_000
MAX_LISTED = 60

# A file in a folder of the skill's.
_DEPTH = 2


@dataclass(frozen=True, slots=True)
class Resource:
    """A file of a skill: its path below the skill's folder, with forward slashes."""

    path: str
    size_bytes: int


@dataclass(frozen=True, slots=True)
class ResourceList:
    """The files of a skill, as far as they are listed; `n_more` are not."""

    files: tuple[Resource, ...] = ()
    n_more: int = 0


class SkillFolder:
    """The folder of one skill. `shown` is how its path is shown to people and models.

    `read` reads a file of it by its real path instead, for a folder in a workspace: so that what
    an editor holds counts, and the turn remembers what it has seen. Everything here looks at the
    disk: call it in a worker thread.
    """

    def __init__(
        self,
        folder: Path,
        shown: str,
        *,
        buffers: Mapping[Path, SourceText] | None = None,
        read: Callable[[Path], Part] | None = None,
    ) -> None:
        self._inside = Workspace((folder,), buffers, max_file_bytes=MAX_FILE_BYTES)
        [self._root] = self._inside.roots
        self._shown = shown
        self._read = read

    def list_files(self) -> ResourceList:
        """List the files beside `SKILL.md` and in the folders there, one level deep.

        Hidden, generated and protected files are left out, and links that lead elsewhere.
        """
        found = list(self._list_folder(self._root, ""))
        return ResourceList(tuple(found[:MAX_LISTED]), max(0, len(found) - MAX_LISTED))

    def read(self, resource: str) -> Part:
        """Return the text of a file, under the name it is shown with.

        Raises:
            InvalidArguments: this is no path below the skill's folder, or a deeper one.
            OutsideWorkspace, ProtectedFile, UnreadableFile: it leads elsewhere, is never read, is
                missing or no text.
        """
        real = self._locate(resource)
        try:
            part = self._read(real) if self._read is not None else self._inside.read_part(real)
        except UnreadableFile as error:
            raise UnreadableFile(self._explain(resource, real, error)) from error
        if self._read is not None:
            return part
        name = f"{self._shown}/{real.relative_to(self._root).as_posix()}"
        return replace(part, source=SourceText(name, part.source.text, real, part.source.version))

    def _locate(self, resource: str) -> Path:
        relative = _require_plain(resource)
        try:
            real = self._inside.locate(relative)
        except OutsideWorkspace as error:
            raise OutsideWorkspace(
                f"{quote_name(resource)} leads out of the skill's folder, so it is not read. "
                f"{self._advise()}"
            ) from error
        except ProtectedFile as error:
            raise ProtectedFile(
                f"{quote_name(resource)} may hold keys or passwords, so it is never read."
            ) from error
        if len(real.relative_to(self._root).parts) > _DEPTH:
            raise InvalidArguments(
                f"{quote_name(resource)} is too deep: a skill's files stand beside its SKILL.md "
                f"or in a folder there. {self._advise()}"
            )
        return real

    def _list_folder(self, folder: Path, prefix: str) -> Iterator[Resource]:
        try:
            entries = self._inside.list_folder(folder)
        except GlossatorError:  # It cannot be opened: the tool says so when it is asked.
            return
        for entry in sorted(entries, key=lambda entry: (entry.kind == "folder", entry.name)):
            if _is_left_out(entry):
                continue
            if entry.kind == "file" and f"{prefix}{entry.name}" not in MANIFESTS:
                yield Resource(f"{prefix}{entry.name}", entry.size_bytes)
            elif entry.kind == "folder" and not prefix:
                yield from self._list_folder(folder / entry.name, f"{entry.name}/")

    def _explain(self, resource: str, real: Path, error: UnreadableFile) -> str:
        name = quote_name(resource)
        if real.is_dir():
            return f"{name} is a folder. {self._advise()}"
        if not real.exists():
            return f"The skill has no file {name}. {self._advise()}"
        return (
            f"{error} Only texts are shown; tell the user where it is if it is needed: "
            f"{quote_name(f'{self._shown}/{resource}')}."
        )

    def _advise(self) -> str:
        listed = self.list_files()
        if not listed.files:
            return "The skill has no further files."
        names = ", ".join(quote_name(each.path) for each in listed.files[:20])
        n_more = len(listed.files) - 20 + listed.n_more
        more = f" and {n_more} more" if n_more > 0 else ""
        return f"Its files are: {names}{more}."


def _is_left_out(entry: Entry) -> bool:
    return entry.is_protected or entry.is_ignored or entry.name.startswith(".")


def _require_plain(resource: str) -> str:
    """Return a path below a folder as it was meant, or refuse what can be none."""
    written = unicodedata.normalize("NFC", resource).strip().replace("\\", "/")
    path = PurePosixPath(written)
    if "\x00" in written or not path.parts:
        raise InvalidArguments(f"{quote_name(resource)} is not a path below the skill's folder.")
    is_elsewhere = path.is_absolute() or ".." in path.parts or written.startswith(("~", "$", "%"))
    if is_elsewhere or ":" in path.parts[0]:
        raise InvalidArguments(
            f"{quote_name(resource)} is not below the skill's folder. Name a file as it is listed, "
            "such as `references/formats.md`."
        )
    return path.as_posix()


def render_list(listed: ResourceList) -> str:
    """Write which files a skill has, for a model; empty when there are none."""
    if not listed.files:
        return ""
    names = ", ".join(
        f"{escape_invisible(each.path)} ({describe_size(each.size_bytes)})" for each in listed.files
    )
    more = f" and {listed.n_more} more" if listed.n_more else ""
    return (
        f"Files of the skill, not read yet (`skill` with `resource` reads one; scripts are read, "
        f"never run): {names}{more}"
    )


def render_part(part: Part, first_line: int) -> str:
    """Write a resource with numbered lines, from `first_line` on, as far as one result holds."""
    source = part.source
    name, n_lines = quote_name(source.name), len(source.lines)
    if not source.text:
        return f"{name} is empty."
    if first_line > n_lines:
        raise InvalidArguments(f"{name} has {n_lines} lines; there is no line {first_line}.")
    first = max(first_line, 1)
    shown = _number_lines(source.lines, first)
    last = first + len(shown) - 1
    total = f"the first {n_lines}" if part.n_bytes_left else f"{n_lines}"
    notes = []
    if last < n_lines:
        notes.append(
            f"Lines {last + 1}-{n_lines} are not shown; read on with first_line={last + 1}."
        )
    if part.n_bytes_left:
        notes.append(
            f"The file has {describe_size(part.size_bytes)}; only its beginning can be read."
        )
    return "\n".join([f"{name}, lines {first}-{last} of {total}", "", *shown, "", *notes]).rstrip()


def _number_lines(lines: Sequence[str], first: int) -> list[str]:
    shown: list[str] = []
    left = MAX_CHARACTERS
    for number, line in enumerate(lines[first - 1 :], first):
        text = escape_invisible(line[:MAX_LINE_CHARACTERS])
        if len(line) > MAX_LINE_CHARACTERS:
            text += f"… [{len(line) - MAX_LINE_CHARACTERS} more characters in this line]"
        left -= len(text) + 8
        if left < 0 and shown:
            break
        shown.append(f"{number:>5}| {text}")
    return shown
