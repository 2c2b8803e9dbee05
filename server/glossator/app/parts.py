"""What an application is made of for its present roots and settings; replaced as a whole."""

from collections.abc import Awaitable, Callable, Iterator, Mapping
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
from glossator.core.settings import Scope, Settings
from glossator.model.endpoints import Endpoint
from glossator.model.port import ChatModel
from glossator.tools.seen_texts import SeenTexts
from glossator.tools.workspace import Workspace

if TYPE_CHECKING:  # They load what only some settings or uses need.
    from glossator.telemetry.telemetry import Telemetry
    from glossator.tools.code_map import CodeMap
    from glossator.tools.editor.facts import Editor
    from glossator.tools.editor.inquiry import Inquiry
    from glossator.tools.toolbox import Toolbox

SETTINGS_FILES = frozenset({"glossator.toml", ".env"})
"""What each workspace folder may hold of them, by name."""


@dataclass(frozen=True, slots=True)
class Parts:
    """The objects that the use cases work with.

    `model` and `make_toolbox` import what they need when first called: it takes a second. So does
    `find_code_map`, which returns the same one each time.
    `problems` are what people should know about settings and the model. Without a `sessions_file`
    sessions end with the process. `audit_folder` holds what was recorded, also when nothing is now.
    `tools_model` is a lighter model for the rounds with tools. `team_files` finds what
    the workspace tells assistants, and `trust_answers` keep what was said about trusting it.
    `settings_files` are those that may hold settings, by whose they are.
    `members` find knowledge beside words. `checker` and `baselines` remember what they saw.
    `editor` asks the editor's other language servers.
    `endpoint` is the server of `model`, where it has one.
    `deciding_files` are those that settings, keys and trust come from, whether they exist or not.
    """

    settings: Settings
    problems: tuple[str, ...]
    workspace: Workspace
    find_code_map: Callable[[], "CodeMap"] = field(repr=False)
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
    telemetry: "Telemetry | None" = None
    sessions_file: Path | None = None
    tools_model: ChatModel | None = None
    team_files: TeamFiles | None = None
    trust: Trust = "unknown"
    trust_answers: TrustAnswers = field(default_factory=lambda: TrustAnswers(None))
    members: Members = field(default_factory=Members)
    endpoint: Endpoint | None = field(default=None, repr=False)
    cache_folder: Path | None = None
    settings_files: Mapping[Path, Scope] = field(default_factory=dict)
    deciding_files: tuple[Path, ...] = ()
    baselines: Baselines = field(default_factory=Baselines, repr=False)
    editor: "Editor | None" = None

    @property
    def code_map(self) -> "CodeMap":
        """Who calls whom in the workspace."""
        return self.find_code_map()

    def noting(self, seen: SeenTexts) -> "Parts":
        """Return the same parts, which add to `seen` what they and their tools read by name."""
        make_toolbox = partial(self.make_toolbox, seen)
        return replace(self, workspace=self.workspace.noting(seen), make_toolbox=make_toolbox)

    def begin_inquiry(self) -> "Inquiry | None":
        """Return what asks the editor during one turn, if it can be asked; close it in the end."""
        if self.editor is None:
            return None
        from glossator.tools.editor.inquiry import Inquiry

        return Inquiry(self.editor, self.workspace)

    def asking(self, inquiry: "Inquiry | None") -> "Parts":
        """Return the same parts, whose code map and tools ask the editor too."""
        if inquiry is None:
            return self
        from glossator.tools.editor.merging import EditorSupplement

        code_map = self.code_map.with_supplement(EditorSupplement(inquiry, self.code_map))
        make_toolbox = partial(self.make_toolbox, inquiry=inquiry, find_code_map=lambda: code_map)
        return replace(self, find_code_map=lambda: code_map, make_toolbox=make_toolbox)

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
