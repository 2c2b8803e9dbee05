"""Documents that ship with the product and are about technology that the workspace does not use."""

import time
from collections.abc import Mapping
from functools import lru_cache
from itertools import islice
from pathlib import Path

from glossator.app.shelves import BUNDLED_PREFIX
from glossator.core.globs import matches_any
from glossator.tools.workspace import Workspace

_MAX_WALKED = 20_000
_LOOK_AGAIN_AFTER_S = 60


def find_unused(workspace: Workspace, globs: Mapping[str, tuple[str, ...]]) -> frozenset[str]:
    """Return the paths of bundled documents whose globs match no file of the workspace.

    `globs` are those of all documents by path. Reads folders, once a minute at most: call it in a
    worker thread. In a workspace too large to look through, every document counts as used.
    """
    bundled = tuple(
        (path, patterns)
        for path, patterns in globs.items()
        if path.startswith(f"{BUNDLED_PREFIX}/")
    )
    if not bundled:
        return frozenset()
    return _look(workspace, bundled, int(time.monotonic() / _LOOK_AGAIN_AFTER_S))


@lru_cache(maxsize=8)
def _look(
    workspace: Workspace, bundled: tuple[tuple[str, tuple[str, ...]], ...], minute: int
) -> frozenset[str]:
    """Walk until each document has a file; `minute` makes it look again."""
    del minute
    missing = dict(bundled)
    n_walked = 0
    for file in islice(workspace.walk_files(), _MAX_WALKED):
        n_walked += 1
        scope = workspace.path_below_root(Path(file.path))
        for path in [path for path, patterns in missing.items() if matches_any(patterns, scope)]:
            del missing[path]
        if not missing:
            break
    return frozenset() if n_walked == _MAX_WALKED else frozenset(missing)
