"""The editor's own language model, reached through the editor.

The editor owns the model, asks for consent and counts what it costs; nothing goes over the network
from here, and no key is known. What is sent has the form of a chat request, so that an editor
needs no description of our transcript.
"""

import asyncio
import json
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from glossator.core.errors import IncompleteAnswer, ModelUnavailable
from glossator.core.messages import Completion, Message, Piece, TextDelta, ToolCall, ToolSpec
from glossator.core.settings import ModelSettings
from glossator.core.tokens import estimate_tokens
from glossator.model.failures import ContextTooLong, ToolsUnsupported
from glossator.model.reports import cut, strip_markup
from glossator.model.sending import write_messages, write_tools

EDITOR = "editor"

Trouble = Literal[
    "no-model", "no-consent", "quota", "blocked", "too-long", "tools-unsupported", "cancelled",
    "gone", "failed",
]  # fmt: skip

_MAX_QUOTE = 200
_CAUSES: Mapping[Trouble, tuple[str, str]] = {
    "no-model": (
        "The editor has no such language model",
        "Sign in to one in the editor, name another one in `model.name`, or set `model.source` to "
        "`endpoint`.",
    ),
    "no-consent": (
        "The editor was not allowed to use its language model",
        "Ask again and allow it in the editor's dialog, or set `model.source` to `endpoint`.",
    ),
    "quota": (
        "The quota of the editor's language model is used up",
        "Ask again later, or name another model in `model.name`.",
    ),
    "blocked": (
        "The editor's language model did not want to answer this",
        "Ask in other words, or name another model in `model.name`.",
    ),
    "too-long": (
        "The question is too long for the editor's language model",
        "Begin a new session, or name a model that takes more in `model.name`.",
    ),
    "tools-unsupported": ("The editor's language model takes no tools", "Name another model."),
    "cancelled": ("The editor ended the answer", "Ask again."),
    "gone": (
        "The editor's language model fell silent",
        "Ask again, or raise `model.idleTimeoutS` if it is slow.",
    ),
    "failed": ("The editor's language model failed", "Ask again, or choose another model."),
}


class EditorModelFailed(Exception):
    """The editor gives no answer, or no more of it: `trouble` says why, `detail` in its words."""

    def __init__(self, trouble: Trouble, detail: str = "", *, limit: int | None = None) -> None:
        super().__init__(detail or trouble)
        self.trouble: Trouble = trouble
        self.detail = detail
        self.limit = limit


@dataclass(frozen=True, slots=True)
class EditorModel:
    """What the editor says of a model; `max_input_tokens` is 0 where it does not say it."""

    max_input_tokens: int = 0
    takes_tools: bool = True


class EditorModels(Protocol):
    """The models of the editor. `wanted` is the id or family of one, or empty: its choice."""

    async def describe(self, wanted: str) -> EditorModel:
        """Return what is known of the model.

        Raises:
            EditorModelFailed: there is none, or the editor does not answer.
        """
        ...

    def stream(
        self, wanted: str, messages: Sequence[Mapping[str, Any]], tools: Sequence[Mapping[str, Any]]
    ) -> AsyncGenerator[TextDelta | ToolCall, None]:
        """Yield the answer as it arrives. Closing the generator withdraws the request.

        Raises:
            EditorModelFailed: there is no answer, or it breaks off.
        """
        ...


@dataclass(slots=True)
class EditorChat:
    """A `ChatModel` that the editor answers for. `wanted` is what it is asked for."""

    models: EditorModels
    settings: ModelSettings
    wanted: str = ""
    name: str = ""
    endpoint: str = EDITOR
    _described: EditorModel | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        self.name = self.name or self.wanted or EDITOR

    async def close(self) -> None:
        """Nothing is open between two requests."""

    async def stream(
        self, transcript: Sequence[Message], tools: Sequence[ToolSpec]
    ) -> AsyncGenerator[Piece, None]:
        """Yield text as it arrives, then each complete tool call, then one `Completion`."""
        text_shown = False
        calls: list[ToolCall] = []
        try:
            messages = await self._fit(transcript, tools)
            answer = self.models.stream(self.wanted, messages, write_tools(tools))
            async with aclosing(self._hurry(answer)) as pieces:
                async for piece in pieces:
                    if isinstance(piece, ToolCall):
                        calls.append(piece)
                        continue
                    text_shown = True
                    yield piece
        except EditorModelFailed as error:
            raise self._tell(error, is_shown=text_shown) from None
        for call in calls:
            yield call
        yield Completion("tool_calls" if calls else "stop")

    async def _fit(
        self, transcript: Sequence[Message], tools: Sequence[ToolSpec]
    ) -> list[dict[str, Any]]:
        """Return what is sent, or raise because the model does not take it."""
        if self._described is None:
            self._described = await self.models.describe(self.wanted)
        if tools and not self._described.takes_tools:
            raise EditorModelFailed("tools-unsupported")
        messages = write_messages(transcript)
        limit = self._described.max_input_tokens
        if limit:
            n_tokens = estimate_tokens(json.dumps([messages, write_tools(tools)]))
            if n_tokens > limit:
                raise EditorModelFailed(
                    "too-long", f"about {n_tokens} tokens where {limit} fit", limit=limit
                )
        return messages

    async def _hurry(
        self, answer: AsyncGenerator[TextDelta | ToolCall, None]
    ) -> AsyncGenerator[TextDelta | ToolCall, None]:
        """Yield the pieces, as long as none keeps us waiting too long."""
        loop = asyncio.get_running_loop()
        end = loop.time() + self.settings.total_timeout_s
        wait_s = self.settings.first_token_timeout_s
        async with aclosing(answer):
            while True:
                try:
                    async with asyncio.timeout_at(min(loop.time() + wait_s, end)):
                        piece = await anext(answer, None)
                except TimeoutError:
                    raise EditorModelFailed("gone", f"no word within {wait_s:g} s") from None
                if piece is None:
                    return
                yield piece
                wait_s = self.settings.idle_timeout_s

    def _tell(self, error: EditorModelFailed, *, is_shown: bool) -> ModelUnavailable:
        """Return what to raise: what happened, in the editor's words too, and the remedy."""
        cause, remedy = _CAUSES[error.trouble]
        quote = cut(strip_markup(error.detail), _MAX_QUOTE)
        text = f"{cause} (“{quote}”). {remedy}" if quote else f"{cause}. {remedy}"
        if is_shown:
            return IncompleteAnswer(f"The answer is incomplete: {text}")
        if error.trouble == "tools-unsupported":
            return ToolsUnsupported(text)
        if error.trouble == "too-long":
            too_long = ContextTooLong(text)
            too_long.limit = error.limit
            return too_long
        return ModelUnavailable(text)
