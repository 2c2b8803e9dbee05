"""Thinking that a model writes into its answer between `<think>` and `</think>` or their like.

Only a tag at the very start of the answer is taken for thinking: later on, it is text about tags.
"""

from dataclasses import dataclass
from typing import Literal

Part = tuple[Literal["text", "reasoning"], str]

_TAGS = {
    "<think>": "</think>",
    "<thinking>": "</thinking>",
    "<thought>": "</thought>",
    "[THINK]": "[/THINK]",
    "◁think▷": "◁/think▷",
}


@dataclass(slots=True)
class ThinkSplitter:
    """Split the pieces of an answer into thinking and text; `is_open` once only text can follow."""

    is_open: bool = False
    is_thinking: bool = False
    _held: str = ""
    _end_tag: str = ""

    def feed(self, piece: str) -> list[Part]:
        """Return what `piece` makes certain."""
        if self.is_open:
            return [("text", piece)]
        held = self._held + piece
        if self.is_thinking:
            return self._read_thinking(held)
        start = held.lstrip()
        for tag, end_tag in _TAGS.items():
            if start.startswith(tag):
                self.is_thinking, self._end_tag = True, end_tag
                return self._read_thinking(start[len(tag) :])
        if any(tag.startswith(start) for tag in _TAGS):
            self._held = held
            return []
        self.is_open, self._held = True, ""
        return [("text", start if self._end_tag else held)]

    def close(self) -> list[Part]:
        """Return what was held back, now that nothing follows."""
        held, self._held = self._held, ""
        if not held or (not self.is_thinking and not held.strip()):
            return []
        return [("reasoning" if self.is_thinking else "text", held)]

    def _read_thinking(self, held: str) -> list[Part]:
        thinking, end, text = held.partition(self._end_tag)
        if not end:
            kept = _count_started(held, self._end_tag)
            self._held = held[len(held) - kept :]
            shown = held[: len(held) - kept]
            return [("reasoning", shown)] if shown else []
        # What follows may be more thinking, or blank lines before the text.
        self.is_thinking, self._held = False, ""
        parts: list[Part] = [("reasoning", thinking)] if thinking else []
        rest = text.lstrip()
        return parts + (self.feed(rest) if rest else [])


def _count_started(text: str, tag: str) -> int:
    """Return how many characters at the end of `text` may be the beginning of `tag`."""
    for length in range(min(len(tag) - 1, len(text)), 0, -1):
        if tag.startswith(text[-length:]):
            return length
    return 0
