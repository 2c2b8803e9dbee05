"""Which files of instructions a workspace holds: at its top, in folders below, and imported.

The top and the folders that are known are looked at each time. Others become known by a bounded
walk in the background, by what an editor says has changed, and by the way from the top to the file
that is looked at. Reads the file system: call it in worker threads.
"""

import os
import threading
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from glossator.app.instructions.folders import Candidate, FolderLook, find_home, look_into, sign
from glossator.app.instructions.imports import Importer, follow_imports
from glossator.app.results import Problem
from glossator.core.text import SourceText
from glossator.instructions.places import (
    IN_ANY_FOLDER,
    RULE_FOLDERS,
    TOOL_FOLDERS,
    is_instruction_path,
)
from glossator.instructions.reading import parse_instructions
from glossator.knowledge.documents import Document, Origin
from glossator.tools.ignoring import GENERATED_FOLDERS
from glossator.tools.known_files import Listing
from glossator.tools.workspace import Workspace

MAX_FILES = 500
MAX_WALKED_FILES = 200_000
MAX_WALKED_S = 20.0

_NAMES = frozenset(
    path.partition("/")[0].casefold()
    for path in (*IN_ANY_FOLDER, *(folder.path for folder in RULE_FOLDERS if not folder.is_at_top))
)


class TeamFiles:
    """Knows where instructions are, and what each file of them is."""

    def __init__(
        self,
        workspace: Workspace,
        *,
        max_walked_files: int = MAX_WALKED_FILES,
        knowledge_folders: tuple[Path, ...] = (),
    ) -> None:
        self._workspace = workspace
        self._max_walked_files = max_walked_files
        self._knowledge_folders = knowledge_folders
        self._lock = threading.Lock()
        self._folders: frozenset[Path] = frozenset()
        self._signatures: dict[Path, object] = {}
        self._found: dict[Path, Candidate] = {}
        self._problems: tuple[Problem, ...] = ()
        self._unwalked = ""
        self._listing: Listing | None = None

    # What is there

    def list_files(self) -> tuple[Path, ...]:
        """Look at the top, at the folders that are known and at what their files import."""
        look = FolderLook(self._workspace)
        for folder in self._list_folders():
            look_into(look, folder)
        found = dict(islice(look.found.items(), MAX_FILES))
        problems = list(look.problems)
        if len(look.found) > MAX_FILES:
            message = f"Only the first {MAX_FILES} of {len(look.found)} instruction files are read."
            problems.append(Problem(".", 1, message))
        importers = [
            Importer(file, candidate) for file, candidate in found.items() if candidate.imports
        ]
        imported, said = follow_imports(
            importers, self._workspace, found, self._is_knowledge, limit=MAX_FILES - len(found)
        )
        with self._lock:
            self._found = {**found, **imported}
            self._problems = (*problems, *said)
            self._signatures = {folder: sign(folder) for folder in self._list_folders()}
            return tuple(self._found)

    def list_problems(self) -> tuple[Problem, ...]:
        """Say what the last look found that is not read, or not as it is written."""
        if self._unwalked:
            return (*self._problems, Problem(".", 1, self._unwalked))
        return self._problems

    def stamp(self, file: Path) -> str:
        """Return what decides, beside its text, what a file's document is."""
        return repr(self._found.get(file))

    def make_document(self, source: SourceText, origin: Origin) -> Document:
        """Read one of the files that were listed."""
        found = self._found.get(source.path) if source.path else None
        if found is None:
            # It vanished from the list since: a look that comes later will say so too.
            return parse_instructions(source.text, path=source.name, family="agents", origin=origin)
        return parse_instructions(
            source.text,
            path=source.name,
            family=found.family,
            form=found.form,
            home=found.home,
            also_for=found.also_for,
            origin=origin,
            imported_by=found.imported_by,
            notes=found.notes,
            problems=tuple((1, words) for words in found.said),
        )

    # How folders become known

    def take_over(self, previous: "TeamFiles") -> None:
        """Know the folders that were known before the settings changed."""
        with self._lock:
            self._folders |= {
                folder for folder in previous._folders if self._workspace.is_inside(folder)
            }

    def look_around(self, path: Path) -> bool:
        """Look at the folders from the top to a file; say whether something is new there.

        Takes a few looks at the file system for each folder: it is made before each turn.
        """
        is_new = False
        for folder in self._list_ancestors(path):
            found = sign(folder)
            with self._lock:
                if self._signatures.get(folder, ()) == found:
                    continue
                is_new = True
                self._signatures[folder] = found
                self._folders |= {folder}
        return is_new

    def concerns(self, path: Path) -> bool:
        """Say whether a path that changed may be one of instructions, or is one that is read."""
        shown = self._workspace.path_below_root(path)
        return bool(shown) and (path in self._found or is_instruction_path(shown))

    def notice(self, path: Path) -> None:
        """Know the folder of a file that changed."""
        home = find_home(path)
        if self._workspace.is_inside(home) and not self._is_foreign(home):
            with self._lock:
                self._folders |= {home}

    def discover(self) -> bool:
        """Walk the workspace for folders with instructions; say whether there are others now.

        The walk is bounded in files and in time; that it ended early is told among the problems.
        """
        listing = self._workspace.list_files()
        if listing is self._listing:
            return False  # No file came or went since.
        walked, is_cut = self._walk(listing)
        found = frozenset(
            folder
            for folder in walked
            if not self._is_foreign(folder) and _holds_instructions(folder)
        )
        with self._lock:
            # What became known otherwise may stand where no walk goes: it is ignored, or too far.
            known = self._folders
            self._folders = known | found
            self._listing = None if is_cut else listing
            said = self._unwalked
            self._unwalked = _explain_cut(len(walked)) if is_cut else ""
            return self._folders != known or said != self._unwalked

    def _walk(self, listing: Listing) -> tuple[list[Path], bool]:
        if not listing.is_cut and len(listing.paths) <= self._max_walked_files:
            return [Path(folder) for folder in listing.folders], False
        folders: list[str] = []
        until = time.monotonic() + MAX_WALKED_S
        is_cut = False
        for number, _ in enumerate(self._workspace.walk_files(on_folder=folders.append)):
            if number >= self._max_walked_files or time.monotonic() > until:
                is_cut = True
                break
        return [Path(folder) for folder in folders], is_cut

    def _list_folders(self) -> Iterator[Path]:
        yield from self._workspace.roots
        yield from sorted(self._folders.difference(self._workspace.roots))

    def _list_ancestors(self, path: Path) -> Iterator[Path]:
        roots = [root for root in self._workspace.roots if path.is_relative_to(root)]
        for folder in path.parents:
            is_inside = any(folder.is_relative_to(root) for root in roots)
            if is_inside and not self._is_foreign(folder):
                yield folder

    def _is_foreign(self, folder: Path) -> bool:
        """Say whether a folder speaks for nobody: it is a tool's own, or holds what tools fetched.

        The instructions in what was fetched are not the team's.
        """
        parts = Path(self._workspace.path_below_root(folder)).parts
        return any(part in GENERATED_FOLDERS or part in TOOL_FOLDERS for part in parts)

    def _is_knowledge(self, file: Path) -> bool:
        return any(file.is_relative_to(folder) for folder in self._knowledge_folders)


def _holds_instructions(folder: Path) -> bool:
    try:
        names = os.listdir(folder)  # noqa: PTH208 - thousands of folders a second go through here
    except OSError:
        return False
    return any(name.casefold() in _NAMES for name in names)


def _explain_cut(n_folders: int) -> str:
    return (
        f"The workspace is large: only its first {n_folders:,} folders were searched for "
        "instructions such as `AGENTS.md`. Those elsewhere are found when a file near them is "
        "looked at."
    )
