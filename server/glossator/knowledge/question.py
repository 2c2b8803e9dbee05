"""A question taken apart: the words to search for, and the units it must be covered by."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import islice, pairwise
from typing import NamedTuple

from glossator.knowledge.compounds import load_compounds
from glossator.knowledge.small_talk import is_small_talk
from glossator.knowledge.stemming import stem
from glossator.knowledge.stop_words import (
    ASKING_WORDS,
    HOUSE_PHRASES,
    HOUSE_WORDS,
    KEPT_PHRASES,
    LIGHT_WORDS,
    STOP_PHRASES,
    STOP_WORDS,
)
from glossator.knowledge.synonyms import find_synonyms, find_terms_within
from glossator.knowledge.words import find_parts, find_tokens, is_narrow, split_token

MAX_QUESTION_CHARS = 4_000
MAX_TERMS = 128

_LOOKS_LIKE_A_NAME = re.compile(r"_|[a-z][A-Z]|[A-Za-z]\d|\d[A-Za-z]")

STOP_WEIGHT = 0.5
STOP_WEIGHT_CHINESE = 0.4
"""Stop words rank, but less: "using the debugger" is a heading. They cover nothing."""
CHARACTER_WEIGHT = 0.5
"""A character of a longer Chinese run says less than the pairs that it stands in."""
SPELLING_WEIGHT = 0.3
SYNONYM_WEIGHT = 0.1
"""Weights in ranking, chosen on the sets of `tests/benchmarks/data` named there; all are flat."""

SHARE_LIGHT = 0.3
"""A verb of any question must be covered too, but counts so much less."""
SHARE_CHARACTER = 0.5
"""Two Chinese characters are one word."""

CREDIT_SYNONYM = 0.9
CREDIT_ALONE = 0.4


class Way(NamedTuple):
    """Words that together show that a section speaks of a unit, and how surely (0 to 1).

    With a `weight` they rank too.
    """

    words: tuple[str, ...]
    credit: float
    weight: float = 0.0


class Unit(NamedTuple):
    """A piece of what the question is about: an English word, or one Chinese character.

    `own` are the words whose rarity weighs the unit; `share` makes two characters one word. What is
    spelled like a name of the code `is_name`: one section alone may know it.
    """

    own: tuple[str, ...]
    share: float
    ways: tuple[Way, ...]
    is_name: bool = False


@dataclass(frozen=True, slots=True)
class Question:
    """`terms` are words with their weight for ranking; `units` judge how much is covered.

    `has_subject` says whether it asks for more than the team's ways: "which rules apply?".
    """

    terms: tuple[tuple[str, float], ...]
    units: tuple[Unit, ...]
    has_subject: bool


def parse_question(text: str) -> Question:
    """Take a question apart: all its words rank, those that carry something must be covered."""
    tokens = find_tokens(text[:MAX_QUESTION_CHARS])
    phrases = _find_phrases(tokens)
    terms: dict[str, float] = {}
    units: dict[Unit, None] = {}
    for token in tokens:
        if is_narrow(token):
            kept = cut_frames(token)
            found = [unit for piece in kept for unit in _read_run(piece)]
            _weigh_run(terms, token, kept)
        else:
            found = _read_identifier(token, phrases)
            for word in split_token(token):
                _weigh(terms, word, STOP_WEIGHT if word in STOP_WORDS else 1.0)
        units.update(dict.fromkeys(found))
    talks = is_small_talk(text)
    if talks:
        units.clear()
    has_subject = any(unit.share > SHARE_LIGHT for unit in units)
    if not has_subject and not talks:
        units.update(dict.fromkeys(_read_house(tokens)))
    for word in ASKING_WORDS & terms.keys() if units else ():
        del terms[word]
    for unit in units:
        for way in unit.ways:
            for word in way.words if way.weight else ():
                terms.setdefault(word, way.weight)
    return Question(
        tuple(islice(terms.items(), MAX_TERMS)), tuple(islice(units, MAX_TERMS)), has_subject
    )


def _read_house(tokens: list[str]) -> Iterator[Unit]:
    """Yield units for how a team speaks about its ways, where nothing else is asked for."""
    for token in tokens:
        if is_narrow(token):
            for phrase in HOUSE_PHRASES:
                yield from _read_run(phrase) if phrase in token else ()
        else:
            yield from (
                Unit((word,), 1.0, (Way((word,), 1.0),))
                for word in find_parts(token)
                if word in HOUSE_WORDS
            )


def _weigh(terms: dict[str, float], word: str, weight: float) -> None:
    if weight > terms.get(word, 0.0):
        terms[word] = weight


def _weigh_run(terms: dict[str, float], run: str, kept: list[str]) -> None:
    """Weigh the pairs and characters of a Chinese run, less where they belong to a frame."""
    telling = {word for piece in kept for word in split_token(piece)}
    for word in split_token(run):
        weight = 1.0 if word in telling else STOP_WEIGHT_CHINESE
        if len(word) == 1 < len(run):
            weight *= CHARACTER_WEIGHT
        _weigh(terms, word, weight)


def _find_phrases(tokens: list[str]) -> dict[str, tuple[Way, ...]]:
    """Return the other ways to say two English words that stand together: "rate limit".

    Two words may be one elsewhere: "use effect" and `useEffect`, "file name" and "filename".
    """
    phrases: dict[str, tuple[Way, ...]] = {}
    for first, second in pairwise(tokens):
        if is_narrow(first) or is_narrow(second):
            continue
        pair = (find_parts(first) or ("",))[-1], (find_parts(second) or ("",))[0]
        joined = (first + second).lower()
        weight = SPELLING_WEIGHT if stem(joined) in load_compounds() else 0.0
        spellings = dict.fromkeys((joined, stem(joined)))
        ways = (*_find_other_ways(pair), *(Way((word,), 1.0, weight) for word in spellings))
        for word in pair:
            phrases[word] = phrases.get(word, ()) + ways
    for token in tokens:
        for pair in () if is_narrow(token) else pairwise(find_parts(token)):
            for word in pair:
                phrases[word] = phrases.get(word, ()) + _find_other_ways(pair)
    return phrases


@cache
def _frame_pattern() -> re.Pattern[str]:
    # By the first character, which costs less than to try each phrase everywhere.
    rests: dict[str, list[str]] = {}
    for phrase in (*KEPT_PHRASES, *STOP_PHRASES):
        rests.setdefault(re.escape(phrase[0]), []).append(re.escape(phrase[1:]))
    return re.compile("|".join(f"{first}(?:{'|'.join(each)})" for first, each in rests.items()))


@cache
def _load_frames() -> dict[str, str]:
    """Return what takes the place of each phrase: a blank, or itself where it is kept."""
    return dict.fromkeys(STOP_PHRASES, " ") | {phrase: phrase for phrase in KEPT_PHRASES}


def cut_frames(run: str) -> list[str]:
    """Return what is left of a Chinese run when the phrases of any question are cut out."""
    frames = _load_frames()
    return _frame_pattern().sub(lambda match: frames[match[0]], run).split()


def _read_identifier(token: str, phrases: dict[str, tuple[Way, ...]]) -> list[Unit]:
    whole = Way(split_token(token)[:1], 1.0)
    is_name = _LOOKS_LIKE_A_NAME.search(token) is not None
    units = []
    for word in find_parts(token):
        if word in STOP_WORDS or word in HOUSE_WORDS:
            continue
        name = word.rstrip("0123456789")
        ways = [Way((word,), 1.0), whole, *_find_apart(word), *_find_other_ways((word,))]
        if 1 < len(name) < len(word):
            ways.append(Way((name,), CREDIT_ALONE))  # `http` is not `http2`.
        share = SHARE_LIGHT if word in LIGHT_WORDS else 1.0
        ways += phrases.get(word, ())
        units.append(Unit((word,), share, tuple(dict.fromkeys(ways)), is_name))
    if not units and len(split_token(token)) > 1:
        units.append(Unit(whole.words, 1.0, (whole,), is_name=True))  # `v-for`
    return units


def _find_apart(word: str) -> tuple[Way, ...]:
    """Return the two words that a compound is elsewhere, if it is one."""
    apart = load_compounds().get(word)
    return (Way(apart, 1.0, SPELLING_WEIGHT),) if apart else ()


def _read_run(run: str) -> list[Unit]:
    """Return a unit for each character: covered by a pair it stands in, a synonym, or alone.

    Nothing says where words begin. A pair across two words is found nowhere, but each of its
    characters is covered by the pair inside its own word.
    """
    others: dict[int, tuple[Way, ...]] = {}
    for start, end, terms in find_terms_within(run):
        ways = _make_synonym_ways(terms)
        for position in range(start, end):
            others[position] = others.get(position, ()) + ways
    pairs = tuple(map("".join, pairwise(run)))
    direct = [Way((pair,), 1.0) for pair in pairs]
    units = []
    for position, character in enumerate(run):
        around = slice(max(0, position - 1), position + 1)
        alone = Way((character,), CREDIT_ALONE if pairs else 1.0)
        ways = (*direct[around], alone, *others.get(position, ()))
        units.append(Unit(pairs[around] or (character,), SHARE_CHARACTER, ways))
    return units


def _find_other_ways(key: tuple[str, ...]) -> tuple[Way, ...]:
    terms = find_synonyms(key)
    return _make_synonym_ways(terms) if terms else ()


@lru_cache(maxsize=1024)
def _make_synonym_ways(terms: tuple[str, ...]) -> tuple[Way, ...]:
    return tuple(Way(_require(term), CREDIT_SYNONYM, SYNONYM_WEIGHT) for term in terms)


def _require(term: str) -> tuple[str, ...]:
    """Return the words that a section must have to hold `term`; of Chinese the pairs only."""
    words: list[str] = []
    for token in find_tokens(term):
        split = split_token(token)
        words += (split[len(token) :] or split) if is_narrow(token) else split
    return tuple(words)
