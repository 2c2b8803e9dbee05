"""What a question mentions: keywords of documents and skills, themselves or by a synonym."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from glossator.knowledge.question import MAX_QUESTION_CHARS, cut_frames
from glossator.knowledge.stop_words import FRAME_WORDS
from glossator.knowledge.synonyms import find_synonyms
from glossator.knowledge.words import find_parts, find_tokens, is_narrow, split_token

LONGEST_RUN = 12


@dataclass(frozen=True, slots=True)
class Term:
    """A term cut into tokens; each token is the whole, then the parts that stand for it too."""

    tokens: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Terms:
    """Terms made ready to be looked for: most are one word, and a set finds those at once."""

    words: frozenset[str]
    phrases: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class Wording:
    """All that a question mentions; `read_wording` makes one.

    `said` holds its English words, each run of Chinese characters in it, and what is said
    by a synonym: of those, `meant` has the words beside what the question says for them.
    """

    said: frozenset[str]
    own: frozenset[str] = frozenset()
    meant: tuple[tuple[str, frozenset[str]], ...] = ()

    def mentions(self, term: str) -> bool:
        """Say whether the question speaks of `term`, itself or by a synonym.

        English is compared word by word, by stems: `sql` is not in `mysqldump`, `tests` is in
        "testing". Chinese has no blanks, so a Chinese term may stand anywhere.
        """
        return self.mentions_any(_prepare((term,)))

    def find_synonym(self, term: str) -> str:
        """Return the word of the question that means `term`; empty where it says `term` itself."""
        terms = _prepare((term,))
        if Wording(self.own).mentions_any(terms):
            return ""
        means = (said for said, words in self.meant if Wording(words).mentions_any(terms))
        return next(means, "")

    def mentions_any(self, terms: Terms) -> bool:
        """Say whether the question speaks of one of `terms`."""
        return not self.said.isdisjoint(terms.words) or any(map(self._holds, terms.phrases))

    def count_shared(self, text: str) -> int:
        """Count the telling words of `text` that the question mentions too."""
        return sum(self.mentions(word) for word in find_telling_words(text))

    def count_spoken(self, text: str) -> int:
        """Count as `count_shared` does, Chinese by the two characters of a word.

        A sentence has no blanks there: its runs are longer than what is said of them elsewhere.
        """
        n_words = 0
        for word in find_telling_words(text):
            n_words += self._count_pieces(word) if is_narrow(word) else self.mentions(word)
        return n_words

    def _count_pieces(self, run: str) -> int:
        """Count the words of a Chinese run that the question has."""
        n_words, start = 0, 0
        while start < len(run) - 1:
            end = start + 1
            while end < len(run) and run[start : end + 1] in self.said:
                end += 1
            n_words += (end - start) // 2
            start = max(end, start + 1)
        return n_words

    def _holds(self, term: Term) -> bool:
        return all(
            whole in self.said or (bool(parts) and self.said.issuperset(parts))
            for whole, *parts in term.tokens
        )


@lru_cache(maxsize=64)
def read_wording(question: str) -> Wording:
    """Take in a question once; many documents and skills are compared with it."""
    spoken: dict[str, str] = {}
    english: list[tuple[str, str]] = []
    for token in find_tokens(question[:MAX_QUESTION_CHARS]):
        if is_narrow(token):
            runs = (
                token[start:end]
                for start in range(len(token))
                for end in range(start + 1, min(len(token), start + LONGEST_RUN) + 1)
            )
            spoken.update((run, run) for run in runs)
        else:
            spoken |= dict.fromkeys(split_token(token), token)
            english += ((part, token) for part in find_parts(token))
    keys: list[tuple[tuple[str, ...], str]] = [((word,), shown) for word, shown in spoken.items()]
    keys += [((a, b), f"{first} {second}") for (a, first), (b, second) in pairwise(english)]
    meant = []
    for key, shown in keys:
        synonyms = find_synonyms(key)
        if synonyms:
            tokens = (token for synonym in synonyms for token in find_tokens(synonym))
            words = ((token,) if is_narrow(token) else split_token(token) for token in tokens)
            meant.append((shown, frozenset(word for split in words for word in split)))
    own = frozenset(spoken)
    return Wording(own.union(*(words for _, words in meant)), own, tuple(meant))


def prepare_terms(*, keywords: Iterable[str] = (), text: str = "") -> Terms:
    """Make ready the keywords of something and the telling words of its name and description."""
    return _prepare((*keywords, *find_telling_words(text)))


@lru_cache(maxsize=65_536)
def _prepare(terms: tuple[str, ...]) -> Terms:
    words: set[str] = set()
    phrases: list[Term] = []
    for term in terms:
        tokens = tuple(map(_read_token, find_tokens(term)))
        if len(tokens) == 1:
            whole, *parts = tokens[0] or ("",)
            words.add(whole)
            if parts:
                phrases.append(Term((tokens[0],)))
        elif tokens:
            phrases.append(Term(tuple(token for token in tokens if token)))
    return Terms(frozenset(words - {""}), tuple(phrases))


def _read_token(token: str) -> tuple[str, ...]:
    """Return a token whole, then the parts that stand for it together."""
    if is_narrow(token):
        return (token,)
    whole, parts = split_token(token)[:1], find_parts(token)
    return whole if parts == whole else (*whole, *parts)


@lru_cache(maxsize=65_536)
def find_telling_words(text: str) -> tuple[str, ...]:
    """Return the distinct words of a name or description that say what it is about."""
    telling: dict[str, None] = {}
    for token in find_tokens(text):
        if is_narrow(token):
            telling.update((piece, None) for piece in cut_frames(token) if len(piece) > 1)
        elif len(token) > 1 and not FRAME_WORDS.issuperset(split_token(token)):
            telling[token] = None
    return tuple(telling)
