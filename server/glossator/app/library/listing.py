"""Which files stand on a shelf and how they were left: looked at whole, or only where it changed.

Nothing is read here. A look is a value; a later one takes over the folders that are the same.
"""

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from glossator.app.library.shelf import Shelf
from glossator.app.library.signatures import Signature, is_settled, sign
from glossator.app.results import Problem
from glossator.app.skills.files import scan_skill_folder
from glossator.core.markdown_names import is_markdown_name
from glossator.watch.litter import is_litter

_MAX_FILES = 20_000
_MAX_DEPTH = 40


@dataclass(frozen=True, slots=True)
class Folder:
    """One folder as it was: its files that may be of use by real path, and its subfolders.

    A file that can only be described by trying to read it has no signature.
    """

    changed_ns: int
    files: Mapping[str, Signature | None]
    subfolders: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()
    linked: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ShelfLook:
    """The folders of a shelf by real path, or the files that the shelf listed by itself."""

    folders: Mapping[str, Folder] = field(default_factory=dict)
    listed: Mapping[str, Signature | None] = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()

    def list_files(self) -> list[tuple[str, Signature | None]]:
        """Return the files in the order of their folders and names.

        What stands beside or below a `SKILL.md` is a resource of that skill, read when it asks.
        """
        found = list(self.listed.items())
        skills = [
            place
            for place in self.folders
            if f"{place}{os.sep}SKILL.md" in self.folders[place].files
        ]
        for place in sorted(self.folders, key=_split_path):
            files = self.folders[place].files.items()
            if any(is_below(place, skill) for skill in skills):
                found.extend(each for each in files if each[0].endswith(f"{os.sep}SKILL.md"))
            else:
                found.extend(files)
        return found[:_MAX_FILES]

    def list_problems(self) -> Iterator[Problem]:
        """Yield what could not be listed."""
        yield from self.problems
        for place in sorted(self.folders, key=_split_path):
            yield from self.folders[place].problems
        if sum(len(folder.files) for folder in self.folders.values()) > _MAX_FILES:
            shown = Path(min(self.folders, key=len)).name
            yield Problem(shown, 1, f"Only the first {_MAX_FILES} files are read.")

    def list_linked(self) -> Iterator[str]:
        """Yield the folders outside the shelf's own that links led to."""
        for folder in self.folders.values():
            yield from folder.linked


def look_at(shelf: Shelf) -> ShelfLook:
    """Look at everything on a shelf."""
    if shelf.files is not None:
        files = list(shelf.files())
        return _sign_all(files, shelf.problems() if shelf.problems is not None else ())
    if shelf.kind == "skill":
        scan = scan_skill_folder(shelf.folder, shelf.within)
        shown = show_below(shelf, str(shelf.folder))
        return _sign_all(scan.files, (Problem(shown, 1, text) for text in scan.problems))
    top = os.path.realpath(shelf.folder)
    if not is_below(top, str(shelf.within or shelf.folder)):
        return ShelfLook(problems=(_refuse(shelf, str(shelf.folder)),))
    folders: dict[str, Folder] = {}
    _walk(shelf, top, folders)
    return ShelfLook(folders)


def look_again(shelf: Shelf, look: ShelfLook, changed: Iterable[str]) -> ShelfLook:
    """Look where `changed` points: real paths of files and folders that are not as they were.

    A folder that is named is looked at with everything below it.
    """
    top = os.path.realpath(shelf.folder)
    if shelf.files is not None or shelf.kind == "skill" or top not in look.folders:
        return look_at(shelf)
    folders = dict(look.folders)
    listed: set[str] = set()
    for path in changed:
        if is_below(str(shelf.folder), path) or is_below(top, path):
            return look_at(shelf)
        if path in folders:
            _drop(folders, path)
            _walk(shelf, path, folders)
        else:
            _look_near(shelf, path, folders, listed)
    return ShelfLook(folders)


def find_changed_folders(look: ShelfLook) -> list[str]:
    """Return the folders in which something came, went or was renamed since the look."""
    return [
        place for place, folder in look.folders.items() if _changed_ns(place) != folder.changed_ns
    ]


def _sign_all(files: Iterable[Path], problems: Iterable[Problem]) -> ShelfLook:
    listed = {str(file): _sign(str(file)) for file in files}
    return ShelfLook(listed=listed, problems=tuple(problems))


def _look_near(shelf: Shelf, path: str, folders: dict[str, Folder], listed: set[str]) -> None:
    """Look at a file, and at its folder where entries came or went; once for all that did.

    `listed` are the folders that were listed for another path of the same look.
    """
    for holder, folder in folders.items():
        if folder.linked and path in folder.files:
            folders[holder] = _with_file(folder, path)
            return
    place = str(Path(path).parent)
    while place not in folders:
        above = str(Path(place).parent)
        if above == place or not is_below(place, os.path.realpath(shelf.folder)):
            return  # It belongs to another shelf, or stands in a folder that is not looked into.
        place, path = above, place
    folder = folders[place]
    is_there = path in folder.files and os.path.lexists(path)
    if is_there and _changed_ns(place) == folder.changed_ns:
        folders[place] = _with_file(folder, path)
    elif place not in listed:
        listed.add(place)
        _relist(shelf, place, folders)


