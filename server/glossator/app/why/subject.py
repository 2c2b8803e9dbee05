"""What *Why* is asked about: a file, a document that is not saved, a folder, or nothing yet."""

from dataclasses import dataclass
from pathlib import Path

from glossator.app.results import Problem, Target
from glossator.app.why.report import Place
from glossator.core.errors import ProtectedFile, UnreadableFile
from glossator.core.locations import Point
from glossator.core.text import SourceText
from glossator.tools.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Subject:
    """What is looked at. Without a `source` a question is asked without any file.

    `problem` says why nothing of the file's text is known, if so. `folder` is the one that is
    looked at.
    """

    name: str
    place: Place
    source: SourceText | None = None
    is_ignored: bool = False
    problem: Problem | None = None
    folder: Path | None = None

    @property
    def target(self) -> Target | None:
        """The place in it that a question is asked from."""
        return None if self.source is None else Target(self.source, Point(1, 0))


def find_subject(asked: SourceText | Path, workspace: Workspace) -> Subject:
    """Find out what is asked about. Reads files: call it in a worker thread.

    Raises:
        OutsideWorkspace, UnreadableFile: the path leads outside, or can be none.
    """
    if isinstance(asked, Path):
        return _find_by_path(asked, workspace)
    if asked.path is None:
        return Subject(asked.name, "unsaved", asked)
    return _find_by_path(asked.path, workspace, asked)


def _find_by_path(path: Path, workspace: Workspace, given: SourceText | None = None) -> Subject:
    try:
        real = workspace.locate(str(path))
    except ProtectedFile:
        return Subject(path.name, "protected")
    name, is_ignored = workspace.show(real), workspace.is_ignored(real)
    if real.is_dir():
        is_whole = workspace.roots == (real,)
        place: Place = "workspace" if is_whole else "folder"
        return Subject("" if is_whole else name, place, is_ignored=is_ignored, folder=real)
    nothing = SourceText(name, "", path=real, below=workspace.path_below_root(real))
    if given is None and not real.exists() and real not in workspace.buffers:
        return Subject(name, "missing", nothing, is_ignored)
    try:
        return Subject(name, "file", given or workspace.read(real), is_ignored)
    except UnreadableFile as error:
        return Subject(name, "file", nothing, is_ignored, Problem(name, 1, str(error)))
