"""From the events of a turn to spans, named by OpenTelemetry's conventions for generative AI."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from opentelemetry.trace import Span, SpanKind, Status, StatusCode, Tracer, set_span_in_context

from glossator import __version__
from glossator.core.events import (
    AnswerRepaired,
    AnswerVerified,
    ContextTrimmed,
    Event,
    HelperActed,
    HelperEnded,
    HelperStarted,
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
from glossator.core.messages import Usage
from glossator.telemetry.collector import provider_of, server_of
from glossator.telemetry.subject import Subject

Attributes = Mapping[str, Any]

_MAIN = ""


@dataclass(slots=True)
class _Agent:
    """The agent of a turn, or a helper: its span, and the spans that are open below it."""

    span: Span
    chat: Span | None = None
    tools: dict[str, Span] = field(default_factory=dict)
    is_compacted: bool = False


class TurnSpans:
    """The spans of one turn, which its events open and close. Times are nanoseconds since 1970."""

    def __init__(self, tracer: Tracer, turn_id: str, subject: Subject) -> None:
        self._tracer = tracer
        self._turn_id = turn_id
        self._subject = subject
        self._agents: dict[str, _Agent] = {}
        host, port = server_of(subject.base_url)
        self._shared: dict[str, Any] = {
            "gen_ai.provider.name": provider_of(subject.base_url),
            "server.address": host,
            "server.port": port if host else None,
        }

    def take(self, event: Event, at: int) -> None:
        """Open, change or close what an event at `at` belongs to."""
        helper_id = _MAIN
        while isinstance(event, HelperActed):
            helper_id, event = event.helper_id, event.event
        if isinstance(event, TurnStarted):
            self._start_turn(event, at)
        agent = self._agents.get(helper_id)
        if agent is None:
            return
        match event:
            case HelperStarted():
                self._start_helper(agent, event, at)
            case HelperEnded():
                self._end_helper(event, at)
            case TurnEnded():
                self._end_turn(event, at)
            case _:
                self._take_step(agent, event, at)

    # Agents

    def _start_turn(self, event: TurnStarted, at: int) -> None:
        self._shared["gen_ai.conversation.id"] = self._subject.name(event.session_id)
        attributes = {
            "gen_ai.agent.version": __version__,
            "gen_ai.request.model": self._subject.model,
            "glossator.turn.id": self._turn_id,
            "glossator.turn.kind": event.kind,
        }
        self._agents[_MAIN] = self._start_agent("glossator", None, event.subject, attributes, at)

    def _start_helper(self, agent: _Agent, event: HelperStarted, at: int) -> None:
        attributes = {"gen_ai.agent.id": self._subject.name(event.helper_id)}
        self._agents[event.helper_id] = self._start_agent(
            "glossator helper", agent.span, event.task, attributes, at
        )

    def _start_agent(
        self, name: str, parent: Span | None, question: str, attributes: Attributes, at: int
    ) -> _Agent:
        all_attributes = {
            "gen_ai.operation.name": "invoke_agent",
            "gen_ai.agent.name": name,
            "gen_ai.input.messages": self._subject.question(question),
            **attributes,
        }
        return _Agent(self._start(f"invoke_agent {name}", parent, all_attributes, at))

    def _end_helper(self, event: HelperEnded, at: int) -> None:
        agent = self._agents.pop(event.helper_id, None)
        if agent is not None:
            self._end_agent(agent, event.stop_reason, event.usage, "", at)

    def _end_turn(self, event: TurnEnded, at: int) -> None:
        main = self._agents.pop(_MAIN)
        for helper in self._agents.values():
            self._end_agent(helper, event.stop_reason, None, "", at)
        self._agents.clear()
        self._end_agent(main, event.stop_reason, event.usage, event.error, at)

    def _end_agent(
        self, agent: _Agent, stop_reason: str, usage: Usage | None, error: str, at: int
    ) -> None:
        for span in filter(None, (agent.chat, *agent.tools.values())):
            # Cancelling is no error; whatever else leaves something open is.
            if stop_reason != "cancelled":
                _set_error(span, "unfinished", self._subject.line(error))
            span.end(at)
        _set(agent.span, {"glossator.turn.stop_reason": stop_reason, **_usage(usage)})
        if stop_reason == "failed":
            _set_error(agent.span, stop_reason, self._subject.line(error))
        agent.span.end(at)

    # Rounds and tool calls

    def _take_step(self, agent: _Agent, event: Event, at: int) -> None:
        match event:
            case RoundStarted():
                self._start_chat(agent, event, at)
            case RoundEnded():
                self._end_chat(agent, event, at)
            case ToolStarted():
                self._start_tool(agent, event, at)
            case ToolFinished():
                self._end_tool(agent, event, at)
            case KnowledgeFound():
                _set(agent.span, _count_hits(event))
            case AnswerVerified():
                _set(agent.span, _count_verdicts(event))
            case AnswerRepaired():
                _set(agent.span, {"glossator.answer.is_repaired": event.is_used})
            case _:
                self._note(agent, event, at)

    def _start_chat(self, agent: _Agent, event: RoundStarted, at: int) -> None:
        model = self._subject.name(event.model or self._subject.model)
        attributes = {
            "gen_ai.operation.name": "chat",
            "gen_ai.request.model": model,
            "gen_ai.request.stream": True,
            "gen_ai.conversation.compacted": agent.is_compacted or None,
            "glossator.round": event.number,
        }
        name = f"chat {model}".strip()
        agent.chat = self._start(name, agent.span, attributes, at, SpanKind.CLIENT)

    def _end_chat(self, agent: _Agent, event: RoundEnded, at: int) -> None:
        span, agent.chat = agent.chat, None
        if span is None:
            return
        attributes = {
            "gen_ai.response.finish_reasons": [event.finish],
            "gen_ai.response.time_to_first_chunk": event.first_token_s,
            "gen_ai.output.messages": self._subject.reply(event.reply, event.finish),
        }
        _set(span, attributes | _usage(event.usage))
        span.end(at)

    def _start_tool(self, agent: _Agent, event: ToolStarted, at: int) -> None:
        name = self._subject.name(event.name)
        attributes = {
            "gen_ai.operation.name": "execute_tool",
            "gen_ai.tool.name": name,
            "gen_ai.tool.type": "function",
            "gen_ai.tool.call.id": self._subject.name(event.call_id),
            "gen_ai.tool.call.arguments": self._subject.content(event.arguments),
        }
        span = self._start(f"execute_tool {name}", agent.span, attributes, at)
        agent.tools[event.call_id] = span

    def _end_tool(self, agent: _Agent, event: ToolFinished, at: int) -> None:
        span = agent.tools.pop(event.call_id, None)
        if span is None:
            return
        attributes = {
            "glossator.tool.result.characters": len(event.result),
            "gen_ai.tool.call.result": self._subject.content(event.result),
        }
        _set(span, attributes)
        if event.is_error:
            _set_error(span, "tool_error", "")
        span.end(at)

    def _note(self, agent: _Agent, event: Event, at: int) -> None:
        """Note on a span what happens at one moment."""
        attributes: Attributes
        match event:
            case ContextTrimmed():
                agent.is_compacted = True
                attributes = {
                    "results_shortened": event.n_results_shortened,
                    "turns_left_out": event.n_turns_left_out,
                    "is_summarized": event.is_summarized,
                }
                agent.span.add_event("glossator.context_trimmed", attributes, at)
            case SkillActivated():
                attributes = {
                    "name": self._subject.name(event.name),
                    "by": event.by,
                    "tokens": event.n_tokens,
                }
                agent.span.add_event("glossator.skill_activated", attributes, at)
            case PlanChanged():
                attributes = Counter(step.state for step in event.steps)
                agent.span.add_event("glossator.plan_changed", attributes, at)
            case WaitingForModel():
                span = agent.chat or agent.span
                reason = self._subject.line(event.reason)
                attributes = {"seconds": event.seconds, "reason": reason}
                span.add_event("glossator.waiting_for_model", attributes, at)

    def _start(
        self,
        name: str,
        parent: Span | None,
        attributes: Attributes,
        at: int,
        kind: SpanKind = SpanKind.INTERNAL,
    ) -> Span:
        context = set_span_in_context(parent) if parent is not None else None
        known = {**self._shared, **attributes}
        known = {key: value for key, value in known.items() if value not in ("", None)}
        return self._tracer.start_span(name, context, kind, known, start_time=at)


def _count_hits(event: KnowledgeFound) -> Attributes:
    counted: Attributes = {"glossator.knowledge.hits": len(event.hits)}
    if event.members == ("words",):
        return counted
    return {**counted, "glossator.knowledge.members": event.members}


def _set(span: Span, attributes: Attributes) -> None:
    span.set_attributes({key: value for key, value in attributes.items() if value is not None})


def _set_error(span: Span, kind: str, description: str) -> None:
    span.set_attribute("error.type", kind)
    span.set_status(Status(StatusCode.ERROR, description or None))


def _usage(usage: Usage | None) -> dict[str, Any]:
    if usage is None:
        return {}
    return {
        "gen_ai.usage.input_tokens": usage.prompt_tokens,
        "gen_ai.usage.output_tokens": usage.completion_tokens,
        "gen_ai.usage.cache_read.input_tokens": usage.cached_tokens,
    }


def _count_verdicts(event: AnswerVerified) -> dict[str, Any]:
    verdicts = Counter(verdict for _, _, verdict in event.citations)
    return {f"glossator.citations.{name}": verdicts[name] for name in _VERDICTS}


_VERDICTS = ("exact", "moved", "missing")
