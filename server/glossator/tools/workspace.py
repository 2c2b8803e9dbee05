"""The path guard: the only way text from a model or user becomes a path, and a path becomes text.

Symlinks are followed *before* a path is judged, names are compared component by component, and
what was opened is judged once more by its handle. The text of an open document is what its editor
holds, not what the disk does.
"""

import copy
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from glossator.core.errors import GlossatorError, OutsideWorkspace, ProtectedFile, UnreadableFile
from glossator.core.text import SourceText
from glossator.tools.decoding import BINARY_SUFFIXES, decode_text, describe_binary
from glossator.tools.escaping import quote_name
from glossator.tools.ignoring import IgnoreRules
from glossator.tools.known_files import KnownFiles, Listing
from glossator.tools.opening import Content, NotAFile, NotAllowed, read_content, resolve_links
from glossator.tools.path_text import candidate_spellings
from glossator.tools.protection import holds_private_key, is_private_key, is_protected
from glossator.tools.seen_texts import SeenTexts
from glossator.tools.walking import (
    Entry,
    FileOnDisk,
    LeftOut,
    describe_entry,
    name_roots,
    printable,
    walk_entries,
    walk_folder,
)

MAX_FILE_BYTES = 8 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Part:
    """The beginning of a file, or all of it: `n_bytes_left` were not read."""

    source: SourceText
    encoding: str
    size_bytes: int
    n_bytes_left: int = 0


