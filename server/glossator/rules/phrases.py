"""The words and phrases of a pattern that stand in each text that the pattern matches.

A phrase is tokens with nothing between them but blanks and comments: `os.path.join(`, `== None`.
A match may have what the grammar does not name between other tokens, as `async` or a last comma.
"""

import re
from functools import cache

# What touches a variable may be one word with it, so nothing is known of it.
_METAVARIABLE = re.compile(r"\w*\$[\w$]*")
_APART = " \0 "
_WORD = re.compile(r"[a-z0-9_]+")
_TOKEN = re.compile(r"\w+|[=!]==?|\S")
_COMPARED = frozenset({"==", "!=", "===", "!=="})
# Of these some languages have `for await (`, `if constexpr (` and the like.
_LOOSE = frozenset(
    {"catch", "delete", "fn", "for", "foreach", "func", "function", "if", "import", "lock",
     "switch", "using", "while", "yield"}
)  # fmt: skip

_BLANK = r"[\s\\\u200b\u2060\ufeff]"
_GAP = rf"{_BLANK}*+(?:(?:#|//)[^\r\n]*+[\r\n]{_BLANK}*+)*+"
# A comment that may hold anything: what stands behind it is not looked for.
_UNKNOWN = r"/\*|=begin\b"
# What has no name of its own in the arguments of some language.
_UNNAMED = r"[,;.&*]|(?:async|const|in|mut|out|params|readonly|ref|static|unsafe)\b"


def find_words(pattern: str) -> tuple[str, ...]:
    """Return the whole words that a casefolded text must have."""
    return tuple(dict.fromkeys(_WORD.findall(_METAVARIABLE.sub(_APART, pattern).casefold())))


def find_phrases(pattern: str) -> tuple[str, ...]:
    """Return the phrases that a text must have, their tokens with blanks between them."""
    runs: list[list[str]] = [[]]
    tokens = _TOKEN.findall(_METAVARIABLE.sub(_APART, pattern))
    for token, following in zip(tokens, [*tokens[1:], ""], strict=True):
        if not _is_used(token):
            runs.append([])
        elif runs[-1] and _adjoin(runs[-1][-1], token, following):
            runs[-1].append(token)
        else:
            runs.append([token])
    phrases = (" ".join(run) for run in runs if len(run) > 1 or _COMPARED.intersection(run))
    return tuple(dict.fromkeys(phrases))


@cache
def compile_phrase(phrase: str) -> re.Pattern[str]:
    """Return what finds a phrase in a text."""
    first, *others = tokens = phrase.split(" ")
    # Looking back from the end lets the search begin with the letters themselves.
    start = rf"{first}(?<!\w{first})" if _is_word(first) else re.escape(first)
    rest = ""
    for left, token in reversed([*zip(tokens, others, strict=False)]):
        unknown = f"{_UNKNOWN}|{_UNNAMED}" if left == "(" else _UNKNOWN
        rest = rf"{_GAP}(?:{unknown}|{re.escape(token)}{rest})"
    return re.compile(start + rest)


def _is_used(token: str) -> bool:
    return _is_word(token) or token in _COMPARED or token in ("(", ")", ".")


def _is_word(token: str) -> bool:
    return token[0].isalnum() or token[0] == "_"


def _adjoin(left: str, right: str, following: str) -> bool:
    """Say whether grammars have nothing between two tokens but what `compile_phrase` knows."""
    if left == "(":
        return right == ")" or (_is_word(right) and following == "(")
    if right == "(":
        return _is_word(left) and left not in _LOOSE
    if _is_word(right):
        return left == "." or left in _COMPARED
    return right != ")" and (_is_word(left) or left == ")")
