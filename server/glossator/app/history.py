"""What of a session's earlier turns goes along with a question, and what is said about the rest."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass

from glossator.agent.capacity import recall_capacity
from glossator.agent.window import fit
from glossator.app.context import Context
from glossator.app.phrasing import Phrasing, count
from glossator.core.errors import ModelUnavailable
from glossator.core.events import StepStarted
from glossator.core.messages import Message, Usage
from glossator.model.port import ChatModel
from glossator.sessions.session import FinishedTurn, Session

_log = logging.getLogger(__name__)

# What the tools take of the room is known only when they are made.
_SHARE_FOR_TOOLS = 0.15
_SHARE_FOR_SUMMARY = 0.25


@dataclass(frozen=True, slots=True)
class History:
    """The messages of earlier turns, and what a summary of the oldest has just cost."""

    messages: tuple[Message, ...]
    usage: Usage


async def recall_history(
    context: Context, model: ChatModel, session: Session, request: Message
) -> History:
    """Return a session's earlier turns as they are sent, before the present `request`.

    With `agent.summarize`, turns that no longer fit are summarised first; if that fails they are
    left out.
    """
    usage = Usage()
    if context.parts.settings.agent.summarize:
        usage = await _summarize_oldest(context, model, session, request)
    return History(list_messages(session), usage)


async def _summarize_oldest(
    context: Context, model: ChatModel, session: Session, request: Message
) -> Usage:
    # Imported when a model is used: these load pydantic, which takes a while.
    from glossator.agent.prompt import SYSTEM
    from glossator.agent.summarizing import summarize

    tokens = context.parts.settings.model.context_tokens
    room = int(recall_capacity(model).find_room(tokens) * (1 - _SHARE_FOR_TOOLS))
    transcript = [Message("system", SYSTEM), *list_messages(session), request]
    later = _list_later(session)
    oldest = later[: _count_turns(later, fit(transcript, (), room).trimmed.n_turns)]
    if not oldest:
        return Usage()
    context.emit(StepStarted(context.say("Summarising the oldest turns", "正在概括最早的几轮对话")))
    said = [(turn.question, turn.answer) for turn in oldest]
    try:
        summary, usage = await summarize(
            model,
            said,
            session.summary,
            context.budget.split(_SHARE_FOR_SUMMARY),
            context.emit,
            context_tokens=tokens,
        )
    except ModelUnavailable as error:
        _log.warning("The oldest turns of a session could not be summarised: %s", error)
        return Usage()
    if summary:
        session.summary = summary
        session.n_summarized += len(oldest)
    return usage


def list_messages(session: Session) -> tuple[Message, ...]:
    """Return what is sent of a session: a summary if there is one, and the turns after it."""
    from glossator.agent.summarizing import write_summary_message

    messages = [message for turn in _list_later(session) for message in turn.messages]
    if session.summary:
        messages.insert(0, write_summary_message(session.summary, session.n_summarized))
    return tuple(messages)


def _list_later(session: Session) -> Sequence[FinishedTurn]:
    """Return the turns that no summary stands for."""
    return session.turns[session.n_summarized if session.summary else 0 :]


def _count_turns(turns: Sequence[FinishedTurn], n_requests: int) -> int:
    """Return how many turns hold the first `n_requests` messages of the user."""
    n_turns = 0
    while n_requests > 0 and n_turns < len(turns):
        n_requests -= sum(message.role == "user" for message in turns[n_turns].messages)
        n_turns += 1
    return n_turns


def describe_summary(session: Session, say: Phrasing) -> str:
    """Say that a summary went in the place of the oldest turns, if one did."""
    if not session.summary:
        return ""
    n_turns = session.n_summarized
    return say(
        f"The {count(n_turns, 'oldest turn')} of this session went as a summary.",
        f"本会话最早的 {n_turns} 轮以摘要发送。",
    )
