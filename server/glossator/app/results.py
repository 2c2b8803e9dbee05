"""What the use cases take and give: plain values that an editor or a terminal renders."""

import html
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from glossator.core.events import Emit, ignore_event
from glossator.core.locations import Point, Range, Span
from glossator.core.messages import Usage
from glossator.core.text import SourceText
from glossator.sessions.session import Attachment

if TYPE_CHECKING:  # What makes them is not loaded to hold them.
    from glossator.citations.judging import Verdict
    from glossator.code.outline import Function
    from glossator.model.editor_chat import EditorModels
    from glossator.tools.call_chains import CallNode
    from glossator.tools.editor.facts import Editor

AnalysisTask = Literal["package", "change"]
Trust = Literal["trusted", "untrusted", "unknown"]


@dataclass(frozen=True, slots=True)
class Opening:
    """What an application is opened with.

    `buffers` is a live view of the documents open in an editor, keyed by real path.
    `editor_settings` maps groups to values, from the editor or the command line. `on_event` hears
    what happens outside any request (an index was rebuilt); it is called on the event loop.
    `locale` is the language for what is not an answer to a question ("zh-cn", "en"). `trusted` is
    None where the editor does not say whether the workspace is; `answered` is what the user said
    since. What was answered before counts, too, unless `heeds_answers` is off. Without
    `uses_dotenv` no `.env` is read, trusted or not. `is_asked` says whether anybody may look for
    knowledge or ask about code. `editor` asks its other language servers, and `editor_models` its
    own language model, where it offers them.
    """

    roots: tuple[Path, ...]
    buffers: Mapping[Path, SourceText] = field(default_factory=dict)
    editor_settings: Mapping[str, Any] = field(default_factory=dict)
    environ: Mapping[str, str] = field(default_factory=dict)
    trusted: bool | None = None
    answered: bool | None = None
    heeds_answers: bool = True
    uses_dotenv: bool = True
    watch: bool = True
    is_asked: bool = True
    locale: str = "en"
    on_event: Emit = ignore_event
    editor: "Editor | None" = None
    editor_models: "EditorModels | None" = None


@dataclass(frozen=True, slots=True)
class Target:
    """A place in a document to explain: the cursor, and what is selected if anything is."""

    source: SourceText
    point: Point
    selection: Range | None = None


AttachmentKind = Literal["file", "selection", "symbol"]


@dataclass(frozen=True, slots=True)
class AttachmentRequest:
    """What an asker attaches to a question: a file, some lines of one, or a symbol.

    `path` is a path or a `file:` URI, and may be empty for a symbol. `lines` are 1-based and
    inclusive. `source` is the text of an open document that has no file.
    """

    kind: AttachmentKind
    path: str = ""
    lines: tuple[int, int] | None = None
    symbol: str = ""
    source: SourceText | None = None


@dataclass(frozen=True, slots=True)
class Attachable:
    """Something of the workspace that can be attached: a file, or a symbol at its `line`."""

    kind: AttachmentKind
    name: str
    path: str
    line: int = 0


@dataclass(frozen=True, slots=True)
class Citation:
    """A place named in an answer, read again.

    `text` is how the answer wrote it, or `path:line` where it wrote that in pieces. `reason` says
    why a place is missing, or that it moved because the file changed.
    """

    text: str
    place: Span
    path: Path | None
    verdict: "Verdict"
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Source:
    """A section of knowledge that an answer rests on. `score` is between 0 and 1."""

    title: str
    place: Span
    path: Path | None
    score: float


@dataclass(frozen=True, slots=True)
class Explanation:
    """The answer to *Explain this function*; the briefing itself when no model is set up."""

    title: str
    markdown: str
    function: "Function | None"
    by_model: bool
    notice: str
    stop_reason: str
    citations: tuple[Citation, ...] = ()
    usage: Usage | None = None


