"""The transcript: what a model is sent and what it answers, free of any provider's types."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Role = Literal["system", "user", "assistant", "tool"]


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A complete tool call. `arguments` is JSON text as the model wrote it, maybe invalid.

    `extra` holds fields that a provider wants back unchanged (thought signatures and the like).
    """

    id: str
    name: str
    arguments: str
    extra: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Message:
    """One entry of a transcript.

    An assistant message may carry `tool_calls` and the provider's `reasoning`; a tool message
    answers the call named by `call_id`.
    """

    role: Role
    text: str
    tool_calls: tuple[ToolCall, ...] = ()
    call_id: str | None = None
    reasoning: str = ""


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """A tool as the model sees it; `parameters` is a plain JSON schema of type object."""

    name: str
    description: str
    parameters: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one or more requests, as counted by the server.

    `cost` is what the server says they cost, or what the user's prices make of them; None when
    that is not known of each request.
    """

    prompt_tokens: int = 0
    completion_tokens: int = 0
    cached_tokens: int = 0
    cost: float | None = None

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(
            self.prompt_tokens + other.prompt_tokens,
            self.completion_tokens + other.completion_tokens,
            self.cached_tokens + other.cached_tokens,
            self._add_cost(other),
        )

    def _add_cost(self, other: "Usage") -> float | None:
        """Return the cost of both; a part of it would be read as all of it."""
        if self == Usage() or other == Usage():
            return other.cost if self == Usage() else self.cost
        return None if self.cost is None or other.cost is None else self.cost + other.cost


@dataclass(frozen=True, slots=True)
class TextDelta:
    """A piece of the answer."""

    text: str


@dataclass(frozen=True, slots=True)
class ReasoningDelta:
    """A piece of the model's thinking, never part of the answer."""

    text: str


FinishReason = Literal["stop", "tool_calls", "length", "content_filter", "refusal"]


@dataclass(frozen=True, slots=True)
class Completion:
    """The end of a stream: why it ended and what it cost. Always the last piece.

    `notes` are quirks worth logging (an unknown finish reason, a dropped parameter). `cut_calls`
    are those that the length limit cut: they are never run, and their arguments may be half.
    """

    finish: FinishReason
    usage: Usage | None = None
    notes: tuple[str, ...] = ()
    cut_calls: tuple[ToolCall, ...] = ()


@dataclass(frozen=True, slots=True)
class Waiting:
    """A pause before the request is made again: the server asked for it, or a try failed."""

    seconds: float
    reason: str


Piece = TextDelta | ReasoningDelta | ToolCall | Waiting | Completion
