"""What stands in a text: where most checks are told that they cannot match there."""

import re
from collections.abc import Iterable
from functools import cache, cached_property

from glossator.rules.needles import BLANKS, Needle, Needles
from glossator.rules.phrases import compile_phrase

# What each byte of a text becomes, so that blanks stand between its words, which are casefolded.
_WORD_BYTES = frozenset(b"abcdefghijklmnopqrstuvwxyz0123456789_")
_TO_WORDS = bytes(n if n in _WORD_BYTES else ord(" ") for n in bytes(range(256)).lower())
_WHOLE_WORD = re.compile(r"[a-z0-9_]+\Z")


class Vocabulary:
    """The words of a text, and the text itself where words do not tell.

    To look a hundred times through the distinct words takes a tenth of what it takes to look
    through the text.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        folded = text if text.isascii() else self._folded
        self._words = frozenset(folded.encode("ascii", "replace").translate(_TO_WORDS).split())

    def mentions_all(self, groups: Iterable[Needles]) -> bool:
        """Say whether one needle of each group stands in the text; without any it may match."""
        for needles in groups:
            for needle in needles:
                if self._mentions(needle):
                    break
            else:
                return False
        return True

    def _mentions(self, needle: Needle) -> bool:
        if needle.kind == "word":
            return needle.text.encode() in self._words
        if needle.kind == "phrase":
            return compile_phrase(needle.text).search(self._text) is not None
        if _WHOLE_WORD.match(needle.text):
            return needle.text.encode() in self._joined_words
        if BLANKS in needle.text:
            return _compile_part(needle.text).search(self._folded) is not None
        return needle.text in self._folded

    @cached_property
    def _folded(self) -> str:
        return self._text.casefold()

    @cached_property
    def _joined_words(self) -> bytes:
        return b" ".join(self._words)


@cache
def _compile_part(text: str) -> re.Pattern[str]:
    return re.compile(r"\s*+".join(map(re.escape, text.split(BLANKS))))
