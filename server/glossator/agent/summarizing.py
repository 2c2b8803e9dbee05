"""Earlier turns that no longer fit, written down in a few words by the model itself."""

import hashlib
from collections.abc import Sequence

from glossator.agent.budget import Budget, StopReason
from glossator.agent.capacity import count_tokens, recall_capacity
from glossator.agent.prompt import SUMMARIZE, frame_material
from glossator.agent.replies import read_reply
from glossator.agent.shortening import share_out, shorten_text
from glossator.core.events import Emit, Event, RoundEnded, RoundStarted, WaitingForModel
from glossator.core.messages import Message, Usage
from glossator.core.tokens import estimate_tokens
from glossator.model.port import ChatModel

_MAX_CHARACTERS = 4_000
# A summary is no round of the turn.
_NUMBER = 0


def write_summary_message(summary: str, n_turns: int) -> Message:
    """Return a summary as the model is told it: the same text each time, so that it is cached."""
    # No text holds its own hash.
    marker = hashlib.blake2b(summary.encode("utf-8", "replace"), digest_size=6).hexdigest()
    label = f"kind=summary of=the first {n_turns} turns of this conversation"
    return Message("user", frame_material([(label, summary)], marker=marker))


async def summarize(
    model: ChatModel,
    turns: Sequence[tuple[str, str]],
    previous: str,
    budget: Budget,
    emit: Emit,
    *,
    context_tokens: int = 0,
) -> tuple[str, Usage]:
    """Return a summary of (question, answer) pairs and of the summary before them, and its cost.

    The summary is empty when the model wrote none that is of use.

    Raises:
        ModelUnavailable: the model failed.
    """
    capacity = recall_capacity(model)
    order = Message("system", SUMMARIZE)
    room = capacity.find_room(context_tokens) - count_tokens([order])
    request = [order, Message("user", _render(turns, previous, room))]
    emit(RoundStarted(_NUMBER, 0, model.name))
    reply = await read_reply(
        model,
        request,
        (),
        budget,
        _without_words(emit),
        number=_NUMBER,
        n_prompt_tokens=capacity.scale(count_tokens(request)),
    )
    usage = reply.completion.usage or Usage()
    if reply.stop_reason not in (StopReason.ANSWERED, StopReason.CUT):
        return "", usage
    return reply.message.text.strip()[:_MAX_CHARACTERS], usage


def _render(turns: Sequence[tuple[str, str]], previous: str, room: int) -> str:
    """Write what is to be summarised; the longest texts are cut when it is too much."""
    labels = [f"kind=turn number={number}" for number in range(1, len(turns) + 1)]
    texts = [f"Question: {question}\n\nAnswer: {answer}" for question, answer in turns]
    if previous:
        labels.insert(0, "kind=summary of=what was said before")
        texts.insert(0, previous)
    # The frames and what is said about a cut take some, too.
    room = max(0, room - 150 * len(texts))
    shares = share_out([estimate_tokens(text) for text in texts], room)
    short = [shorten_text(text, share) for text, share in zip(texts, shares, strict=True)]
    return frame_material(list(zip(labels, short, strict=True)))


def _without_words(emit: Emit) -> Emit:
    """Pass on what a record needs; the words of a summary are no part of the answer."""

    def emit_some(event: Event) -> None:
        if isinstance(event, RoundEnded | WaitingForModel):
            emit(event)

    return emit_some
