"""What happens during a turn, a check or a rebuild, as values.

The editor's progress, the terminal and the audit log are listeners; none has a path of its own.
`Emit` is called on the event loop and must return at once.
"""

from collections.abc import Callable
from dataclasses import dataclass

from glossator.core.locations import Span
from glossator.core.messages import Usage


@dataclass(frozen=True, slots=True)
class TurnStarted:
    """A question was taken up. `session_id` is empty for explanations outside a session."""

    kind: str
    session_id: str = ""


@dataclass(frozen=True, slots=True)
class BriefingReady:
    """The facts are gathered; `markdown` shows them."""

    markdown: str


@dataclass(frozen=True, slots=True)
class KnowledgeFound:
    """Sections chosen for the question: (title, place, score between 0 and 1)."""

    hits: tuple[tuple[str, Span, float], ...]


@dataclass(frozen=True, slots=True)
class RoundStarted:
    """A request goes to the model: `number`, from 1; `remaining` rounds with tools may follow."""

    number: int
    remaining: int


@dataclass(frozen=True, slots=True)
class TextArrived:
    """A piece of the answer."""

    text: str


@dataclass(frozen=True, slots=True)
class ReasoningArrived:
    """A piece of the model's thinking."""

    text: str


@dataclass(frozen=True, slots=True)
class WaitingForModel:
    """A pause before the request is made again: the server asked for it, or a try failed."""

    seconds: float
    reason: str


@dataclass(frozen=True, slots=True)
class ToolStarted:
    """A tool call begins; `arguments` is its JSON text."""

    call_id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class ToolFinished:
    """A tool call ended. `summary` is one line for people; `result` is what the model gets."""

    call_id: str
    name: str
    is_error: bool
    summary: str
    result: str
    duration_s: float


@dataclass(frozen=True, slots=True)
class RoundEnded:
    """The model finished one request."""

    number: int
    finish: str
    n_tool_calls: int
    usage: Usage | None
    duration_s: float
    first_token_s: float | None


@dataclass(frozen=True, slots=True)
class AnswerVerified:
    """The citations of the answer were read again: (as written, place, verdict)."""

    citations: tuple[tuple[str, Span, str], ...]


@dataclass(frozen=True, slots=True)
class TurnEnded:
    """The turn is over.

    `stop_reason` is one of answered, round-limit, repeating, cut, filtered, refused, no-model,
    cancelled, failed; `error` says what failed.
    """

    stop_reason: str
    usage: Usage
    duration_s: float
    error: str = ""


@dataclass(frozen=True, slots=True)
class IndexRebuilt:
    """Knowledge, skills and rules were read again."""

    n_documents: int
    n_sections: int
    n_skills: int
    n_rules: int
    n_problems: int
    duration_s: float


@dataclass(frozen=True, slots=True)
class StepStarted:
    """A step of a longer task, for people ("Looking for callers", 3 of 8)."""

    text: str
    done: int = 0
    total: int = 0


Event = (
    TurnStarted
    | BriefingReady
    | KnowledgeFound
    | RoundStarted
    | TextArrived
    | ReasoningArrived
    | WaitingForModel
    | ToolStarted
    | ToolFinished
    | RoundEnded
    | AnswerVerified
    | TurnEnded
    | IndexRebuilt
    | StepStarted
)

Emit = Callable[[Event], None]


def ignore_event(event: Event) -> None:
    """Listen to nothing."""
