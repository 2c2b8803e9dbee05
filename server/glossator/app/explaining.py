"""Explain a place in the code: the briefing, and what a model makes of it."""

import asyncio

from glossator.app.briefing import Briefing, gather_briefing
from glossator.app.briefing_text import render_briefing
from glossator.app.checking.finishing import make_check
from glossator.app.context import Context
from glossator.app.instructions.giving import describe_left_out, judge
from glossator.app.material import request_explanation
from glossator.app.notices import explain_missing_model
from glossator.app.results import Explanation, Target
from glossator.app.writing import (
    Written,
    keep_partial,
    stop_reason_of,
    write_answer,
)
from glossator.core.errors import ModelUnavailable
from glossator.core.events import BriefingReady, StepStarted, TurnStarted


async def explain(context: Context, target: Target) -> Explanation:
    """Explain the function at the target, or the selection where there is no structure."""
    say, parts = context.say, context.parts
    place = f"{target.source.name}:{target.point.line}"
    context.emit(TurnStarted("explain", subject=place))
    context.emit(StepStarted(say("Reading the code", "正在阅读代码")))
    library = context.library
    check = make_check(library, parts, say)
    briefing = await asyncio.to_thread(gather_briefing, target, parts.code_map, library, check)
    markdown = render_briefing(briefing, say)
    context.emit(BriefingReady(markdown))
    if parts.model is None:
        notice = explain_missing_model(parts, say)
        return await _briefed(context, briefing, markdown, notice, "no-model")

    instructions = await asyncio.to_thread(judge, parts, context.library, (target.source,))
    request = request_explanation(briefing, say, instructions)
    written: Written | None
    try:
        written = await write_answer(context, parts.model, (), request)
    except ModelUnavailable as error:
        written = await keep_partial(context, error)
        if written is None:
            notice = say(
                f"The model did not answer: {error} The facts above were gathered without it.",
                f"模型没有回答：{error} 以上事实不依赖模型。",
            )
            return await _briefed(
                context, briefing, markdown, notice, stop_reason_of(error), str(error)
            )
    context.end(written.stop_reason, written.usage, written.error)
    return Explanation(
        title=briefing.title,
        markdown=written.text,
        function=briefing.function,
        by_model=True,
        notice=" ".join(filter(None, [written.notice, describe_left_out(instructions, say)])),
        stop_reason=written.stop_reason,
        citations=written.citations,
        usage=written.usage,
    )


async def _briefed(
    context: Context,
    briefing: Briefing,
    markdown: str,
    notice: str,
    stop_reason: str,
    error: str = "",
) -> Explanation:
    """Answer with the briefing itself."""
    citations = await context.verify(markdown)
    context.end(stop_reason, error=error)
    return Explanation(
        title=briefing.title,
        markdown=markdown,
        function=briefing.function,
        by_model=False,
        notice=notice,
        stop_reason=stop_reason,
        citations=citations,
    )
