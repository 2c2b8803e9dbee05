"""Documents that ship with the product and are about technology that the workspace does not use."""

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from glossator.app.shelves import is_bundled
from glossator.core.globs import matches_any
from glossator.tools.known_files import Listing
from glossator.tools.workspace import Workspace

_MAX_FILES = 20_000


def find_unused(workspace: Workspace, globs: Mapping[str, tuple[str, ...]]) -> frozenset[str]:
    """Return the paths of bundled documents whose globs match no file of the workspace.

    `globs` are those of all documents by path. Reads folders: call it in a worker thread. In a
    workspace too large to look through, every document counts as used.
    """
    bundled = tuple((path, patterns) for path, patterns in globs.items() if is_bundled(path))
    if not bundled:
        return frozenset()
    return _find_unmatched(workspace.list_files(), workspace.roots, bundled)


@lru_cache(maxsize=8)
def _find_unmatched(
    listing: Listing, roots: tuple[Path, ...], bundled: tuple[tuple[str, tuple[str, ...]], ...]
) -> frozenset[str]:
    """Go over the files until each document has one; once for a listing."""
    if listing.is_cut or len(listing.paths) > _MAX_FILES:
        return frozenset()
    missing, place = dict(bundled), Workspace(roots).path_below_root
    # One look at all globs together tells of most files that they are of no interest. What a glob
    # shuts out of its own document counts for no other.
    every = tuple(glob for globs in missing.values() for glob in globs if glob[:1] != "!")
    for file in listing.paths:
        scope = place(Path(file))
        if not matches_any(every, scope):
            continue
        for path in [path for path, patterns in missing.items() if matches_any(patterns, scope)]:
            del missing[path]
            every = tuple(g for globs in missing.values() for g in globs if g[:1] != "!")
        if not missing:
            break
    return frozenset(missing)
