"""Other lexical engines behind one signature, fed with the same sections.

scikit-learn and bm25s come from the dependency group `bench`; FTS5 is part of Python's SQLite.
"""

import re
import sqlite3
import sys
from collections.abc import Callable, Sequence
from importlib.util import find_spec

from glossator.knowledge.words import find_words

Ranked = list[tuple[int, float]]
Search = Callable[[str, int], Ranked]
"""Takes a question and a limit; returns numbers of texts with scores, the best first."""


_SETTINGS: dict[str, dict[str, object]] = {
    "words": {},
    "words, sublinear": {"sublinear_tf": True},
    "characters 2-3": {"analyzer": "char", "ngram_range": (2, 3), "sublinear_tf": True},
    "in words 1-4": {"analyzer": "char_wb", "ngram_range": (1, 4), "sublinear_tf": True},
    "our words": {"analyzer": find_words, "sublinear_tf": True},
}


def build_peers(texts: Sequence[str]) -> dict[str, Search]:
    """Build every peer in each of its settings; named "engine: setting".

    Those that are not installed are left out, and said.
    """
    peers: dict[str, Search] = {}
    for tokenizer in ("unicode61", "trigram"):
        peers[f"FTS5: {tokenizer}"] = build_fts5(texts, tokenizer)
    peers["FTS5: our words"] = build_fts5([_join(text) for text in texts], "unicode61", _join)
    for module, build in (("sklearn", _build_tfidfs), ("bm25s", _build_bm25s)):
        if find_spec(module) is None:
            print(f"{module} is not installed: `make bench` does that.", file=sys.stderr)
        else:
            peers |= build(texts)
    return peers


def _build_tfidfs(texts: Sequence[str]) -> dict[str, Search]:
    return {
        f"TfidfVectorizer: {name}": build_tfidf(texts, options)
        for name, options in _SETTINGS.items()
    }


def _build_bm25s(texts: Sequence[str]) -> dict[str, Search]:
    return {
        "bm25s: words": build_bm25s(texts, None),
        "bm25s: our words": build_bm25s(texts, find_words),
    }


def build_tfidf(texts: Sequence[str], options: dict[str, object]) -> Search:
    """scikit-learn: TF-IDF with cosine."""
    import numpy
    from sklearn.feature_extraction.text import TfidfVectorizer

    vectorizer = TfidfVectorizer(**options)
    matrix = vectorizer.fit_transform(texts)

    def search(question: str, limit: int) -> Ranked:
        scores = (matrix @ vectorizer.transform([question]).T).toarray().ravel()
        best = numpy.argsort(-scores, kind="stable")[:limit]
        return [(int(number), float(scores[number])) for number in best if scores[number] > 0]

    return search


def build_bm25s(texts: Sequence[str], cut: Callable[[str], list[str]] | None) -> Search:
    """bm25s: its own tokens with stop words of English, or ours."""
    import bm25s

    def tokenize(text: str) -> list[str]:
        if cut is not None:
            return cut(text)
        tokens = bm25s.tokenize([text], stopwords="en", return_ids=False, show_progress=False)
        return list(tokens[0])

    engine = bm25s.BM25()
    corpus = [tokenize(text) for text in texts]
    engine.index(corpus, show_progress=False)
    known = {token for tokens in corpus for token in tokens}

    def search(question: str, limit: int) -> Ranked:
        tokens = [token for token in tokenize(question) if token in known]
        if not tokens:
            return []
        numbers, scores = engine.retrieve([tokens], k=min(limit, len(texts)), show_progress=False)
        pairs = zip(numbers[0], scores[0], strict=True)
        return [(int(number), float(score)) for number, score in pairs if score > 0]

    return search


def build_fts5(texts: Sequence[str], tokenizer: str, prepare: Callable[[str], str] = str) -> Search:
    """SQLite FTS5 with its bm25(): any word of the question."""
    database = sqlite3.connect(":memory:")
    database.execute(f"CREATE VIRTUAL TABLE sections USING fts5(text, tokenize='{tokenizer}')")
    database.executemany("INSERT INTO sections(rowid, text) VALUES (?, ?)", enumerate(texts))

    def search(question: str, limit: int) -> Ranked:
        words = re.findall(r"\w+", prepare(question))
        if tokenizer == "trigram":
            words = [word[i : i + 3] for word in words for i in range(max(1, len(word) - 2))]
        query = " OR ".join(f'"{word}"' for word in dict.fromkeys(words))
        if not query:
            return []
        rows = database.execute(
            "SELECT rowid, bm25(sections) FROM sections WHERE sections MATCH ? "
            "ORDER BY bm25(sections), rowid LIMIT ?",
            (query, limit),
        ).fetchall()
        return [(number, -score) for number, score in rows]

    return search


def _join(text: str) -> str:
    """Return our words with nothing in them that unicode61 would cut."""
    return " ".join(word.translate(_PLAIN) for word in find_words(text))


_PLAIN = str.maketrans({"+": "p", "#": "s", ".": "d"})
