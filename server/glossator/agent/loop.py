"""The loop: ask the model, run the tools it calls, repeat until it answers."""

from collections.abc import Callable, Sequence

from glossator.agent.budget import Budget, Limits, StopReason
from glossator.agent.guards import Guard
from glossator.agent.pinning import Pinned
from glossator.agent.talk import Models, Talk, Turn
from glossator.agent.tool_calls import refuse_cut_calls, run_calls
from glossator.core.events import Emit
from glossator.core.messages import Message
from glossator.model.port import ChatModel
from glossator.tools.toolbox import Toolbox

__all__ = ["Budget", "Limits", "StopReason", "Turn", "run_turn"]


async def run_turn(
    model: ChatModel,
    transcript: Sequence[Message],
    toolbox: Toolbox,
    limits: Limits,
    emit: Emit,
    *,
    budget: Budget | None = None,
    tools_model: ChatModel | None = None,
    remind: Callable[[], str] = str,
    pin: Callable[[], Sequence[Pinned]] = tuple,
) -> Turn:
    """Answer the last message of `transcript`. Cancelling the awaiting task ends everything.

    With a `tools_model` that one calls the tools; when it stops, `model` writes the answer from
    what was gathered. What `remind` returns is told with each round, and not kept; the texts that
    `pin` returns can be read in every request, however much of the rest is left out.

    Raises:
        ModelUnavailable: the model failed; nothing of the turn is to be kept.
    """
    budget = budget or Budget()
    models, guard = Models(model, tools_model), Guard()
    talk = Talk(models, transcript, toolbox.specs, limits, budget, emit, remind, guard.forget, pin)
    stop_reason = StopReason.ROUND_LIMIT
    for remaining in reversed(range(limits.tool_rounds)):
        reason = guard.stop_reason or talk.find_closing()
        if reason:
            stop_reason = reason
            break
        reply = await talk.ask(remaining)
        if not reply.calls:
            if reply.is_final:
                return talk.end(reply.stop_reason)
            stop_reason = StopReason.ANSWERED
            break
        if reply.is_cut:
            guard.note_cut()
            talk.add_results(reply, refuse_cut_calls(reply.calls))
        else:
            outcomes = await run_calls(toolbox, reply.calls, limits, budget, emit)
            talk.add_results(reply, outcomes, guard.advise(reply.calls, outcomes))

    if budget.over:
        return talk.end(budget.over)
    # No tools are offered now, so the model has to answer with what it has.
    reply = await talk.ask_last()
    is_whole = reply.stop_reason is StopReason.ANSWERED
    return talk.end(stop_reason if is_whole else reply.stop_reason)
