"""How much a model takes: tokens estimated before they are sent, and corrected by what it says."""

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass

from glossator.core.messages import Message, ToolSpec
from glossator.core.tokens import estimate_tokens
from glossator.model.failures import ContextTooLong
from glossator.model.port import ChatModel

DEFAULT_LIMIT = 32_000
_TOKENS_PER_MESSAGE = 8
_LARGEST_RESERVE = 4_096
# Dense JSON takes a fifth more than estimated; after the first answer the server's count is known.
_FIRST_MARGIN = 1.25
_LEARNT_MARGIN = 1.15
# What a server counts beyond these is no count of this prompt.
_LEAST_RATIO, _GREATEST_RATIO = 0.4, 4.0
_LEAST_ESTIMATE = 200
_MUCH_LOWER = 0.8
# A refusal of less than this is about something else, unless it names its limit.
_LEAST_LIMIT = 1_000


def count_tokens(messages: Sequence[Message]) -> int:
    """Estimate the tokens of whole messages, their tool calls included."""
    return sum(map(_count_message, messages))


def count_tool_tokens(tools: Sequence[ToolSpec]) -> int:
    """Estimate the tokens that describe the tools on offer."""
    return sum(
        estimate_tokens(tool.name + tool.description + json.dumps(dict(tool.parameters)))
        for tool in tools
    )


def _count_message(message: Message) -> int:
    size = _TOKENS_PER_MESSAGE + estimate_tokens(message.text)
    for call in message.tool_calls:
        size += _TOKENS_PER_MESSAGE + estimate_tokens(call.name + call.arguments)
    # Thinking goes back with calls, where it goes back at all.
    return size + estimate_tokens(message.reasoning) if message.tool_calls else size


@dataclass(slots=True)
class Capacity:
    """What is known of one model: how many tokens fit, and how it counts what we estimated."""

    limit: int | None = None
    ratio: float | None = None

    def scale(self, estimate: int) -> int:
        """Return the tokens that an estimate stands for, with a margin."""
        return math.ceil(estimate * self._factor)

    def find_room(self, configured: int = 0) -> int:
        """Return how much may be sent, as an estimate; the rest is left for the answer.

        A limit that was learnt from a refusal holds even against a larger `configured` one.
        """
        limit = min(filter(None, (configured, self.limit)), default=DEFAULT_LIMIT)
        return int((limit - min(_LARGEST_RESERVE, limit // 4)) / self._factor)

    def note_usage(self, estimate: int, n_tokens: int) -> None:
        """Learn from the server's count of what was estimated.

        A higher ratio counts at once. A much lower one counts bit by bit, and a slightly lower one
        not at all: what is sent should not change with every answer.
        """
        if estimate < _LEAST_ESTIMATE or not n_tokens:
            return
        ratio = n_tokens / estimate
        if not _LEAST_RATIO <= ratio <= _GREATEST_RATIO:
            return
        if self.ratio is None or ratio > self.ratio:
            self.ratio = ratio
        elif ratio < self.ratio * _MUCH_LOWER:
            self.ratio += (ratio - self.ratio) / 4

    def note_refusal(self, estimate: int, error: ContextTooLong) -> None:
        """Learn from a refusal; one that names no limit tells at least that this was too much."""
        self.note_usage(estimate, error.n_tokens or error.limit or 0)
        guess = self.scale(estimate) * 4 // 5
        if error.limit:
            self.limit = error.limit
        elif guess >= _LEAST_LIMIT:
            self.limit = guess

    @property
    def _factor(self) -> float:
        if self.ratio is None:
            return _FIRST_MARGIN
        # In steps of a tenth, so that the room does not change with every answer either.
        return math.ceil(self.ratio * _LEARNT_MARGIN * 10) / 10


_KNOWN: dict[tuple[str, str], Capacity] = {}


def recall_capacity(model: ChatModel) -> Capacity:
    """Return what is known of a model, by its address and name; the same value each time."""
    return _KNOWN.setdefault((model.endpoint, model.name), Capacity())


def forget_capacities() -> None:
    """Forget everything learnt, as a new process would."""
    _KNOWN.clear()
