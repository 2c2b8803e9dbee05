"""Which files and folders the answer of a check rests on, beside those that it was seen to open."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path

from glossator.app.checking.baseline_files import find_baseline
from glossator.app.checking.report import CheckReport
from glossator.app.library import Library
from glossator.app.library.catalogue import list_makers
from glossator.app.parts import Parts
from glossator.instructions.places import TOOL_FOLDERS
from glossator.knowledge.snapshot import list_deciding_files

# What decides in a folder above a file: where the workspace begins, and what is ignored.
_IN_FOLDERS_ABOVE = (
    "glossator.toml", ".git", "pyproject.toml", "package.json", "go.mod", "Cargo.toml",
    ".gitignore", ".git/info/exclude", ".glossatorignore",
)  # fmt: skip


def list_basis(
    reports: Collection[CheckReport], library: Library, parts: Parts, started_in: Path
) -> Iterator[Path]:
    """Yield what the reports rest on, whether it is there or not."""
    yield from (report.path for report in reports if report.path is not None)
    yield from _list_ways(reports, parts.workspace.roots)
    yield from map(Path, library.known.items)
    yield from (shelf.folder for shelf in parts.shelves)
    yield from parts.deciding_files
    yield from (*list_makers(), *list_deciding_files())  # A library that was kept rests on them.
    for folder in (*parts.workspace.roots, started_in):
        for above in (folder, *folder.parents):
            yield from (above / name for name in _IN_FOLDERS_ABOVE)
    for root in parts.workspace.roots:
        place = find_baseline(root / "any", parts.workspace, parts.settings.check.baseline)
        if place is not None:
            yield place.file
            baseline = parts.baselines.read(place, parts.workspace)
            yield from (root / entry.path for entry in baseline.entries)


def _list_ways(reports: Iterable[CheckReport], roots: Sequence[Path]) -> Iterator[Path]:
    """Yield the folders from the top to the files: instructions that come there count for them."""
    seen: set[Path] = set()
    for report in reports:
        for folder in () if report.path is None else report.path.parents:
            if folder in seen or not any(map(folder.is_relative_to, roots)):
                break
            seen.add(folder)
            yield folder
            yield from (tool for name in TOOL_FOLDERS if (tool := folder / name).is_dir())


def list_folders(library: Library, parts: Parts) -> list[str]:
    """Return the folders in which whatever was opened or listed counts."""
    linked = (place for look in library.known.looks for place in look.list_linked())
    shelves = (str(shelf.folder) for shelf in parts.shelves)
    return list(dict.fromkeys((*map(str, parts.workspace.roots), *shelves, *linked)))


def is_certain(parts: Parts) -> bool:
    """Say whether all that the reports rest on is known: no model, and nothing that is missed."""
    if parts.model is not None:
        return False
    return parts.team_files is None or not tuple(parts.team_files.list_problems())
