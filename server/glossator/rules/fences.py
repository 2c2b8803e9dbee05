"""What a fenced block below a rule is: a check, an example, or something for people."""

import difflib
import re

from glossator.rules.rule import find_rule_language

_KEY = re.compile(r"^[ \t]*(?:\"(?P<quoted>\w+)\"|(?P<key>\w+))[ \t]*[:：]", re.MULTILINE)
_CHECK = "check"
_KINDS = ("good", "bad")
_HIGHLIGHTED_AS = ("yaml", "yml")
_LIKENESS_OF_CHECK = 0.6
_LIKENESS_OF_EXAMPLE = 0.7


def read_block_kind(info: str) -> str:
    """Return check, good or bad by what stands behind a fence, "" for a block for people."""
    words = info.split()
    if words[:1] == [_CHECK] or (words[1:] == [_CHECK] and words[0] in _HIGHLIGHTED_AS):
        return _CHECK
    return words[1] if len(words) == 2 and words[1] in _KINDS else ""


def guess_block_info(info: str, text: str) -> str:
    """Return what should stand behind a fence that looks like a check or an example, else "".

    `info` stands there now. A block that is what it says needs no guess.
    """
    if read_block_kind(info):
        return ""
    words = info.lower().split()
    if _looks_like_check(text) and _may_mean_check(words):
        return _CHECK
    if len(words) == 2 and find_rule_language(words[0]) is not None:
        near = difflib.get_close_matches(words[1], (*_KINDS, _CHECK), 1, _LIKENESS_OF_EXAMPLE)
        if near and near[0] != _CHECK:
            return f"{words[0]} {near[0]}"
    return ""


def _looks_like_check(text: str) -> bool:
    keys = {match["key"] or match["quoted"] for match in _KEY.finditer(text)}
    return {"rule", "language"} <= keys


def _may_mean_check(words: list[str]) -> bool:
    """Say whether nothing, YAML or something like `check` stands behind the fence."""
    named = [word.strip("{}.:=,") for word in words]
    return (
        not words
        or named[0] in _HIGHLIGHTED_AS
        or any(difflib.get_close_matches(word, [_CHECK], 1, _LIKENESS_OF_CHECK) for word in named)
    )
