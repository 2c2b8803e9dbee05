"""Let a model write an answer, then read its citations again."""

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass

from glossator.app.answers import describe_stop, verify_citations
from glossator.app.library import Library
from glossator.app.parts import Parts
from glossator.app.phrasing import Phrasing
from glossator.app.results import Citation
from glossator.core.errors import ModelUnavailable
from glossator.core.events import AnswerVerified, Emit, TurnEnded
from glossator.core.messages import Message, Usage
from glossator.core.text import SourceText
from glossator.model.port import ChatModel


@dataclass(frozen=True, slots=True)
class Context:
    """What one turn works with; a rebuild or a change of settings meanwhile does not touch it.

    `looked_at` is the document at the cursor, if the turn is about one.
    """

    parts: Parts
    library: Library
    say: Phrasing
    emit: Emit
    started: float
    looked_at: SourceText | None = None

    def end(self, stop_reason: str, usage: Usage | None = None, error: str = "") -> None:
        """Emit that the turn is over."""
        self.emit(TurnEnded(stop_reason, usage or Usage(), time.monotonic() - self.started, error))

    async def verify(self, text: str) -> tuple[Citation, ...]:
        """Read every place that `text` names again and emit the verdicts."""
        found = await asyncio.to_thread(
            verify_citations,
            text,
            self.parts.workspace,
            self.parts.code_map,
            files=self.library.files,
            looked_at=self.looked_at,
        )
        verdicts = tuple((each.text, each.place, each.verdict) for each in found)
        self.emit(AnswerVerified(verdicts))
        return found


class SilentModel(ModelUnavailable):
    """The model ended its answer without a word."""

    def __init__(self, message: str, stop_reason: str) -> None:
        super().__init__(message)
        self.stop_reason = "failed" if stop_reason == "answered" else stop_reason


@dataclass(frozen=True, slots=True)
class Written:
    """What a model wrote. `notice` says in one line why it may be incomplete."""

    text: str
    stop_reason: str
    notice: str
    citations: tuple[Citation, ...]
    usage: Usage


async def write_answer(
    context: Context, model: ChatModel, history: Sequence[Message], request: str
) -> Written:
    """Run the agent on a request and verify what it wrote.

    Raises:
        ModelUnavailable: the model failed or said nothing; the turn is not over yet.
    """
    # Imported when a model is used: these load pydantic, which takes a while.
    from glossator.agent.loop import Limits, run_turn
    from glossator.agent.prompt import SYSTEM

    settings = context.parts.settings.agent
    toolbox = await asyncio.to_thread(context.parts.make_toolbox)
    transcript = [Message("system", SYSTEM), *history, Message("user", request)]
    limits = Limits(settings.tool_rounds, settings.calls_per_round)
    turn = await run_turn(model, transcript, toolbox, limits, context.emit)
    stop_reason = str(turn.stop_reason)
    if not turn.answer.strip():
        raise SilentModel(_describe_silence(model, stop_reason, context.say), stop_reason)
    notices = [describe_stop(stop_reason, context.say)]
    if turn.is_without_tools:
        notices.append(
            context.say(
                f"The model `{model.name}` takes no tools, so it could not look at files.",
                f"模型 `{model.name}` 不支持工具，因此没有查看任何文件。",
            )
        )
    if turn.is_shortened:
        notices.append(
            context.say(
                "The conversation was too long for the model; earlier turns and some material were "
                "left out.",
                "对话超出了模型的长度限制；较早的轮次和部分材料没有发送。",
            )
        )
    citations = await context.verify(turn.answer)
    context.end(stop_reason, turn.usage)
    notice = " ".join(filter(None, notices))
    return Written(turn.answer, stop_reason, notice, citations, turn.usage)


def _describe_silence(model: ChatModel, stop_reason: str, say: Phrasing) -> str:
    if stop_reason in ("cut", "filtered"):
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
