"""The part of a conversation that a model is sent."""

import math
import re
from collections.abc import Sequence

from glossator.core.messages import Message

_CJK = re.compile(r"[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff]")
_TOKENS_PER_MESSAGE = 8


def estimate_tokens(text: str) -> int:
    """Estimate how many tokens `text` takes, on the high side in Chinese and English alike."""
    n_cjk = len(_CJK.findall(text))
    return math.ceil(n_cjk + (len(text) - n_cjk) / 3.5)


def count_tokens(messages: Sequence[Message]) -> int:
    """Estimate the tokens of whole messages, their tool calls included."""
    return sum(
        _TOKENS_PER_MESSAGE
        + estimate_tokens(message.text)
        + sum(estimate_tokens(call.name + call.arguments) for call in message.tool_calls)
        for message in messages
    )


def fit_history(
    turns: Sequence[Sequence[Message]], budget_tokens: int
) -> tuple[list[Message], int]:
    """Return the latest whole turns that fit into the budget, and how many were left out.

    Turns are never cut in the middle, so that no tool result loses its call.
    """
    kept: list[Sequence[Message]] = []
    used = 0
    for turn in reversed(turns):
        used += count_tokens(turn)
        if used > budget_tokens:
            break
        kept.append(turn)
    history = [message for turn in reversed(kept) for message in turn]
    return history, len(turns) - len(kept)
