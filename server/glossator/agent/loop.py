"""The loop: ask the model, run the tools it calls, repeat until it answers."""

import asyncio
import time
from collections.abc import Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from enum import StrEnum

from glossator.agent.guards import RepeatGuard, skip_surplus_calls
from glossator.agent.prompt import LAST_ROUND, NO_TOOLS, render_rounds_left
from glossator.agent.window import shorten
from glossator.core.events import (
    Emit,
    ReasoningArrived,
    RoundEnded,
    RoundStarted,
    TextArrived,
    ToolFinished,
    ToolStarted,
    WaitingForModel,
)
from glossator.core.messages import (
    Completion,
    Message,
    ReasoningDelta,
    TextDelta,
    ToolCall,
    ToolSpec,
    Usage,
    Waiting,
)
from glossator.model.failures import ContextTooLong, ToolsUnsupported
from glossator.model.port import ChatModel
from glossator.tools.toolbox import Toolbox, ToolOutcome


class StopReason(StrEnum):
    """Why a turn ended."""

    ANSWERED = "answered"
    ROUND_LIMIT = "round-limit"
    REPEATING = "repeating"
    CUT = "cut"
    FILTERED = "filtered"


@dataclass(frozen=True, slots=True)
class Limits:
    """How far one turn may go."""

    tool_rounds: int = 8
    calls_per_round: int = 16


@dataclass(frozen=True, slots=True)
class Turn:
    """What a turn added to the transcript; its last message is the answer.

    `is_shortened`: the conversation did not fit the model and was sent without its earlier turns.
    `is_without_tools`: the model takes no tools.
    """

    added: tuple[Message, ...]
    stop_reason: StopReason
    usage: Usage
    is_shortened: bool = False
    is_without_tools: bool = False

    @property
    def answer(self) -> str:
        """The text of the last message."""
        return self.added[-1].text


@dataclass(frozen=True, slots=True)
class _Reply:
    message: Message
    completion: Completion


async def run_turn(
    model: ChatModel,
    transcript: Sequence[Message],
    toolbox: Toolbox,
    limits: Limits,
    emit: Emit,
) -> Turn:
    """Answer the last message of `transcript`. Cancelling the awaiting task ends everything.

    Raises:
        ModelUnavailable: the model failed; nothing of the turn is to be kept.
    """
    talk = _Talk(model, transcript, toolbox.specs, emit)
    repeats = RepeatGuard()
    stop_reason = StopReason.ROUND_LIMIT
    number = 0
    for number in range(1, limits.tool_rounds + 1):
        remaining = limits.tool_rounds - number
        emit(RoundStarted(number, remaining))
        reply = await talk.ask(number)
        if not reply.message.tool_calls:
            return talk.end(_stop_reason_of(reply.completion))
        calls, surplus = skip_surplus_calls(reply.message.tool_calls, limits.calls_per_round)
        outcomes = [*await _run_all(toolbox, calls, emit), *surplus]
        advised = repeats.advise(reply.message.tool_calls, outcomes)
        talk.added.extend(_results(reply.message.tool_calls, advised, remaining))
        if repeats.is_hopeless:
            stop_reason = StopReason.REPEATING
            break

    # No tools are offered now, so the model has to answer with what it has.
    emit(RoundStarted(number + 1, 0))
    talk.tools = ()
    await talk.ask(number + 1, LAST_ROUND)
    return talk.end(stop_reason)


