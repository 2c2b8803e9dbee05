"""The words of a text: one way to cut text for sections and for questions.

Chinese (and Japanese, Korean) runs give single characters and pairs of neighbours; two-character
words are then found without a dictionary. Identifiers are kept whole and split, so `useEffect`,
`use_effect`, `use-effect` and `use effect` meet. English is stemmed lightly.
"""

import re
import unicodedata
from functools import lru_cache
from itertools import pairwise

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
_CAMEL = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+|[^A-Za-z0-9]+")
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
    """Return runs of Chinese and whole identifiers as they stand, after full-width folding."""
    return _TOKEN.findall(fold_width(text))


def fold_width(text: str) -> str:
    """Return `text` with full-width and compatibility forms replaced by plain ones (NFKC).

    In slices, because normalising a long run of combining marks takes time squared in its length.
    """
    if text.isascii():
        return text
    text = _UNSEEN.sub("", text)
    if len(text) <= _SLICE:
        return unicodedata.normalize("NFKC", text)
    slices = (text[start : start + _SLICE] for start in range(0, len(text), _SLICE))
    return "".join(unicodedata.normalize("NFKC", piece) for piece in slices)


def is_narrow(token: str) -> bool:
    """Say whether a token of `find_tokens` is a run of Chinese, Japanese or Korean."""
    return _IS_NARROW.match(token) is not None


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


@lru_cache(maxsize=32_768)
def _split_identifier(token: str) -> tuple[str, ...]:
    if token.endswith(("+", "#")):
        return (token.lower(),)
    parts = [
        part
        for piece in _CONNECTOR.split(token)
        for part in ([piece] if piece.lower() in _NAMES else _CAMEL.findall(piece))
    ]
    if len(parts) == 1:
        return (stem(parts[0].lower()),)
    whole = token.lower() if token[0].isdigit() else "".join(parts).lower()
    return (whole, *(stem(part.lower()) for part in parts if len(part) > 1))


# Names of one thing: a question about JavaScript is none about Java.
_NAMES = frozenset(
    {"coffeescript", "github", "gitlab", "graphql", "ios", "iphone", "javascript", "macos", "numpy",
     "pytorch", "scipy", "typescript", "youtube"}
)  # fmt: skip

_IRREGULAR = {
    "alias": "alias", "built": "build", "caught": "catch", "children": "child", "embed": "embed",
    "indices": "index", "threw": "throw", "thrown": "throw", "ran": "run", "sent": "send",
    "used": "use", "using": "use", "written": "writ", "wrote": "writ",
    "hidden": "hid", "made": "mak", "kept": "keep", "broken": "break",
    "broke": "break", "canvas": "canvas", "pandas": "pandas", "matrices": "matrix",
    "string": "string", "during": "during",
}  # fmt: skip
_VOWEL = re.compile(r"[aeiouy]")


@lru_cache(maxsize=32_768)
def stem(word: str) -> str:
    """Return the stem of a lower-case English word: plural, -ing, -ed and final -e removed.

    Not a language's grammar, only an agreement: `cache`, `caches`, `cached`, `caching` meet.
    """
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if len(word) < 4 or not (word.isascii() and word.isalpha()):
        return word
    word = _strip_plural(word)
    if word.endswith("ied") and len(word) > 4:
        return word[:-3] + "y"
    for ending in ("ing", "ed"):
        rest = word.removesuffix(ending)
        if rest != word and len(rest) > 2 and _VOWEL.search(rest) and not word.endswith("eed"):
            word = _undouble(rest)
            break
    if word.endswith(("ll", "e")) and len(word) > 3:
        return word[:-1]
    return word


def _strip_plural(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def _undouble(word: str) -> str:
    if word[-1] == word[-2] and word[-1] not in "aeiousz":
        return word[:-1]
    return word
