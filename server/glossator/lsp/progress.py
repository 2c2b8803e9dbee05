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

from glossator.app.phrasing import Phrasing
from glossator.app.stop_reasons import name_stop
from glossator.core import events
from glossator.lsp import to_lsp
from glossator.lsp.client_requests import ClientRefused
from glossator.lsp.places import Places
from glossator.lsp.protocol import GlossatorProtocol

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
        self,
        protocol: GlossatorProtocol,
        token: Token,
        title: str,
        *,
        say: Phrasing,
        counts: bool = False,
    ) -> None:
        self._protocol = protocol
        self._token = token
        self._loop = asyncio.get_running_loop()
        self._say = say
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
        message = describe(event, self._say)
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
        say: Phrasing,
        counts: bool,
        on_token: Callable[[Token], None],
    ) -> None:
        self.token: Token = str(uuid.uuid4())
        self._protocol = protocol
        self._title = title
        self._say = say
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
        self._work_done = WorkDone(
            self._protocol, self.token, self._title, say=self._say, counts=self._counts
        )
        if self._last is not None:
            self._work_done.emit(self._last)
        if self._is_finished:
            self._work_done.finish()

    def emit(self, event: events.Event) -> None:
        """Report an event, now or when the client is ready."""
        if self._work_done is not None:
            self._work_done.emit(event)
        elif describe(event, self._say) is not None:
            self._last = event

    def finish(self) -> None:
        """End the progress if it has begun."""
        self._is_finished = True
        if self._work_done is not None:
            self._work_done.finish()


def describe(event: events.Event, say: Phrasing) -> str | None:
    """Return a few words about an event for people; None when it is not worth any."""
    match event:
        case events.StepStarted(text):
            return text
        case events.KnowledgeFound(hits):
            n_hits = len(hits)
            return say(f"{n_hits} sections of knowledge found", f"找到 {n_hits} 节知识")
        case events.SkillActivated(name):
            return say(f"The skill {name} is active", f"技能 {name} 已启用")
        case events.RoundStarted(number):
            return say(f"Asking the model (round {number})", f"正在询问模型（第 {number} 轮）")
        case events.TextArrived():
            return say("Writing the answer", "正在撰写回答")
        case events.ReasoningArrived():
            return say("The model is thinking", "模型正在思考")
        case events.WaitingForModel(seconds, reason):
            whole_s = max(1, round(seconds))
            return say(
                f"Waiting {whole_s} s for the model: {reason}",
                f"等待模型 {whole_s} 秒：{reason}",
            )
        case events.ToolStarted(name=name):
            return say(f"Running {name}", f"正在运行 {name}")
        case events.ToolFinished(summary=summary):
            return summary
        case _:
            return _describe_work(event, say)


def _describe_work(event: events.Event, say: Phrasing) -> str | None:
    match event:
        case events.PlanChanged(steps):
            return _describe_plan(steps, say)
        case events.HelperStarted(helper_id, task):
            return say(f"Helper {helper_id}: {task}", f"助手 {helper_id}：{task}")
        case events.HelperActed(helper_id, events.ToolStarted(name=name)):
            return say(f"Helper {helper_id} runs {name}", f"助手 {helper_id} 正在运行 {name}")
        case events.HelperEnded(helper_id, stop_reason):
            return say(
                f"Helper {helper_id} has ended: {stop_reason}",
                f"助手 {helper_id} 已结束：{name_stop(stop_reason, say)}",
            )
        case _:
            return None


def _describe_plan(steps: Sequence[events.PlanStep], say: Phrasing) -> str:
    """Return the step that is under way, or how many are over."""
    for number, step in enumerate(steps, 1):
        if step.state == "active":
            return say(
                f"Step {number} of {len(steps)}: {step.text}",
                f"第 {number}/{len(steps)} 步：{step.text}",
            )
    n_over = sum(step.state in {"done", "dropped"} for step in steps)
    return say(f"{n_over} of {len(steps)} steps are over", f"{len(steps)} 步中已完成 {n_over} 步")
