"""Which files a check covers: those that are named, and what stands below the named folders."""

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from glossator.app.checking.reasons import Reason
from glossator.core.errors import ProtectedFile, UnreadableFile
from glossator.instructions.places import is_instruction_path
from glossator.tools.walking import LeftOut
from glossator.tools.workspace import Workspace

_REASONS: Mapping[LeftOut, Reason] = {
    "protected": Reason("secret"),
    "ignored": Reason("ignored"),
}


@dataclass(frozen=True, slots=True)
class Listed:
    """A file that a check is about, or a folder that is not looked into; `path` is real.

    `left_out` is why it is not checked, whatever stands in it.
    """

    path: str
    left_out: Reason | None = None


def list_files(paths: Iterable[Path], workspace: Workspace) -> tuple[Listed, ...]:
    """Return each file once, in the order of the paths and of the names below them.

    What is ignored is checked only where it is named itself.

    Raises:
        OutsideWorkspace, UnreadableFile: a path leads outside or to nothing.
    """
    found: dict[str, Listed] = {}
    for path in paths:
        for listed in _list(path, workspace):
            known = found.get(listed.path)
            if known is None or (known.left_out and not listed.left_out):
                found[listed.path] = listed
    return tuple(found.values())


def list_instructed(paths: Iterable[Path], listed: Iterable[Listed]) -> tuple[Path, ...]:
    """Return real paths on whose way from the top stands all that speaks for the listed files.

    `paths` are those that the files were listed for; more may speak for what is below these.
    """
    below = (each.path for each in listed if is_instruction_path(each.path.replace(os.sep, "/")))
    return (*(path.resolve() for path in paths), *map(Path, below))


def locate_path(path: Path, workspace: Workspace) -> Path:
    """Return the real path of a file or folder that is to be checked.

    Raises:
        OutsideWorkspace, ProtectedFile, UnreadableFile: it leads outside, may hold secrets, or
            leads to nothing.
    """
    real = workspace.locate(str(path))
    if real not in workspace.buffers and not real.exists():
        raise UnreadableFile(f"`{path}` does not exist, so it cannot be checked.")
    return real


def _list(path: Path, workspace: Workspace) -> Iterator[Listed]:
    try:
        real = locate_path(path, workspace)
    except ProtectedFile:
        yield Listed(str(path.absolute()), Reason("secret"))
        return
    if real.is_dir() and real not in workspace.buffers:
        yield from _walk(real, workspace)
    else:
        yield Listed(str(real))


def _walk(folder: Path, workspace: Workspace) -> Iterator[Listed]:
    left_out: list[Listed] = []

    def hear(path: str, why: LeftOut) -> None:
        reason = _REASONS.get(why)
        if reason is not None:
            left_out.append(Listed(path, reason))

    for file in workspace.walk_files(folder, on_left_out=hear):
        yield from left_out
        left_out.clear()
        yield Listed(file.path)
    yield from left_out
