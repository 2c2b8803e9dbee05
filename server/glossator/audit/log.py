"""The audit log: one JSON line for each turn, round, tool call, search of knowledge and rebuild.

Every process writes a file of its own, so two editors never mix their lines. Of what a tool was
asked and what it returned the record holds sizes and the one-line summary; the beginning of both
is kept only when the user wants it (`audit.content`). A full disk never stops the work: the record
is lost, the turn is not.
"""

import errno
import json
import os
import time
from collections.abc import Mapping
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from glossator.audit.redaction import redact
from glossator.core.events import (
    AnswerVerified,
    Event,
    IndexRebuilt,
    KnowledgeFound,
    RoundEnded,
    ToolFinished,
    ToolStarted,
    TurnEnded,
    TurnStarted,
)

_MAX_FILE_BYTES = 5_000_000
_KEEP_FILES = 20
_PREVIEW_CHARACTERS = 500
_NAME_CHARACTERS = 200


class AuditLog:
    """Writes events to `folder` as JSON lines. Errors are counted in `n_lost`, never raised."""

    def __init__(self, folder: Path, *, keep_content: bool = False) -> None:
        self._folder = folder
        self._keep_content = keep_content
        self._path: Path | None = None
        self._is_torn = False
        self.n_lost = 0

    def record(self, event: Event, *, turn_id: str = "") -> None:
        """Write what matters of `event`; events that only paint progress are left out."""
        values = self._describe(event)
        if values is None:
            return
        now = datetime.now(UTC).isoformat(timespec="milliseconds")
        kind = type(event).__name__
        line = json.dumps({"time": now, "turn": turn_id, "event": kind, **values})
        try:
            self._append(line.encode("utf-8") + b"\n")
        except OSError:
            self.n_lost += 1

    def _describe(self, event: Event) -> Mapping[str, Any] | None:
        match event:
            case ToolStarted():
                return {
                    "call": _clip(event.call_id),
                    "tool": _clip(event.name),
                    "arguments": self._preview(event.arguments),
                }
            case ToolFinished():
                return {
                    "call": _clip(event.call_id),
                    "tool": _clip(event.name),
                    "isError": event.is_error,
                    "summary": redact(event.summary),
                    "result": self._preview(event.result),
                    "durationMs": round(event.duration_s * 1000),
                }
            case RoundEnded():
                return {
                    "round": event.number,
                    "finish": event.finish,
                    "toolCalls": event.n_tool_calls,
                    "usage": asdict(event.usage) if event.usage else None,
                    "durationMs": round(event.duration_s * 1000),
                    "firstTokenMs": _milliseconds(event.first_token_s),
                }
            case KnowledgeFound():
                return {
                    "hits": [[_clip(str(place)), round(score, 3)] for _, place, score in event.hits]
                }
            case AnswerVerified():
                return {
                    "citations": [
                        [_clip(str(place)), verdict] for _, place, verdict in event.citations
                    ]
                }
            case TurnEnded():
                return {
                    "stopReason": event.stop_reason,
                    "usage": asdict(event.usage),
                    "durationMs": round(event.duration_s * 1000),
                    "error": redact(event.error),
                }
            case TurnStarted():
                return {"kind": event.kind, "session": event.session_id}
            case IndexRebuilt():
                return asdict(event)
        return None

    def _preview(self, text: str) -> Mapping[str, Any]:
        preview: dict[str, Any] = {"characters": len(text)}
        if self._keep_content:
            preview["text"] = redact(text)[:_PREVIEW_CHARACTERS]
        return preview

    def _append(self, data: bytes) -> None:
        path = self._current_file()
        descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            if self._is_torn:
                data = b"\n" + data
            n_written = os.write(descriptor, data)
            # A full disk takes a part: the next record must not go on in the same line.
            self._is_torn = 0 < n_written < len(data) or (self._is_torn and not n_written)
            if n_written < len(data):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        finally:
            os.close(descriptor)

    def _current_file(self) -> Path:
        if self._path is not None and _size_of(self._path) < _MAX_FILE_BYTES:
            return self._path
        self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        for old in sorted(self._folder.glob("audit-*.jsonl"))[: -_KEEP_FILES + 1]:
            old.unlink(missing_ok=True)
        self._path = self._folder / f"audit-{time.time_ns()}-{os.getpid()}.jsonl"
        return self._path


def _clip(text: str) -> str:
    """Return what a model wrote as a name: it may be long, and hold what it has read."""
    return redact(text[:_NAME_CHARACTERS])


def _size_of(path: Path) -> int:
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0


def _milliseconds(seconds: float | None) -> int | None:
    return None if seconds is None else round(seconds * 1000)
