"""Sessions as JSON values and back: one shape for the database and for the export.

What is read may have been torn, edited or written by somebody else, so every value is looked at.
A message of the role `system` is left out: what the system says is never taken from a file.
"""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any, get_args

from glossator.core.errors import GlossatorError
from glossator.core.locations import Span
from glossator.core.messages import Message, Role, ToolCall, Usage
from glossator.sessions.session import Attachment, FinishedTurn, Session

Json = dict[str, Any]

END_OF_TIME = 1e11
"""No session is that young: the year 5138, in seconds since 1970."""

_MISSING = object()
_ROLES = get_args(Role)


class InvalidSession(GlossatorError):
    """Text that is no session, or a part of one that cannot be read."""

    code = "invalid-session"


def encode_session(session: Session) -> Json:
    """Return everything there is of a session."""
    return {
        "id": session.id,
        "title": session.title,
        "summary": session.summary,
        "nSummarized": session.n_summarized,
        "turns": [encode_turn(turn) for turn in session.turns],
    }


def encode_turn(turn: FinishedTurn) -> Json:
    """Return everything there is of a turn."""
    return {
        "question": turn.question,
        "byModel": turn.by_model,
        "stopReason": turn.stop_reason,
        "isAboutCode": turn.is_about_code,
        "usage": _encode_usage(turn.usage),
        "citations": [
            {
                "text": text,
                "path": place.path,
                "firstLine": place.first_line,
                "lastLine": place.last_line,
                "verdict": verdict,
            }
            for text, place, verdict in turn.citations
        ],
        "finishedAt": render_time(turn.finished_at),
        "skills": list(turn.skills),
        "attachments": [encode_attachment(each) for each in turn.attachments],
        "messages": [_encode_message(message) for message in turn.messages],
    }


def encode_attachment(attachment: Attachment) -> Json:
    """Return what came with a question."""
    return {
        "kind": attachment.kind,
        "path": attachment.path,
        "firstLine": attachment.first_line,
        "lastLine": attachment.last_line,
        "symbol": attachment.symbol,
        "nLinesLeftOut": attachment.n_lines_left_out,
        "problem": attachment.problem,
    }


def render_time(seconds: float) -> str:
    """Return a moment in ISO 8601, such as `2026-01-31T12:00:00.250+00:00`."""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds")


def decode_session(value: Any) -> Session:
    """Return the session that `value` describes.

    Raises:
        InvalidSession: something does not fit; the message names it.
    """
    record = _Record(value, "")
    return Session(
        record.text("id"),
        record.text("title", ""),
        [_decode_turn(turn) for turn in record.records("turns")],
        record.text("summary", ""),
        record.number("nSummarized", 0),
    )


def decode_turn(value: Any) -> FinishedTurn:
    """Return the turn that `value` describes.

    Raises:
        InvalidSession: something does not fit; the message names it.
    """
    return _decode_turn(_Record(value, ""))


def _encode_usage(usage: Usage | None) -> Json | None:
    if usage is None:
        return None
    return {
        "promptTokens": usage.prompt_tokens,
        "completionTokens": usage.completion_tokens,
        "cachedTokens": usage.cached_tokens,
        **({} if usage.cost is None else {"cost": usage.cost}),
    }


def _encode_message(message: Message) -> Json:
    return {
        "role": message.role,
        "text": message.text,
        "toolCalls": [
            {
                "id": call.id,
                "name": call.name,
                "arguments": call.arguments,
                "extra": dict(call.extra),
            }
            for call in message.tool_calls
        ],
        "callId": message.call_id,
        "reasoning": message.reasoning,
    }


