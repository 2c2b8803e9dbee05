"""What must stand in a text that a check can match, so that most files are never parsed.

Parsing takes most of the time of a check, and ast-grep compiles a rule anew for every file. To look
for what the rule cannot do without is twenty times cheaper. Where nothing certain can be said
about a rule, it has no needles and always runs.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

from glossator.rules.phrases import TOUCHING, find_phrases, find_words


@dataclass(frozen=True, slots=True, order=True)
class Needle:
    """A whole word of the casefolded text, a part of that text, or a phrase of `phrases`.

    In a part, `BLANKS` stands for any blanks, comments or nothing. At an end of a part that has no
    other characters than those of words, a blank stands for the edge of a word.
    """

    kind: Literal["word", "part", "phrase"]
    text: str


# One of these must occur. Empty: nothing is certain.
Needles = frozenset[Needle]
_NONE: Needles = frozenset()


@dataclass(frozen=True, slots=True)
class Needs:
    """All `words`, casefolded ASCII, and one needle of each of the `groups`."""

    words: frozenset[bytes] = frozenset()
    groups: tuple[Needles, ...] = ()


_MIN_CHARS = 3
BLANKS = "\0"
_EDGE = "\1"  # The beginning or the end of a node's text, or of a word in it.
_PLAIN_WORD = re.compile(r"[a-z0-9_]+\Z")
# Where the tokens of these touch, no word goes on, but for escapes in text (`vocabulary`).
_LANGUAGES_OF_WHOLE_WORDS = frozenset(
    {"go", "java", "javascript", "python", "ruby", "rust", "tsx", "typescript"}
)
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
# What stands before the name of a definition, in Python.
_DEFINING = {"class_definition": "class", "function_definition": "def"}
_MAX_SPELLINGS = 12
_RELATIONS = frozenset({"has", "inside", "precedes", "follows"})
_KEYS = _RELATIONS | {"pattern", "kind", "regex", "all", "any"}
_INNER_KEYS = _KEYS - {"inside", "precedes", "follows"}

_GROUP_HEAD = re.compile(r"\((?:\?(?:P?<[^>]+>|[A-Za-z-]*:))?")
_FLAGS = re.compile(r"\(\?[A-Za-z-]+\)")
_ASCII_ONLY = re.compile(r"\(\?[A-Za-z]*-[A-Za-z]*u")
_VERBOSE = re.compile(r"\(\?[A-Za-z]*x")
# A class begins, ends, or has something in it that may be written with brackets.
_CLASS_PART = re.compile(r"\[\^?\]?|\]|\\.|[^\[\]\\]+", re.DOTALL)
_WORD_EDGE = re.compile(r"\\(?:b\{[a-z-]+\}|b(?!\{)|[<>])")
_REPEATED = re.compile(r"\{\s*\d*\s*,?\s*\d*\s*\}")
# What blanks and comments may hold cannot be told from what follows them.
_UNTOLD_BLANKS = re.compile(rf"{BLANKS}{_EDGE}*(?=[\s#/\\\u200b\u2060\ufeff])")


def find_needles(
    rule: Mapping[str, Any], languages: Sequence[str], *, inside_node: bool = False
) -> Needs:
    """Return what every text has that the ast-grep `rule` matches in one of the languages.

    With `inside_node` it is what the matched node itself has.
    """
    has_whole_words = _LANGUAGES_OF_WHOLE_WORDS.issuperset(languages)
    keys = _INNER_KEYS if inside_node else _KEYS
    groups = {
        frozenset(_settle(needle, has_whole_words) for needle in needles)
        for needles in _find(rule, keys, frozenset(languages))
    }
    alone = {needle for group in groups if len(group) == 1 for needle in group}
    words = {needle for needle in alone if needle.kind == "word"}
    others = (group for group in groups if group and words.isdisjoint(group))
    return Needs(
        frozenset(needle.text.encode() for needle in words),
        tuple(sorted(others, key=lambda group: (max(map(_rate, group)), sorted(group)))),
    )


def _rate(needle: Needle) -> int:
    """Return how long it takes to look for a needle: in the words, or through the text."""
    if needle.kind == "word":
        return 0
    if needle.kind == "part":
        return 1 if _PLAIN_WORD.match(needle.text.strip(" ")) else 3
    return 2


def _settle(needle: Needle, has_whole_words: bool) -> Needle:
    """Return a part with the edges of its words, if it is a word and words are never torn."""
    text = needle.text.replace(_EDGE, "")
    if needle.kind != "part" or not has_whole_words or not _PLAIN_WORD.match(text):
        return Needle(needle.kind, text)
    is_torn = any(word.startswith(text) for word in TOUCHING)  # From the number before it.
    begins, ends = needle.text.startswith(_EDGE) and not is_torn, needle.text.endswith(_EDGE)
    if begins and ends:
        return Needle("word", text)
    return Needle("part", f"{' ' * begins}{text}{' ' * ends}")


def _find(
    rule: Mapping[str, Any], keys: frozenset[str], languages: frozenset[str]
) -> list[Needles]:
    found: list[Needles] = []
    find = partial(_find, keys=keys, languages=languages)
    for key, value in rule.items():
        if key not in keys:
            continue
        if key == "pattern" and isinstance(value, str):
            found += _find_in_pattern(value, languages)
        elif key == "kind" and value in _KEYWORDS:
            found.append(frozenset({Needle("word", _KEYWORDS[value])}))
        elif key == "kind" and value in _DEFINING and languages == {"python"}:
            found.append(_find_name(_DEFINING[value], rule.get("has")))
        elif key == "regex" and isinstance(value, str):
            found.append(_find_in_regex(value))
        elif key in _RELATIONS and isinstance(value, Mapping):
            found += find({k: v for k, v in value.items() if k != "stopBy"})
        elif key == "all" and isinstance(value, list):
            found += [needles for part in value for needles in find(part)]
        elif key == "any" and isinstance(value, list):
            found.append(_unite(_choose(find(part)) for part in value))
    return found


def _find_in_pattern(pattern: str, languages: frozenset[str]) -> list[Needles]:
    found = [Needle("word", word) for word in find_words(pattern)]
    if "php" not in languages:  # There `ARRAY(` is `array(`; phrases have their case.
        found += [Needle("phrase", phrase) for phrase in find_phrases(pattern)]
    return [frozenset({needle}) for needle in found]


def _find_name(keyword: str, has: Any) -> Needles:
    """Return what the name of a definition needs, with what stands before it."""
    if not isinstance(has, Mapping) or has.get("field") != "name" or "stopBy" in has:
        return _NONE
    found = _find_in_regex(str(has.get("regex", "")))
    if not all(needle.text.startswith(_EDGE) for needle in found):
        return _NONE
    return frozenset(Needle("part", f"{keyword}{BLANKS}{needle.text}") for needle in found)


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


def _make_parts(spellings: Iterable[str]) -> Needles:
    """Return what the spellings of a piece of text need; nothing if one is too short to be rare."""
    parts = []
    for spelling in spellings:
        text = max(_UNTOLD_BLANKS.split(spelling), key=len).strip(BLANKS).casefold()
        is_rare = len(text.replace(BLANKS, "")) >= _MIN_CHARS
        parts.append(text if is_rare and text.strip(_EDGE) else "")
    return frozenset(Needle("part", text) for text in parts) if all(parts) else _NONE


@dataclass(frozen=True, slots=True)
class _Piece:
    """A piece of a regex: what it needs, and how it is spelled, where only a few ways are."""

    needles: Needles = _NONE
    spellings: tuple[str, ...] = ()


_ANYTHING = _Piece()


def _find_in_regex(regex: str) -> Needles:
    if _VERBOSE.search(regex) or r"\Q" in regex:
        return _NONE  # Blanks and `#` mean something else in verbose mode.
    piece, end = _read_alternatives(regex, 0)
    if end != len(regex):
        return _NONE
    if _ASCII_ONLY.search(regex):  # A word begins behind `ß`, which is `ss` casefolded.
        return frozenset(Needle("part", each.text.replace(_EDGE, "")) for each in piece.needles)
    return piece.needles


def _read_alternatives(regex: str, at: int) -> tuple[_Piece, int]:
    """Read up to the end or an unmatched `)`; return what stands there and where it ended."""
    branches = []
    while True:
        branch, at = _read_branch(regex, at)
        branches.append(branch)
        if at >= len(regex) or regex[at] == ")":
            break
        at += 1  # The `|`.
    spellings = tuple(text for branch in branches for text in branch.spellings)
    is_known = all(branch.spellings for branch in branches) and len(spellings) <= _MAX_SPELLINGS
    needles = _unite(branch.needles for branch in branches)
    return _Piece(needles, spellings if is_known else ()), at


def _read_branch(regex: str, at: int) -> tuple[_Piece, int]:
    found: list[Needles] = []
    run: tuple[str, ...] = ("",)  # How what is known without a gap may be spelled.
    is_known = True
    while at < len(regex) and regex[at] not in "|)":
        piece, at = _read_atom(regex, at)
        is_optional, is_repeated, at = _read_quantifier(regex, at)
        if piece.spellings == (BLANKS,):
            run = tuple(text + BLANKS for text in run)  # However many there are.
            continue
        if not is_optional:
            found.append(piece.needles)
            joined = tuple(before + text for before in run for text in piece.spellings)
            is_joined = 0 < len(joined) <= _MAX_SPELLINGS
            run = joined if is_joined else run
        if is_optional or is_repeated or not is_joined:
            is_known = False
            found.append(_make_parts(run))
            run = ("",)
    found.append(_make_parts(run))
    return _Piece(_choose(found), run if is_known else ()), at


def _read_atom(regex: str, at: int) -> tuple[_Piece, int]:
    """Return one atom and where it ends: a group, or a character."""
    if flags := _FLAGS.match(regex, at):
        return _ANYTHING, flags.end()
    if regex[at] == "(":
        head = _GROUP_HEAD.match(regex, at)
        piece, end = _read_alternatives(regex, head.end() if head else at + 1)
        return piece, end + 1
    if regex[at] == "[":
        return _ANYTHING, _find_class_end(regex, at)
    if regex[at] == "\\":
        return _read_escape(regex, at)
    if regex[at] in "^$":
        return _Piece(spellings=(_EDGE,)), at + 1
    return _Piece(spellings=(regex[at],)) if regex[at] != "." else _ANYTHING, at + 1


def _find_class_end(regex: str, at: int) -> int:
    """Return where a class ends; others may stand in it: `[a-z&&[^b]]`, `[[:alpha:]_]`."""
    depth = 0
    for part in _CLASS_PART.finditer(regex, at):
        depth += part[0].startswith("[") - (part[0] == "]")
        if not depth:
            return part.end()
    return len(regex)


def _read_escape(regex: str, at: int) -> tuple[_Piece, int]:
    escaped = regex[at + 1 : at + 2]
    if edge := _WORD_EDGE.match(regex, at):
        return _Piece(spellings=(_EDGE,)), edge.end()
    if escaped in "pPxuU" and escaped:  # `\p{Han}`, `\pL`, `\x41`: longer than one character.
        braces = re.compile(r"\\.(\{[^}]*\}|[0-9A-Fa-f]{1,8}|.?)").match(regex, at)
        return _ANYTHING, braces.end() if braces else len(regex)
    if escaped == "s":
        return _Piece(spellings=(BLANKS,)), at + 2
    return _ANYTHING if escaped.isalnum() else _Piece(spellings=(escaped,)), at + 2


def _read_quantifier(regex: str, at: int) -> tuple[bool, bool, int]:
    """Return whether the atom before may be absent, whether it may repeat, and where to go on."""
    is_optional = is_repeated = False
    while at < len(regex):
        repeated = _REPEATED.match(regex, at)
        if repeated is None and regex[at] not in "?*+":
            break
        is_optional, is_repeated = is_optional or regex[at] != "+", True
        end = repeated.end() if repeated else at + 1
        at = end + (regex[end : end + 1] == "?")
    return is_optional, is_repeated, at