@dataclass(frozen=True, slots=True)
class CallChain:
    """Callers and callees of one function to a depth, as trees and as pictures."""

    root: "CallNode"
    callers: "tuple[CallNode, ...]"
    callees: "tuple[CallNode, ...]"
    markdown: str
    mermaid: str


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a question was not answered: `reason` for programs, `message` for the asker."""

    reason: str
    message: str
    nearest: tuple[Source, ...] = ()


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to a question of a session.

    `number` is that of the turn in its session, from 1; None if it was not kept.
    """

    session_id: str
    markdown: str
    by_model: bool
    notice: str
    stop_reason: str
    refused: Refusal | None = None
    citations: tuple[Citation, ...] = ()
    sources: tuple[Source, ...] = ()
    usage: Usage | None = None
    attachments: tuple[Attachment, ...] = ()
    number: int | None = None


@dataclass(frozen=True, slots=True)
class AnalysisPart:
    """What a helper found out about its part of an analysis; if it failed, why."""

    title: str
    paths: tuple[str, ...]
    markdown: str
    stop_reason: str
    citations: tuple[Citation, ...] = ()
    usage: Usage | None = None


@dataclass(frozen=True, slots=True)
class Analysis:
    """The answer to *Explain this package* or *Review changes*, and the parts it was made from.

    `number` is that of the turn in its session, from 1; None if it was not kept.
    """

    session_id: str
    title: str
    markdown: str
    by_model: bool
    notice: str
    stop_reason: str
    parts: tuple[AnalysisPart, ...] = ()
    citations: tuple[Citation, ...] = ()
    usage: Usage | None = None
    number: int | None = None

    @property
    def document(self) -> str:
        """The answer, and below it what was found out about each part, folded away."""
        folds = [
            f"<details><summary>{html.escape(part.title.replace('`', ''))}</summary>\n\n"
            f"{part.markdown}\n\n</details>"
            for part in self.parts
        ]
        return "\n\n".join([self.markdown.rstrip("\n"), *folds]) + "\n"


@dataclass(frozen=True, slots=True)
class Problem:
    """Something in knowledge or skills that was not used as written; `line` is 1-based.

    What `is_note` is only to be known: it works as it is.
    """

    path: str
    line: int
    message: str
    is_note: bool = False


@dataclass(frozen=True, slots=True)
class IndexReport:
    """What reading knowledge, skills and rules found, and when (seconds since 1970)."""

    n_documents: int
    n_sections: int
    n_skills: int
    n_rules: int
    problems: tuple[Problem, ...]
    duration_s: float
    n_instructions: int = 0
    read_at_s: float = 0.0

    @property
    def failures(self) -> tuple[Problem, ...]:
        """The problems that are no mere notes."""
        return tuple(each for each in self.problems if not each.is_note)


@dataclass(frozen=True, slots=True)
class ModelStatus:
    """The model in use; `message` says what is missing and the remedy when there is none."""

    is_configured: bool
    name: str = ""
    endpoint: str = ""
    source: str = ""
    message: str = ""


@dataclass(frozen=True, slots=True)
class MeaningStatus:
    """How far the vectors of the sections are. `problem` says why there are no more just now."""

    encoder: str
    n_ready: int
    n_sections: int
    cache: Path
    cache_bytes: int = 0
    problem: str = ""


@dataclass(frozen=True, slots=True)
class SharedStatus:
    """The index that a team shares. `address` holds no password; `problem` says why it is away."""

    collection: str
    address: str
    n_documents: int = 0
    n_sections: int = 0
    vectors: tuple[tuple[str, int], ...] = ()
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Status:
    """The state of an application, for a status bar and `glossator doctor`.

    Without a `sessions_file` sessions end with the process. `instructions` are the files of other
    assistants that are used, `withheld` those that are not as nobody trusts the workspace.
    """

    version: str
    model: ModelStatus
    index: IndexReport | None
    roots: tuple[Path, ...]
    is_trusted: bool
    problems: tuple[str, ...]
    sessions_file: Path | None = None
    trust: Trust = "unknown"
    instructions: tuple[str, ...] = ()
    withheld: tuple[str, ...] = ()
    meaning: MeaningStatus | None = None
    shared: SharedStatus | None = None
