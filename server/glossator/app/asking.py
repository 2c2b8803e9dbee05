"""Answer a question about the workspace, or refuse it when nothing known can answer it."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace

from glossator.agent.capacity import recall_capacity
from glossator.app.answers import compose_answer, describe_cut, refuse, source_of
from glossator.app.attached_text import describe_attached
from glossator.app.attachments import Attached, find_attached, fit_attached
from glossator.app.checking.finishing import make_check
from glossator.app.context import Context
from glossator.app.grounds import Grounds, find_grounds
from glossator.app.helping import equip
from glossator.app.history import describe_summary, list_messages, recall_history
from glossator.app.instructions.giving import describe_left_out, judge, list_looked_at
from glossator.app.library import Library
from glossator.app.material import list_top_level, request_answer
from glossator.app.notices import explain_missing_model
from glossator.app.parts import Parts
from glossator.app.phrasing import Phrasing
from glossator.app.results import Answer, AttachmentRequest, Refusal, Source, Target
from glossator.app.retrieval.retrieving import Seeker
from glossator.app.sessions import NOT_KEPT
from glossator.app.skills.desk import SkillDesk, open_desk
from glossator.app.verdicts import list_verdicts
from glossator.app.writing import (
    keep_partial,
    stop_reason_of,
    write_answer,
)
from glossator.core.errors import ModelUnavailable
from glossator.core.events import KnowledgeFound, StepStarted, TurnStarted
from glossator.core.messages import Message
from glossator.instructions.standing import Standing
from glossator.knowledge.routing import Found, NoKnowledge
from glossator.model.port import ChatModel
from glossator.sessions.session import FinishedTurn, Session


async def ask(
    context: Context,
    session: Session,
    question: str,
    target: Target | None,
    requests: Sequence[AttachmentRequest] = (),
) -> Answer:
    """Answer a question of a session. A turn that fails or is cancelled leaves it as it was."""
    say, parts = context.say, context.parts
    context.emit(TurnStarted("ask", session.id, question))
    context.emit(StepStarted(say("Looking for what is known", "正在查找已有知识")))
    attached = await _attach(context, requests)
    seeker = Seeker(parts.members)
    grounds = await asyncio.to_thread(
        find_grounds,
        question,
        parts.workspace,
        parts.code_map,
        context.library,
        check=make_check(context.library, parts, say),
        target=target,
        follows_code=session.was_about_code,
        earlier=session.last_question_of_knowledge,
        attached=attached,
        find=seeker.find,
        max_tokens=parts.settings.knowledge.max_tokens,
    )
    for text in seeker.list_given():
        context.seen.add_given(text)
    sources = _sources_of(context, grounds)
    hits = tuple((each.title, each.place, each.score) for each in sources)
    context.emit(KnowledgeFound(hits, seeker.asked, *_count_left_out(grounds)))
    refusal = find_refusal(parts, context.library, grounds)
    if refusal is not None:
        context.end("refused")
        answer = Answer(session.id, refusal.message, False, "", "refused", refused=refusal)
    else:
        answer = await _answer(context, session, grounds, sources)
    max_tokens = parts.settings.knowledge.max_tokens
    cut = describe_cut(grounds.knowledge, max_tokens, say)
    told = describe_attached(attached, say)
    notices = [*seeker.list_notices(say), answer.notice, told, cut]
    kept = tuple(each.keep() for each in attached)
    return replace(answer, notice=" ".join(filter(None, notices)), attachments=kept)


async def _attach(context: Context, requests: Sequence[AttachmentRequest]) -> tuple[Attached, ...]:
    """Find what is attached, cut to what the model has room for; its lines count as read."""
    if not requests:
        return ()
    parts = context.parts
    attached = await asyncio.to_thread(
        find_attached, requests, parts.workspace, parts.code_map, context.say
    )
    for each in attached:
        if each.source is not None and each.source.path is None:
            context.seen.add_given(each.source)
    if parts.model is None:
        return attached
    room = recall_capacity(parts.model).find_room(parts.settings.model.context_tokens)
    return fit_attached(attached, room)


async def _answer(
    context: Context, session: Session, grounds: Grounds, sources: tuple[Source, ...]
) -> Answer:
    """Have the model answer, or what was found where there is none or it fails."""
    say, parts = context.say, context.parts
    if parts.model is None:
        notice = explain_missing_model(parts, say)
        return await _without_model(context, session, grounds, sources, notice, "no-model")
    try:
        return await _with_model(context, parts.model, session, grounds, sources)
    except ModelUnavailable as error:
        partial = await keep_partial(context, error)
        if partial is not None:
            context.end(partial.stop_reason, error=partial.error)
            return Answer(
                session_id=session.id,
                markdown=partial.text,
                by_model=True,
                notice=partial.notice,
                stop_reason=partial.stop_reason,
                citations=partial.citations,
                sources=sources,
            )
        notice = say(
            f"The model did not answer: {error}", f"模型没有回答：{say.translate(str(error))}"
        )
        return await _without_model(
            context, session, grounds, sources, notice, stop_reason_of(error), str(error)
        )


def _count_left_out(grounds: Grounds) -> tuple[int, int]:
    knowledge = grounds.knowledge
    return (knowledge.cut, knowledge.n_tokens_left_out) if isinstance(knowledge, Found) else (0, 0)


def find_refusal(parts: Parts, library: Library, grounds: Grounds) -> Refusal | None:
    """Decide from what was found, before any model is asked."""
    knowledge = grounds.knowledge
    if not isinstance(knowledge, NoKnowledge) or not grounds.is_unknown:
        return None
    if parts.settings.knowledge.when_unknown == "code" and parts.model is not None:
        return None
    return refuse(knowledge, grounds.question, library.files)


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
    desk = await open_desk(
        context,
        model,
        context.emit,
        subject=grounds.subject,
        path=context.looked_at.scope if context.looked_at else None,
        choice=grounds.choice,
        earlier=session.skills,
    )
    request, instructions = await _write_request(context, session, grounds, desk)
    history = await recall_history(context, model, session, Message("user", request))
    written = await write_answer(
        context,
        model,
        history.messages,
        request,
        await equip(context, model, desk),
        is_about_code=grounds.asks_about_code,
    )
    usage = history.usage + written.usage
    turn = FinishedTurn(
        grounds.question,
        written.messages,
        by_model=True,
        stop_reason=written.stop_reason,
        is_about_code=grounds.asks_about_code,
        usage=usage,
        citations=written.verdicts,
        skills=desk.active.called_for,
        attachments=tuple(each.keep() for each in grounds.attached),
    )
    kept = await context.sessions.remember(session, turn, context.say)
    context.end(written.stop_reason, usage)
    notices = [
        written.notice,
        describe_summary(session, context.say),
        *desk.list_notices(context.say),
        _describe_refused(grounds, context.say),
        describe_left_out(instructions, context.say),
        _describe_unknown(grounds, context.say),
        kept.notice,
    ]
    return Answer(
        session_id=session.id,
        markdown=written.text,
        by_model=True,
        notice=" ".join(filter(None, notices)),
        stop_reason=written.stop_reason,
        citations=written.citations,
        sources=sources,
        usage=usage,
        number=kept.number,
    )


async def _write_request(
    context: Context, session: Session, grounds: Grounds, desk: SkillDesk
) -> tuple[str, tuple[Standing, ...]]:
    """Return what the model is asked with, and which instructions count in it."""
    overview = await asyncio.to_thread(list_top_level, context.parts.workspace)
    skills = desk.write_material(grounds.choice, list_messages(session))
    instructions = await asyncio.to_thread(
        judge,
        context.parts,
        context.library,
        list_looked_at(grounds, context.looked_at),
        grounds.question,
    )
    return request_answer(grounds, overview, context.say, skills, instructions), instructions


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
    parts = context.parts
    markdown = await asyncio.to_thread(
        compose_answer, grounds, parts.workspace, parts.code_map, context.say
    )
    if not markdown:
        markdown = context.say(
            "Neither the knowledge nor the names in your question lead anywhere without a model. "
            "Name a function or file, or ask about a convention.\n",
            "没有模型时，知识库和问题中的名称都找不到线索。请写出函数名或文件名，或询问团队约定。\n",
        )
    citations = await context.verify(markdown)
    kept = NOT_KEPT
    if not error:
        turn = FinishedTurn(
            grounds.question,
            (Message("user", grounds.question), Message("assistant", markdown)),
            by_model=False,
            stop_reason=stop_reason,
            is_about_code=grounds.asks_about_code,
            citations=list_verdicts(citations),
            skills=tuple(skill.name for skill in grounds.invocation.skills),
            attachments=tuple(each.keep() for each in grounds.attached),
        )
        kept = await context.sessions.remember(session, turn, context.say)
    context.end(stop_reason, error=error)
    return Answer(
        session_id=session.id,
        markdown=markdown,
        by_model=False,
        notice=" ".join(
            filter(None, [notice, _describe_refused(grounds, context.say), kept.notice])
        ),
        stop_reason=stop_reason,
        citations=citations,
        sources=sources,
        number=kept.number,
    )


def _describe_unknown(grounds: Grounds, say: Phrasing) -> str:
    if not grounds.is_unknown:
        return ""
    return say(
        "No team knowledge covers this; the answer rests on the code alone.",
        "没有团队知识涉及这个问题；回答仅依据代码。",
    )


def _describe_refused(grounds: Grounds, say: Phrasing) -> str:
    """Say which skills the user asked for that are not for users to ask for."""
    names = say.join(f"`{skill.name}`" for skill in grounds.invocation.refused)
    if not names:
        return ""
    return say(
        f"{names} was not activated: its header says `user-invocable: false`.",
        f"{names} 未激活：其头部写明 `user-invocable: false`。",
    )
