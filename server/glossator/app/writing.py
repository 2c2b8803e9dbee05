"""Let a model write an answer, then read its citations again."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from glossator.app.context import Context
from glossator.app.helping import Equipment, equip
from glossator.app.notices import describe_silence, list_notices
from glossator.app.repairing import Checked, repair_answer
from glossator.app.results import Citation
from glossator.app.verdicts import list_verdicts
from glossator.citations.fences import close_fence
from glossator.core.errors import IncompleteAnswer, ModelUnavailable
from glossator.core.locations import Span
from glossator.core.messages import Message, Usage
from glossator.model.port import ChatModel

if TYPE_CHECKING:  # They load pydantic, which only a model needs.
    from glossator.agent.loop import Limits, Turn


class SilentModel(ModelUnavailable):
    """The model ended its answer without a word."""

    def __init__(self, message: str, stop_reason: str) -> None:
        super().__init__(message)
        self.stop_reason = "failed" if stop_reason == "answered" else stop_reason


@dataclass(frozen=True, slots=True)
class Written:
    """What a model wrote. `notice` says in one line why it may be incomplete.

    `messages` is what was sent and received: the request first, the answer last. `error` says why
    it broke off, if it did.
    """

    text: str
    stop_reason: str
    notice: str
    citations: tuple[Citation, ...]
    usage: Usage
    messages: tuple[Message, ...]
    error: str = ""

    @property
    def verdicts(self) -> tuple[tuple[str, Span, str], ...]:
        """The citations as a session keeps them."""
        return list_verdicts(self.citations)


async def write_answer(
    context: Context,
    model: ChatModel,
    history: Sequence[Message],
    request: str,
    equipment: Equipment | None = None,
    *,
    is_about_code: bool = True,
) -> Written:
    """Run the agent on a request and verify what it wrote. The turn is not over yet.

    `equipment` is what the turn works with, if it has begun to; the usage counts its helpers in. An
    answer that is about code has to name places.

    Raises:
        ModelUnavailable: the model failed or said nothing.
    """
    # Imported when a model is used: these load pydantic, which takes a while.
    from glossator.agent.loop import Limits
    from glossator.agent.prompt import SYSTEM

    settings = context.parts.settings.agent
    equipment = equipment or await equip(context, model)
    system = Message("system", SYSTEM + equipment.preface)
    transcript = [system, *history, Message("user", request)]
    limits = Limits(
        settings.tool_rounds,
        settings.calls_per_round,
        context_tokens=context.parts.settings.model.context_tokens,
    )
    turn = await _run(context, model, transcript, equipment, limits)
    stop_reason = str(turn.stop_reason)  # What a repair ends with is its own.
    shown = list_shown(transcript, turn.added)
    shown += [pinned.text for pinned in equipment.desk.active.pin()]
    checked = Checked(turn, await context.read_again(turn.answer, shown))
    if settings.repair_citations:
        checked = await repair_answer(context, model, transcript, checked, shown, limits)
        turn = checked.turn
    context.tell_verdicts(checked.citations)
    notices = [*list_notices(turn, model, context.say), checked.notice]
    if is_about_code and not checked.citations:
        notices.append(
            context.say(
                "The answer names no place; treat it as unverified.",
                "回答没有指明任何出处，请视为未经核实。",
            )
        )
    notice = " ".join(filter(None, notices))
    messages = (transcript[-1], *turn.added)
    usage = turn.usage + equipment.helpers.usage
    return Written(turn.answer, stop_reason, notice, checked.citations, usage, messages)


async def _run(
    context: Context,
    model: ChatModel,
    transcript: Sequence[Message],
    equipment: Equipment,
    limits: "Limits",
) -> "Turn":
    """Run the agent until it has an answer, or has to stop with what it wrote."""
    from glossator.agent.loop import run_turn

    turn = await run_turn(
        model,
        transcript,
        equipment.toolbox,
        limits,
        context.emit,
        budget=context.budget,
        tools_model=context.parts.tools_model,
        remind=equipment.plan.remind,
        pin=equipment.desk.active.pin,
    )
    if not turn.answer.strip():
        stop_reason = str(turn.stop_reason)
        raise SilentModel(describe_silence(model, stop_reason, context.say), stop_reason)
    return turn


async def keep_partial(context: Context, error: ModelUnavailable) -> Written | None:
    """Return what had arrived of an answer that broke off, marked as such; None if nothing had.

    It is shown, and not kept in a session: no later turn may rest on it.
    """
    text = error.text.rstrip() if isinstance(error, IncompleteAnswer) else ""
    if not text:
        return None
    say = context.say
    mark = say("*(The answer broke off here.)*", "*（回答在此中断。）*")
    citations = await context.verify(text)
    return Written(
        text=f"{close_fence(text)}\n\n{mark}\n",
        stop_reason="failed",
        notice=say(f"{error}", f"回答不完整：{error}"),
        citations=citations,
        usage=Usage(),
        messages=(),
        error=str(error),
    )


def list_shown(transcript: Sequence[Message], added: Sequence[Message]) -> list[str]:
    """Return the texts that may hold places which a model was shown before it answered.

    What it said in earlier turns was verified then; what it says in this one is to be.
    """
    earlier = [message.text for message in transcript if message.role != "system"]
    return earlier + [message.text for message in added if message.role == "tool"]


def stop_reason_of(error: ModelUnavailable) -> str:
    """Say why a turn ended in which the model failed."""
    return error.stop_reason if isinstance(error, SilentModel) else "failed"
