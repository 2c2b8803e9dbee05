"""What happens during a turn, a check or a rebuild, as values.

The editor's progress, the terminal and the audit log are listeners; none has a path of its own.
`Emit` is called on the event loop and must return at once.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from glossator.core.locations import Span
from glossator.core.messages import Message, Usage


@dataclass(frozen=True, slots=True)
class TurnStarted:
    """A question was taken up. `session_id` is empty for explanations outside a session.

    `subject` is the question as asked, or the place that is explained.
    """

    kind: str
    session_id: str = ""
    subject: str = ""


@dataclass(frozen=True, slots=True)
class BriefingReady:
    """The facts are gathered; `markdown` shows them."""

    markdown: str


@dataclass(frozen=True, slots=True)
class KnowledgeFound:
    """Sections chosen for the question: (title, place, score between 0 and 1).

    `members` are those that were asked: "words", "meaning" (vectors), "shared" (a team's index).
    `n_left_out` more were close enough, of about `n_tokens_left_out` tokens as far as known.
    """

    hits: tuple[tuple[str, Span, float], ...]
    members: tuple[str, ...] = ("words",)
    n_left_out: int = 0
    n_tokens_left_out: int = 0


ActivatedBy = Literal["trigger", "user", "model"]


@dataclass(frozen=True, slots=True)
class SkillActivated:
    """A skill is active from now on: its text, about `n_tokens`, is in what the model is given.

    The question or its file called for it, the user asked for it by its name, or the model did.
    """

    name: str
    by: ActivatedBy
    n_tokens: int


@dataclass(frozen=True, slots=True)
class RoundStarted:
    """A request goes to `model`: `number`, from 1; `remaining` rounds with tools may follow."""

    number: int
    remaining: int
    model: str = ""


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
    """The model finished one request; `reply` is what it said."""

    number: int
    finish: str
    n_tool_calls: int
    usage: Usage | None
    duration_s: float
    first_token_s: float | None
    model: str = ""
    reply: Message | None = None


@dataclass(frozen=True, slots=True)
class ContextTrimmed:
    """The conversation did not fit the model, and what was left out or shortened of it.

    `n_sections_left_out` counts material of the present request.
    """

    n_results_shortened: int
    n_turns_left_out: int
    is_summarized: bool
    budget_tokens: int
    n_sections_left_out: int = 0


StepState = Literal["pending", "active", "done", "dropped"]


@dataclass(frozen=True, slots=True)
class PlanStep:
    """One step of the model's plan."""

    text: str
    state: StepState


@dataclass(frozen=True, slots=True)
class PlanChanged:
    """The model made a plan, or is further with it; `steps` is all of it."""

    steps: tuple[PlanStep, ...]


@dataclass(frozen=True, slots=True)
class HelperStarted:
    """A part of the task was given to a helper: an agent with a fresh context."""

    helper_id: str
    task: str


@dataclass(frozen=True, slots=True)
class HelperActed:
    """What happens inside a helper's work."""

    helper_id: str
    event: "Event"


@dataclass(frozen=True, slots=True)
class HelperEnded:
    """A helper has finished; `result` is what it wrote."""

    helper_id: str
    stop_reason: str
    result: str
    usage: Usage
    duration_s: float


@dataclass(frozen=True, slots=True)
class AnswerVerified:
    """The citations of the answer were read again: (as written, place, verdict).

    `reasons` tells in the same order why a place is missing or moved, where there is more to say.
    """

    citations: tuple[tuple[str, Span, str], ...]
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class AnswerRepaired:
    """The model was asked once more because places in its answer do not exist.

    `n_missing` of the first answer, `n_left` of the second; `is_used`: the second took its place.
    """

    n_missing: int
    n_left: int
    is_used: bool


@dataclass(frozen=True, slots=True)
class CodeJudged:
    """A model judged `n_regions` pieces of code by `n_rules` rules.

    It made `n_claims` that a rule is broken; `n_proven` of them quoted rule and code as they stand,
    and of these it confirmed `n_confirmed` when it was asked to refute them.
    """

    n_rules: int
    n_regions: int
    n_claims: int
    n_proven: int
    n_confirmed: int


@dataclass(frozen=True, slots=True)
class TurnEnded:
    """The turn is over.

    `stop_reason` is one of answered, round-limit, repeating, time-limit, token-limit, cut,
    filtered, refused, no-model, cancelled, failed; `error` says what failed.
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
    | SkillActivated
    | RoundStarted
    | TextArrived
    | ReasoningArrived
    | WaitingForModel
    | ToolStarted
    | ToolFinished
    | RoundEnded
    | ContextTrimmed
    | PlanChanged
    | HelperStarted
    | HelperActed
    | HelperEnded
    | AnswerVerified
    | AnswerRepaired
    | CodeJudged
    | TurnEnded
    | IndexRebuilt
    | StepStarted
)

Emit = Callable[[Event], None]

_PAINTED = (TextArrived, ReasoningArrived, StepStarted, BriefingReady)


def only_paints(event: Event) -> bool:
    """Say whether an event, of a turn or of a helper, is there to be shown and nothing more."""
    while isinstance(event, HelperActed):
        event = event.event
    return isinstance(event, _PAINTED)


def ignore_event(event: Event) -> None:
    """Listen to nothing."""
