"""Asks the client for answers of the editor's own language model."""

import asyncio
import json
from collections.abc import AsyncGenerator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, get_args
from uuid import uuid4

from glossator.core.messages import TextDelta, ToolCall
from glossator.lsp.client_requests import ClientRefused, ClientTooSlow
from glossator.model.editor_chat import EditorModel, EditorModelFailed, Trouble

if TYPE_CHECKING:
    from glossator.lsp.client_requests import ClientRequests

DESCRIBE = "glossator/model/describe"
CHAT = "glossator/model/chat"

# Somebody may have to sign in or to consent first.
_DESCRIBE_S = 30.0
_REQUEST_CANCELLED = -32800
_TROUBLES: frozenset[str] = frozenset(get_args(Trouble))
_MAX_LIMIT = 100_000_000


class ClientModels:
    """The `EditorModels` behind the client. Lives on one event loop."""

    def __init__(self, requests: "ClientRequests") -> None:
        self._requests = requests
        self._streams: dict[str, asyncio.Queue[Mapping[str, Any] | None]] = {}

    async def describe(self, wanted: str) -> EditorModel:
        """Return what the editor knows of a model.

        Raises:
            EditorModelFailed: there is none, or the client does not answer.
        """
        try:
            answer = await self._requests.ask(DESCRIBE, {"model": wanted}, timeout_s=_DESCRIBE_S)
        except ClientRefused as error:
            raise _read_failure(error) from None
        if not isinstance(answer, Mapping):
            raise EditorModelFailed("no-model")
        return EditorModel(
            max_input_tokens=_read_limit(answer.get("maxInputTokens")),
            takes_tools=answer.get("tools") is not False,
        )

    async def stream(
        self, wanted: str, messages: Sequence[Mapping[str, Any]], tools: Sequence[Mapping[str, Any]]
    ) -> AsyncGenerator[TextDelta | ToolCall, None]:
        """Yield the answer as its pieces arrive.

        Raises:
            EditorModelFailed: there is no answer, or it breaks off.
        """
        stream_id = uuid4().hex
        pieces: asyncio.Queue[Mapping[str, Any] | None] = asyncio.Queue()
        self._streams[stream_id] = pieces
        params = {"id": stream_id, "model": wanted, "messages": messages, "tools": tools}
        answer = asyncio.create_task(self._requests.ask(CHAT, params, timeout_s=None), name=CHAT)
        # Pieces come before the answer: the mark of the end stands behind them.
        answer.add_done_callback(lambda _: pieces.put_nowait(None))
        try:
            while (piece := await pieces.get()) is not None:
                for part in _read_piece(piece):
                    yield part
            try:
                await answer
            except ClientRefused as error:
                raise _read_failure(error) from None
        finally:
            del self._streams[stream_id]
            answer.cancel()
            await asyncio.wait([answer])

    def hear(self, params: Any) -> None:
        """Take a piece of an answer; what belongs to none that is read is left out."""
        if isinstance(params, Mapping) and isinstance(params.get("id"), str):
            stream = self._streams.get(params["id"])
            if stream is not None:
                stream.put_nowait(params)


def _read_piece(piece: Mapping[str, Any]) -> list[TextDelta | ToolCall]:
    """Return what a piece holds: text, a complete tool call, or nothing that fits."""
    found: list[TextDelta | ToolCall] = []
    text, call = piece.get("text"), piece.get("toolCall")
    if isinstance(text, str) and text:
        found.append(TextDelta(text))
    if isinstance(call, Mapping) and isinstance(call.get("name"), str):
        arguments = call.get("arguments")
        written = arguments if isinstance(arguments, str) else json.dumps(arguments or {})
        call_id = call.get("id")
        found.append(
            ToolCall(call_id if isinstance(call_id, str) else uuid4().hex, call["name"], written)
        )
    return found


def _read_failure(error: ClientRefused) -> EditorModelFailed:
    if isinstance(error, ClientTooSlow):
        return EditorModelFailed("gone", str(error))
    data = error.data if isinstance(error.data, Mapping) else {}
    code = data.get("code")
    trouble: Trouble = "cancelled" if error.code == _REQUEST_CANCELLED else "failed"
    if isinstance(code, str) and code in _TROUBLES:
        trouble = next(each for each in get_args(Trouble) if each == code)
    return EditorModelFailed(trouble, str(error), limit=_read_limit(data.get("limit")) or None)


def _read_limit(value: Any) -> int:
    is_count = type(value) is int and 0 < value <= _MAX_LIMIT
    return value if is_count else 0
