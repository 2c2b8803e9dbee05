"""Helpers: agents with a fresh context, each of which works on one part of a task and reports.

A helper reads with the tools of the workspace and nothing else: it starts no helpers and makes no
plan. What it costs counts towards the turn that started it. Its report is material for whoever
asked, never an order.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Annotated

from glossator.agent.budget import Budget, Limits
from glossator.agent.loop import run_turn
from glossator.agent.pinning import Pinned
from glossator.agent.prompt import SYSTEM, frame_material
from glossator.core.errors import GlossatorError, InvalidArguments, ModelUnavailable
from glossator.core.events import (
    Emit,
    Event,
    HelperActed,
    HelperEnded,
    HelperStarted,
    RoundEnded,
)
from glossator.core.messages import Message, Usage
from glossator.model.port import ChatModel
from glossator.tools.toolbox import Toolbox, ToolFunction

HELPER = """
You are a helper here
- Another agent gave you one part of a larger task. It reads your report; nobody answers questions.
- Work on that part alone. Read what it needs, several files at once, and stop when you know enough.
- Report in 400 words at most: the conclusion; the evidence, each claim with `path:line` or \
`path:first-last`; what is uncertain or was not looked at.
"""

_SHARE_OF_TIME = 0.6
MAX_PATHS = 10
MAX_TASK_CHARACTERS = 8_000
MAX_REPORT_CHARACTERS = 16_000


class HelperFailed(GlossatorError):
    """A helper that came to no report; `reason` says why without speaking of helpers."""

    code = "helper-failed"

    def __init__(self, message: str, reason: str) -> None:
        super().__init__(message)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Job:
    """What one helper is to do. `title` is how people see the task, if not as it is."""

    task: str
    material: str = ""
    title: str = ""


@dataclass(frozen=True, slots=True)
class Report:
    """What a helper wrote, and why it ended. `shown` is all that it was given to write it."""

    helper_id: str
    text: str
    stop_reason: str
    usage: Usage
    shown: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Provision:
    """What a helper works with: its tools, what the system says of them, and what stays in it."""

    toolbox: Toolbox
    preface: str = ""
    pin: Callable[[], Sequence[Pinned]] = tuple


Provide = Callable[[Emit], Awaitable[Provision]]
"""Returns what one helper works with; it is heard of what happens to its skills."""

Gather = Callable[[Sequence[str]], str]
"""Returns framed material on some paths; raises GlossatorError for one that cannot be had."""

Check = Callable[[Report], Awaitable[str]]
"""Returns the text of a report, the places in it corrected that do not hold."""


class Helpers:
    """The helpers of one turn. At most `n_at_once` work at the same time; the others wait.

    `usage` is what all of them have cost so far, those that failed included.
    """

    def __init__(
        self,
        model: ChatModel,
        toolbox: Toolbox,
        limits: Limits,
        emit: Emit,
        *,
        n_at_once: int,
        budget: Budget,
        tools_model: ChatModel | None = None,
        provide: Provide | None = None,
    ) -> None:
        """Take `budget` as that of the whole turn; each helper gets an equal share of its rest.

        Without `provide`, all of them work with `toolbox` alone.
        """
        self.usage = Usage()
        self._model = model
        self._tools_model = tools_model
        self._toolbox = toolbox
        self._limits = limits
        self._emit = emit
        self._budget = budget
        self._n_at_once = n_at_once
        self._free = asyncio.Semaphore(n_at_once)
        self._numbers = count(1)
        self._provide = provide

    async def run(self, job: Job) -> Report:
        """Let a helper do a job. Cancelling the awaiting task ends it.

        Raises:
            HelperFailed: the model failed or said nothing; what was done until then is counted.
        """
        async with self._free:
            work = _Work(f"h{next(self._numbers)}", self._emit)
            self._emit(HelperStarted(work.helper_id, job.title or job.task))
            try:
                return await self._work(work, job)
            finally:
                self.usage += work.usage
                self._emit(work.end())

    async def run_all(
        self, jobs: Sequence[Job], *, on_end: Callable[[], None]
    ) -> list[Report | HelperFailed]:
        """Let helpers do jobs side by side; the outcomes keep the order of the jobs."""

        async def run_one(job: Job) -> Report | HelperFailed:
            try:
                return await self.run(job)
            except HelperFailed as error:
                return error
            finally:
                on_end()

        try:
            async with asyncio.TaskGroup() as group:
                tasks = [group.create_task(run_one(job)) for job in jobs]
        except BaseExceptionGroup as errors:
            # Nobody further up knows that they worked side by side.
            raise errors.exceptions[0] from None
        return [task.result() for task in tasks]

    async def _work(self, work: "_Work", job: Job) -> Report:
        request = f"{job.material}\n\n{job.task}" if job.material else job.task
        provision = Provision(self._toolbox)
        if self._provide is not None:
            provision = await self._provide(work.hear)
        system = SYSTEM + HELPER + provision.preface
        transcript = [Message("system", system), Message("user", request)]
        try:
            turn = await run_turn(
                self._model,
                transcript,
                provision.toolbox,
                self._limits,
                work.hear,
                # The last share is for whoever joins the reports.
                budget=self._budget.split(1 / (self._n_at_once + 1), of_time=_SHARE_OF_TIME),
                tools_model=self._tools_model,
                pin=provision.pin,
            )
        except ModelUnavailable as error:
            work.stop_reason, work.text = "failed", str(error)
            raise HelperFailed(f"The helper came to no report: {error}", str(error)) from error
        work.stop_reason, work.text = str(turn.stop_reason), turn.answer.strip()
        if not work.text:
            reason = f"The model said nothing ({work.stop_reason})."
            work.stop_reason, work.text = "failed", reason
            raise HelperFailed(f"The helper came to no report: {reason}", reason)
        shown = (request, *(each.text for each in turn.added if each.role == "tool"))
        return Report(work.helper_id, work.text, work.stop_reason, work.usage, shown)


class _Work:
    """One helper at work, as its listeners hear of it."""

    def __init__(self, helper_id: str, emit: Emit) -> None:
        self.helper_id = helper_id
        self.stop_reason = "cancelled"
        self.text = ""
        self.usage = Usage()
        self._emit = emit
        self._started = time.monotonic()

    def hear(self, event: Event) -> None:
        """Pass on what happens inside, and count what it costs."""
        if isinstance(event, RoundEnded):
            self.usage += event.usage or Usage()
        self._emit(HelperActed(self.helper_id, event))

    def end(self) -> HelperEnded:
        """Return the event that it is over, however it ended."""
        duration_s = time.monotonic() - self._started
        return HelperEnded(self.helper_id, self.stop_reason, self.text, self.usage, duration_s)


def make_delegate_tool(helpers: Helpers, gather: Gather, check: Check) -> ToolFunction:
    """Return the tool with which a model gives a part of its task to a helper.

    A task that was given before has its report already: no helper does it twice.
    """
    reports: dict[tuple[str, ...], str] = {}

    async def delegate(
        task: Annotated[
            str, "What to find out; complete in itself: a helper sees nothing of what was said."
        ],
        paths: Annotated[list[str] | None, "Files or folders to start from, at most 10."] = None,
    ) -> str:
        """Let a helper with a fresh context read the workspace for one part of the task and report.

        For parts that take several rounds of reading each; several in one round work side by side.
        """
        _require_task(task, paths or ())
        key = (task.strip(), *(paths or ()))
        if key in reports:
            return reports[key]
        material = await asyncio.to_thread(gather, paths) if paths else ""
        try:
            report = await helpers.run(Job(task.strip(), material))
        except HelperFailed as error:
            advice = f"{error} Do without it, or look yourself."
            raise HelperFailed(advice, error.reason) from error
        text = _render_report(report, await check(report))
        if report.stop_reason == "answered":
            reports[key] = text
        return text

    return delegate


def _render_report(report: Report, checked: str) -> str:
    """Write a report for the agent that asked for it, framed as the data that it is."""
    text = checked[:MAX_REPORT_CHARACTERS]
    n_left_out = len(checked) - len(text)
    if n_left_out:
        text += f"\n({n_left_out} more characters were left out)"
    ending = (
        "" if report.stop_reason == "answered" else f", which ended early: {report.stop_reason}"
    )
    head = f"Report of helper {report.helper_id}{ending}"
    return f"{head}\n\n{frame_material([(f'kind=report of={report.helper_id}', text)])}"


def _require_task(task: str, paths: Sequence[str]) -> None:
    if not task.strip():
        raise InvalidArguments("The task is empty. Say what the helper is to find out.")
    if len(task) > MAX_TASK_CHARACTERS:
        raise InvalidArguments(
            f"The task has {len(task)} characters; {MAX_TASK_CHARACTERS} are passed on. Name files "
            "in `paths` instead of quoting them."
        )
    if len(paths) > MAX_PATHS:
        raise InvalidArguments(
            f"{len(paths)} paths are too many to start from. Name {MAX_PATHS} at most, or a folder."
        )
