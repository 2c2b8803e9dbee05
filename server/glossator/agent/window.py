"""The part of a conversation that a model is sent."""

import math
import re
from collections.abc import Sequence
from dataclasses import replace

from glossator.core.messages import Message

_CJK = re.compile(r"[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff]")
_TOKENS_PER_MESSAGE = 8
_SHORTENED_RESULT = 2_000
_SHORTENED_REQUEST = 16_000


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


def shorten(
    transcript: Sequence[Message], added: Sequence[Message]
) -> tuple[list[Message], list[Message]]:
    """Return a conversation that did not fit, without its earlier turns and with less material.

    What the system says stays whole; of a long request its end stays, where the question stands.
    """
    system = [message for message in transcript[:-1] if message.role == "system"]
    request = transcript[-1]
    n_of_history = sum(len(message.text) for message in transcript[:-1] if message not in system)
    if len(request.text) > max(_SHORTENED_REQUEST, n_of_history):
        request = replace(request, text=_keep_end(request.text))
    return [*system, request], [_shorten_result(message) for message in added]


def _keep_end(request: str) -> str:
    """Leave out whole pieces of material from the front: half a piece would lose its frame."""
    end = request[-_SHORTENED_REQUEST:]
    first = end.find("<material ")
    if first < 0:
        first = end.rfind("</material ")
        first = end.find("\n", first) + 1 if first >= 0 else 0
    kept = end[first:]
    return f"({len(request) - len(kept)} characters of material were left out.)\n\n{kept}"


def _shorten_result(message: Message) -> Message:
    left_out = len(message.text) - _SHORTENED_RESULT
    if message.role != "tool" or left_out <= 0:
        return message
    text = message.text[:_SHORTENED_RESULT]
    return replace(message, text=f"{text}\n({left_out} more characters were left out)")
