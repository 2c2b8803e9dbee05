"""What a server and its model can do, found out by asking: for somebody who sets one up."""

import asyncio
import json
import time
from collections.abc import Awaitable, Callable
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any, Literal

from glossator.core.errors import ModelUnavailable
from glossator.core.messages import Completion, Message, ToolCall, ToolSpec, Waiting
from glossator.model.answers import CAME_WHOLE
from glossator.model.port import ChatModel
from glossator.model.reports import strip_markup

Stage = Literal["reachable", "key", "model", "answer", "tools"]
STAGES: tuple[Stage, ...] = ("reachable", "key", "model", "answer", "tools")
"""What is found out, in this order: nothing behind a stage that failed can be known."""

_LIST_WITHIN_S = 15.0
_MAX_MODELS = 1_000
_MAX_NAME_LENGTH = 200
_FAILED_STAGES: dict[str, Stage] = {
    "unreachable": "reachable", "redirect": "reachable", "wrong-address": "reachable",
    "wrong-key": "key", "forbidden": "key", "unknown-model": "model",
    "tools-unsupported": "tools",
}  # fmt: skip
_QUESTION = "Count from 1 to 10 in digits, separated by blanks. Write nothing else."
_TASK = "Look at the file README.md with the tool. Write no text."
_TOOL = ToolSpec(
    "read_file",
    "Return the text of a file.",
    {
        "type": "object",
        "properties": {"path": {"type": "string", "description": "The file's path."}},
        "required": ["path"],
    },
)


@dataclass(frozen=True, slots=True)
class Probe:
    """What was found. `failed` is the stage that failed, with `error`; None when none did.

    `models` are the names that the server offers. `streams` and `calls_tool` are None as long as
    nothing was asked that shows it.
    """

    models: tuple[str, ...] = ()
    failed: Stage | None = None
    error: ModelUnavailable | None = None
    first_piece_s: float | None = None
    streams: bool | None = None
    calls_tool: bool | None = None


ListModels = Callable[[], Awaitable[tuple[str, ...]]]


async def probe_list(list_models: ListModels) -> Probe:
    """Ask only which models there are."""
    models, error = await _list(list_models)
    if error is None or _FAILED_STAGES.get(error.kind) not in ("reachable", "key"):
        return Probe(models)
    return _fail(Probe(models), error)


async def probe_model(
    model: ChatModel, list_models: ListModels | None, on_stage: Callable[[Stage], None]
) -> Probe:
    """Ask for the list of models, for a short answer and for the call of a tool."""
    on_stage("reachable")
    models, error = await _list(list_models) if list_models is not None else ((), None)
    # Who cannot be reached needs no second question; a list may be closed that answers are not.
    if error is not None and error.kind in ("unreachable", "redirect", "timeout"):
        return _fail(Probe(models), error, "reachable")
    on_stage("answer")
    try:
        first_s, streams, _ = await _ask(model, _QUESTION, ())
    except ModelUnavailable as refused:
        return _fail(Probe(models), refused)
    on_stage("tools")
    try:
        _, _, calls_tool = await _ask(model, _TASK, (_TOOL,))
    except ModelUnavailable as refused:
        return _fail(Probe(models, None, None, first_s, streams), refused, "tools")
    return Probe(models, None, None, first_s, streams, calls_tool)


def read_model_list(body: bytes) -> tuple[str, ...]:
    """Return the names in the answer of `/models`; nothing of an answer that is no such list."""
    try:
        answer: Any = json.loads(body)
    except (ValueError, RecursionError):
        return ()
    entries = answer.get("data") or answer.get("models") if isinstance(answer, dict) else answer
    if not isinstance(entries, list):
        return ()
    names = [_read_name(entry) for entry in entries[:_MAX_MODELS]]
    return tuple(dict.fromkeys(name for name in names if name))


def _read_name(entry: object) -> str:
    name = entry.get("id") or entry.get("name") if isinstance(entry, dict) else entry
    is_name = isinstance(name, str) and len(name) <= _MAX_NAME_LENGTH and name == strip_markup(name)
    return name if is_name and isinstance(name, str) else ""


async def _list(list_models: ListModels) -> tuple[tuple[str, ...], ModelUnavailable | None]:
    try:
        async with asyncio.timeout(_LIST_WITHIN_S):
            return await list_models(), None
    except ModelUnavailable as error:
        return (), error
    except TimeoutError:
        return (), None


async def _ask(
    model: ChatModel, question: str, tools: tuple[ToolSpec, ...]
) -> tuple[float, bool, bool]:
    """Return the seconds to the first piece, whether it streamed, and whether a tool was called.

    Raises:
        ModelUnavailable: no answer came, or none that is whole.
    """
    began_s = time.monotonic()
    first_s: float | None = None
    streams, calls = True, False
    async with aclosing(model.stream([Message("user", question)], tools)) as pieces:
        async for piece in pieces:
            if isinstance(piece, Completion):
                streams = CAME_WHOLE not in piece.notes
            elif not isinstance(piece, Waiting):
                first_s = time.monotonic() - began_s if first_s is None else first_s
                calls = calls or isinstance(piece, ToolCall)
    return first_s or 0.0, streams, calls


def _fail(probe: Probe, error: ModelUnavailable, stage: Stage | None = None) -> Probe:
    found = _FAILED_STAGES.get(error.kind, "answer")
    return Probe(
        probe.models, stage or found, error, probe.first_piece_s, probe.streams, probe.calls_tool
    )
