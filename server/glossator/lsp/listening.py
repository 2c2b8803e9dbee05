"""Who hears the events of a command: the client, by its token or one of ours."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from glossator.app.countdown import Countdown
from glossator.app.phrasing import Phrasing
from glossator.core.events import Emit, Event, HelperActed, WaitingForModel
from glossator.lsp.progress import Listener, OwnWorkDone, PartialResults, Token, WorkDone

if TYPE_CHECKING:
    from glossator.lsp.serving import GlossatorServer


@asynccontextmanager
async def listening(
    server: "GlossatorServer",
    title: str,
    *,
    work_done_token: Token | None,
    partial_token: Token | None,
    counts: bool,
) -> AsyncIterator[Emit]:
    """Tell the client about the command that runs; yields what hears its events.

    A client without a token of its own gets a progress that we make, if it can show one.
    """
    listeners: list[Listener] = []
    tokens: list[Token] = []
    request_id = server.protocol.msg_id
    say = server.phrase()

    def take_token(token: Token) -> None:
        tokens.append(token)
        server.requests_by_token[token] = request_id

    def finish() -> None:
        countdown.finish()
        for listener in listeners:
            listener.finish()
        for token in tokens:
            server.requests_by_token.pop(token, None)

    def emit(event: Event) -> None:
        told = _translate_wait(event, say)
        for listener in listeners:
            listener.emit(told)

    countdown = Countdown(emit)
    if partial_token is not None:
        listeners.append(PartialResults(server.protocol, partial_token, server.backend.places()))
    if work_done_token is not None and work_done_token not in server.requests_by_token:
        take_token(work_done_token)
        listeners.append(WorkDone(server.protocol, work_done_token, title, say=say, counts=counts))
    elif work_done_token is None and partial_token is None and server.client.work_done_progress:
        own = OwnWorkDone(server.protocol, title, say=say, counts=counts, on_token=take_token)
        listeners.append(own)
        server.start_task("progress", own.open())
    # Also when the answer leaves before the command has ended: a cancel that was swallowed.
    server.protocol.before_answer(finish)
    try:
        yield countdown.hear
    finally:
        finish()


def _translate_wait(event: Event, say: Phrasing) -> Event:
    """Return the event with the reason of a pause in the reader's language."""
    match event:
        case WaitingForModel(_, reason):
            return replace(event, reason=say.translate(reason))
        case HelperActed(_, WaitingForModel() as wait):
            return replace(event, event=_translate_wait(wait, say))
        case _:
            return event
