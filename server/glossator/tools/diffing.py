"""The tool that shows what has changed: the working tree against a revision of its repository."""

import os
import re
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from glossator.core.errors import GlossatorError
from glossator.tools.budget import Budget
from glossator.tools.diff_text import DiffText
from glossator.tools.differences import find_difference
from glossator.tools.escaping import quote_name
from glossator.tools.searching import run_stoppable
from glossator.tools.toolbox import ToolFunction
from glossator.tools.workspace import Workspace

MAX_SECONDS = 5.0
_WITH_LINE = re.compile(r"(.+):(\d+)(?:-\d+)?")


def make_diffing_tools(workspace: Workspace) -> tuple[ToolFunction, ...]:
    """Return `diff` for one workspace."""

    async def diff(
        revision: Annotated[str, "Branch, tag or commit; empty for HEAD."] = "",
        path: Annotated[str, "Only this file or folder."] = "",
    ) -> str:
        """Show what changed since a Git revision, unsaved edits included, as a numbered diff."""
        return await run_stoppable(lambda stop: show_diff(workspace, revision, path, stop))

    return (diff,)


def show_diff(
    workspace: Workspace, revision: str, path: str, stop: threading.Event | None = None
) -> str:
    """Return the changes of the working tree against a revision, as text.

    Raises:
        InvalidArguments: there is no such revision or path, or no repository.
        OutsideWorkspace, ProtectedFile: the path may not be looked at.
        UnreadableRepository: the repository is broken or of a format that is not read.
    """
    budget = Budget(seconds=MAX_SECONDS)
    path, first_line = _split_line(workspace, path)
    scopes = _find_scopes(workspace, path)
    texts: list[str] = []

    def is_over() -> bool:
        return budget.is_over or (stop is not None and stop.is_set())

    for number, scope in enumerate(scopes, 1):
        try:
            found = find_difference(workspace, scope, revision, is_over)
        except GlossatorError as error:
            if len(scopes) == 1:
                raise
            texts.append(f"{quote_name(workspace.show(scope))}: {error}")
            continue
        share = DiffText.MAX_CHARACTERS // (len(scopes) - number + 1)
        texts.append(DiffText(workspace, first_line, share).render(found))
    return "\n\n".join(texts)


def _find_scopes(workspace: Workspace, path: str) -> Sequence[Path]:
    folders = workspace.locate_folders(path)
    return [
        folder
        for folder in folders
        if not any(folder != other and folder.is_relative_to(other) for other in folders)
    ]


def _split_line(workspace: Workspace, path: str) -> tuple[str, int]:
    """Return the path and the line of `path:line`, as a diff that was cut says to go on."""
    match = _WITH_LINE.fullmatch(path.strip())
    if match is None or os.path.lexists(workspace.locate(path)):
        return path, 1
    return match[1], max(int(match[2][:9]), 1)
