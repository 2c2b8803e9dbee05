"""From our values to what the editor gets: results, events, diagnostics and edits as JSON."""

import platform
from collections.abc import Iterable, Sequence
from itertools import chain, repeat
from typing import TYPE_CHECKING, Any

from glossator.core import events
from glossator.core.locations import Span
from glossator.core.messages import Usage
from glossator.core.text import SourceText
from glossator.lsp.places import Places
from glossator.sessions.encoding import encode_attachment, render_time

if TYPE_CHECKING:
    from glossator.app.model_test import ModelTest
    from glossator.app.phrasing import Phrasing
    from glossator.app.results import (
        Analysis,
        Answer,
        Attachable,
        CallChain,
        Citation,
        Explanation,
        IndexReport,
        MeaningStatus,
        Problem,
        SharedStatus,
        Source,
        Status,
    )
    from glossator.code.outline import Function
    from glossator.sessions.session import Attachment, Session, SessionEntry
    from glossator.tools.call_chains import CallNode

Json = dict[str, Any]


# Results of commands


def explanation(value: "Explanation", source: SourceText, uri: str, places: Places) -> Json:
    """Return the result of `glossator.explain`."""
    return {
        "markdown": value.markdown,
        "title": value.title,
        "uri": uri,
        "version": source.version,
        "function": _function(value.function, source, places),
        "byModel": value.by_model,
        "notice": value.notice,
        "stopReason": value.stop_reason,
        "citations": [_citation(citation, places) for citation in value.citations],
        "usage": _usage(value.usage),
    }


def call_chain(value: "CallChain", places: Places, say: "Phrasing") -> Json:
    """Return the result of `glossator.callChain`. Reads files for columns: not on the loop."""
    return {
        "markdown": value.markdown,
        "mermaid": value.mermaid,
        "title": say(f"Call chain of {value.root.name}", f"{value.root.name} 的调用链"),
        "root": _node(value.root, places),
        "callers": [_node(node, places) for node in value.callers],
        "callees": [_node(node, places) for node in value.callees],
    }


def answer(value: "Answer", places: Places) -> Json:
    """Return the result of `glossator.ask`."""
    refused = value.refused
    return {
        "sessionId": value.session_id,
        "markdown": value.markdown,
        "refused": None
        if refused is None
        else {
            "reason": refused.reason,
            "message": refused.message,
            "nearest": [_source(source, places) for source in refused.nearest],
        },
        "byModel": value.by_model,
        "notice": value.notice,
        "citations": [_citation(citation, places) for citation in value.citations],
        "sources": [_source(source, places) for source in value.sources],
        "stopReason": value.stop_reason,
        "usage": _usage(value.usage),
        "number": value.number,
        "attachments": [_attachment(each, places) for each in value.attachments],
    }


def attachable(found: "Sequence[Attachable]", places: Places) -> list[Json]:
    """Return the result of `glossator.listAttachable`; looks for files: not on the loop."""
    return [
        {
            "kind": each.kind,
            "name": each.name,
            "path": each.path,
            "uri": places.uri(None, each.path),
            "line": each.line,
        }
        for each in found
    ]


def _attachment(value: "Attachment", places: Places) -> Json:
    return {**encode_attachment(value), "uri": places.uri(None, value.path)}


def analysis(value: "Analysis", places: Places) -> Json:
    """Return the result of `glossator.analyze`."""
    return {
        "sessionId": value.session_id,
        "title": value.title,
        "markdown": value.markdown,
        "byModel": value.by_model,
        "notice": value.notice,
        "parts": [
            {
                "title": part.title,
                "paths": list(part.paths),
                "markdown": part.markdown,
                "stopReason": part.stop_reason,
                "citations": [_citation(citation, places) for citation in part.citations],
                "usage": _usage(part.usage),
            }
            for part in value.parts
        ],
        "citations": [_citation(citation, places) for citation in value.citations],
        "stopReason": value.stop_reason,
        "usage": _usage(value.usage),
        "number": value.number,
    }


def session_entry(value: "SessionEntry") -> Json:
    """Return one session of the result of `glossator.listSessions`."""
    return {
        "sessionId": value.id,
        "title": value.title,
        "nTurns": value.n_turns,
        "updatedAt": render_time(value.updated_at),
        "lastQuestion": value.last_question,
    }


def session(value: "Session", places: Places) -> Json:
    """Return the result of `glossator.readSession`. May be long: not on the loop."""
    return {
        "sessionId": value.id,
        "title": value.title,
        "turns": [
            {
                "question": turn.question,
                "markdown": turn.answer,
                "byModel": turn.by_model,
                "stopReason": turn.stop_reason,
                "citations": _verdicts(turn.citations, places),
                "usage": _usage(turn.usage),
                "finishedAt": render_time(turn.finished_at),
                "attachments": [_attachment(each, places) for each in turn.attachments],
            }
            for turn in value.turns
        ],
    }


