"""How the files of a folder differ from a revision of the repository that they are in."""

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from glossator.core.errors import GlossatorError, InvalidArguments
from glossator.tools.changes import Scene, compare
from glossator.tools.diff_text import Difference
from glossator.tools.escaping import quote_name
from glossator.tools.file_diffs import describe_changes
from glossator.tools.git.folder import GitFolder, find_repository, is_bare_repository, read_format
from glossator.tools.git.index_file import read_index
from glossator.tools.git.merge_base import find_merge_base
from glossator.tools.git.objects import MissingObject, ObjectReader
from glossator.tools.git.revisions import References, Revision
from glossator.tools.workspace import Workspace


def find_difference(
    workspace: Workspace,
    scope: Path,
    revision: str,
    is_over: Callable[[], bool],
    *,
    from_merge_base: bool = False,
) -> Difference:
    """Return how the files of one folder, or one file, differ from a revision.

    With `from_merge_base` from where the history of HEAD parts from that of the revision.

    Raises:
        InvalidArguments, UnreadableRepository: as `show_diff`.
    """
    folder = _find_repository(workspace, scope)
    git_format = read_format(folder)
    if git_format.is_bare:
        raise _refuse_bare(_describe_folder(workspace, scope))
    with ObjectReader(folder) as objects:
        references = References(folder, objects, is_over)
        commit = (
            _find_parting(references, revision, is_over)
            if from_merge_base
            else references.resolve(revision)
        )
        documents = {str(path): text for path, text in workspace.open_documents().items()}
        scene = Scene(workspace, folder, git_format, objects, scope, documents, is_over)
        comparison = compare(scene, commit.tree_id if commit else None, read_index(folder))
        files = describe_changes(scene, comparison.changes)
    against = commit.label if commit else "the empty state before the first commit"
    name = workspace.show(scope)
    if not comparison.n_tracked and not files and not os.path.lexists(scope):
        raise InvalidArguments(
            f"{quote_name(name)} is neither in the working tree nor in {against}. "
            "Call `diff` without a path for the files that changed."
        )
    return Difference(against, "" if name == "." else name, comparison, tuple(files))


def _find_parting(
    references: References, revision: str, is_over: Callable[[], bool]
) -> Revision | None:
    """Return the commit that both HEAD and the revision come from; None before the first one."""
    try:
        base = references.resolve(revision)
    except InvalidArguments as error:
        raise _hint_at_depth(error, references) from error
    except MissingObject as error:
        if not references.is_shallow:
            raise
        missing = f"{quote_name(revision)} is not in this repository."
        raise _hint_at_depth(InvalidArguments(missing), references) from error
    head = references.resolve("HEAD")
    if base is None or head is None:
        return None
    parting = find_merge_base(references, base, head, is_over)
    if parting is None:
        unrelated = f"{quote_name(base.name)} and `HEAD` have no history in common."
        raise _hint_at_depth(InvalidArguments(unrelated), references)
    if parting.commit_id == base.commit_id:
        return base
    return replace(parting, name=f"{base.name}...HEAD")


def _hint_at_depth(error: GlossatorError, references: References) -> GlossatorError:
    """Say how to get the rest of a shallow clone, if that may be why."""
    if not references.is_shallow:
        return error
    return InvalidArguments(
        f"{error} The clone is shallow, and what is missing may be older: fetch all of its history "
        "(`git fetch --unshallow`; in GitHub Actions, `fetch-depth: 0` of `actions/checkout`)."
    )


def _find_repository(workspace: Workspace, scope: Path) -> GitFolder:
    start = next(path for path in (scope, *scope.parents) if path.is_dir())
    root = next(root for root in sorted(workspace.roots, key=lambda root: -len(root.parts))
                if scope.is_relative_to(root))  # fmt: skip
    folder = find_repository(start, root)
    if folder is not None:
        return folder
    name = _describe_folder(workspace, scope)
    if is_bare_repository(start):
        raise _refuse_bare(name)
    inner = _list_inner_repositories(start)
    if inner:
        shown = ", ".join(quote_name(workspace.show(one)) for one in inner[:10])
        raise InvalidArguments(
            f"{name} is in no Git repository, but holds some. Call `diff` with a path: {shown}."
        )
    raise InvalidArguments(
        f"{name} is in no Git repository, so nothing can be compared. Read the files instead."
    )


def _refuse_bare(name: str) -> InvalidArguments:
    return InvalidArguments(
        f"{name} is a bare repository: it has no working files to compare. "
        "Name a folder with a checkout of it."
    )


def _list_inner_repositories(folder: Path) -> list[Path]:
    try:
        return sorted(path for path in folder.iterdir() if os.path.lexists(path / ".git"))
    except OSError:
        return []


def _describe_folder(workspace: Workspace, scope: Path) -> str:
    name = workspace.show(scope)
    return "The workspace folder" if name == "." else quote_name(name)
