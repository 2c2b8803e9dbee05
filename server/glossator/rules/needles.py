"""What must stand in a text that a check can match, so that most files are never parsed.

Parsing takes most of the time of a check, and ast-grep compiles a rule anew for every file. To look
for what the rule cannot do without is twenty times cheaper. Where nothing certain can be said
about a rule, it has no needles and always runs.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from glossator.rules.phrases import find_phrases, find_words


@dataclass(frozen=True, slots=True, order=True)
class Needle:
    """A whole word of the casefolded text, a part of that text, or a phrase of `phrases`.

    In a part, `BLANKS` stands for any blanks or none.
    """

    kind: Literal["word", "part", "phrase"]
    text: str


# One of these must occur. Empty: nothing is certain.
Needles = frozenset[Needle]
_NONE: Needles = frozenset()
_MIN_CHARS = 3
BLANKS = "\0"
# What else begins with its keyword, in each language that has this kind of node.
_KEYWORDS = {
    "assert_statement": "assert", "break_statement": "break", "catch_clause": "catch",
    "continue_statement": "continue", "debugger_statement": "debugger",
    "defer_statement": "defer", "except_clause": "except", "finally_clause": "finally",
    "global_statement": "global", "go_statement": "go", "goto_statement": "goto",
    "import_from_statement": "from", "import_statement": "import",
    "nonlocal_statement": "nonlocal", "raise_statement": "raise",
    "return_statement": "return", "throw_statement": "throw", "try_statement": "try",
    "while_statement": "while", "with_statement": "with",
}  # fmt: skip

_GROUP_HEAD = re.compile(r"\((?:\?(?:P?<\w+>|[a-z-]*:))?")
_FLAGS = re.compile(r"\(\?[a-z-]+\)")
_CLASS = re.compile(r"\[\^?\]?(?:\\.|\[:\w+:\]|[^\]\\])*\]", re.DOTALL)
_REPEATED = re.compile(r"\{\d*,?\d*\}")


def find_needles(rule: Mapping[str, Any]) -> tuple[Needles, ...]:
    """Return sets of which every text that the ast-grep `rule` matches has one needle each."""
    return tuple(dict.fromkeys(sorted(filter(None, _find(rule)), key=sorted, reverse=True)))


def _find(rule: Mapping[str, Any]) -> list[Needles]:
    found: list[Needles] = []
    for key, value in rule.items():
        if key == "pattern" and isinstance(value, str):
            found += [frozenset({Needle("word", word)}) for word in find_words(value)]
            found += [frozenset({Needle("phrase", phrase)}) for phrase in find_phrases(value)]
        elif key == "kind" and value in _KEYWORDS:
            found.append(frozenset({Needle("word", _KEYWORDS[value])}))
        elif key == "regex" and isinstance(value, str):
            found.append(_find_in_regex(value))
        elif key in ("has", "inside", "precedes", "follows") and isinstance(value, Mapping):
            found += _find({k: v for k, v in value.items() if k != "stopBy"})
        elif key == "all" and isinstance(value, list):
            found += [needles for part in value for needles in _find(part)]
        elif key == "any" and isinstance(value, list):
            found.append(_unite(_choose(_find(part)) for part in value))
    return found


def _choose(found: Iterable[Needles]) -> Needles:
    """Return the set that is rarest in code: long texts, then few."""
    return max(
        filter(None, found),
        key=lambda needles: (min(len(each.text) for each in needles), -len(needles)),
        default=_NONE,
    )


def _unite(branches: Iterable[Needles]) -> Needles:
    """Return what alternatives need together: nothing if one of them needs nothing."""
    branches = list(branches)
    return frozenset().union(*branches) if all(branches) else _NONE


def _make_part(run: str) -> Needles:
    """Return what a run of characters needs; nothing if it is too short to be rare."""
    text = run.strip(BLANKS)
    is_rare = len(text.replace(BLANKS, "")) >= _MIN_CHARS
    return frozenset({Needle("part", text.casefold())}) if is_rare else _NONE


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
        if literal == BLANKS:
            run += literal  # However many there are.
            continue
        if literal and not is_optional:
            run += literal
        if not literal or is_optional or is_repeated:
            found.append(_make_part(run))
            run = ""
        if inner and not is_optional:
            found.append(inner)
    found.append(_make_part(run))
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
    if escaped == "s":
        return _NONE, BLANKS, at + 2
    return _NONE, "" if escaped.isalnum() else escaped, at + 2


def _read_quantifier(regex: str, at: int) -> tuple[bool, bool, int]:
    """Return whether the atom before may be absent, whether it may repeat, and where to go on."""
    repeated = _REPEATED.match(regex, at)
    sign = regex[at : at + 1]
    if repeated is None and (not sign or sign not in "?*+"):
        return False, False, at
    end = repeated.end() if repeated else at + 1
    return sign != "+", True, end + (regex[end : end + 1] == "?")