class _Talk:
    """What is said in one turn, and what the model has shown that it cannot take."""

    def __init__(
        self,
        model: ChatModel,
        transcript: Sequence[Message],
        tools: Sequence[ToolSpec],
        emit: Emit,
    ) -> None:
        self.tools = tools
        self.added: list[Message] = []
        self._model = model
        self._transcript = transcript
        self._emit = emit
        self._usage = Usage()
        self._is_shortened = False
        self._is_without_tools = False

    async def ask(self, number: int, remark: str = "") -> _Reply:
        """Ask for the next message and add it; a model that cannot take this is asked for less."""
        while True:
            remarks = [remark, NO_TOOLS if self._is_without_tools else ""]
            messages = [Message("user", text) for text in remarks if text]
            request = [*self._transcript, *self.added, *messages]
            try:
                reply = await _ask(self._model, request, self.tools, number, self._emit)
                break
            except ContextTooLong:
                if self._is_shortened:
                    raise
                self._is_shortened = True
                self._transcript, self.added = shorten(self._transcript, self.added)
            except ToolsUnsupported:
                if not self.tools:
                    raise
                self._is_without_tools, self.tools = True, ()
        self._usage += reply.completion.usage or Usage()
        if not self.tools or reply.completion.finish not in ("stop", "tool_calls"):
            # A call that was not offered, or that stands in an answer which is not whole.
            reply = replace(reply, message=replace(reply.message, tool_calls=()))
        self.added.append(reply.message)
        return reply

    def end(self, stop_reason: StopReason) -> Turn:
        """Return the turn, whose answer was the last to be added."""
        return Turn(
            tuple(self.added),
            stop_reason,
            self._usage,
            is_shortened=self._is_shortened,
            is_without_tools=self._is_without_tools,
        )


async def _ask(
    model: ChatModel,
    transcript: Sequence[Message],
    tools: Sequence[ToolSpec],
    number: int,
    emit: Emit,
) -> _Reply:
    text: list[str] = []
    reasoning: list[str] = []
    calls: list[ToolCall] = []
    completion = Completion("stop")
    started = time.monotonic()
    first_token_s: float | None = None
    async with aclosing(model.stream(transcript, tools)) as pieces:
        async for piece in pieces:
            if first_token_s is None and not isinstance(piece, Waiting):
                first_token_s = time.monotonic() - started
            match piece:
                case TextDelta():
                    text.append(piece.text)
                    emit(TextArrived(piece.text))
                case ReasoningDelta():
                    reasoning.append(piece.text)
                    emit(ReasoningArrived(piece.text))
                case ToolCall():
                    calls.append(piece)
                case Waiting():
                    emit(WaitingForModel(piece.seconds, piece.reason))
                case Completion():
                    completion = piece
    duration_s = time.monotonic() - started
    emit(
        RoundEnded(
            number, completion.finish, len(calls), completion.usage, duration_s, first_token_s
        )
    )
    message = Message("assistant", "".join(text), tuple(calls), reasoning="".join(reasoning))
    return _Reply(message, completion)


async def _run_all(toolbox: Toolbox, calls: Sequence[ToolCall], emit: Emit) -> list[ToolOutcome]:
    """Run the calls of one round side by side; the outcomes keep the order of the calls."""
    try:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(_run(toolbox, call, emit)) for call in calls]
    except BaseExceptionGroup as errors:
        # Nobody further up knows that the calls ran side by side.
        raise errors.exceptions[0] from None
    return [task.result() for task in tasks]


async def _run(toolbox: Toolbox, call: ToolCall, emit: Emit) -> ToolOutcome:
    emit(ToolStarted(call.id, call.name, call.arguments))
    started = time.monotonic()
    outcome = await toolbox.run(call)
    duration_s = time.monotonic() - started
    emit(
        ToolFinished(
            call.id, call.name, outcome.is_error, outcome.summary, outcome.text, duration_s
        )
    )
    return outcome


def _results(
    calls: Sequence[ToolCall], outcomes: Sequence[ToolOutcome], remaining: int
) -> list[Message]:
    """Answer each call; the last result tells how many rounds are left."""
    messages = [
        Message("tool", outcome.text, call_id=call.id)
        for call, outcome in zip(calls, outcomes, strict=True)
    ]
    last = messages[-1]
    messages[-1] = replace(last, text=f"{last.text}\n\n{render_rounds_left(remaining)}")
    return messages


def _stop_reason_of(completion: Completion) -> StopReason:
    match completion.finish:
        case "length":
            return StopReason.CUT
        case "content_filter":
            return StopReason.FILTERED
    return StopReason.ANSWERED
