"""The one thing the agent asks of a model."""

from collections.abc import AsyncGenerator, Sequence
from typing import Protocol

from glossator.core.messages import Message, Piece, ToolSpec


class ChatModel(Protocol):
    """A model that answers a transcript. `name` and `endpoint` are for people."""

    name: str
    endpoint: str

    def stream(
        self, transcript: Sequence[Message], tools: Sequence[ToolSpec]
    ) -> AsyncGenerator[Piece, None]:
        """Yield text as it arrives, then each complete tool call, then one `Completion`.

        Half-received tool calls never leave the adapter. Closing the generator ends the request.

        Raises:
            ModelUnavailable: the server cannot be reached, refuses, or sends what cannot be used;
                the text names the remedy.
            IncompleteAnswer: the stream ended early; the text deltas yielded so far are partial.
        """
        ...