def index_report(value: "IndexReport") -> Json:
    """Return the result of `glossator.rebuildIndex`."""
    return {
        "nDocuments": value.n_documents,
        "nSections": value.n_sections,
        "nSkills": value.n_skills,
        "nRules": value.n_rules,
        "problems": [problem(each) for each in value.failures],
        "durationMs": round(value.duration_s * 1000),
    }


def status(value: "Status") -> Json:
    """Return the result of `glossator.status`."""
    index = value.index
    return {
        "version": value.version,
        "python": platform.python_version(),
        "model": {
            "configured": value.model.is_configured,
            "name": value.model.name,
            "endpoint": value.model.endpoint,
            "source": value.model.source,
            "message": value.model.message,
        },
        "index": {
            "nDocuments": index.n_documents if index else 0,
            "nSections": index.n_sections if index else 0,
            "nSkills": index.n_skills if index else 0,
            "nRules": index.n_rules if index else 0,
            "ready": index is not None,
            "updatedAt": round(index.read_at_s * 1000) if index else None,
        },
        "workspace": {
            "roots": [str(root) for root in value.roots],
            "trusted": value.is_trusted,
            "trust": value.trust,
            "instructions": list(value.instructions),
            "withheld": list(value.withheld),
        },
        "meaning": _meaning(value.meaning),
        "shared": _shared(value.shared),
        "problems": list(value.problems),
    }


def model_test(value: "ModelTest") -> Json:
    """Return the result of `glossator.testModel`."""
    return {
        "passed": value.is_passed,
        "endpoint": value.endpoint,
        "name": value.name,
        "checks": [
            {
                "stage": check.stage, "outcome": check.outcome, "text": check.text,
                "remedy": check.remedy,
            }
            for check in value.checks
        ],
        "models": list(value.models),
        "firstTokenMs": value.first_token_ms,
    }  # fmt: skip


def _meaning(value: "MeaningStatus | None") -> Json | None:
    if value is None:
        return None
    return {"encoder": value.encoder, "nReady": value.n_ready, "nSections": value.n_sections}


def _shared(value: "SharedStatus | None") -> Json | None:
    if value is None:
        return None
    return {
        "collection": value.collection, "address": value.address, "problem": value.problem,
    }  # fmt: skip


def unready_status(version: str, roots: list[str], *, is_trusted: bool, problem: str) -> Json:
    """Return the result of `glossator.status` while there is no application yet."""
    return {
        "version": version,
        "python": platform.python_version(),
        "model": {
            "configured": False, "name": "", "endpoint": "", "source": "", "message": problem,
        },
        "index": {
            "nDocuments": 0, "nSections": 0, "nSkills": 0, "nRules": 0, "ready": False,
            "updatedAt": None,
        },
        "workspace": {
            "roots": roots, "trusted": is_trusted,
            "trust": "trusted" if is_trusted else "unknown", "instructions": [], "withheld": [],
        },
        "meaning": None,
        "shared": None,
        "problems": [problem],
    }  # fmt: skip


# Events


def event(value: events.Event, places: Places) -> Json | None:
    """Return an event as a `$/progress` value; None for those that no request brings about."""
    match value:
        case events.TextArrived(text):
            return {"type": "textArrived", "text": text}
        case events.ReasoningArrived(text):
            return {"type": "reasoningArrived", "text": text}
        case events.TurnStarted(kind, session_id):
            return {"type": "turnStarted", "kind": kind, "sessionId": session_id}
        case events.StepStarted(text, done, total):
            return {"type": "stepStarted", "text": text, "done": done, "total": total}
        case events.BriefingReady(markdown):
            return {"type": "briefingReady", "markdown": markdown}
        case events.KnowledgeFound(hits):
            return {"type": "knowledgeFound", "hits": [_hit(*hit, places) for hit in hits]}
        case events.SkillActivated(name, by, n_tokens):
            return {"type": "skillActivated", "name": name, "by": by, "nTokens": n_tokens}
        case events.RoundStarted(number, remaining, model):
            return {
                "type": "roundStarted", "number": number, "remaining": remaining, "model": model,
            }  # fmt: skip
        case events.WaitingForModel(seconds, reason):
            return {"type": "waitingForModel", "seconds": seconds, "reason": reason}
        case _:
            return (
                _tool_event(value) or _helper_event(value, places) or _ending_event(value, places)
            )


def _tool_event(value: events.Event) -> Json | None:
    if isinstance(value, events.ToolStarted):
        return {
            "type": "toolStarted",
            "callId": value.call_id,
            "name": value.name,
            "arguments": value.arguments,
        }
    if not isinstance(value, events.ToolFinished):
        return None
    return {
        "type": "toolFinished",
        "callId": value.call_id,
        "name": value.name,
        "isError": value.is_error,
        "summary": value.summary,
        "result": value.result,
        "durationMs": round(value.duration_s * 1000),
    }


