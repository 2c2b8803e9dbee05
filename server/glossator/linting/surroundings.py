"""What a document is judged by: the files around it, the other documents, and the limits."""

import difflib
import posixpath
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Protocol

from glossator.core.globs import matches_any
from glossator.linting.corpus import Corpus

NEAR = 0.75
"""So alike must two names be for one to be offered instead of the other."""


class Files(Protocol):
    """The files of one workspace folder. Paths are posix and below that folder."""

    def exists(self, path: str) -> bool:
        """Say whether there is a file or folder, ignored ones included."""
        ...

    def is_ignored(self, path: str) -> bool:
        """Say whether the path would be ignored: tools may make it at any time."""
        ...

    def read(self, path: str) -> str | None:
        """Return the text of a file, or None when it cannot be had."""
        ...


@dataclass(frozen=True)
class Listing:
    """The files that belong to the workspace folder; when there are too many, not all of them."""

    paths: tuple[str, ...] = ()
    is_complete: bool = True
    _matches: dict[str, tuple[str, ...]] = field(default_factory=dict, repr=False, compare=False)

    @cached_property
    def by_name(self) -> Mapping[str, tuple[str, ...]]:
        """The paths by their last name."""
        found: dict[str, list[str]] = {}
        for path in self.paths:
            found.setdefault(path.rpartition("/")[2], []).append(path)
        return {name: tuple(paths) for name, paths in found.items()}

    @cached_property
    def by_folder(self) -> Mapping[str, tuple[str, ...]]:
        """The paths by the folder they stand in, every folder above included."""
        found: dict[str, list[str]] = {"": list(self.paths)}
        for path in self.paths:
            folder = posixpath.dirname(path)
            while folder:
                found.setdefault(folder, []).append(path)
                folder = posixpath.dirname(folder)
        return {folder: tuple(paths) for folder, paths in found.items()}

    def match(self, glob: str) -> tuple[str, ...]:
        """Return the paths that a glob matches."""
        if glob not in self._matches:
            self._matches[glob] = tuple(p for p in self.paths if matches_any((glob,), p))
        return self._matches[glob]

    def find_nearest(self, path: str) -> str | None:
        """Return the one file that was most likely meant by a path that does not exist."""
        if not self.is_complete:
            return None
        folder, _, name = path.rpartition("/")
        elsewhere = self.by_name.get(name, ())
        if len(elsewhere) == 1:
            return elsewhere[0] if _may_be_meant(folder, elsewhere[0]) else None
        if elsewhere:
            return None
        siblings = {
            each.rpartition("/")[2]: each
            for each in self.by_folder.get(folder, ())
            if each.rpartition("/")[0] == folder
        }
        near = difflib.get_close_matches(name, siblings, n=2, cutoff=NEAR)
        return siblings[near[0]] if len(near) == 1 else None


def _may_be_meant(folder: str, path: str) -> bool:
    """Say whether a file of the wanted name stands in a folder that is a little like the wanted."""
    wanted, found = folder.split("/"), path.split("/")[:-1]
    return not folder or any(difflib.get_close_matches(name, found, 1, NEAR) for name in wanted)


@dataclass(frozen=True, slots=True)
class Limits:
    """How much is too much."""

    instruction_tokens: int = 8_000
    skill_tokens: int = 5_000
    skill_lines: int = 500
    others_bytes: int = 32 * 1024


@dataclass(frozen=True)
class Surroundings:
    """`scope` is the document's path below its workspace folder, to which `files` belong.

    `list_files` is called when a check wants to know all files, which most documents do not need.
    """

    scope: str
    files: Files
    list_files: Callable[[], Listing] = Listing
    corpus: Corpus = field(default_factory=Corpus)
    limits: Limits = field(default_factory=Limits)

    @property
    def has_listed(self) -> bool:
        """Say whether a check has asked for the files."""
        return "listing" in self.__dict__

    @cached_property
    def listing(self) -> Listing:
        """The files of the workspace folder."""
        return self.list_files()

    @property
    def folder(self) -> str:
        """The folder that the document stands in."""
        return posixpath.dirname(self.scope)

    def resolve(self, target: str, folder: str | None = None) -> str | None:
        """Return the path that `target` means from a folder; None when it leads outside."""
        base = self.folder if folder is None else folder
        path = posixpath.normpath(posixpath.join(base, target))
        if path == ".":
            return ""
        return None if path.startswith(("../", "/")) or path == ".." else path
