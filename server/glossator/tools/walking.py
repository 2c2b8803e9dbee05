"""What stands in the folders of a workspace: listings, and walks over the files with text."""

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from glossator.tools.decoding import BINARY_SUFFIXES
from glossator.tools.ignoring import GENERATED_FOLDERS, IgnoreRules, Layers, is_name_ignored
from glossator.tools.opening import resolve_links
from glossator.tools.protection import is_protected_name


@dataclass(frozen=True, slots=True)
class Entry:
    """One name in a folder. `kind` is file, folder, link (to the outside) or special."""

    name: str
    kind: str
    size_bytes: int = 0
    is_ignored: bool = False
    is_protected: bool = False


@dataclass(frozen=True, slots=True)
class FileOnDisk:
    """A file met on a walk: its real path, and its state for telling whether it changed."""

    path: str
    size_bytes: int
    mtime_ns: int


LeftOut = Literal["", "no-text", "internal", "protected", "ignored"]
"""Why a walk passes over an entry; "" is that it does not."""


def walk_folder(
    folder: str,
    rules: IgnoreRules,
    layers: Layers,
    on_folder: Callable[[str], None] | None = None,
    on_left_out: Callable[[str, LeftOut], None] | None = None,
) -> Iterator[FileOnDisk]:
    """Yield the files below `folder` that may hold text, in the order of their names.

    `layers` are the ignore rules that apply inside `folder`. Ignored and protected files,
    symlinks, pipes and devices are left out; a folder that cannot be read is passed over.
    `on_left_out` hears of each file and folder that is, and why.
    """
    if on_folder is not None:
        on_folder(folder)
    try:
        with os.scandir(folder) as scan:
            entries = sorted(scan, key=lambda entry: entry.name)
    except OSError:
        return
    for entry in entries:
        try:
            is_folder = entry.is_dir(follow_symlinks=False)
            left_out = _find_left_out(entry, layers, is_folder=is_folder)
            if left_out:
                if on_left_out is not None:
                    on_left_out(entry.path, left_out)
                continue
            if not is_folder:
                status = entry.stat(follow_symlinks=False)
                yield FileOnDisk(entry.path, status.st_size, status.st_mtime_ns)
                continue
        except OSError:
            continue
        below = rules.enter(entry.path, layers)
        yield from walk_folder(entry.path, rules, below, on_folder, on_left_out)


def walk_entries(folder: str, rules: IgnoreRules, layers: Layers) -> Iterator["os.DirEntry[str]"]:
    """Yield everything below `folder` that Git would offer to track, in the order of names.

    These are files of any kind, symlinks, protected names (not looked into) and the folders of
    repositories of their own.
    """
    try:
        with os.scandir(folder) as scan:
            entries = sorted(scan, key=lambda entry: entry.name)
    except OSError:
        return
    parent = folder.rpartition(os.sep)[2]
    for entry in entries:
        try:
            is_folder = entry.is_dir(follow_symlinks=False)
            is_wanted = is_folder or entry.is_symlink() or entry.is_file()
        except OSError:
            continue
        if not is_wanted or is_name_ignored(
            entry.path, entry.name, layers, is_folder=is_folder, by_git=True
        ):
            continue
        is_closed = not is_folder or is_protected_name(entry.name, parent)
        if is_closed or os.path.lexists(f"{entry.path}{os.sep}.git"):
            yield entry
        else:
            yield from walk_entries(entry.path, rules, rules.enter(entry.path, layers))


def describe_entry(
    entry: "os.DirEntry[str]",
    layers: Layers,
    *,
    is_inside: Callable[[str], bool],
    is_secret: Callable[[str], bool],
) -> Entry:
    """Return what a listing says about one entry; nothing about what stands outside."""
    real = resolve_links(entry.path) if entry.is_symlink() else entry.path
    name = printable(entry.name)
    if not is_inside(real):
        return Entry(name, "link")
    kind = _find_kind(entry)
    is_folder = kind == "folder"
    return Entry(
        name,
        kind,
        size_bytes=_measure(entry) if kind == "file" else 0,
        is_ignored=is_name_ignored(entry.path, entry.name, layers, is_folder=is_folder),
        is_protected=is_protected_name(entry.name) or is_secret(real),
    )


def name_roots(roots: tuple[Path, ...]) -> dict[Path, str]:
    """Return a name for each workspace folder, unlike all others."""
    names: dict[Path, str] = {}
    for root in roots:
        base = printable(root.name) or "root"
        name, number = base, 1
        while name in names.values():
            number += 1
            name = f"{base}-{number}"
        names[root] = name
    return names


def printable(name: str) -> str:
    r"""Return a name with the bytes that are not UTF-8 written as `\xff`."""
    try:
        name.encode("utf-8")
    except UnicodeEncodeError:
        return os.fsencode(name).decode("utf-8", "backslashreplace")
    return name


def _find_kind(entry: "os.DirEntry[str]") -> str:
    try:
        return "folder" if entry.is_dir() else "file" if entry.is_file() else "special"
    except OSError:  # A link to itself.
        return "special"


def _measure(entry: "os.DirEntry[str]") -> int:
    try:
        return entry.stat().st_size
    except OSError:  # Deleted meanwhile.
        return 0


def _find_left_out(entry: "os.DirEntry[str]", layers: Layers, *, is_folder: bool) -> LeftOut:
    name = entry.name
    if is_folder and name in GENERATED_FOLDERS:
        return "internal"
    if not is_folder:
        if not entry.is_file(follow_symlinks=False):
            return "no-text"
        if name[name.rfind(".") :].lower() in BINARY_SUFFIXES:
            return "no-text"
    folder = entry.path[: -len(name) - 1].rpartition(os.sep)[2]
    if is_protected_name(name, folder):
        return "internal" if is_folder else "protected"
    return "ignored" if is_name_ignored(entry.path, name, layers, is_folder=is_folder) else ""