class _Record:
    """An object from outside. Each reader says where and what does not fit."""

    def __init__(self, value: Any, place: str) -> None:
        if not isinstance(value, Mapping):
            raise InvalidSession(f"`{place or 'the whole'}` must be an object.")
        self._value = value
        self._place = f"{place}." if place else ""

    def get(self, name: str, default: Any, kind: type | tuple[type, ...], means: str) -> Any:
        value = self._value.get(name, default)
        if value is _MISSING:
            raise InvalidSession(f"`{self._place}{name}` is missing.")
        if value is default:
            return value
        # True is a whole number for Python, and for nobody else.
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
            raise InvalidSession(f"`{self._place}{name}` must be {means}.")
        return value

    def text(self, name: str, default: Any = _MISSING) -> str:
        return str(self.get(name, default, str, "text"))

    def optional_text(self, name: str) -> str | None:
        value: str | None = self.get(name, None, str, "text or null")
        return value

    def number(self, name: str, default: Any = _MISSING) -> int:
        return int(self.get(name, default, int, "a whole number"))

    def optional_amount(self, name: str) -> float | None:
        value = self.get(name, None, (int, float, type(None)), "a number")
        return None if value is None else float(value)

    def flag(self, name: str, *, default: bool) -> bool:
        return bool(self.get(name, default, bool, "true or false"))

    def time(self, name: str) -> float:
        text = self.text(name, "")
        if not text:
            return 0.0
        try:
            moment = datetime.fromisoformat(text)
        except ValueError as error:
            raise self.unfit(name, "must be a time in ISO 8601") from error
        if moment.tzinfo is None:
            moment = moment.replace(tzinfo=UTC)
        seconds = moment.timestamp()
        if not 0 <= seconds < END_OF_TIME:
            raise self.unfit(name, "is no time at which a turn can have ended")
        return round(seconds, 3)

    def mapping(self, name: str) -> Mapping[str, Any]:
        value: Mapping[str, Any] = self.get(name, {}, dict, "an object")
        return value

    def texts(self, name: str) -> tuple[str, ...]:
        """Return a list of texts; one that is not there, as in older files, is empty."""
        values = self.get(name, [], list, "a list")
        if not all(isinstance(value, str) for value in values):
            raise self.unfit(name, "must be a list of texts")
        return tuple(values)

    def optional_record(self, name: str) -> "_Record | None":
        value = self._value.get(name)
        return None if value is None else _Record(value, self._place + name)

    def records(self, name: str) -> "Iterator[_Record]":
        for number, value in enumerate(self.get(name, [], list, "a list")):
            yield _Record(value, f"{self._place}{name}[{number}]")

    def unfit(self, name: str, problem: str) -> InvalidSession:
        return InvalidSession(f"`{self._place}{name}` {problem}.")


def _decode_turn(record: _Record) -> FinishedTurn:
    decoded = map(_decode_message, record.records("messages"))
    messages = tuple(message for message in decoded if message.role != "system")
    if not messages:
        raise record.unfit("messages", "must hold what was asked and answered")
    usage = record.optional_record("usage")
    return FinishedTurn(
        question=record.text("question"),
        messages=messages,
        by_model=record.flag("byModel", default=False),
        stop_reason=record.text("stopReason", ""),
        is_about_code=record.flag("isAboutCode", default=False),
        usage=None if usage is None else _decode_usage(usage),
        citations=tuple(map(_decode_citation, record.records("citations"))),
        finished_at=record.time("finishedAt"),
        skills=record.texts("skills"),
        attachments=tuple(map(_decode_attachment, record.records("attachments"))),
    )


def _decode_attachment(record: _Record) -> Attachment:
    return Attachment(
        record.text("kind", ""),
        record.text("path", ""),
        record.number("firstLine", 0),
        record.number("lastLine", 0),
        record.text("symbol", ""),
        record.number("nLinesLeftOut", 0),
        record.text("problem", ""),
    )


def _decode_usage(record: _Record) -> Usage:
    return Usage(
        record.number("promptTokens", 0),
        record.number("completionTokens", 0),
        record.number("cachedTokens", 0),
        record.optional_amount("cost"),
    )


def _decode_message(record: _Record) -> Message:
    role: Any = record.text("role")
    if role not in _ROLES:
        raise record.unfit("role", f"must be one of {', '.join(_ROLES)}")
    return Message(
        role,
        record.text("text", ""),
        tuple(
            ToolCall(
                call.text("id"),
                call.text("name"),
                call.text("arguments", ""),
                call.mapping("extra"),
            )
            for call in record.records("toolCalls")
        ),
        record.optional_text("callId"),
        record.text("reasoning", ""),
    )


def _decode_citation(record: _Record) -> tuple[str, Span, str]:
    place = Span(record.text("path"), record.number("firstLine"), record.number("lastLine"))
    return record.text("text", ""), place, record.text("verdict", "")