def _with_file(folder: Folder, path: str) -> Folder:
    return replace(folder, files={**folder.files, path: _sign(path)})


def _relist(shelf: Shelf, place: str, folders: dict[str, Folder]) -> None:
    before = folders.pop(place)
    depth = len(Path(place).parts) - len(shelf.folder.parts)
    folder = _list_folder(shelf, place)
    if folder is None:
        _drop(folders, place)
        return
    folders[place] = folder
    for gone in set(before.subfolders) - set(folder.subfolders):
        _drop(folders, gone)
    for below in folder.subfolders:
        if below not in folders:
            _walk(shelf, below, folders, depth + 1)


def _drop(folders: dict[str, Folder], place: str) -> None:
    """Forget a folder and everything below it, through links too."""
    waiting = [place]
    while waiting:
        gone = folders.pop(waiting.pop(), None)
        if gone is not None:
            waiting.extend(gone.subfolders)


def _walk(shelf: Shelf, start: str, folders: dict[str, Folder], depth: int = 0) -> None:
    waiting = [(start, depth)]
    n_files = sum(len(folder.files) for folder in folders.values())
    while waiting and n_files <= _MAX_FILES:
        place, depth = waiting.pop()
        if place in folders or depth > _MAX_DEPTH:
            continue
        folder = _list_folder(shelf, place)
        if folder is not None:
            folders[place] = folder
            n_files += len(folder.files)
            waiting.extend((below, depth + 1) for below in folder.subfolders)


def _list_folder(shelf: Shelf, place: str) -> Folder | None:
    """List one folder; None when there is none."""
    changed_ns = _changed_ns(place)
    if changed_ns < 0:
        return None
    if not is_settled((changed_ns, 0, 0, 0)):
        changed_ns = 0  # What comes within the same tick would not be seen.
    files: dict[str, Signature | None] = {}
    subfolders: list[str] = []
    linked: list[str] = []
    problems: list[Problem] = []
    try:
        with os.scandir(place) as scan:
            entries = sorted(scan, key=lambda entry: entry.name)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        reason = (error.strerror or "it cannot be opened").lower()
        problems.append(
            Problem(show_below(shelf, place), 1, f"The folder cannot be listed: {reason}.")
        )
        entries = []
    for entry in entries:
        if entry.name.startswith("."):
            continue
        if entry.is_symlink():
            problems.extend(_follow(shelf, entry, files, subfolders, linked))
        elif entry.is_dir(follow_symlinks=False):
            subfolders.append(entry.path)
        elif is_markdown_name(entry.name) and not is_litter(entry.name):
            files[entry.path] = _sign_entry(entry)
    return Folder(changed_ns, files, tuple(subfolders), tuple(problems), tuple(linked))


def _sign_entry(entry: "os.DirEntry[str]") -> Signature | None:
    try:
        return sign(entry.stat(follow_symlinks=False))
    except OSError:  # It is gone already.
        return None


def _sign(path: str) -> Signature | None:
    try:
        return sign(os.stat(path))  # noqa: PTH116 - a path object would cost more than the call
    except OSError:
        return None


def _follow(
    shelf: Shelf,
    entry: "os.DirEntry[str]",
    files: dict[str, Signature | None],
    subfolders: list[str],
    linked: list[str],
) -> Iterator[Problem]:
    """Take in what a link leads to, under its own place; what stands outside is refused."""
    real = os.path.realpath(entry.path)
    is_folder = Path(real).is_dir()
    if not is_folder and not is_markdown_name(entry.name):
        return
    if not is_below(real, str(shelf.within or shelf.folder)):
        yield _refuse(shelf, entry.path)
    elif is_folder:
        # What stands below the shelf's own folder is met in its own place.
        top = os.path.realpath(shelf.folder)
        if not is_below(real, top) and not is_below(top, real):
            subfolders.append(real)
            linked.append(real)
    else:
        linked.append(str(Path(real).parent))
        files[real] = _sign(real)


def _refuse(shelf: Shelf, link: str) -> Problem:
    message = "The link leads out of the workspace; it is not followed."
    return Problem(show_below(shelf, link), 1, message)


def show_below(shelf: Shelf, place: str) -> str:
    """Return a path as people know it: below the workspace folder, or below the shelf's parent."""
    if shelf.show is not None:
        return shelf.show(Path(place))
    base = shelf.within or shelf.folder.parent
    return Path(os.path.relpath(place, base)).as_posix()


def is_below(path: str, folder: str) -> bool:
    """Say whether a path is a folder or stands below it."""
    return path == folder or path.startswith(folder.rstrip(os.sep) + os.sep)


def _changed_ns(place: str) -> int:
    try:
        status = os.stat(place)  # noqa: PTH116 - called for every folder before every answer
    except OSError:
        return -1
    return status.st_mtime_ns


def _split_path(place: str) -> tuple[str, ...]:
    return Path(place).parts