class Workspace:
    """The folders the assistant may look at. A changed set of folders is a new `Workspace`.

    `roots` are absolute, without symlinks and without repetition. `buffers` is a live view of the
    documents open in an editor, by real path. Everything here may be used from any thread.
    """

    def __init__(
        self,
        roots: Iterable[Path],
        buffers: Mapping[Path, SourceText] | None = None,
        *,
        max_file_bytes: int = MAX_FILE_BYTES,
    ) -> None:
        self.roots = tuple(dict.fromkeys(Path(os.path.realpath(root)) for root in roots))
        self.buffers: Mapping[Path, SourceText] = {} if buffers is None else buffers
        self.max_file_bytes = max_file_bytes
        self._names = name_roots(self.roots)
        self._rules = {root: IgnoreRules(root) for root in self.roots}
        innermost_first = sorted(self.roots, key=lambda root: -len(root.parts))
        self._prefixes = [(str(root).rstrip(os.sep) + os.sep, root) for root in innermost_first]
        self._known = KnownFiles()
        self._seen: SeenTexts | None = None

    def noting(self, seen: SeenTexts | None) -> "Workspace":
        """Return the same workspace, which adds to `seen` what is read of it by name."""
        noting = copy.copy(self)
        noting._seen = seen
        return noting

    def note(self, source: SourceText) -> None:
        """Count a text as read that was come upon in a walk."""
        if self._seen is not None:
            self._seen.add(source)

    # Paths

    def locate(self, path: str) -> Path:
        """Return the real path that `path` names, or refuse.

        Accepted are paths below a workspace folder, with the folder's name before them or not,
        absolute paths and `file:` URIs that end inside, and names as `show` writes them. The file
        need not exist. What stands outside is refused in the same words whether it exists or not.

        Raises:
            OutsideWorkspace: the path leads out of the workspace, or there is no workspace.
            ProtectedFile: the file is never read.
            UnreadableFile: this can be no path (a NUL in it, too long).
        """
        if not self.roots:
            raise OutsideWorkspace(
                "No folder is open, so there are no files to look at. Open a folder first."
            )
        refusals: list[GlossatorError] = []
        missing: list[Path] = []
        for candidate in self._find_candidates(path):
            real = resolve_links(candidate)
            try:
                self._require_allowed(real, asked=candidate, shown=path)
            except (OutsideWorkspace, ProtectedFile) as error:
                refusals.append(error)
                continue
            found = Path(real)
            if os.path.lexists(real) or found in self.buffers:
                return found
            missing.append(found)
        if path.startswith(("~", "$", "%")):
            raise OutsideWorkspace(self._outside_message(path))
        if refusals:
            raise refusals[0]
        return missing[0]

    def locate_folders(self, path: str) -> tuple[Path, ...]:
        """Return the folders that `path` names: every workspace folder for `.` or nothing."""
        if path.strip() in {"", ".", "./", "/"} and self.roots:
            return self.roots
        return (self.locate(path),)

    def show(self, path: Path) -> str:
        """Return `path` as people and models read and write it, with forward slashes.

        It is relative to its workspace folder, whose name comes first when there are several.
        """
        root = self._root_of(str(path))
        if root is None:
            return printable(path.name)
        below = path.relative_to(root).as_posix()
        if len(self.roots) == 1:
            return printable(below)
        return printable(self._names[root] if below == "." else f"{self._names[root]}/{below}")

    def path_below_root(self, path: Path) -> str:
        """Return `path` below its workspace folder, as globs are matched with it."""
        real = str(path)
        for prefix, _ in self._prefixes:
            if real.startswith(prefix):
                return printable(real[len(prefix) :].replace(os.sep, "/"))
        return "" if self._root_of(real) is None else "."

    def is_inside(self, path: Path) -> bool:
        """Say whether a real path stands in a workspace folder."""
        return self._root_of(str(path)) is not None

    def is_secret(self, path: Path) -> bool:
        """Say whether a file is one that is never read, wherever it stands and is open."""
        real = resolve_links(path)
        root = self._root_of(real)
        parts = Path(real).parts if root is None else Path(real).relative_to(root).parts
        return is_protected(parts) or self._asks_protected(str(path))

    def is_secret_name(self, real: Path) -> bool:
        """Say the same of a path without links, by its names alone; nothing is looked at."""
        root = self._root_of(str(real))
        return is_protected(real.parts if root is None else real.parts[len(root.parts) :])

    def find_root(self, path: Path) -> Path | None:
        """Return the innermost workspace folder that holds a real path."""
        return self._root_of(str(path))

    def is_ignored(self, path: Path) -> bool:
        """Say whether Git ignores `path`, or it stands in a folder that tools generate."""
        root = self._root_of(str(path))
        return root is not None and path != root and self._rules[root].is_ignored(path)

    # Text

    def read(self, path: Path | str) -> SourceText:
        """Return the text of a file: the editor's when it is open there, else the disk's.

        Raises:
            OutsideWorkspace, ProtectedFile: as `locate`.
            UnreadableFile: it is missing, no regular file, not text, or too large.
        """
        real = self.locate(path) if isinstance(path, str) else self._require_real(path)
        source = self._read_whole(real)
        self.note(source)
        return source

    def read_part(self, path: Path | str) -> Part:
        """Return the text of a file up to the size limit, and how much was left out.

        Raises:
            OutsideWorkspace, ProtectedFile, UnreadableFile: as `read`, but never for size.
        """
        real = self.locate(path) if isinstance(path, str) else self._require_real(path)
        part = self._read_real(real)
        self.note(part.source)
        return part

    def read_walked(self, path: str) -> SourceText:
        """Return the text of a file that a walk met: as guarded as `read`, by the handle alone.

        Raises:
            OutsideWorkspace, UnreadableFile: it changed since, is not text, or too large.
        """
        return self._read_whole(Path(path))

    def read_walked_content(self, path: Path) -> Content:
        """Return what a file that a walk met or `locate` gave holds, undecoded, up to the limit.

        Raises:
            OutsideWorkspace, UnreadableFile: as `read_walked`, but never for size or encoding.
        """
        return self._read_content(path, self.max_file_bytes)

    def read_bytes(self, path: Path, *, limit_bytes: int | None = None) -> Content:
        """Return what a file on the disk holds, undecoded, up to a limit (that of texts).

        Raises:
            OutsideWorkspace, ProtectedFile: as `locate`.
            UnreadableFile: it is missing or no regular file.
        """
        return self._read_content(self._require_real(path), limit_bytes or self.max_file_bytes)

    def read_walked_bytes(self, file: FileOnDisk) -> bytes | None:
        """Return what a file that a walk met holds, undecoded; None when it cannot be had whole."""
        try:
            content = read_content(
                file.path, limit_bytes=self.max_file_bytes, is_allowed=self._is_allowed
            )
        except OSError:
            return None
        return None if content.is_cut else content.data

    def open_documents(self) -> dict[Path, SourceText]:
        """Return the documents that are open in an editor and may be read, at this moment."""
        documents = _copy(self.buffers)
        return {
            path: self._named(source, path)
            for path, source in documents.items()
            if self._is_allowed(str(path)) and not is_private_key(source.text)
        }

    # Folders

    def walk(self, folder: Path | None = None) -> Iterator[Path]:
        """Yield the files that may hold text, in the order of their names.

        Ignored and protected files are left out, and so are symlinks: what they lead to inside
        the workspace is met in its own place.
        """
        return (Path(file.path) for file in self.walk_files(folder))

    def walk_files(
        self,
        folder: Path | None = None,
        on_folder: Callable[[str], None] | None = None,
        on_left_out: Callable[[str, LeftOut], None] | None = None,
    ) -> Iterator[FileOnDisk]:
        """Yield the files of `walk` with their size and time of change.

        `on_folder` hears of each folder before it is looked into, `on_left_out` of what is not.
        """
        if folder is not None:
            starts = [self._require_real(folder)]
        else:
            starts = [root for root in self.roots if not self._is_nested(root)]
        for start in starts:
            root = self._root_of(str(start))
            if root is not None:
                rules = self._rules[root]
                layers = rules.layers_in(start)
                yield from walk_folder(str(start), rules, layers, on_folder, on_left_out)

    def list_files(self) -> Listing:
        """Return the files of `walk`; they are walked anew only when one came or went."""
        return self._known.list(lambda on_folder: self.walk_files(on_folder=on_folder))

    def walk_entries(self, folder: Path) -> "Iterator[os.DirEntry[str]]":
        """Yield what Git would offer to track below a folder: see `walking.walk_entries`."""
        start = self._require_real(folder)
        rules = self._rules[self._root_of(str(start)) or self.roots[0]]
        return walk_entries(str(start), rules, rules.layers_in(start))

    def is_walked(self, path: Path) -> bool:
        """Say whether a walk would meet this regular file."""
        return (
            self._is_allowed(str(path))
            and path.suffix.lower() not in BINARY_SUFFIXES
            and not self.is_ignored(path)
        )

    def list_folder(self, path: Path) -> tuple[Entry, ...]:
        """Return what stands in a folder, folders first, each part in the order of names.

        Raises:
            OutsideWorkspace, ProtectedFile: as `locate`.
            UnreadableFile: it is missing, no folder, or cannot be opened.
        """
        real = self._require_real(path)
        root = self._root_of(str(real)) or self.roots[0]
        layers = self._rules[root].layers_in(real)
        try:
            with os.scandir(real) as scan:
                entries = [
                    describe_entry(
                        entry,
                        layers,
                        is_inside=lambda name: self._root_of(name) is not None,
                        is_secret=lambda name: not self._is_allowed(name),
                    )
                    for entry in scan
                ]
        except OSError as error:
            raise self._unreadable(real, error) from error
        # A link put in place of the folder meanwhile would have shown names from elsewhere.
        self._require_allowed(resolve_links(real), asked=str(real), shown=self.show(real))
        return tuple(sorted(entries, key=lambda entry: (entry.kind != "folder", entry.name)))

    # Judging paths

    def _find_candidates(self, path: str) -> Iterator[str]:
        """Yield the absolute paths that `path` may mean, the likeliest first."""
        for spelling in candidate_spellings(path):
            if Path(spelling).is_absolute():
                yield spelling
                continue
            first, _, rest = spelling.removeprefix("./").partition("/")
            named = [f"{root}/{rest}" for root in self.roots if self._names[root] == first]
            plain = [f"{root}/{spelling}" for root in self.roots]
            # Models put the folder's name first when they have seen it, even if it is the only.
            yield from named + plain if len(self.roots) > 1 else plain + named

    def _require_real(self, path: Path) -> Path:
        real = resolve_links(path)
        self._require_allowed(real, asked=str(path), shown=path.name)
        return Path(real)

    def _require_allowed(self, real: str, *, asked: str, shown: str) -> None:
        root = self._root_of(real)
        if root is None:
            raise OutsideWorkspace(self._outside_message(shown))
        # A link called `.env` is as protected as what it leads to.
        if is_protected(Path(real).relative_to(root).parts) or self._asks_protected(asked):
            raise ProtectedFile(_protected_message(shown))

    def _asks_protected(self, asked: str) -> bool:
        path = Path(os.path.normpath(asked))
        root = self._root_of(str(path))
        # Given by another name of its root, only the last name is ours to judge.
        return is_protected((path.name,) if root is None else path.relative_to(root).parts)

    def _is_allowed(self, real: str) -> bool:
        for prefix, _ in self._prefixes:
            if real.startswith(prefix):
                return not is_protected(real[len(prefix) :].split(os.sep))  # noqa: PTH206 - hot path
        return self._root_of(real) is not None

    def _root_of(self, real: str) -> Path | None:
        """Return the innermost workspace folder that holds a real path."""
        for prefix, root in self._prefixes:
            if real.startswith(prefix) or real == prefix[:-1] or real == prefix:
                return root
        return None

    def _is_nested(self, root: Path) -> bool:
        return any(root != other and root.is_relative_to(other) for other in self.roots)

    def _outside_message(self, path: str) -> str:
        hint = "Use a path below the workspace folder, such as `src/main.py`"
        if path.startswith(("~", "$", "%")):
            hint = f"`~` and variables are not expanded. {hint}"
        if len(self.roots) > 1:
            names = ", ".join(quote_name(name) for name in self._names.values())
            hint += f", with the folder's name first: {names}"
        return f"{quote_name(path)} is outside the workspace. {hint}."

    # Reading

    def _read_whole(self, real: Path) -> SourceText:
        part = self._read_real(real)
        if part.n_bytes_left:
            raise UnreadableFile(
                f"{quote_name(part.source.name)} has {describe_size(part.size_bytes)}; files over "
                f"{describe_size(self.max_file_bytes)} are not read whole."
            )
        return part.source

    def _read_real(self, real: Path) -> Part:
        document = self.buffers.get(real)
        if document is not None:
            if is_private_key(document.text):
                raise ProtectedFile(_protected_message(self.show(real)))
            named = self._named(document, real)
            return Part(named, "utf-8", len(named.text.encode("utf-8", "surrogatepass")))
        content = self._read_content(real, self.max_file_bytes)
        decoded = decode_text(content.data, is_complete=not content.is_cut)
        if decoded is None:
            raise UnreadableFile(
                f"{quote_name(self.show(real))} is not text ({describe_binary(content.data)}, "
                f"{describe_size(content.size_bytes)})."
            )
        n_left = max(content.size_bytes - len(content.data), 1) if content.is_cut else 0
        below = self.path_below_root(real)
        source = SourceText(self.show(real), decoded.text, path=real, below=below)
        return Part(source, decoded.encoding, content.size_bytes, n_left)

    def _read_content(self, real: Path, limit_bytes: int) -> Content:
        try:
            content = read_content(str(real), limit_bytes=limit_bytes, is_allowed=self._is_allowed)
        except NotAllowed as error:
            raise OutsideWorkspace(self._outside_message(self.show(real))) from error
        except OSError as error:
            raise self._unreadable(real, error) from error
        if holds_private_key(content.data):
            raise ProtectedFile(_protected_message(self.show(real)))
        return content

    def _unreadable(self, real: Path, error: OSError) -> UnreadableFile:
        name = quote_name(self.show(real))
        if isinstance(error, NotAFile):
            kind = str(error)
            advice = "list it instead" if kind == "a folder" else "only regular files are read"
            return UnreadableFile(f"{name} is {kind}; {advice}.")
        if isinstance(error, FileNotFoundError):
            return UnreadableFile(
                f"{name} does not exist. List the folder or search for it to find the right path."
            )
        if isinstance(error, NotADirectoryError):
            return UnreadableFile(f"{name} is not a folder, or goes through a file.")
        reason = (error.strerror or "it cannot be opened").lower()
        return UnreadableFile(f"{name} cannot be read: {reason}.")

    def _named(self, source: SourceText, path: Path) -> SourceText:
        name, below = self.show(path), self.path_below_root(path)
        if (source.name, source.path, source.below) == (name, path, below):
            return source
        return replace(source, name=name, path=path, below=below)


def _protected_message(shown: str) -> str:
    return (
        f"{quote_name(shown)} may hold keys, passwords or repository internals, so it is "
        "never read. Ask the user about what is in it."
    )


def describe_size(size_bytes: int) -> str:
    """Return a size for people: `812 bytes`, `1.4 MB`."""
    if size_bytes < 1000:
        return "1 byte" if size_bytes == 1 else f"{size_bytes} bytes"
    size: float = size_bytes
    for unit in ("kB", "MB", "GB"):
        size /= 1000
        if size < 999.5:
            return f"{size:.0f} {unit}" if size >= 10 else f"{size:.1f} {unit}"
    return f"{size / 1000:.1f} TB"


def _copy(buffers: Mapping[Path, SourceText]) -> dict[Path, SourceText]:
    while True:
        try:
            return dict(buffers.items())
        except RuntimeError:
            continue
