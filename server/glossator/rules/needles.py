"""Words without which a check cannot match, so that most checks never run on most files.

ast-grep compiles a rule anew for every file, and its regular expressions cost more than a small
file does. Looking for a few words first is a hundred times cheaper. Where nothing certain can be
said about a rule, it has no needles and always runs.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

# One of these must occur in the text, which is casefolded as they are. Empty: nothing is certain.
Needles = frozenset[str]
_NONE: Needles = frozenset()
_MIN_CHARS = 3

# What each byte of a text becomes, so that blanks stand between its words.
_WORD_BYTES = frozenset(b"abcdefghijklmnopqrstuvwxyz0123456789_")  # Of casefolded text.
_BETWEEN_WORDS = bytes(n if n in _WORD_BYTES else ord(" ") for n in range(256))
_WHOLE_WORD = re.compile(r"[a-z0-9_]+\Z")

_METAVARIABLE = re.compile(r"\$+[A-Z0-9_]*")
_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_GROUP_HEAD = re.compile(r"\((?:\?(?:P?<\w+>|[a-z-]*:))?")
_FLAGS = re.compile(r"\(\?[a-z-]+\)")
_CLASS = re.compile(r"\[\^?\]?(?:\\.|\[:\w+:\]|[^\]\\])*\]", re.DOTALL)
_REPEATED = re.compile(r"\{\d*,?\d*\}")


def find_needles(rule: Mapping[str, Any]) -> Needles:
    """Return words of which every text that the ast-grep `rule` matches has at least one."""
    found = []
    for key, value in rule.items():
        if key == "pattern" and isinstance(value, str):
            words = _WORD.findall(_METAVARIABLE.sub(" ", value))
            found += [frozenset({word.casefold()}) for word in words]
        elif key == "regex" and isinstance(value, str):
            found.append(_find_in_regex(value))
        elif key in ("has", "inside", "precedes", "follows") and isinstance(value, Mapping):
            found.append(find_needles({k: v for k, v in value.items() if k != "stopBy"}))
        elif key == "all" and isinstance(value, list):
            found += [find_needles(part) for part in value]
        elif key == "any" and isinstance(value, list):
            found.append(_unite(find_needles(part) for part in value))
    return _choose(found)


def _choose(found: Iterable[Needles]) -> Needles:
    """Return the set that is rarest in code: long words, then few."""
    usable = [words for words in found if words and min(map(len, words)) >= _MIN_CHARS]
    return max(usable, key=lambda words: (min(map(len, words)), -len(words)), default=_NONE)


def _unite(branches: Iterable[Needles]) -> Needles:
    """Return what alternatives need together: nothing if one of them needs nothing."""
    branches = list(branches)
    return frozenset().union(*branches) if all(branches) else _NONE


def _find_in_regex(regex: str) -> Needles:
    if re.search(r"\(\?[a-z]*x", regex) or r"\Q" in regex:
        return _NONE  # Blanks and `#` mean something else in verbose mode.
    needles, end = _read_alternatives(regex, 0)
    return needles if end == len(regex) else _NONE


def _read_alternatives(regex: str, at: int) -> tuple[Needles, int]:
    """Read up to the end or an unmatched `)`; return what is needed there and where it ended."""
    branches = []
    while True:
        needles, at = _read_branch(regex, at)
        branches.append(needles)
        if at >= len(regex) or regex[at] == ")":
            return _unite(branches), at
        at += 1  # The `|`.


def _read_branch(regex: str, at: int) -> tuple[Needles, int]:
    found: list[Needles] = []
    run = ""  # Literal characters in a row.
    while at < len(regex) and regex[at] not in "|)":
        inner, literal, at = _read_atom(regex, at)
        is_optional, is_repeated, at = _read_quantifier(regex, at)
        if literal and not is_optional:
            run += literal
        if not literal or is_optional or is_repeated:
            found.append(frozenset({run.casefold()}))
            run = ""
        if inner and not is_optional:
            found.append(inner)
    found.append(frozenset({run.casefold()}))
    return _choose(found), at


def _read_atom(regex: str, at: int) -> tuple[Needles, str, int]:
    """Return what one atom needs: words if it is a group, or itself if it is a character."""
    if flags := _FLAGS.match(regex, at):
        return _NONE, "", flags.end()
    if regex[at] == "(":
        head = _GROUP_HEAD.match(regex, at)
        needles, end = _read_alternatives(regex, head.end() if head else at + 1)
        return needles, "", end + 1
    if regex[at] == "[":
        characters = _CLASS.match(regex, at)
        return _NONE, "", characters.end() if characters else len(regex)
    if regex[at] == "\\":
        return _read_escape(regex, at)
    return _NONE, "" if regex[at] in ".^$" else regex[at], at + 1


def _read_escape(regex: str, at: int) -> tuple[Needles, str, int]:
    escaped = regex[at + 1 : at + 2]
    if escaped in "pPxuU" and escaped:  # `\p{Han}`, `\x41`: longer than one character.
        braces = re.compile(r"\\.(\{[^}]*\}|[0-9A-Fa-f]{0,8})").match(regex, at)
        return _NONE, "", braces.end() if braces else len(regex)
    return _NONE, "" if escaped.isalnum() else escaped, at + 2


def _read_quantifier(regex: str, at: int) -> tuple[bool, bool, int]:
    """Return whether the atom before may be absent, whether it may repeat, and where to go on."""
    repeated = _REPEATED.match(regex, at)
    sign = regex[at : at + 1]
    if repeated is None and (not sign or sign not in "?*+"):
        return False, False, at
    end = repeated.end() if repeated else at + 1
    return sign != "+", True, end + (regex[end : end + 1] == "?")


class Vocabulary:
    """The words of a text: where most checks are told that they cannot match there.

    To look a hundred times through the distinct words takes a tenth of what it takes to look
    through the text.
    """

    def __init__(self, text: str) -> None:
        self._text = text.casefold()
        ascii_words = self._text.encode("ascii", "replace").translate(_BETWEEN_WORDS).split()
        self._words = b" ".join(set(ascii_words))

    def mentions_any(self, needles: Sequence[str]) -> bool:
        """Say whether one of `needles` stands in the text; without needles nothing is ruled out."""
        return not needles or any(map(self._mentions, needles))

    def _mentions(self, needle: str) -> bool:
        if _WHOLE_WORD.match(needle):
            return needle.encode() in self._words
        return needle in self._text
