"""Answer a question about the workspace, or refuse it when nothing known can answer it."""

import asyncio

from glossator.agent.window import fit_history
from glossator.app.answers import compose_answer, refuse, source_of
from glossator.app.grounds import Grounds, find_grounds
from glossator.app.material import list_top_level, request_answer
from glossator.app.results import Answer, Refusal, Source, Target
from glossator.app.sessions import Session
from glossator.app.writing import (
    Context,
    explain_missing_model,
    stop_reason_of,
    write_answer,
)
from glossator.core.errors import ModelUnavailable
from glossator.core.events import KnowledgeFound, StepStarted, TurnStarted
from glossator.knowledge.routing import Found, NoKnowledge
from glossator.model.port import ChatModel


async def ask(context: Context, session: Session, question: str, target: Target | None) -> Answer:
    """Answer a question of a session. A turn that fails or is cancelled leaves it as it was."""
    say, parts = context.say, context.parts
    context.emit(TurnStarted("ask", session.id))
    context.emit(StepStarted(say("Looking for what is known", "正在查找已有知识")))
    grounds = await asyncio.to_thread(
        find_grounds,
        question,
        parts.workspace,
        parts.code_map,
        context.library,
        target=target,
        follows_code=session.was_about_code,
    )
    sources = _sources_of(context, grounds)
    context.emit(KnowledgeFound(tuple((each.title, each.place, each.score) for each in sources)))
    refusal = _refusal_for(context, grounds)
    if refusal is not None:
        context.end("refused")
        return Answer(session.id, refusal.message, False, "", "refused", refused=refusal)
    if parts.model is None:
        notice = explain_missing_model(parts, say)
        return await _without_model(context, session, grounds, sources, notice, "no-model")
    try:
        return await _with_model(context, parts.model, session, grounds, sources)
    except ModelUnavailable as error:
        notice = say(f"The model did not answer: {error}", f"模型没有回答：{error}")
        return await _without_model(
            context, session, grounds, sources, notice, stop_reason_of(error), str(error)
        )


def _refusal_for(context: Context, grounds: Grounds) -> Refusal | None:
    """Decide from what was found, before any model is asked."""
    knowledge, parts = grounds.knowledge, context.parts
    if not isinstance(knowledge, NoKnowledge) or not grounds.is_unknown:
        return None
    if parts.settings.knowledge.when_unknown == "code" and parts.model is not None:
        return None
    return refuse(knowledge, grounds.question, context.library.files)


def _sources_of(context: Context, grounds: Grounds) -> tuple[Source, ...]:
    if not isinstance(grounds.knowledge, Found):
        return ()
    return tuple(source_of(hit, context.library.files) for hit in grounds.knowledge.hits)


async def _with_model(
    context: Context,
    model: ChatModel,
    session: Session,
    grounds: Grounds,
    sources: tuple[Source, ...],
) -> Answer:
    settings = context.parts.settings
    history, n_left_out = fit_history(session.turns, settings.agent.history_tokens)
    overview = await asyncio.to_thread(list_top_level, context.parts.workspace)
    request = request_answer(grounds, overview, context.say)
    written = await write_answer(context, model, history, request)
    session.remember(grounds.question, written.text, about_code=grounds.asks_about_code)
    notices = [written.notice]
    if grounds.is_unknown:
        notices.append(
            context.say(
                "No team knowledge covers this; the answer rests on the code alone.",
                "没有团队知识涉及这个问题；回答仅依据代码。",
            )
        )
    if n_left_out:
        notices.append(
            context.say(
                f"The {n_left_out} oldest turns of this session were not sent along.",
                f"本会话最早的 {n_left_out} 轮没有发送给模型。",
            )
        )
    return Answer(
        session_id=session.id,
        markdown=written.text,
        by_model=True,
        notice=" ".join(filter(None, notices)),
        stop_reason=written.stop_reason,
        citations=written.citations,
        sources=sources,
        usage=written.usage,
    )


async def _without_model(
    context: Context,
    session: Session,
    grounds: Grounds,
    sources: tuple[Source, ...],
    notice: str,
    stop_reason: str,
    error: str = "",
) -> Answer:
    """Answer with what knowledge and code say, labelled as such."""
    markdown = compose_answer(grounds, context.say)
    if not markdown:
        markdown = context.say(
            "Neither the knowledge nor the names in your question lead anywhere without a model. "
            "Name a function or file, or ask about a convention.\n",
            "没有模型时，知识库和问题中的名称都找不到线索。请写出函数名或文件名，或询问团队约定。\n",
        )
    citations = await context.verify(markdown)
    if not error:
        session.remember(grounds.question, markdown, about_code=grounds.asks_about_code)
    context.end(stop_reason, error=error)
    return Answer(
        session_id=session.id,
        markdown=markdown,
        by_model=False,
        notice=notice,
        stop_reason=stop_reason,
        citations=citations,
        sources=sources,
    )
