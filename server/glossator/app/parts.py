"""What an application is made of for its present roots and settings; replaced as a whole."""

from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from glossator.app.checking.baseline_files import Baselines
from glossator.app.checking.compiled import Checker
from glossator.app.instructions.files import TeamFiles
from glossator.app.library import Shelf
from glossator.app.results import ModelStatus, Trust
from glossator.app.retrieval.members import Members
from glossator.app.trust import TrustAnswers
from glossator.audit.log import AuditLog
from glossator.core.events import Emit
from glossator.core.settings import Settings
from glossator.model.port import ChatModel
from glossator.telemetry.telemetry import Telemetry
from glossator.tools.code_map import CodeMap
from glossator.tools.seen_texts import SeenTexts
from glossator.tools.workspace import Workspace

if TYPE_CHECKING:  # It loads pydantic, which only a model needs.
    from glossator.tools.toolbox import Toolbox


@dataclass(frozen=True, slots=True)
class Parts:
    """The objects that the use cases work with.

    `model` and `make_toolbox` import what they need when first called: it takes a second.
    `problems` are what people should know about settings and the model. Without a `sessions_file`
    sessions end with the process. `audit_folder` holds what was recorded, also when nothing is now.
    `tools_model` is a lighter model for the rounds with tools. `team_files` finds what
    the workspace tells assistants, and `trust_answers` keep what was said about trusting it.
    `members` find knowledge beside words. `checker` and `baselines` remember what they saw.
    """

    settings: Settings
    problems: tuple[str, ...]
    workspace: Workspace
    code_map: CodeMap
    checker: Checker
    shelves: tuple[Shelf, ...]
    watched_folders: tuple[Path, ...]
    model: ChatModel | None
    model_status: ModelStatus
    make_toolbox: Callable[..., "Toolbox"] = field(repr=False)
    preload: Callable[[], None] = field(repr=False)
    close_model: Callable[[], Awaitable[None]] = field(repr=False)
    audit_folder: Path | None = None
    audit: AuditLog | None = None
    telemetry: Telemetry | None = None
    sessions_file: Path | None = None
    tools_model: ChatModel | None = None
    team_files: TeamFiles | None = None
    trust: Trust = "unknown"
    trust_answers: TrustAnswers = field(default_factory=lambda: TrustAnswers(None))
    members: Members = field(default_factory=Members)
    cache_folder: Path | None = None
    baselines: Baselines = field(default_factory=Baselines, repr=False)

    def noting(self, seen: SeenTexts) -> "Parts":
        """Return the same parts, which add to `seen` what they and their tools read by name."""
        make_toolbox = partial(self.make_toolbox, seen)
        return replace(self, workspace=self.workspace.noting(seen), make_toolbox=make_toolbox)

    def listen(self, turn_id: str) -> Iterator[Emit]:
        """Yield those who hear every event of a turn, whoever asked for it."""
        if self.audit is not None:
            yield self.audit.listen(turn_id, model=self.model.name if self.model else "")
        if self.telemetry is not None:
            yield self.telemetry.listen(turn_id)

    def close_listeners(self) -> None:
        """Let the listeners finish, for a while."""
        if self.audit is not None:
            self.audit.flush()
        if self.telemetry is not None:
            self.telemetry.close()
