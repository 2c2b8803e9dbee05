"""Texts that were made in English far from any reader, told in Chinese.

What reads files, settings and arguments says in English what is wrong. Such a text is looked up
here by its form, as message catalogues do: `{}` in a form stands for what was put in, and `{0}` in
the Chinese for the first of these. What was put in is told in Chinese too where it is a text of
ours; what stands in backticks stays as it is.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache

from glossator.app.translations.of_arguments import ARGUMENTS, PATHS
from glossator.app.translations.of_files import INSTRUCTIONS, READING, SKILLS
from glossator.app.translations.of_models import MODELS
from glossator.app.translations.of_repositories import REPOSITORIES
from glossator.app.translations.of_rules import RULES
from glossator.app.translations.of_set_up import STATE
from glossator.app.translations.of_usage import USAGE

TEXTS: Mapping[str, str] = dict(
    (
        *READING,
        *SKILLS,
        *INSTRUCTIONS,
        *PATHS,
        *ARGUMENTS,
        *STATE,
        *MODELS,
        *RULES,
        *REPOSITORIES,
        *USAGE,
    )
)
"""The Chinese of every text, by its English form."""

GAP = "{}"
_PLACE = re.compile(r"\{(\d)\}")
# What became of a request, as `model` puts it together: the last three may be missing.
_FAILURE = re.compile(
    r"(?P<text>.*?)(?:, HTTP (?P<status>\d+))?(?: \(“(?P<quote>.*)”\))?(?:\. (?P<remedy>.*))?",
    re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class _Form:
    pattern: re.Pattern[str]
    is_name: tuple[bool, ...]
    chinese: str


@lru_cache(maxsize=4_096)
def to_chinese(text: str) -> str:
    """Return a text of ours in Chinese; any other text as it is."""
    for form in _list_forms():
        match = form.pattern.fullmatch(text)
        if match is not None:
            return _fill(form, match.groups())
    return _tell_failure(text)


def _tell_failure(text: str) -> str:
    """Tell what happened and what to do about it; a server's own words stay as they are."""
    match = _FAILURE.fullmatch(text)
    if match is None or match["text"] == text:
        return text
    told = to_chinese(match["text"])
    if told == match["text"]:
        return text
    status = f"，HTTP {match['status']}" if match["status"] else ""
    quote = f"（“{match['quote']}”）" if match["quote"] else ""
    remedy = f"。{to_chinese(match['remedy'])}" if match["remedy"] else ""
    return told + status + quote + remedy


def _fill(form: _Form, written: tuple[str, ...]) -> str:
    parts = [
        part if is_name else to_chinese(part)
        for part, is_name in zip(written, form.is_name, strict=True)
    ]
    return _PLACE.sub(lambda match: parts[int(match[1])], form.chinese)


@cache
def _list_forms() -> tuple[_Form, ...]:
    """Return the forms, those that say more by themselves first."""
    by_length = sorted(TEXTS, key=lambda form: -len(form.replace(GAP, "")))
    return tuple(_make_form(english, TEXTS[english]) for english in by_length)


def _make_form(english: str, chinese: str) -> _Form:
    pieces = english.split(GAP)
    before = ("".join(pieces[:n]) for n in range(1, len(pieces)))
    return _Form(
        re.compile("(.*?)".join(map(re.escape, pieces)), re.DOTALL),
        tuple(text.count("`") % 2 == 1 for text in before),
        chinese,
    )
