"""Run the calls of one round: side by side, in bounded time, and whatever happens with a result."""

import asyncio
import logging
import math
import os
import re
import time
from collections.abc import Sequence

from glossator.agent.budget import Budget, Limits
from glossator.agent.guards import skip_surplus_calls
from glossator.core.events import Emit, ToolFinished, ToolStarted
from glossator.core.messages import ToolCall
from glossator.core.redaction import redact
from glossator.core.text import shorten
from glossator.tools.toolbox import Toolbox, ToolOutcome

_log = logging.getLogger(__name__)

_MAX_ERROR_CHARACTERS = 200
_ABSOLUTE_PATH = re.compile(
    r"""(?P<quote>['"])(?:[A-Za-z]:[\\/]|[\\/]|~)[^'"\n]*?(?P<quoted>[^\\/'"\n]*)(?P=quote)"""
    r"""|(?<![\w.:/\\])(?:[A-Za-z]:[\\/]|\\\\|~?/)[^\s'"<>|:;,)\]]*?"""
    r"""(?P<bare>[^\\/\s'"<>|:;,)\]]*)(?=[\s'"<>|:;,)\]]|\Z)"""
)


async def run_calls(
    toolbox: Toolbox, calls: Sequence[ToolCall], limits: Limits, budget: Budget, emit: Emit
) -> list[ToolOutcome]:
    """Run the calls of one round; the outcomes keep their order. Cancelling ends all of them."""
    calls, surplus = skip_surplus_calls(calls, limits.calls_per_round)
    seconds = budget.seconds_for_tools
    async with asyncio.TaskGroup() as group:
        tasks = [
            group.create_task(
                _run(
                    toolbox,
                    call,
                    seconds if call.name in limits.slow_tools
                    else min(seconds, limits.call_timeout_s),
                    emit,
                )
            )
            for call in calls
        ]  # fmt: skip
    return [*(task.result() for task in tasks), *surplus]


def refuse_cut_calls(calls: Sequence[ToolCall]) -> list[ToolOutcome]:
    """Answer calls that were cut at the length limit: nothing is run of what is not whole."""
    text = (
        "Not run: your message was cut at its length limit within its calls. Take smaller steps: "
        "one call at a time with short arguments, or answer with what you have."
    )
    outcome = ToolOutcome(text, is_error=True, summary="not run: the call was cut")
    return [outcome for _ in calls]


def describe_error(error: Exception) -> str:
    """Say what went wrong in one line, without places of this machine and without secrets."""
    text = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    text = text.replace(os.path.expanduser("~"), "~")  # noqa: PTH111 - Path.home may raise.
    text = redact(" ".join(_ABSOLUTE_PATH.sub(_name_only, text).split()))
    name = type(error).__name__
    return f"{name}: {shorten(text, _MAX_ERROR_CHARACTERS)}" if text else name


def _name_only(match: "re.Match[str]") -> str:
    return f"…/{match['quoted'] or match['bare'] or ''}"


async def _run(toolbox: Toolbox, call: ToolCall, seconds: float, emit: Emit) -> ToolOutcome:
    emit(ToolStarted(call.id, call.name, call.arguments))
    started = time.monotonic()
    outcome = await _run_in_time(toolbox, call, seconds)
    duration_s = time.monotonic() - started
    emit(
        ToolFinished(
            call.id, call.name, outcome.is_error, outcome.summary, outcome.text, duration_s
        )
    )
    return outcome


async def _run_in_time(toolbox: Toolbox, call: ToolCall, seconds: float) -> ToolOutcome:
    timeout = asyncio.timeout(None if math.isinf(seconds) else seconds)
    try:
        async with timeout:
            return await toolbox.run(call)
    except Exception as error:  # noqa: BLE001 - a defect of one tool is no reason to lose the turn.
        if timeout.expired():
            text = f"`{call.name}` was given up after {seconds:.0f} s. Ask for less at once."
            return ToolOutcome(text, is_error=True, summary=f"given up after {seconds:.0f} s")
        _log.error("The tool `%s` failed.", call.name, exc_info=error)
        reason = describe_error(error)
        text = f"`{call.name}` failed: {reason}. Go on without it, or call it differently."
        return ToolOutcome(text, is_error=True, summary=f"failed: {reason}")
