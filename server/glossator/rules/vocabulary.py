"""What stands in a text: where most checks are told that they cannot match there."""

import re
from functools import cache, cached_property

from glossator.rules.needles import BLANKS, Needle, Needs
from glossator.rules.phrases import GAP, compile_phrase

# What each byte of a text becomes, so that blanks stand between its words, which are casefolded.
_WORD_BYTES = frozenset(b"abcdefghijklmnopqrstuvwxyz0123456789_")
_TO_WORDS = bytes(n if n in _WORD_BYTES else ord(" ") for n in bytes(range(256)).lower())
_ONE_WORD = re.compile(r" ?[a-z0-9_]+ ?\Z")
# `\n` and the like, with the word behind it.
_ESCAPED = re.compile(rb"\\([A-Za-z0-9_]+)")


class Vocabulary:
    """The words of a text, and the text itself where words do not tell.

    To look a hundred times through the distinct words takes a tenth of what it takes to look
    through the text.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._bytes = (text if text.isascii() else self._folded).encode("ascii", "replace")
        self._words = frozenset(self._bytes.translate(_TO_WORDS).split())

    def mentions_all(self, needs: Needs) -> bool:
        """Say whether all that is needed stands in the text; without any it may match."""
        for word in needs.words - self._words:
            if word not in self._escaped:
                return False
        for needles in needs.groups:
            for needle in needles:
                if self._mentions(needle):
                    break
            else:
                return False
        return True

    def _has_word(self, word: bytes) -> bool:
        return word in self._words or word in self._escaped

    def _mentions(self, needle: Needle) -> bool:
        if needle.kind == "word":
            return self._has_word(needle.text.encode())
        if needle.kind == "phrase":
            search, words = compile_phrase(needle.text)
            return all(map(self._has_word, words)) and search(self._text) is not None
        if _ONE_WORD.match(needle.text):
            return needle.text.encode() in self._joined_words or (
                needle.text.strip().encode() in self._escaped
            )
        if BLANKS in needle.text:
            return _compile_part(needle.text).search(self._folded) is not None
        return needle.text in self._folded

    @cached_property
    def _folded(self) -> str:
        return self._text.casefold()

    @cached_property
    def _joined_words(self) -> bytes:
        return b" %b " % b" ".join(self._words)

    @cached_property
    def _escaped(self) -> bytes:
        """What follows a backslash without a gap, where a word may begin anywhere."""
        return b" ".join(_ESCAPED.findall(self._bytes)).lower()


@cache
def _compile_part(text: str) -> re.Pattern[str]:
    return re.compile(GAP.join(map(re.escape, text.split(BLANKS))))
