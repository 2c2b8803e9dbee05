"""A question taken apart: the words to search for, and the units it must be covered by."""

import re
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import islice, pairwise

from glossator.knowledge.stop_words import KEPT_PHRASES, STOP_PHRASES, STOP_WORDS
from glossator.knowledge.synonyms import find_synonyms
from glossator.knowledge.words import find_tokens, find_words, is_narrow, split_token

MAX_QUESTION_CHARS = 4_000
MAX_TERMS = 128
SYNONYM_WEIGHT = 0.25
CREDIT_SYNONYM = 0.9
CREDIT_ALONE = 0.4
LONGEST_TERM = 6


@dataclass(frozen=True, slots=True)
class Way:
    """Words that together show that a section speaks of a unit, and how surely (0 to 1)."""

    words: tuple[str, ...]
    credit: float


@dataclass(frozen=True, slots=True)
class Unit:
    """A piece of what the question is about: an English word, or one Chinese character.

    `own` are the words whose rarity weighs the unit; `share` makes two characters one word.
    """

    own: tuple[str, ...]
    share: float
    ways: tuple[Way, ...]


@dataclass(frozen=True, slots=True)
class Question:
    """`terms` are words with their weight for ranking; `units` judge how much is covered."""

    terms: tuple[tuple[str, float], ...]
    units: tuple[Unit, ...]


def parse_question(text: str) -> Question:
    """Take a question apart. The words of any question count only where nothing else is left."""
    tokens = find_tokens(text[:MAX_QUESTION_CHARS])
    phrases = _find_phrases(tokens)
    terms: dict[str, float] = {}
    units: dict[Unit, None] = {}
    for token in tokens:
        narrow = is_narrow(token)
        for piece in cut_frames(token) if narrow else [token]:
            found = _read_run(piece) if narrow else _read_identifier(piece, phrases)
            units.update(dict.fromkeys(found))
            if found:
                _add_terms(terms, piece, found)
    terms = terms or dict.fromkeys(find_words(" ".join(tokens)), 1.0)
    return Question(tuple(islice(terms.items(), MAX_TERMS)), tuple(islice(units, MAX_TERMS)))


def _find_phrases(tokens: list[str]) -> dict[str, tuple[Way, ...]]:
    """Return the other ways to say two English words that stand together: "rate limit"."""
    words = [word for token in tokens if not is_narrow(token) for word in _split(token)]
    phrases: dict[str, tuple[Way, ...]] = {}
    for pair in pairwise(words):
        ways = _find_other_ways(pair)
        for word in pair if ways else ():
            phrases[word] = phrases.get(word, ()) + ways
    return phrases


def _split(token: str) -> tuple[str, ...]:
    whole, *parts = split_token(token) or ("",)
    return tuple(parts) or (whole,)


@cache
def _frame_pattern() -> re.Pattern[str]:
    kept = "|".join(map(re.escape, KEPT_PHRASES))
    stops = "|".join(map(re.escape, STOP_PHRASES))
    return re.compile(rf"({kept})|(?:{stops})")


def cut_frames(run: str) -> list[str]:
    """Return what is left of a Chinese run when the phrases of any question are cut out."""
    return _frame_pattern().sub(lambda match: match[1] or " ", run).split()


def _read_identifier(token: str, phrases: dict[str, tuple[Way, ...]]) -> list[Unit]:
    whole = (Way(split_token(token)[:1], 1.0),)
    return [
        Unit(
            (word,),
            1.0,
            (Way((word,), 1.0), *whole, *_find_other_ways((word,)), *phrases.get(word, ())),
        )
        for word in _split(token)
        if word and word not in STOP_WORDS
    ]


def _read_run(run: str) -> list[Unit]:
    """Return a unit for each character: covered by a pair it stands in, a synonym, or alone.

    Nothing says where words begin. A pair across two words is found nowhere, but each of its
    characters is covered by the pair inside its own word.
    """
    ways: list[list[Way]] = [[] for _ in run]
    for start in range(len(run)):
        for end in range(start + 1, min(len(run), start + LONGEST_TERM) + 1):
            for way in _find_other_ways((run[start:end],)):
                for position in range(start, end):
                    ways[position].append(way)
    units = []
    for position, character in enumerate(run):
        pairs = tuple(
            run[start : start + 2]
            for start in (position - 1, position)
            if 0 <= start < len(run) - 1
        )
        alone = Way((character,), CREDIT_ALONE if pairs else 1.0)
        direct = (*(Way((pair,), 1.0) for pair in pairs), alone)
        units.append(Unit((*(pairs or (character,)),), 0.5, (*direct, *ways[position])))
    return units


def _find_other_ways(key: tuple[str, ...]) -> tuple[Way, ...]:
    return tuple(Way(_require(term), CREDIT_SYNONYM) for term in find_synonyms(key))


@lru_cache(maxsize=4096)
def _require(term: str) -> tuple[str, ...]:
    """Return the words that a section must have to hold `term`; of Chinese the pairs only."""
    words: list[str] = []
    for token in find_tokens(term):
        split = split_token(token)
        words += (split[len(token) :] or split) if is_narrow(token) else split
    return tuple(words)


def _add_terms(terms: dict[str, float], piece: str, units: list[Unit]) -> None:
    for word in split_token(piece):
        if word not in STOP_WORDS:
            terms[word] = 1.0
    for unit in units:
        for way in unit.ways:
            if way.credit == CREDIT_SYNONYM:
                for word in way.words:
                    terms.setdefault(word, SYNONYM_WEIGHT)
