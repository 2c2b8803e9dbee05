"""Texts that stay in what a model is sent, whatever else of a conversation is left out.

Where such a text stands already, in the material of a request or the result of a tool, nothing is
added. Once it is trimmed away there, it is put in front of the present request, once.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace

from glossator.agent.capacity import count_tokens
from glossator.agent.prompt import frame_material
from glossator.agent.shortening import share_out, shorten_lines
from glossator.agent.window import Fitted, fit
from glossator.core.messages import Message
from glossator.core.tokens import estimate_tokens

_SHARE = 0.4
_FRAME_TOKENS = 40


@dataclass(frozen=True, slots=True)
class Pinned:
    """A text that has to be there. `label` says what it is, `rest` how to see what is cut of it."""

    label: str
    text: str
    rest: str = ""


def fit_pinned(
    transcript: Sequence[Message], added: Sequence[Message], room: int, pinned: Sequence[Pinned]
) -> Fitted:
    """Return what is sent within `room`, as `window.fit`, with every pinned text in it.

    All that has to be put back takes two fifths of the room at most; what is longer is cut.
    """
    missing: list[Pinned] = []
    while True:
        front = _write(missing, int(room * _SHARE))
        size = estimate_tokens(front) if front else 0
        fitted = fit(transcript, added, room - size)
        gone = [each for each in pinned if each not in missing and not _stands(each, fitted)]
        if not gone:
            return _put_in_front(fitted, front) if front else fitted
        # Each time round at least one more: it ends.
        missing = [each for each in pinned if each in missing or each in gone]


def stands_in(text: str, messages: Sequence[Message]) -> bool:
    """Say whether a text can be read in one of the messages, whole."""
    return any(text in message.text for message in messages)


def _stands(pinned: Pinned, fitted: Fitted) -> bool:
    return stands_in(pinned.text, fitted.messages)


def _write(missing: Sequence[Pinned], room: int) -> str:
    if not missing:
        return ""
    sizes = [estimate_tokens(each.text) for each in missing]
    shares = share_out(sizes, max(0, room - _FRAME_TOKENS * len(missing)))
    parts = [
        (each.label, shorten_lines(each.text, share, each.rest))
        for each, share in zip(missing, shares, strict=True)
    ]
    joined = "".join(text for _, text in parts)
    # The same in every round, so that it is cached; no text holds its own hash.
    marker = hashlib.blake2b(joined.encode("utf-8", "replace"), digest_size=6).hexdigest()
    return frame_material(parts, marker=marker)


def _put_in_front(fitted: Fitted, front: str) -> Fitted:
    """Put text before the present request, which is the last message of the user."""
    place = max(n for n, message in enumerate(fitted.messages) if message.role == "user")
    request = fitted.messages[place]
    messages = (
        *fitted.messages[:place],
        replace(request, text=f"{front}\n\n{request.text}"),
        *fitted.messages[place + 1 :],
    )
    return Fitted(messages, fitted.trimmed, count_tokens(messages))