def _helper_event(value: events.Event, places: Places) -> Json | None:
    """Return what happens with the plan and in helpers; what helpers write comes with their end."""
    match value:
        case events.PlanChanged(steps):
            shown = [{"text": step.text, "state": step.state} for step in steps]
            return {"type": "planChanged", "steps": shown}
        case events.HelperStarted(helper_id, task):
            return {"type": "helperStarted", "helperId": helper_id, "task": task}
        case events.HelperActed(_, events.TextArrived() | events.ReasoningArrived()):
            return None
        case events.HelperActed(helper_id, inner):
            inside = event(inner, places)
            acted = {"type": "helperActed", "helperId": helper_id, "event": inside}
            return None if inside is None else acted
        case events.HelperEnded():
            return {
                "type": "helperEnded",
                "helperId": value.helper_id,
                "stopReason": value.stop_reason,
                "result": value.result,
                "usage": _usage(value.usage),
                "durationMs": round(value.duration_s * 1000),
            }
        case _:
            return None


def _ending_event(value: events.Event, places: Places) -> Json | None:
    if isinstance(value, events.ContextTrimmed):
        return {
            "type": "contextTrimmed",
            "nResultsShortened": value.n_results_shortened,
            "nTurnsLeftOut": value.n_turns_left_out,
            "isSummarized": value.is_summarized,
            "budgetTokens": value.budget_tokens,
            "nSectionsLeftOut": value.n_sections_left_out,
        }
    if isinstance(value, events.RoundEnded):
        first_token = value.first_token_s
        return {
            "type": "roundEnded",
            "number": value.number,
            "finish": value.finish,
            "nToolCalls": value.n_tool_calls,
            "usage": _usage(value.usage),
            "durationMs": round(value.duration_s * 1000),
            "firstTokenMs": None if first_token is None else round(first_token * 1000),
            "model": value.model,
        }
    if isinstance(value, events.AnswerVerified):
        citations = _verdicts(value.citations, places, value.reasons)
        return {"type": "answerVerified", "citations": citations}
    if isinstance(value, events.AnswerRepaired):
        return {
            "type": "answerRepaired",
            "nMissing": value.n_missing,
            "nLeft": value.n_left,
            "isUsed": value.is_used,
        }
    if not isinstance(value, events.TurnEnded):
        return None
    return {
        "type": "turnEnded",
        "stopReason": value.stop_reason,
        "usage": _usage(value.usage),
        "durationMs": round(value.duration_s * 1000),
        "error": value.error,
    }


# Parts


def _function(value: "Function | None", source: SourceText, places: Places) -> Json | None:
    if value is None:
        return None
    return {"name": value.qualified_name, "range": places.range_of(source, value.range)}


def _node(value: "CallNode", places: Places) -> Json:
    return {
        "name": value.name,
        "path": value.shown_path,
        "uri": None if value.path is None else places.uri(value.path),
        "line": value.line,
        "range": places.range_in(value.path, value.range),
        "cycle": value.is_cycle,
        "resolved": value.path is not None,
        "origin": value.origin,
        "children": [_node(child, places) for child in value.children],
    }


def _place(span: Span, uri: str | None) -> Json:
    return {
        "path": span.path,
        "uri": uri,
        "firstLine": span.first_line,
        "lastLine": span.last_line,
    }


def _citation(value: "Citation", places: Places) -> Json:
    uri = places.uri(value.path, value.place.path)
    return {
        "text": value.text,
        **_place(value.place, uri),
        "verdict": value.verdict,
        "reason": value.reason,
    }


def _verdicts(
    citations: Iterable[tuple[str, Span, str]], places: Places, reasons: Iterable[str] = ()
) -> list[Json]:
    return [
        {
            "text": text,
            **_place(span, places.uri(None, span.path)),
            "verdict": verdict,
            "reason": reason,
        }
        for (text, span, verdict), reason in zip(
            citations, chain(reasons, repeat("")), strict=False
        )
    ]


def _source(value: "Source", places: Places) -> Json:
    return {
        "title": value.title,
        **_place(value.place, places.uri(value.path, value.place.path)),
        "score": value.score,
    }


def _hit(title: str, span: Span, score: float, places: Places) -> Json:
    return {"title": title, **_place(span, places.uri(None, span.path)), "score": score}


def problem(value: "Problem") -> Json:
    """Return what is wrong with a file, and where."""
    return {"path": value.path, "line": value.line, "message": value.message}


def _usage(value: Usage | None) -> Json | None:
    if value is None:
        return None
    return {
        "promptTokens": value.prompt_tokens,
        "completionTokens": value.completion_tokens,
        "cachedTokens": value.cached_tokens,
        **({} if value.cost is None else {"cost": value.cost}),
    }
