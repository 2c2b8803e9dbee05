"""A skill as a value: what it is called, when it is meant for use, and what it says."""

from dataclasses import dataclass
from typing import Literal

Origin = Literal["workspace", "personal", "bundled", "shared"]

MANIFESTS = ("SKILL.md", "skill.md")
"""What the file of a skill that has a folder is called."""


@dataclass(frozen=True, slots=True)
class Skill:
    """How to do something here. `body` begins at the line `first_line` of its file.

    `for_model`: a model may choose it, or a question call for it; without that only a user
    invokes it. `for_user`: a user may invoke it by its name. `allowed_tools` is what its author
    had in mind; it is shown and permits nothing.
    """

    name: str
    description: str
    keywords: tuple[str, ...]
    globs: tuple[str, ...]
    always: bool
    body: str
    path: str
    origin: Origin
    first_line: int
    license: str = ""
    compatibility: str = ""
    metadata: tuple[tuple[str, str], ...] = ()
    allowed_tools: tuple[str, ...] = ()
    for_model: bool = True
    for_user: bool = True

    @property
    def has_folder(self) -> bool:
        """Whether it is a folder with `SKILL.md` and maybe more, rather than a single file."""
        return bool(find_skill_folder(self.path))


def find_skill_folder(path: str) -> str:
    """Return the name of the folder of a `SKILL.md`; empty for a flat file."""
    *folders, file_name = path.replace("\\", "/").split("/")
    return folders[-1] if file_name in MANIFESTS and folders else ""
