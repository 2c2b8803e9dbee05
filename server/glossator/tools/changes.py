"""Which files of a working tree differ from a revision, by their names and ids.

The index tells which files are as they were, so that few have to be read. A document that is open
in the editor counts as it is there. Nothing that is protected is read, neither the file nor what
the repository holds of it.
"""

import os
import stat
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from glossator.core.errors import UnreadableRepository
from glossator.core.text import SourceText
from glossator.tools.budget import Budget
from glossator.tools.git.folder import GitFolder, GitFormat
from glossator.tools.git.index_file import Index
from glossator.tools.git.objects import ObjectReader, TreeEntry
from glossator.tools.protection import is_protected
from glossator.tools.workspace import Workspace

MAX_UNTRACKED = 2000
MAX_UNTRACKED_SECONDS = 1.5
_MAX_TREE_ENTRIES = 500_000
_MAX_TREE_DEPTH = 200

# As Git abbreviates them; `?` is untracked and `U` in conflict.
Status = Literal["M", "A", "D", "R", "T", "U", "?"]


@dataclass(frozen=True, slots=True)
class Change:
    """A file that differs. `path` is below the repository's top, `old` what the revision has.

    `is_listed_only` when `notes` say all that there is to say.
    """

    status: Status
    path: str
    real: Path
    old: TreeEntry | None = None
    old_path: str = ""
    notes: tuple[str, ...] = ()
    is_protected: bool = False
    is_listed_only: bool = False


@dataclass(frozen=True, slots=True)
class Comparison:
    """What differs. Of `n_tracked` files `n_left_out` were not looked at: time was up.

    `n_untracked_left_out` are more than are listed; `is_walked` when all folders were looked into.
    """

    changes: tuple[Change, ...]
    n_tracked: int
    n_left_out: int = 0
    n_untracked_left_out: int = 0
    is_walked: bool = True

    @property
    def is_complete(self) -> bool:
        """Say whether everything was looked at."""
        return self.is_walked and not self.n_left_out


@dataclass(frozen=True, slots=True)
class Scene:
    """What is compared: the files of `scope` in the working tree of a repository.

    `documents` are those open in the editor, by path.
    """

    workspace: Workspace
    folder: GitFolder
    format: GitFormat
    objects: ObjectReader
    scope: Path
    documents: Mapping[str, SourceText]
    is_over: Callable[[], bool]

    @property
    def prefix(self) -> str:
        """The scope below the repository's top, as Git writes it; "" for all."""
        below = self.scope.relative_to(self.folder.top).as_posix()
        return "" if below == "." else below


def compare(scene: Scene, tree_id: str | None, index: Index) -> Comparison:
    """Return how the working tree differs from a tree, from an empty one without an id.

    Raises:
        UnreadableRepository: the repository is broken.
    """
    from glossator.tools.tracked_files import TrackedFiles

    tree = _list_tree(scene, tree_id)
    prefix = scene.prefix
    known = {path for path in (*index.entries, *index.conflicts) if is_below(path, prefix)}
    known |= tree.keys()
    tracked = TrackedFiles(scene, index, tree)
    changes: list[Change] = []
    n_left_out = 0
    for path in sorted(known):
        if scene.is_over():
            n_left_out += 1
            continue
        change = tracked.compare(path)
        if change is not None:
            changes.append(change)
    # What has changed in the tracked files is still to be read, in the time that is left.
    budget = Budget(seconds=MAX_UNTRACKED_SECONDS)

    def is_over() -> bool:
        return budget.is_over or scene.is_over()

    untracked = sorted(_find_untracked(scene, known, is_over), key=lambda change: change.path)
    n_more = max(len(untracked) - MAX_UNTRACKED, 0)
    changes += untracked[:MAX_UNTRACKED]
    return Comparison(tuple(changes), len(known), n_left_out, n_more, not is_over())


def is_below(path: str, prefix: str) -> bool:
    """Say whether a path is `prefix` or stands in it, as Git writes both."""
    return not prefix or path == prefix or path.startswith(f"{prefix}/")


def _list_tree(scene: Scene, tree_id: str | None) -> dict[str, TreeEntry]:
    """Return the files of a tree that stand in the scope, by path."""
    prefix = scene.prefix
    found: dict[str, TreeEntry] = {}
    waiting = [("", tree_id, 0)] if tree_id is not None else []
    while waiting:
        base, object_id, depth = waiting.pop()
        is_endless = depth > _MAX_TREE_DEPTH or len(found) > _MAX_TREE_ENTRIES
        if is_endless or scene.is_over():
            raise UnreadableRepository(
                "The revision holds too many files to compare. Narrow with `path`."
            )
        for name, entry in scene.objects.read_tree(object_id).items():
            path = base + os.fsdecode(name)
            is_folder = stat.S_ISDIR(entry.mode)
            # Above the scope only what leads to it matters.
            if not (is_below(path, prefix) or (is_folder and is_below(prefix, path))):
                continue
            if is_folder:
                waiting.append((f"{path}/", entry.object_id, depth + 1))
            else:
                found[path] = entry
    return found


def _find_untracked(scene: Scene, known: set[str], is_over: Callable[[], bool]) -> Iterator[Change]:
    start = len(f"{scene.folder.top}".rstrip(os.sep)) + 1
    for real, is_folder in _walk(scene):
        if is_over():
            return
        path = real[start:].replace(os.sep, "/")
        # A file of that name leads to the repository, of a linked working tree or a submodule.
        if path in known or path.rpartition("/")[2] == ".git":
            continue
        change = Change("?", path, Path(real), is_protected=is_protected(path.split("/")))
        if is_folder and not change.is_protected:
            note = "a repository of its own; ask with its path"
            change = replace(change, notes=(note,), is_listed_only=True)
        elif real in scene.documents:
            change = replace(change, notes=("as open in the editor",))
        yield change


def _walk(scene: Scene) -> Iterator[tuple[str, bool]]:
    """Yield the paths in the scope that may be untracked, and whether each is a folder."""
    scope, workspace = scene.scope, scene.workspace
    if scope.is_dir():
        for entry in workspace.walk_entries(scope):
            yield entry.path, entry.is_dir(follow_symlinks=False)
    elif os.path.lexists(scope) and not workspace.is_ignored(scope):
        yield str(scope), False
    for real in scene.documents:
        path = Path(real)
        is_new = path.is_relative_to(scope) and not os.path.lexists(real)
        if is_new and not workspace.is_ignored(path):
            yield real, False
