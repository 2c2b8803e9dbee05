"""From the events of a turn to its records: one for each round, each tool call and each decision.

Of texts a record holds sizes, and of a tool call the one-line summary, which names files and what
was searched for. With `keep_content` it holds the texts too, so that the turn can be run again.
Secrets are taken out of everything.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from glossator.core.events import (
    AnswerRepaired,
    AnswerVerified,
    CodeJudged,
    ContextTrimmed,
    Event,
    HelperActed,
    HelperEnded,
    HelperStarted,
    IndexRebuilt,
    KnowledgeFound,
    PlanChanged,
    RoundEnded,
    RoundStarted,
    SkillActivated,
    ToolFinished,
    ToolStarted,
    TurnEnded,
    TurnStarted,
    WaitingForModel,
)
from glossator.core.messages import Message, ToolCall, Usage
from glossator.core.redaction import redact, redact_name

Values = dict[str, Any]

CONTENT_CHARACTERS = 100_000
"""Of a text that is kept, the record holds this much."""


@dataclass(frozen=True, slots=True)
class Describer:
    """Writes values down. `secrets` are taken out whatever they look like."""

    keep_content: bool = False
    secrets: tuple[str, ...] = field(default=(), repr=False)

    def line(self, text: str) -> str:
        """Return a line of ours for the record."""
        return redact(text, self.secrets)

    def name(self, text: str) -> str:
        """Return what a model wrote as a name."""
        return redact_name(text, self.secrets)

    def text(self, text: str) -> Values:
        """Return the size of a text, and the text itself when content is kept."""
        described: Values = {"characters": len(text)}
        if self.keep_content:
            described["text"] = redact(text, self.secrets)[:CONTENT_CHARACTERS]
        return described

    def reply(self, reply: Message | None) -> Values | None:
        """Return what a model said in a round."""
        if reply is None:
            return None
        described = self.text(reply.text)
        if reply.reasoning:
            described["reasoning"] = self.text(reply.reasoning)
        if self.keep_content:
            described["toolCalls"] = [self._call(call) for call in reply.tool_calls]
        return described

    def _call(self, call: ToolCall) -> Values:
        return {
            "id": self.name(call.id),
            "name": self.name(call.name),
            "arguments": self.text(call.arguments),
        }


@dataclass(slots=True)
class _Actor:
    """The agent of a turn or one of its helpers: the round and the calls that are under way."""

    round: int = 0
    model: str = ""
    round_began: float | None = None
    calls: dict[str, tuple[ToolStarted, float]] = field(default_factory=dict)


class TurnRecords:
    """Makes the records of one turn, or of what happens outside any. `model` is asked by default.

    A tool call is recorded when it has ended; what is under way when the turn ends is recorded as
    unfinished, so that nothing which was asked for is missing.
    """

    def __init__(self, describer: Describer, turn_id: str = "", model: str = "") -> None:
        self._describer = describer
        self._turn_id = turn_id
        self._session_id = ""
        self._default_model = model
        self._actors: dict[str, _Actor] = {}

    def take(self, event: Event, at: float) -> Iterator[Values]:
        """Yield the records that an event at `at` (seconds since 1970) makes."""
        helper_id = ""
        while isinstance(event, HelperActed):
            helper_id, event = event.helper_id, event.event
        if isinstance(event, TurnStarted):
            self._session_id = self._describer.name(event.session_id)
        if isinstance(event, TurnEnded):
            for name in list(self._actors):
                yield from self._end_actor(name, at, event.error or event.stop_reason)
        elif isinstance(event, HelperEnded):
            yield from self._end_actor(event.helper_id, at, event.stop_reason)
        elif isinstance(event, AnswerRepaired):
            # The repair is over: a request that was made for it and has no reply has failed.
            yield from self._end_actor(helper_id, at, "failed")
        actor = self._actors.setdefault(helper_id, _Actor())
        self._note_beginning(actor, event, at)
        values = self._describe_round(actor, event) or self._describe(event)
        if values is not None:
            yield self._frame(type(event).__name__, values, helper_id)

    def _frame(self, kind: str, values: Mapping[str, Any], helper_id: str) -> Values:
        frame: Values = {"event": kind}
        if self._turn_id:
            frame = {"session": self._session_id, "turn": self._turn_id, **frame}
        if helper_id:
            frame["helper"] = self._describer.name(helper_id)
        return {**frame, **values}

    def _note_beginning(self, actor: _Actor, event: Event, at: float) -> None:
        """Remember what is recorded when it ends."""
        if isinstance(event, RoundStarted):
            actor.round, actor.round_began = event.number, at
            actor.model = event.model or self._default_model
        elif isinstance(event, ToolStarted):
            actor.calls[event.call_id] = event, at

    def _end_actor(self, helper_id: str, at: float, error: str) -> Iterator[Values]:
        """Record what has not ended by itself."""
        actor = self._actors.pop(helper_id, None)
        if actor is None:
            return
        error = self._describer.line(error)
        if actor.round_began is not None:
            yield self._frame(
                RoundEnded.__name__,
                {
                    "round": actor.round,
                    "model": self._describer.name(actor.model),
                    "finish": "unfinished",
                    "durationMs": _milliseconds(at - actor.round_began),
                    "error": error,
                },
                helper_id,
            )
        for started, began in actor.calls.values():
            values = {
                **self._head_of_call(actor, started.call_id, started.name, started.arguments),
                "isError": True,
                "durationMs": _milliseconds(at - began),
                "error": error,
            }
            yield self._frame(ToolFinished.__name__, values, helper_id)

    def _describe_round(self, actor: _Actor, event: Event) -> Values | None:
        if isinstance(event, RoundEnded):
            actor.round_began = None
            return {
                "round": event.number,
                "model": self._describer.name(event.model or actor.model or self._default_model),
                "finish": event.finish,
                "toolCalls": event.n_tool_calls,
                "usage": _usage(event.usage) if event.usage else None,
                "firstTokenMs": _milliseconds(event.first_token_s),
                "durationMs": _milliseconds(event.duration_s),
                "reply": self._describer.reply(event.reply),
            }
        if isinstance(event, ToolFinished):
            started, _ = actor.calls.pop(event.call_id, (None, 0.0))
            arguments = started.arguments if started else ""
            return {
                **self._head_of_call(actor, event.call_id, event.name, arguments),
                "isError": event.is_error,
                "summary": self._describer.line(event.summary),
                "result": self._describer.text(event.result),
                "durationMs": _milliseconds(event.duration_s),
            }
        return None

    def _head_of_call(self, actor: _Actor, call_id: str, name: str, arguments: str) -> Values:
        return {
            "round": actor.round,
            "model": self._describer.name(actor.model),
            "call": self._describer.name(call_id),
            "tool": self._describer.name(name),
            "arguments": self._describer.text(arguments),
        }

    def _describe(self, event: Event) -> Values | None:
        write = self._describer
        match event:
            case TurnStarted():
                return {"kind": event.kind, "subject": write.text(event.subject)}
            case KnowledgeFound():
                hits = [[write.name(str(place)), round(score, 3)] for _, place, score in event.hits]
                found: Values = {"hits": hits, "members": list(event.members)}
                if event.n_left_out:
                    found["leftOut"] = event.n_left_out
                return found
            case SkillActivated():
                return {"skill": write.name(event.name), "by": event.by, "tokens": event.n_tokens}
            case AnswerVerified():
                return {
                    "citations": [
                        [write.name(text), write.name(str(place)), verdict]
                        for text, place, verdict in event.citations
                    ]
                }
            case AnswerRepaired():
                return {
                    "missing": event.n_missing,
                    "left": event.n_left,
                    "isUsed": event.is_used,
                }
            case TurnEnded():
                return {
                    "stopReason": event.stop_reason,
                    "usage": _usage(event.usage),
                    "durationMs": _milliseconds(event.duration_s),
                    "error": write.line(event.error),
                }
            case WaitingForModel():
                return {"seconds": round(event.seconds, 1), "reason": write.line(event.reason)}
        return _describe_context(event) or _describe_judging(event) or self._describe_helper(event)

    def _describe_helper(self, event: Event) -> Values | None:
        write = self._describer
        match event:
            case HelperStarted():
                return {"helper": write.name(event.helper_id), "task": write.text(event.task)}
            case HelperEnded():
                return {
                    "helper": write.name(event.helper_id),
                    "stopReason": event.stop_reason,
                    "result": write.text(event.result),
                    "usage": _usage(event.usage),
                    "durationMs": _milliseconds(event.duration_s),
                }
        return None


def _describe_context(event: Event) -> Values | None:
    match event:
        case ContextTrimmed():
            return {
                "resultsShortened": event.n_results_shortened,
                "turnsLeftOut": event.n_turns_left_out,
                "sectionsLeftOut": event.n_sections_left_out,
                "isSummarized": event.is_summarized,
                "budgetTokens": event.budget_tokens,
            }
        case PlanChanged():
            return {"steps": dict(Counter(step.state for step in event.steps))}
        case IndexRebuilt():
            return {
                "documents": event.n_documents,
                "sections": event.n_sections,
                "skills": event.n_skills,
                "rules": event.n_rules,
                "problems": event.n_problems,
                "durationMs": _milliseconds(event.duration_s),
            }
    return None


def _describe_judging(event: Event) -> Values | None:
    if not isinstance(event, CodeJudged):
        return None
    return {
        "rules": event.n_rules,
        "regions": event.n_regions,
        "claims": event.n_claims,
        "proven": event.n_proven,
        "confirmed": event.n_confirmed,
    }


def _usage(usage: Usage) -> Values:
    return {
        "promptTokens": usage.prompt_tokens,
        "cachedTokens": usage.cached_tokens,
        "completionTokens": usage.completion_tokens,
    }


def _milliseconds(seconds: float | None) -> int | None:
    return None if seconds is None else round(seconds * 1000)
