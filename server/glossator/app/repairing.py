"""One more request when an answer names places that do not exist: correct or withdraw them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from glossator.app.phrasing import count
from glossator.app.results import Citation
from glossator.core.errors import ModelUnavailable
from glossator.core.events import (
    AnswerRepaired,
    Emit,
    Event,
    ReasoningArrived,
    RoundEnded,
    RoundStarted,
    StepStarted,
    TextArrived,
)
from glossator.core.messages import Message
from glossator.model.port import ChatModel
from glossator.tools.escaping import escape_invisible, quote_name

if TYPE_CHECKING:  # They load pydantic, which only a model needs.
    from glossator.agent.loop import Limits, Turn
    from glossator.app.context import Context

_REQUEST = """\
These places in your answer were read again and do not hold:

{places}

Write the whole answer again. Where you have seen the right place above, cite that one; where you \
have not, withdraw the claim, or say that it is uncertain. Change nothing else, and do not speak \
of this correction."""
_MAX_LISTED = 40


@dataclass(frozen=True, slots=True)
class Checked:
    """A turn and the places that its answer names; `notice` says that the answer was repaired."""

    turn: "Turn"
    citations: tuple[Citation, ...]
    notice: str = ""

    @property
    def missing(self) -> tuple[Citation, ...]:
        """The places that do not exist."""
        return tuple(each for each in self.citations if each.verdict == "missing")


async def repair_answer(
    context: "Context",
    model: ChatModel,
    transcript: Sequence[Message],
    checked: Checked,
    shown: Sequence[str],
    limits: "Limits",
) -> Checked:
    """Ask the model once more about missing places; return what is better, with the usage of both.

    No tools are offered: the model has read what it rests on, and one request is all that this may
    cost. What it writes is not shown while it arrives: it takes the first answer's place or none.
    """
    from glossator.agent.loop import StopReason, run_turn
    from glossator.tools.toolbox import Toolbox

    first = checked.turn
    is_whole = first.stop_reason in {
        StopReason.ANSWERED,
        StopReason.ROUND_LIMIT,
        StopReason.REPEATING,
    }
    if not checked.missing or not is_whole or context.budget.over:
        return checked
    n_missing = len(checked.missing)
    step = context.say(
        f"Asking about {count(n_missing, 'place')} that {_do(n_missing)} not exist",
        f"正在核实 {n_missing} 处不存在的引用",
    )
    conversation = [*transcript, *first.added, Message("user", _render_request(checked.missing))]
    n_rounds = sum(message.role == "assistant" for message in first.added)
    try:
        again = await run_turn(
            model,
            conversation,
            Toolbox(()),
            replace(limits, tool_rounds=0),
            _quietly(context.emit, n_rounds, step),
            budget=context.budget,
        )
    except ModelUnavailable:
        context.emit(AnswerRepaired(n_missing, n_missing, is_used=False))
        return checked
    usage = first.usage + again.usage
    repaired = Checked(
        replace(first, added=(*first.added[:-1], again.added[-1]), usage=usage),
        await context.read_again(again.answer, shown),
        _describe_repair(context, n_missing),
    )
    is_used = again.stop_reason == StopReason.ROUND_LIMIT and _is_better(repaired, checked)
    context.emit(AnswerRepaired(n_missing, len(repaired.missing), is_used=is_used))
    return repaired if is_used else replace(checked, turn=replace(first, usage=usage))


def _is_better(repaired: Checked, checked: Checked) -> bool:
    """Say whether fewer places are missing, and not because the evidence was left out."""
    n_held = len(checked.citations) - len(checked.missing)
    return (
        bool(repaired.turn.answer.strip())
        and len(repaired.missing) < len(checked.missing)
        and len(repaired.citations) - len(repaired.missing) >= n_held
    )


def _render_request(missing: Sequence[Citation]) -> str:
    lines = [
        f"- {quote_name(each.text)}: {escape_invisible(each.reason)}"
        for each in missing[:_MAX_LISTED]
    ]
    return _REQUEST.format(places="\n".join(lines))


def _quietly(emit: Emit, n_rounds: int, step: str) -> Emit:
    """Tell of a step instead of what is written, and go on counting the rounds of the turn."""

    def emit_rest(event: Event) -> None:
        if isinstance(event, RoundStarted | RoundEnded):
            event = replace(event, number=event.number + n_rounds)
        if not isinstance(event, TextArrived | ReasoningArrived):
            emit(event)
        if isinstance(event, RoundStarted):
            emit(StepStarted(step))

    return emit_rest


def _describe_repair(context: "Context", n_missing: int) -> str:
    return context.say(
        f"The model was asked once more, because {count(n_missing, 'place')} in its first answer "
        f"{_do(n_missing)} not exist.",
        f"第一次的回答中有 {n_missing} 处引用不存在，因此请模型重写了一次。",
    )


def _do(number: int) -> str:
    return "does" if number == 1 else "do"
