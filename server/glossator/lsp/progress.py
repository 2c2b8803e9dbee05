"""What a running command tells the client: a line for people, and its events for programs.

The line is work-done progress, under the client's token or one of ours. The events go out as
`$/progress` under the `partialResultToken` of the command's argument. Both end before the command
is answered, whatever happens to it.
"""

import asyncio
import uuid
from collections.abc import Callable, Sequence
from typing import Any, Protocol

from lsprotocol import types

from glossator.core import events
from glossator.lsp import to_lsp
from glossator.lsp.places import Places
from glossator.lsp.protocol import ClientRefused, GlossatorProtocol

Token = str | int

_JOIN_TEXT_S = 0.016
_REPORT_EVERY_S = 0.1
# What is done sooner than this shows no progress of its own making.
_QUIET_S = 0.3


class Listener(Protocol):
    """Hears events until it is finished; finishing twice is the same as once."""

    def emit(self, event: events.Event) -> None:
        """Hear one event."""
        ...

    def finish(self) -> None:
        """Say the last word."""
        ...


class PartialResults:
    """Events for a program, in order. Pieces of text that come fast are joined.

    The first piece never waits; later ones wait until 16 ms have passed since the last.
    """

    def __init__(self, protocol: GlossatorProtocol, token: Token, places: Places) -> None:
        self._protocol = protocol
        self._token = token
        self._places = places
        self._loop = asyncio.get_running_loop()
        self._pieces: list[str] = []
        self._kind: type[events.TextArrived | events.ReasoningArrived] = events.TextArrived
        self._sent_at = 0.0
        self._timer: asyncio.TimerHandle | None = None
        self._is_finished = False

    def emit(self, event: events.Event) -> None:
        """Send an event now, or a piece of text soon."""
        if self._is_finished:
            return
        if isinstance(event, events.TextArrived | events.ReasoningArrived):
            self._add_text(type(event), event.text)
            return
        self._flush()
        self._send(to_lsp.event(event, self._places))

    def finish(self) -> None:
        """Send what waits, and nothing afterwards."""
        self._flush()
        self._is_finished = True

    def _add_text(
        self, kind: type[events.TextArrived | events.ReasoningArrived], text: str
    ) -> None:
        if kind is not self._kind:
            self._flush()
            self._kind = kind
        self._pieces.append(text)
        if self._timer is not None:
            return
        wait = self._sent_at + _JOIN_TEXT_S - self._loop.time()
        if wait <= 0:
            self._flush()
        else:
            self._timer = self._loop.call_later(wait, self._flush)

    def _flush(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._pieces and not self._is_finished:
            text = "".join(self._pieces)
            self._pieces.clear()
            self._sent_at = self._loop.time()
            self._send(to_lsp.event(self._kind(text), self._places))

    def _send(self, value: dict[str, Any] | None) -> None:
        if value is not None:
            self._protocol.send_progress(self._token, value, droppable=True)


class WorkDone:
    """One line for people, under a token that the client knows. Reports are throttled."""

    def __init__(
        self, protocol: GlossatorProtocol, token: Token, title: str, *, counts: bool = False
    ) -> None:
        self._protocol = protocol
        self._token = token
        self._loop = asyncio.get_running_loop()
        self._said = ""
        self._percentage = 0
        self._counts = counts
        self._waiting: dict[str, Any] | None = None
        self._sent_at = 0.0
        self._timer: asyncio.TimerHandle | None = None
        self._is_finished = False
        begin: dict[str, Any] = {"kind": "begin", "title": title, "cancellable": True}
        if counts:
            begin["percentage"] = 0
        protocol.send_progress(token, begin)

    def emit(self, event: events.Event) -> None:
        """Report an event that people care about."""
        message = describe(event)
        if message is None or message == self._said or self._is_finished:
            return
        self._said = message
        report: dict[str, Any] = {"kind": "report", "message": message, "cancellable": True}
        if self._counts and isinstance(event, events.StepStarted) and event.total > 0:
            self._percentage = max(self._percentage, min(99, 100 * event.done // event.total))
            report["percentage"] = self._percentage
        self._waiting = report
        if self._timer is None:
            wait = max(0.0, self._sent_at + _REPORT_EVERY_S - self._loop.time())
            self._timer = self._loop.call_later(wait, self._report) if wait else None
            if not wait:
                self._report()

    def finish(self) -> None:
        """End the progress."""
        if self._is_finished:
            return
        self._is_finished = True
        if self._timer is not None:
            self._timer.cancel()
        self._protocol.send_progress(self._token, {"kind": "end"})

    def _report(self) -> None:
        self._timer = None
        if self._waiting is not None and not self._is_finished:
            self._sent_at = self._loop.time()
            self._protocol.send_progress(self._token, self._waiting, droppable=True)
            self._waiting = None


class OwnWorkDone:
    """Work-done progress under a token of ours, for clients that sent none.

    The client is asked after a moment, so that quick work shows nothing. One that refuses or does
    not answer gets no progress; the work goes on either way.
    """

    def __init__(
        self,
        protocol: GlossatorProtocol,
        title: str,
        *,
        counts: bool,
        on_token: Callable[[Token], None],
    ) -> None:
        self.token: Token = str(uuid.uuid4())
        self._protocol = protocol
        self._title = title
        self._counts = counts
        self._on_token = on_token
        self._work_done: WorkDone | None = None
        self._last: events.Event | None = None
        self._is_finished = False

    async def open(self) -> None:
        """Ask the client for the progress and begin it."""
        await asyncio.sleep(_QUIET_S)
        if self._is_finished:
            return
        self._on_token(self.token)
        try:
            await self._protocol.ask_client(
                types.WINDOW_WORK_DONE_PROGRESS_CREATE,
                types.WorkDoneProgressCreateParams(token=self.token),
            )
        except ClientRefused:
            return
        self._work_done = WorkDone(self._protocol, self.token, self._title, counts=self._counts)
        if self._last is not None:
            self._work_done.emit(self._last)
        if self._is_finished:
            self._work_done.finish()

    def emit(self, event: events.Event) -> None:
        """Report an event, now or when the client is ready."""
        if self._work_done is not None:
            self._work_done.emit(event)
        elif describe(event) is not None:
            self._last = event

    def finish(self) -> None:
        """End the progress if it has begun."""
        self._is_finished = True
        if self._work_done is not None:
            self._work_done.finish()


def describe(event: events.Event) -> str | None:
    """Return a few words about an event for people; None when it is not worth any."""
    match event:
        case events.StepStarted(text):
            return text
        case events.KnowledgeFound(hits):
            return f"{len(hits)} sections of knowledge found"
        case events.SkillActivated(name):
            return f"The skill {name} is active"
        case events.RoundStarted(number):
            return f"Asking the model (round {number})"
        case events.TextArrived():
            return "Writing the answer"
        case events.ReasoningArrived():
            return "The model is thinking"
        case events.WaitingForModel(seconds, reason):
            return f"Waiting {seconds:.0f} s for the model: {reason}"
        case events.ToolStarted(name=name):
            return f"Running {name}"
        case events.ToolFinished(summary=summary):
            return summary
        case _:
            return _describe_work(event)


def _describe_work(event: events.Event) -> str | None:
    match event:
        case events.PlanChanged(steps):
            return _describe_plan(steps)
        case events.HelperStarted(helper_id, task):
            return f"Helper {helper_id}: {task}"
        case events.HelperActed(helper_id, events.ToolStarted(name=name)):
            return f"Helper {helper_id} runs {name}"
        case events.HelperEnded(helper_id, stop_reason):
            return f"Helper {helper_id} has ended: {stop_reason}"
        case _:
            return None


def _describe_plan(steps: Sequence[events.PlanStep]) -> str:
    """Return the step that is under way, or how many are over."""
    for number, step in enumerate(steps, 1):
        if step.state == "active":
            return f"Step {number} of {len(steps)}: {step.text}"
    n_over = sum(step.state in {"done", "dropped"} for step in steps)
    return f"{n_over} of {len(steps)} steps are over"
