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
        ModelUnavailable: the model failed; the turn is not over yet.
    """
    # Imported when a model is used: these load pydantic, which takes a while.
    from glossator.agent.loop import Limits, run_turn
    from glossator.agent.prompt import SYSTEM

    settings = context.parts.settings.agent
    toolbox = await asyncio.to_thread(context.parts.make_toolbox)
    transcript = [Message("system", SYSTEM), *history, Message("user", request)]
    limits = Limits(settings.tool_rounds, settings.calls_per_round)
    turn = await run_turn(model, transcript, toolbox, limits, context.emit)
    citations = await context.verify(turn.answer)
    stop_reason = str(turn.stop_reason)
    context.end(stop_reason, turn.usage)
    notice = describe_stop(stop_reason, context.say)
    return Written(turn.answer, stop_reason, notice, citations, turn.usage)


def explain_missing_model(parts: Parts, say: Phrasing) -> str:
    """Say in one line that no model wrote this and how to add one."""
    return say(
        f"Facts gathered without a model. {parts.model_status.message}",
        "以上事实未经模型。要添加模型，请设置环境变量 `OPENAI_API_KEY`"
        "（其他服务再加 `OPENAI_BASE_URL` 和 `MODEL`）或 `DEEPSEEK_API_KEY`，"
        "或编辑器设置 `model.baseUrl` 和 `model.name`。",
    )
