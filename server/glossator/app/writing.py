"""Let a model write an answer, then read its citations again."""

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass, field

from glossator.agent.budget import Budget
from glossator.app.answers import describe_stop
from glossator.app.helping import Equipment, equip
from glossator.app.library import Library
from glossator.app.notices import describe_trimmed
from glossator.app.parts import Parts
from glossator.app.phrasing import Phrasing
from glossator.app.repairing import Checked, repair_answer
from glossator.app.results import Citation
from glossator.app.sessions import Sessions
from glossator.app.verifying import verify_citations
from glossator.citations.fences import close_fence
from glossator.core.errors import IncompleteAnswer, ModelUnavailable
from glossator.core.events import AnswerVerified, Emit, TurnEnded
from glossator.core.locations import Span
from glossator.core.messages import Message, Usage
from glossator.core.text import SourceText
from glossator.model.port import ChatModel
from glossator.tools.seen_texts import SeenTexts


@dataclass(frozen=True, slots=True)
class Context:
    """What one turn works with; a rebuild or a change of settings meanwhile does not touch it.

    `budget` is what the turn may spend with everything it starts. `looked_at` is the document at
    the cursor, if the turn is about one. `seen` are the texts that were read during the turn.
    """

    parts: Parts
    library: Library
    say: Phrasing
    emit: Emit
    started: float
    sessions: Sessions
    budget: Budget
    looked_at: SourceText | None = None
    seen: SeenTexts = field(default_factory=SeenTexts)

    def end(self, stop_reason: str, usage: Usage | None = None, error: str = "") -> None:
        """Emit that the turn is over."""
        self.emit(TurnEnded(stop_reason, usage or Usage(), time.monotonic() - self.started, error))

    async def verify(self, text: str) -> tuple[Citation, ...]:
        """Read every place that the answer names again and emit the verdicts."""
        found = await self.read_again(text)
        self.tell_verdicts(found)
        return found

    def tell_verdicts(self, citations: Sequence[Citation]) -> None:
        """Emit what was found about the places of the answer."""
        reasons = tuple(each.reason for each in citations)
        self.emit(AnswerVerified(list_verdicts(citations), reasons))

    async def read_again(
        self, text: str, shown: Sequence[str] | None = None
    ) -> tuple[Citation, ...]:
        """Read every place that `text` names again.

        `shown` is what a model was given to write it: what does not stand there is no evidence.
        """
        return await asyncio.to_thread(
            verify_citations,
            text,
            self.parts.workspace,
            files=self.library.files,
            looked_at=self.looked_at,
            seen=self.seen,
            shown=shown,
            say=self.say,
        )


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
    from glossator.agent.loop import Limits, run_turn
    from glossator.agent.prompt import SYSTEM

    settings = context.parts.settings.agent
    equipment = equipment or await equip(context, model)
    transcript = [Message("system", SYSTEM), *history, Message("user", request)]
    limits = Limits(
        settings.tool_rounds,
        settings.calls_per_round,
        context_tokens=context.parts.settings.model.context_tokens,
    )
    turn = await run_turn(
        model,
        transcript,
        equipment.toolbox,
        limits,
        context.emit,
        budget=context.budget,
        tools_model=context.parts.tools_model,
        remind=equipment.plan.remind,
    )
    stop_reason = str(turn.stop_reason)
    if not turn.answer.strip():
        raise SilentModel(_describe_silence(model, stop_reason, context.say), stop_reason)
    notices = [describe_stop(stop_reason, context.say)]
    if turn.is_without_tools:
        notices.append(
            context.say(
                f"`{model.name}` takes no tools or has no room for them, so it could not look at "
                "files.",
                f"`{model.name}` 不支持工具或放不下工具说明，因此没有查看任何文件。",
            )
        )
    if turn.lighter_problem:
        notices.append(
            context.say(
                f"The lighter model was not used: {turn.lighter_problem}",
                f"未使用较轻的模型：{turn.lighter_problem}",
            )
        )
    notices.append(describe_trimmed(turn.trimmed, context.say))
    shown = list_shown(transcript, turn.added)
    checked = Checked(turn, await context.read_again(turn.answer, shown))
    if settings.repair_citations:
        checked = await repair_answer(context, model, transcript, checked, shown, limits)
        turn = checked.turn
    context.tell_verdicts(checked.citations)
    notices.append(checked.notice)
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


def list_verdicts(citations: Sequence[Citation]) -> tuple[tuple[str, Span, str], ...]:
    """Return citations as events and sessions hold them: as written, where, and the verdict."""
    return tuple((each.text, each.place, each.verdict) for each in citations)


def _describe_silence(model: ChatModel, stop_reason: str, say: Phrasing) -> str:
    if stop_reason in ("cut", "filtered", "time-limit", "token-limit"):
        return describe_stop(stop_reason, say)
    return say(
        f"`{model.name}` sent no text. Ask again, or choose another model in `model.name`.",
        f"`{model.name}` 没有返回任何文字。请重试，或在 `model.name` 中换一个模型。",
    )


def stop_reason_of(error: ModelUnavailable) -> str:
    """Say why a turn ended in which the model failed."""
    return error.stop_reason if isinstance(error, SilentModel) else "failed"


def say_without_model(say: Phrasing) -> str:
    """Say that no model wrote this."""
    return say("Facts gathered without a model.", "以上事实未经模型。")


def explain_missing_model(parts: Parts, say: Phrasing) -> str:
    """Say in one line that no model wrote this and how to add one."""
    return say_without_model(say) + say(
        f" {parts.model_status.message}",
        "要添加模型，请设置环境变量 `OPENAI_API_KEY`"
        "（其他服务再加 `OPENAI_BASE_URL` 和 `MODEL`）或 `DEEPSEEK_API_KEY`，"
        "或编辑器设置 `model.baseUrl` 和 `model.name`。",
    )
