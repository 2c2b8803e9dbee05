"""The words and phrases of a pattern that stand in each text that the pattern matches.

A phrase is tokens with nothing between them but blanks and comments: `os.path.join(`, `== None`.
A match may have what the grammar does not name between other tokens, as `async` or a last comma.
In brackets that hold one variable and nothing else, anything may stand: `type(…) ==`.
"""

import re
from collections.abc import Callable
from functools import cache

Search = Callable[[str], re.Match[str] | None]

# What touches a variable may be one word with it, so nothing is known of it.
_METAVARIABLE = re.compile(r"\w*\$[\w$]*")
_VARIABLE = "\0"
_APART = f" {_VARIABLE} "
_ANYTHING = "…"
_WORD = re.compile(r"[a-z0-9_]+")
_TOKEN = re.compile(r"\w+|[=!]==?|\S")
_COMPARED = frozenset({"==", "!=", "===", "!=="})
# Of these some languages have `for await (`, `if constexpr (` and the like.
_LOOSE = frozenset(
    {"catch", "delete", "fn", "for", "foreach", "func", "function", "if", "import", "lock",
     "switch", "using", "while", "yield"}
)  # fmt: skip

TOUCHING = frozenset(
    {"and", "as", "async", "do", "else", "for", "from", "if", "in", "instanceof", "is", "not",
     "or", "rescue", "satisfies", "then", "unless", "until", "while", "xor"}
)  # fmt: skip
"""These may stand behind a number without a blank: `0if a else 1`."""

_BLANK = r"[\s\\\u200b\u2060\ufeff]"
GAP = rf"{_BLANK}*+(?:(?:#|//)[^\r\n]*+[\r\n]{_BLANK}*+)*+"
# A comment that may hold anything: what stands behind it is not looked for.
_UNKNOWN = r"/\*|=begin\b"
# What stands in brackets, up to the one that closes them or a character that may begin a text or a
# comment, where brackets are none. So deep brackets in them are not looked into either.
_PLAIN = r"[^()'\"`#/%?<$\\=]|=(?!begin\b)"
_INSIDE = rf"(?:{_PLAIN}|\((?:{_PLAIN})*+\))*+"
# What has no name of its own in the arguments of some language.
_UNNAMED = r"[,;.&*]|(?:async|const|in|mut|out|params|readonly|ref|static|unsafe)\b"


def find_words(pattern: str) -> tuple[str, ...]:
    """Return the whole words that a casefolded text must have."""
    words = _WORD.findall(_METAVARIABLE.sub(_APART, pattern).casefold())
    return tuple(dict.fromkeys(word for word in words if word not in TOUCHING))


def find_phrases(pattern: str) -> tuple[str, ...]:
    """Return the phrases that a text must have, their tokens with blanks between them."""
    runs: list[list[str]] = [[]]
    tokens = _TOKEN.findall(_METAVARIABLE.sub(_APART, pattern))
    for token, following in zip(tokens, [*tokens[1:], ""], strict=True):
        if token == _VARIABLE and following == ")" and len(runs[-1]) > 1 and runs[-1][-1] == "(":
            runs[-1].append(_ANYTHING)
        elif not _is_used(token):
            runs.append([])
        elif runs[-1] and _adjoin(runs[-1][-1], token, following):
            runs[-1].append(token)
        else:
            runs.append([token])
    runs = [run[:-2] if run[-2:] == [_ANYTHING, ")"] else run for run in runs]
    phrases = (" ".join(run) for run in runs if len(run) > 1 or _COMPARED.intersection(run))
    return tuple(dict.fromkeys(phrases))


@cache
def compile_phrase(phrase: str) -> tuple[Search, tuple[bytes, ...]]:
    """Return what finds a phrase in a text, and the words that the text must have for that."""
    first, *others = tokens = phrase.split(" ")
    # Looking back from the end lets the search begin with the letters themselves.
    start = rf"{first}(?<!\w{first})" if _is_word(first) else re.escape(first)
    rest = ""
    for left, token in reversed([*zip(tokens, others, strict=False)]):
        if token == _ANYTHING:
            rest = f"{_INSIDE}{rest}"
        elif left == _ANYTHING:
            rest = rf"(?:[^)]|{re.escape(token)}{rest})"
        else:
            unknown = f"{_UNKNOWN}|{_UNNAMED}" if left == "(" else _UNKNOWN
            rest = rf"{GAP}(?:{unknown}|{re.escape(token)}{rest})"
    words = tuple(word.encode() for word in find_words(phrase))
    return re.compile(start + rest).search, words


def _is_used(token: str) -> bool:
    if _is_word(token):
        return token.casefold() not in TOUCHING
    return token in _COMPARED or token in ("(", ")", ".")


def _is_word(token: str) -> bool:
    return token[0].isalnum() or token[0] == "_"


def _adjoin(left: str, right: str, following: str) -> bool:
    """Say whether grammars have nothing between two tokens but what `compile_phrase` knows."""
    if left == _ANYTHING:
        return True
    if left == "(":
        return right == ")" or (_is_word(right) and following == "(")
    if right == "(":
        return _is_word(left) and left not in _LOOSE
    if _is_word(right):
        return left == "." or left in _COMPARED
    return right != ")" and (_is_word(left) or left == ")")
