"""What an application is made of for its present roots and settings; replaced as a whole."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from glossator.app.library import Shelf
from glossator.app.results import ModelStatus
from glossator.audit.log import AuditLog
from glossator.core.settings import Settings
from glossator.model.port import ChatModel
from glossator.tools.code_map import CodeMap
from glossator.tools.workspace import Workspace

if TYPE_CHECKING:  # It loads pydantic, which only a model needs.
    from glossator.tools.toolbox import Toolbox


@dataclass(frozen=True, slots=True)
class Parts:
    """The objects that the use cases work with.

    `model` and `make_toolbox` import what they need when first called: it takes a second.
    `problems` are what people should know about settings and the model.
    """

    settings: Settings
    problems: tuple[str, ...]
    workspace: Workspace
    code_map: CodeMap
    shelves: tuple[Shelf, ...]
    watched_folders: tuple[Path, ...]
    model: ChatModel | None
    model_status: ModelStatus
    make_toolbox: Callable[[], "Toolbox"] = field(repr=False)
    preload: Callable[[], None] = field(repr=False)
    close_model: Callable[[], Awaitable[None]] = field(repr=False)
    audit: AuditLog | None = None
