"""The words of a text: one way to cut text for sections and for questions.

Chinese (and Japanese, Korean) runs give single characters and pairs of neighbours; two-character
words are then found without a dictionary, in traditional and simplified writing alike. Identifiers
are kept whole and split, so `useEffect`, `use_effect`, `use-effect` and `use effect` meet. English
is brought to stems (`stemming`).
"""

import re
import unicodedata
from functools import lru_cache
from itertools import pairwise

from glossator.knowledge.scripts import simplify
from glossator.knowledge.stemming import stem

MAX_WORD_CHARS = 64

_NARROW = (
    "\u3005\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
    "\U00020000-\U0003ffff"
)
_LETTER = rf"[^\W_{_NARROW}]"
# A run of narrow script; or letters joined by `_ - .` to an identifier, with `c++` and `c#`.
_TOKEN = re.compile(rf"[{_NARROW}]+|{_LETTER}+(?:[_.\-]{{1,2}}{_LETTER}+)*(?:\+\+|#(?!\w))?")
_IS_NARROW = re.compile(rf"[{_NARROW}]")
_CONNECTOR = re.compile(r"[_.\-]+")
# Humps with the digits behind them: `HTTP2`, `Client`, `utf8`.
_CAMEL = re.compile(r"(?:[A-Z]+(?![a-z])|[A-Z]?[a-z]+)[0-9]*|[0-9]+|[^A-Za-z0-9]+")
_NUMERONYM = re.compile(r"[A-Za-z]{1,2}\d{1,2}[A-Za-z]{1,2}")
# Zero-width characters and the soft hyphen: unseen, and inside words.
_UNSEEN = re.compile("[\u00ad\u200b-\u200d\u2060\ufeff]")
_SLICE = 1024


def find_words(text: str) -> list[str]:
    """Return the words of `text` in their order, with repetitions."""
    words: list[str] = []
    for token in find_tokens(text):
        if token.isascii() and len(token) <= MAX_WORD_CHARS:
            words += _split_identifier(token)
        else:
            words += split_token(token)
    return words


def find_tokens(text: str) -> list[str]:
    """Return runs of Chinese and whole identifiers as they stand, after folding."""
    return _TOKEN.findall(fold(text))


def fold(text: str) -> str:
    """Return `text` in plain forms (NFKC, so full-width letters too) and simplified characters.

    In slices, because normalising a long run of combining marks takes time squared in its length.
    """
    if text.isascii():
        return text
    text = _UNSEEN.sub("", text)
    slices = (text[start : start + _SLICE] for start in range(0, len(text), _SLICE))
    return simplify("".join(unicodedata.normalize("NFKC", piece) for piece in slices))


def is_narrow(token: str) -> bool:
    """Say whether a token of `find_tokens` is a run of Chinese, Japanese or Korean."""
    return not token.isascii() and _IS_NARROW.match(token) is not None


def split_token(token: str) -> tuple[str, ...]:
    """Return the words of one token: pairs and characters, or the whole and its parts."""
    if is_narrow(token):
        return (*token, *map("".join, pairwise(token)))
    if len(token) > MAX_WORD_CHARS:
        # Blobs and endless chains: what has a sensible length in them is kept, uncached.
        parts = _CONNECTOR.split(token)
        return tuple(
            word
            for part in parts
            if len(part) <= MAX_WORD_CHARS
            for word in _split_identifier(part)
        )
    return _split_identifier(token)


def find_parts(token: str) -> tuple[str, ...]:
    """Return the words that say together what one token says: its parts, or itself.

    Fewer than are searched by `split_token`: `http2` is found by `http` too, but means `http2`.
    """
    if is_narrow(token) or len(token) > MAX_WORD_CHARS:
        return split_token(token)
    return _read_identifier(token)[1]


def _split_identifier(token: str) -> tuple[str, ...]:
    return _read_identifier(token)[0]


@lru_cache(maxsize=32_768)
def _read_identifier(token: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return all words of an identifier, the whole first, and those that are its parts."""
    if token.endswith(("+", "#")):
        return (token.lower(),), (token.lower(),)
    pieces = [piece for piece in _CONNECTOR.split(token) if piece]
    humps = [[piece] if _is_one(piece) else _CAMEL.findall(piece) for piece in pieces]
    if len(humps) == 1 and len(humps[0]) == 1:
        word = stem(humps[0][0].lower())
        return (word, *_leave_out_number(word)), (word,)
    words = [token.lower() if token[0].isdigit() else "".join(pieces).lower()]
    parts: list[str] = []
    for piece, split in zip(pieces, humps, strict=True):
        if len(split) > 1 and len(pieces) > 1:
            words.append(piece.lower())
        if len(split) > 1 and len(split[0]) == 1:
            # `OAuth2Client`, `eMail`: the single letter says nothing by itself.
            words += [stem(hump.lower()) for hump in split[1:2]]
            split = ["".join(split[:2]), *split[2:]]
        parts += [stem(hump.lower()) for hump in split if _says_something(hump, token)]
    for word in (*parts, *words[1:]):
        words += (word, *_leave_out_number(word))
    return tuple(dict.fromkeys(words)), tuple(parts) or (words[0],)


def _is_one(piece: str) -> bool:
    """Keep names of one thing whole, and words whose middle is a number: `k8s`, `i18n`, `e2e`."""
    return piece.lower() in _NAMES or _NUMERONYM.fullmatch(piece) is not None


def _says_something(hump: str, token: str) -> bool:
    """Leave out single letters, and single digits but for those of a name: `utf-8`."""
    return len(hump) > 1 or (hump.isdigit() and token[0].isalpha())


def _leave_out_number(word: str) -> tuple[str, ...]:
    """Return the name alone of a name with a number: a text on `http2` is one on `http` too."""
    name = word.rstrip("0123456789")
    return (name,) if 1 < len(name) < len(word) and word[0].isalpha() else ()


# Names of one thing: a question about JavaScript is none about Java.
_NAMES = frozenset(
    {"coffeescript", "github", "gitlab", "graphql", "ios", "iphone", "javascript", "macos", "numpy",
     "pytorch", "scipy", "typescript", "youtube"}
)  # fmt: skip
