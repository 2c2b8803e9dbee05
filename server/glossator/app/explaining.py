"""Explain a place in the code, or what a tool says of it: the facts, and a model's words."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from glossator.app.briefing import Briefing, gather_briefing
from glossator.app.briefing_text import render_briefing
from glossator.app.checking.finishing import make_check
from glossator.app.complaints import Complaint, ComplaintGrounds, gather_grounds, render_grounds
from glossator.app.context import Context
from glossator.app.instructions.giving import describe_left_out, judge
from glossator.app.material import request_explanation, request_help
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
from glossator.instructions.standing import Standing


async def explain(context: Context, target: Target) -> Explanation:
    """Explain the function at the target, or the selection where there is no structure."""
    say, parts = context.say, context.parts
    place = f"{target.source.name}:{target.point.line}"
    context.emit(TurnStarted("explain", subject=place))
    context.emit(StepStarted(say("Reading the code", "正在阅读代码")))
    library = context.library
    check = make_check(library, parts, say)
    briefing = await asyncio.to_thread(gather_briefing, target, parts.code_map, library, check)
    facts = _Facts(briefing.title, render_briefing(briefing, say), briefing)
    return await _answer(context, facts, partial(request_explanation, briefing, say))


async def explain_complaint(context: Context, target: Target, complaint: Complaint) -> Explanation:
    """Explain what a tool says about the target: what it means here, and what to do."""
    say, parts = context.say, context.parts
    place = f"{target.source.name}:{complaint.range.start.line}"
    context.emit(TurnStarted("explain", subject=place))
    context.emit(StepStarted(say("Reading the code", "正在阅读代码")))
    library = context.library
    check = make_check(library, parts, say)

    def gather() -> ComplaintGrounds:
        briefing = gather_briefing(target, parts.code_map, library, check)
        return gather_grounds(complaint, briefing, library, parts.workspace)

    grounds = await asyncio.to_thread(gather)
    title = say(f"Problem at {place}", f"{place} 的问题")
    facts = _Facts(title, render_grounds(grounds, say), grounds.briefing)
    return await _answer(context, facts, partial(request_help, grounds, say))


@dataclass(frozen=True, slots=True)
class _Facts:
    """What is known without a model, under the title of the answer."""

    title: str
    markdown: str
    briefing: Briefing


async def _answer(
    context: Context, facts: _Facts, make_request: Callable[[Sequence[Standing]], str]
) -> Explanation:
    """Let the model answer from the facts; without one they are the answer."""
    say, parts = context.say, context.parts
    context.emit(BriefingReady(facts.markdown))
    if parts.model is None:
        notice = explain_missing_model(parts, say)
        return await _briefed(context, facts, notice, "no-model")

    source = facts.briefing.source
    instructions = await asyncio.to_thread(judge, parts, context.library, (source,))
    request = make_request(instructions)
    written: Written | None
    try:
        written = await write_answer(context, parts.model, (), request)
    except ModelUnavailable as error:
        written = await keep_partial(context, error)
        if written is None:
            notice = say(
                f"The model did not answer: {error} The facts above were gathered without it.",
                f"模型没有回答：{say.translate(str(error))}以上事实不依赖模型。",
            )
            return await _briefed(context, facts, notice, stop_reason_of(error), str(error))
    context.end(written.stop_reason, written.usage, written.error)
    return Explanation(
        title=facts.title,
        markdown=written.text,
        function=facts.briefing.function,
        by_model=True,
        notice=" ".join(filter(None, [written.notice, describe_left_out(instructions, say)])),
        stop_reason=written.stop_reason,
        citations=written.citations,
        usage=written.usage,
    )


async def _briefed(
    context: Context, facts: _Facts, notice: str, stop_reason: str, error: str = ""
) -> Explanation:
    """Answer with the facts themselves."""
    citations = await context.verify(facts.markdown)
    context.end(stop_reason, error=error)
    return Explanation(
        title=facts.title,
        markdown=facts.markdown,
        function=facts.briefing.function,
        by_model=False,
        notice=notice,
        stop_reason=stop_reason,
        citations=citations,
    )
