"""Where a file stands for instructions: as it is shown, and below its workspace folder."""

from glossator.core.errors import GlossatorError
from glossator.core.text import SourceText
from glossator.instructions.applying import FileAt
from glossator.tools.workspace import Workspace


def place_file(source: SourceText, workspace: Workspace) -> FileAt:
    """Return where an editor's or the disk's document stands."""
    if source.path is not None and workspace.is_inside(source.path):
        return FileAt(workspace.show(source.path), workspace.path_below_root(source.path))
    return FileAt(source.name, source.scope)


def place_path(shown: str, workspace: Workspace) -> FileAt | None:
    """Return where a path of the workspace leads; None where it leads outside."""
    try:
        path = workspace.locate(shown)
    except GlossatorError:
        return None
    shown, scope = workspace.show(path), workspace.path_below_root(path)
    return FileAt("" if shown == "." else shown, "" if scope == "." else scope)
