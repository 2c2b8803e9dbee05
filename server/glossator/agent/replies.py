"""Read one reply of a model: its pieces as events, and the whole of it as a message."""

import asyncio
import math
import time
from collections.abc import Sequence
from contextlib import aclosing
from dataclasses import dataclass

from glossator.agent.budget import Budget, StopReason
from glossator.core.errors import IncompleteAnswer
from glossator.core.events import Emit, ReasoningArrived, RoundEnded, TextArrived, WaitingForModel
from glossator.core.messages import (
    Completion,
    Message,
    Piece,
    ReasoningDelta,
    TextDelta,
    ToolCall,
    ToolSpec,
    Waiting,
)
from glossator.core.tokens import estimate_tokens
from glossator.model.port import ChatModel

# However little is left, an answer that was asked for may have so many tokens.
_LEAST_ANSWER = 1_000


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model answered.

    `calls` are to be answered: with results, or because they were cut (`is_cut`) with advice.
    `stop_reason` says why the turn ends if this is its answer. `is_final`: it may be the answer.
    """

    message: Message
    completion: Completion
    stop_reason: StopReason
    is_final: bool = True

    @property
    def calls(self) -> tuple[ToolCall, ...]:
        return self.message.tool_calls

    @property
    def is_cut(self) -> bool:
        return self.completion.finish == "length"


async def read_reply(
    model: ChatModel,
    request: Sequence[Message],
    tools: Sequence[ToolSpec],
    budget: Budget,
    emit: Emit,
    *,
    number: int,
    n_prompt_tokens: int,
    is_final: bool = True,
) -> Reply:
    """Ask for the next message. When the budget is spent meanwhile, what has arrived is the reply.

    Words that cannot be the answer (not `is_final`) are shown as thinking.
    """
    reading = _Reading(emit, is_final=is_final)
    stop = await reading.read(model, request, tools, budget, n_prompt_tokens)
    completion = reading.completion
    usage = completion.usage
    budget.spend(
        usage.prompt_tokens + usage.completion_tokens
        if usage
        else n_prompt_tokens + reading.n_tokens
    )
    message = reading.make_message(are_tools_offered=bool(tools) and stop is None)
    emit(
        RoundEnded(
            number,
            stop or completion.finish,
            len(reading.calls),
            usage,
            time.monotonic() - reading.started,
            reading.first_token_s,
            model.name,
            message,
        )
    )
    return Reply(message, completion, stop or _stop_reason_of(completion), is_final)


class _Reading:
    """One reply while it arrives."""

    def __init__(self, emit: Emit, *, is_final: bool) -> None:
        self.started = time.monotonic()
        self.first_token_s: float | None = None
        self.n_tokens = 0
        self.calls: list[ToolCall] = []
        self.completion = Completion("stop")
        self._text: list[str] = []
        self._reasoning: list[str] = []
        self._emit = emit
        self._is_final = is_final

    async def read(
        self,
        model: ChatModel,
        request: Sequence[Message],
        tools: Sequence[ToolSpec],
        budget: Budget,
        n_prompt_tokens: int,
    ) -> StopReason | None:
        """Take in every piece; return why it ended early, if it did."""
        n_allowed = max(budget.tokens_left - n_prompt_tokens, _LEAST_ANSWER)
        seconds = budget.seconds_left()
        timeout = asyncio.timeout(None if math.isinf(seconds) else seconds)
        try:
            async with timeout, aclosing(model.stream(request, tools)) as pieces:
                async for piece in pieces:
                    self._take(piece)
                    if self.n_tokens > n_allowed:
                        return StopReason.TOKEN_LIMIT
        except TimeoutError:
            if not timeout.expired():
                raise
            return StopReason.TIME_LIMIT
        except IncompleteAnswer as error:
            error.text = "".join(self._text) if self._is_final else ""
            raise
        return None

    def make_message(self, *, are_tools_offered: bool) -> Message:
        """Return what was said. Calls are part of it only if they can be answered.

        Those of a filtered or refused answer are not, nor those that nobody offered.
        """
        finish = self.completion.finish
        calls: Sequence[ToolCall] = ()
        if are_tools_offered and finish in ("stop", "tool_calls", "length"):
            calls = self.calls or self.completion.cut_calls
        return Message(
            "assistant", "".join(self._text), tuple(calls), reasoning="".join(self._reasoning)
        )

    def _take(self, piece: Piece) -> None:
        if self.first_token_s is None and not isinstance(piece, Waiting):
            self.first_token_s = time.monotonic() - self.started
        match piece:
            case TextDelta():
                self._text.append(piece.text)
                self.n_tokens += estimate_tokens(piece.text)
                arrived = TextArrived if self._is_final else ReasoningArrived
                self._emit(arrived(piece.text))
            case ReasoningDelta():
                self._reasoning.append(piece.text)
                self.n_tokens += estimate_tokens(piece.text)
                self._emit(ReasoningArrived(piece.text))
            case ToolCall():
                self.calls.append(piece)
            case Waiting():
                self._emit(WaitingForModel(piece.seconds, piece.reason))
            case Completion():
                self.completion = piece


def _stop_reason_of(completion: Completion) -> StopReason:
    match completion.finish:
        case "length":
            return StopReason.CUT
        case "content_filter":
            return StopReason.FILTERED
    return StopReason.ANSWERED
