"""Run a recorded turn again without a model: its replies are played, its tools really run."""

import difflib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from glossator.agent.budget import Limits
from glossator.agent.loop import run_turn
from glossator.agent.plans import Plan, make_plan_tool
from glossator.agent.prompt import SYSTEM
from glossator.app.context import Context
from glossator.app.replay.recordings import RecordedReply, Recording, can_run, is_same
from glossator.app.writing import list_shown
from glossator.core.errors import ModelUnavailable
from glossator.core.events import Emit, Event, RoundStarted, ToolFinished, ToolStarted
from glossator.core.messages import Completion, FinishReason, Message, ReasoningDelta, ToolCall
from glossator.core.redaction import redact
from glossator.core.text import split_lines
from glossator.model.scripted import Part, ScriptedModel
from glossator.tools.toolbox import Toolbox, ToolOutcome

CallState = Literal["same", "differs", "played", "new"]

# One would ask a model of its own, what the other says depends on what was activated before.
_PLAYED = frozenset({"delegate", "skill"})
_DIFF_LINES = 24


@dataclass(frozen=True, slots=True)
class ReplayedCall:
    """A tool call and its result now.

    `played`: it could not be run again, so the recorded result took its place. `new`: the recording
    has no result of it. `diff` shows what differs, as far as it is short.
    """

    round: int
    name: str
    arguments: str
    state: CallState
    diff: str = ""


@dataclass(frozen=True, slots=True)
class ReplayedCitation:
    """A place that the answer names: how it was judged then and is judged now.

    `then` is empty when the recording does not know it.
    """

    text: str
    then: str
    now: str
    place: str


@dataclass(frozen=True, slots=True)
class Replay:
    """A turn that was run again. `problem` says why it did not come to its end."""

    recording: Recording
    calls: tuple[ReplayedCall, ...]
    citations: tuple[ReplayedCitation, ...]
    problem: str = ""

    @property
    def n_results_differ(self) -> int:
        """How many tool results are others now."""
        return sum(call.state in ("differs", "new") for call in self.calls)

    @property
    def n_verdicts_differ(self) -> int:
        """How many citations are judged differently now."""
        return sum(each.then not in ("", each.now) for each in self.citations)

    @property
    def is_same(self) -> bool:
        """Whether everything is as it was."""
        return not (self.problem or self.n_results_differ or self.n_verdicts_differ)


async def replay(context: Context, recording: Recording) -> Replay:
    """Run a recorded turn again on the present workspace. Nothing is asked of a model."""
    stage = _Stage(recording, context.parts.make_toolbox(), context.emit)
    transcript = [Message("system", SYSTEM), Message("user", recording.question)]
    models = _make_models(recording.replies)
    n_calls = max(len(reply.message.tool_calls) for reply in recording.replies)
    limits = Limits(
        tool_rounds=len(recording.replies),
        calls_per_round=max(context.parts.settings.agent.calls_per_round, n_calls),
    )
    problem = ""
    added: tuple[Message, ...] = ()
    try:
        turn = await run_turn(
            models[-1],
            transcript,
            stage,
            limits,
            stage.hear,
            tools_model=models[0] if len(models) > 1 else None,
        )
        added = turn.added
    except ModelUnavailable as error:
        problem = str(error)
    shown = list_shown(transcript, added)
    citations = await _judge_again(context, recording, shown)
    return Replay(recording, stage.calls, citations, problem)


def _make_models(replies: Sequence[RecordedReply]) -> list[ScriptedModel]:
    """Return what plays the replies in order: the lighter model first, if there were two."""
    script = iter([list(_list_parts(reply)) for reply in replies])
    names = dict.fromkeys([replies[0].model, replies[-1].model])
    return [ScriptedModel(script, name=name or "recorded") for name in names]


def _list_parts(reply: RecordedReply) -> Iterator[Part]:
    message = reply.message
    if message.reasoning:
        yield ReasoningDelta(message.reasoning)
    if message.text:
        yield message.text
    yield from message.tool_calls
    for finish in get_args(FinishReason):
        if finish == reply.finish:
            yield Completion(finish)


class _Stage(Toolbox):
    """The tools as the replay offers them; what they return is held against the recording."""

    def __init__(self, recording: Recording, real: Toolbox, emit: Emit) -> None:
        super().__init__(())
        self._calls: dict[tuple[int, str], ReplayedCall | None] = {}
        self._recording = recording
        self._real = real.with_tools([make_plan_tool(Plan(emit))])
        self._emit = emit
        self._place = -1
        self._arguments: dict[str, str] = {}
        self.specs = self._real.specs

    @property
    def calls(self) -> tuple[ReplayedCall, ...]:
        """The calls that ended, in the order in which they began: the one of the recording."""
        return tuple(call for call in self._calls.values() if call is not None)

    async def run(self, call: ToolCall) -> ToolOutcome:
        """Run a call, or play its recorded result when it cannot be run."""
        recorded = self._recording.results.get((self._place, call.id))
        if call.name not in _PLAYED and can_run(call):
            return await self._real.run(call)
        text = recorded.text if recorded else ""
        return ToolOutcome(text, is_error=False, summary="played from the recording")

    def hear(self, event: Event) -> None:
        """Pass on what happens, and compare each result."""
        match event:
            case RoundStarted():
                self._place += 1
            case ToolStarted():
                self._arguments[event.call_id] = event.arguments
                self._calls[self._place, event.call_id] = None
            case ToolFinished():
                self._calls[self._place, event.call_id] = self._compare(event)
        self._emit(event)

    def _compare(self, event: ToolFinished) -> ReplayedCall:
        arguments = self._arguments.get(event.call_id, "")
        call = ToolCall(event.call_id, event.name, arguments)
        recorded = self._recording.results.get((self._place, event.call_id))
        state: CallState = "same"
        diff = ""
        if recorded is None:
            state = "new"
        elif event.name in _PLAYED or not can_run(call):
            state = "played"
        elif not is_same(recorded, event.result):
            state, diff = "differs", _render_diff(recorded.text, event.result)
        return ReplayedCall(self._place + 1, event.name, arguments, state, diff)


def _render_diff(then: str, now: str) -> str:
    """Show the difference; what was taken out of a record does not come back in this way."""
    before, after = (split_lines(redact(text)) for text in (then, now))
    lines = difflib.unified_diff(before, after, "recorded", "now", n=1, lineterm="")
    shown = list(lines)
    n_more = len(shown) - _DIFF_LINES
    return "\n".join([*shown[:_DIFF_LINES], *([f"… {n_more} more lines"] if n_more > 0 else [])])


async def _judge_again(
    context: Context, recording: Recording, shown: Sequence[str]
) -> tuple[ReplayedCitation, ...]:
    """Judge the places of the answer again.

    The recording does not hold all that the model was sent with its question. So whether a place
    was read at all is asked only of those that were missing then.
    """
    then = dict(recording.citations)
    strict = {each.text: each for each in await context.read_again(recording.answer, shown)}
    replayed = []
    for each in await context.read_again(recording.answer):
        was = then.get(each.text, "")
        now = strict.get(each.text, each) if was == "missing" else each
        replayed.append(ReplayedCitation(each.text, was, now.verdict, str(now.place)))
    return tuple(replayed)
