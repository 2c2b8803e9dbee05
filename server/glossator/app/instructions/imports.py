"""The files that a CLAUDE.md brings in with `@path`: inside the workspace, five files deep."""

from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from glossator.app.instructions.folders import Candidate
from glossator.app.results import Problem
from glossator.core.errors import GlossatorError, OutsideWorkspace
from glossator.instructions.importing import MAX_DEPTH, Import, find_imports
from glossator.tools.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Importer:
    """A file whose imports are followed, and the files through which it was come to."""

    file: Path
    candidate: Candidate
    chain: tuple[Path, ...] = ()


@dataclass(slots=True)
class _Search:
    workspace: Workspace
    known: Mapping[Path, Candidate]
    is_knowledge: Callable[[Path], bool]
    limit: int
    found: dict[Path, Candidate] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)


def follow_imports(
    importers: list[Importer],
    workspace: Workspace,
    known: Mapping[Path, Candidate],
    is_knowledge: Callable[[Path], bool],
    *,
    limit: int,
) -> tuple[dict[Path, Candidate], list[Problem]]:
    """Return the files that are imported and not `known`, and why others are not read.

    The nearest imports are followed first, so that a circle or the depth cuts off no more than it
    must. What is knowledge stays knowledge, and this is said.
    """
    search = _Search(workspace, known, is_knowledge, limit)
    waiting = deque(importers)
    seen = {(importer.file, importer.candidate.home) for importer in importers}
    while waiting:
        importer = waiting.popleft()
        home = importer.candidate.home
        for imported in _read_imports(importer.file, workspace):
            file = _resolve(search, importer, imported)
            if file is None or not _take(search, importer, imported, file):
                continue
            if (file, home) not in seen:
                seen.add((file, home))
                chain = (*importer.chain, importer.file)
                waiting.append(Importer(file, replace(search.found[file], home=home), chain))
    return search.found, list(dict.fromkeys(search.problems))


def _read_imports(file: Path, workspace: Workspace) -> tuple[Import, ...]:
    try:
        return find_imports(workspace.read(file).text)
    except GlossatorError:  # Whoever reads the file for itself says why it cannot be read.
        return ()


def _take(search: _Search, importer: Importer, imported: Import, file: Path) -> bool:
    """Count a file as imported; say whether its own imports are to be followed."""
    if file == importer.file or file in importer.chain:
        _say(search, importer, imported, "it imports itself in a circle; it is read once")
        return False
    if search.is_knowledge(file):
        message = (
            f"`@{imported.path}` is knowledge: it is given where a question is about it, and not "
            "always, as what is imported is."
        )
        _report(search, importer, imported, message)
        return False
    if file in search.known:
        return False
    if len(importer.chain) + 1 > MAX_DEPTH:
        _say(search, importer, imported, f"imports are followed {MAX_DEPTH} files deep")
        return False
    home = importer.candidate.home
    before = search.found.get(file)
    if before is None:
        if len(search.found) >= search.limit:
            _say(search, importer, imported, "too many files are imported")
            return False
        shown = search.workspace.show(importer.file)
        search.found[file] = Candidate(
            "claude", "plain", home, importer.candidate.also_for, imported_by=shown
        )
    elif home.shown not in (before.home.shown, *before.also_for):
        search.found[file] = replace(before, also_for=(*before.also_for, home.shown))
    return True


def _resolve(search: _Search, importer: Importer, imported: Import) -> Path | None:
    """Return the file that is meant; where none can be, None, and that is said."""
    if imported.path.startswith("~"):
        _say(search, importer, imported, "it is outside the workspace")
        return None
    for spelling in imported.spellings:
        try:
            file = search.workspace.locate(str(importer.file.parent / spelling))
        except OutsideWorkspace:
            _say(search, importer, imported, "it is outside the workspace")
            return None
        except GlossatorError as error:
            _say(search, importer, imported, str(error).rstrip("."))
            return None
        if file.is_file() or file in search.workspace.buffers:
            return file
    if imported.is_certain or _names_a_folder(importer, imported):
        is_folder = (importer.file.parent / imported.path).is_dir()
        _say(search, importer, imported, "it is a folder" if is_folder else "there is no such file")
    return None


def _names_a_folder(importer: Importer, imported: Import) -> bool:
    first = imported.path.partition("/")[0]
    return "/" in imported.path and (importer.file.parent / first).is_dir()


def _say(search: _Search, importer: Importer, imported: Import, reason: str) -> None:
    _report(search, importer, imported, f"`@{imported.path}` is not read: {reason}.")


def _report(search: _Search, importer: Importer, imported: Import, message: str) -> None:
    shown = search.workspace.show(importer.file)
    search.problems.append(Problem(shown, imported.line, message))
