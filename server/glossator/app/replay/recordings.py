"""Turns that can be run again: read from the record, or from an exported session."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from glossator.agent.shortening import tells
from glossator.audit.recording import CONTENT_CHARACTERS
from glossator.audit.records import Record, parse_lines, read_folder
from glossator.core.errors import InvalidArguments
from glossator.core.messages import Message, ToolCall
from glossator.core.redaction import redact
from glossator.sessions.export import read_export
from glossator.sessions.session import FinishedTurn, Session

_TAKEN_OUT = "[redacted]"
_MAX_FILE_BYTES = 200_000_000


@dataclass(frozen=True, slots=True)
class RecordedReply:
    """What a model said in one round. `finish` is why it ended."""

    message: Message
    finish: str
    model: str = ""


@dataclass(frozen=True, slots=True)
class RecordedResult:
    """What a tool returned: in the record, or as the model was told it in a session."""

    text: str
    n_characters: int
    is_told: bool = False


@dataclass(frozen=True, slots=True)
class Recording:
    """A turn as it was. Results stand under the place of their round, from 0, and their call.

    `problem` says why the turn cannot be run again; `citations` are (as written, verdict).
    """

    id: str
    recorded_at: str = ""
    question: str = ""
    stop_reason: str = ""
    replies: tuple[RecordedReply, ...] = ()
    results: Mapping[tuple[int, str], RecordedResult] = field(default_factory=dict)
    citations: tuple[tuple[str, str], ...] = ()
    answer: str = ""
    problem: str = ""


def read_recordings(path: Path) -> tuple[Recording, ...]:
    """Read the turns of a file, the oldest first: the record's, or an exported session.

    A folder is one of the record. Reads files: call it in a thread.

    Raises:
        InvalidArguments: there is no such file, or it holds no turns.
    """
    if path.is_dir():
        return tuple(_from_records(read_folder(path).records))
    try:
        if path.stat().st_size > _MAX_FILE_BYTES:
            raise InvalidArguments(f"`{path}` is too large to be a record or an exported session.")
        data = path.read_bytes()
    except OSError as error:
        raise InvalidArguments(f"`{path}` cannot be read: {error.strerror}.") from error
    if _is_export(data):
        return tuple(_from_session(read_export(data.decode("utf-8", "replace"))))
    records, _ = parse_lines(data.split(b"\n"))
    return tuple(_from_records(records))


def choose_recording(recordings: Sequence[Recording], wanted: str, source: str) -> Recording:
    """Return the turn that is wanted: by its id, or the last that can be run again.

    Raises:
        InvalidArguments: there is none, or it cannot be run again; the message says why.
    """
    if not recordings:
        raise InvalidArguments(
            f"`{source}` holds no turn. Give a file of `glossator/audit`, or a session exported "
            "as JSON."
        )
    if wanted:
        found = [each for each in recordings if each.id.startswith(wanted)]
        if not found:
            ids = ", ".join(f"`{each.id}`" for each in recordings[-5:])
            raise InvalidArguments(f"`{source}` holds no turn `{wanted}`. The latest are: {ids}.")
        chosen = found[-1]
    else:
        complete = [each for each in recordings if not each.problem]
        chosen = (complete or recordings)[-1]
    if chosen.problem:
        raise InvalidArguments(chosen.problem)
    return chosen


def is_same(recorded: RecordedResult, text: str) -> bool:
    """Say whether a tool returned this, as far as the recording knows."""
    if recorded.is_told:
        return tells(recorded.text, text)
    return len(text) == recorded.n_characters and redact(text)[:CONTENT_CHARACTERS] == recorded.text


def can_run(call: ToolCall) -> bool:
    """Say whether the call is known as it was: nothing was taken out of its arguments."""
    return _TAKEN_OUT not in call.arguments and len(call.arguments) < CONTENT_CHARACTERS


def _is_export(data: bytes) -> bool:
    """Tell an exported session from a record, which has a value on each line."""
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        return False
    return isinstance(value, dict) and "format" in value


# From the record


def _from_records(records: Iterable[Record]) -> Iterator[Recording]:
    by_turn: dict[str, list[Record]] = {}
    for record in records:
        if record.turn:
            by_turn.setdefault(record.turn, []).append(record)
    for turn_id, of_turn in by_turn.items():
        # What was judged on the way is no turn that anybody took.
        if not any(record.text("kind") == "judge" for record in of_turn):
            yield _Turn(turn_id).read(of_turn)


class _Turn:
    """Puts one turn together from its records."""

    def __init__(self, turn_id: str) -> None:
        self._id = turn_id
        self._question = ""
        self._stop_reason = ""
        self._replies: list[RecordedReply] = []
        self._repair: RecordedReply | None = None
        self._results: dict[tuple[int, str], RecordedResult] = {}
        self._citations: tuple[tuple[str, str], ...] = ()
        self._has_failed_last = False
        self._lacks_content = False

    def read(self, records: Sequence[Record]) -> Recording:
        for record in records:
            if not record.helper:
                self._take(record)
        last = self._repair or (self._replies[-1] if self._replies else None)
        return Recording(
            id=self._id,
            recorded_at=records[0].time.isoformat(timespec="seconds"),
            question=self._question,
            stop_reason=self._stop_reason,
            replies=tuple(self._replies),
            results=self._results,
            citations=self._citations,
            answer=last.message.text if last else "",
            problem=self._find_problem(),
        )

    def _take(self, record: Record) -> None:
        match record.event:
            case "TurnStarted":
                self._question = _text_of(record.group("subject")) or ""
            case "RoundEnded":
                self._take_round(record)
            case "ToolFinished":
                self._take_result(record)
            case "AnswerRepaired":
                self._take_repair(record)
            case "AnswerVerified":
                self._citations = tuple(
                    (str(row[0]), str(row[2])) for row in record.rows("citations") if row[2:]
                )
            case "TurnEnded":
                self._stop_reason = record.text("stopReason")

    def _take_round(self, record: Record) -> None:
        self._has_failed_last = record.text("finish") == "unfinished"
        if self._has_failed_last:
            return
        reply = record.group("reply")
        text = _text_of(reply)
        if reply is None or text is None:
            self._lacks_content = True
            return
        message = Message(
            "assistant",
            text,
            tuple(_read_calls(reply.get("toolCalls"))),
            reasoning=_text_of(reply.get("reasoning")) or "",
        )
        self._replies.append(RecordedReply(message, record.text("finish"), record.text("model")))

    def _take_result(self, record: Record) -> None:
        result = record.group("result")
        text = _text_of(result)
        if result is not None and text is not None:
            n_characters = result.get("characters")
            self._results[len(self._replies) - 1, record.text("call")] = RecordedResult(
                text, n_characters if isinstance(n_characters, int) else len(text)
            )

    def _take_repair(self, record: Record) -> None:
        """Tell the reply of a repair from the answer: it was given outside the loop."""
        if self._replies and not self._has_failed_last:
            reply = self._replies.pop()
            self._repair = reply if record.flag("isUsed") else None

    def _find_problem(self) -> str:
        if self._lacks_content:
            return (
                f"The record of turn `{self._id}` has no content, so the turn cannot be run again. "
                "Set `audit.content` to true, in the editor's settings or in your own "
                "`glossator.toml`, and ask again; what was asked before stays without."
            )
        if not self._stop_reason:
            return f"Turn `{self._id}` has no end in this file, so it cannot be run again."
        return _describe_lack_of_answer(self._id, self._stop_reason, self._replies)


def _describe_lack_of_answer(
    turn_id: str, stop_reason: str, replies: Sequence[RecordedReply]
) -> str:
    """Say that nothing can be run again; empty when the last reply is an answer."""
    if replies and not replies[-1].message.tool_calls:
        return ""
    return (
        f"Turn `{turn_id}` has no answer of a model (it ended: {stop_reason}), so there is nothing "
        "to run again."
    )


def _read_calls(value: object) -> Iterator[ToolCall]:
    for call in value if isinstance(value, list) else ():
        if isinstance(call, dict):
            arguments = _text_of(call.get("arguments")) or ""
            yield ToolCall(str(call.get("id", "")), str(call.get("name", "")), arguments)


def _text_of(described: Any) -> str | None:
    """Return a text that was kept; None when only its size was."""
    text = described.get("text") if isinstance(described, Mapping) else None
    return text if isinstance(text, str) else None


# From a session


def _from_session(session: Session) -> Iterator[Recording]:
    for number, turn in enumerate(session.turns, 1):
        yield _from_turn(str(number), turn)


def _from_turn(number: str, turn: FinishedTurn) -> Recording:
    replies: list[RecordedReply] = []
    results: dict[tuple[int, str], RecordedResult] = {}
    for message in turn.messages:
        if message.role == "assistant":
            replies.append(RecordedReply(message, ""))
        elif message.role == "tool":
            told = RecordedResult(message.text, len(message.text), is_told=True)
            results[len(replies) - 1, message.call_id or ""] = told
    problem = _describe_lack_of_answer(number, turn.stop_reason, replies)
    if not turn.by_model:
        problem = f"No model answered turn `{number}` of this session."
    return Recording(
        id=number,
        question=turn.question,
        stop_reason=turn.stop_reason,
        replies=tuple(replies),
        results=results,
        citations=tuple((text, verdict) for text, _, verdict in turn.citations),
        answer=turn.answer,
        problem=problem,
    )
