"""A model that plays a script, for tests without a server."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Iterable, Sequence
from typing import Any

from glossator.core.errors import ModelUnavailable
from glossator.core.messages import (
    Completion,
    Message,
    Piece,
    ReasoningDelta,
    TextDelta,
    ToolCall,
    ToolSpec,
    Usage,
    Waiting,
)

Part = str | ToolCall | ReasoningDelta | Waiting | Completion | Exception | asyncio.Event
Reply = Part | Sequence[Part]
MakeReply = Callable[[Sequence[Message], Sequence[ToolSpec]], Reply]
_PIECE_LENGTH = 24


class ScriptedModel:
    """Plays `replies` in order and records what it was sent.

    A reply is a part or a list of parts: text (sent in small pieces), a `ToolCall`, an exception
    (raised there), an `asyncio.Event` (waited for), or a piece that is sent as it is. A function
    as a reply gets transcript and tools and returns one, so that a script can follow its context.
    """

    def __init__(
        self,
        replies: Iterable[Reply | MakeReply],
        *,
        name: str = "scripted",
        usage: Usage | None = None,
    ) -> None:
        self.name = name
        self.endpoint = "script"
        self.transcripts: list[tuple[Message, ...]] = []
        self.tools_offered: list[tuple[ToolSpec, ...]] = []
        self._replies = iter(replies)
        self._usage = usage

    async def stream(
        self, transcript: Sequence[Message], tools: Sequence[ToolSpec]
    ) -> AsyncGenerator[Piece, None]:
        """Play the next reply; calls come after the text, as from a real model."""
        self.transcripts.append(tuple(transcript))
        self.tools_offered.append(tuple(tools))
        parts = self._next_parts(transcript, tools)
        calls = [part for part in parts if isinstance(part, ToolCall)]
        end = Completion("tool_calls" if calls else "stop", self._usage)
        for part in parts:
            if isinstance(part, Exception):
                raise part
            if isinstance(part, asyncio.Event):
                await part.wait()
            elif isinstance(part, Completion):
                end = part
            elif isinstance(part, str):
                for piece in _cut_pieces(part):
                    yield TextDelta(piece)
                    await asyncio.sleep(0)
            elif not isinstance(part, ToolCall):
                yield part
        for call in calls:
            yield call
        yield end

    async def close(self) -> None:
        """Nothing is open."""

    def _next_parts(
        self, transcript: Sequence[Message], tools: Sequence[ToolSpec]
    ) -> Sequence[Part]:
        reply: Any = next(self._replies, None)
        if reply is None:
            raise ModelUnavailable(
                f"The script of `{self.name}` has no reply left; add one to the script."
            )
        if callable(reply):
            reply = reply(transcript, tools)
        return [reply] if isinstance(reply, Part) else reply


def _cut_pieces(text: str) -> list[str]:
    return [text[start : start + _PIECE_LENGTH] for start in range(0, len(text), _PIECE_LENGTH)]
