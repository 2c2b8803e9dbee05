"""The catalogue: what skills there are, one line each, so that a model can choose among them.

It stands before a conversation and hardly ever changes, so that servers can cache what follows.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from glossator.core.tokens import estimate_tokens
from glossator.skills.choosing import Wording, rate_skill
from glossator.skills.precedence import settle_names
from glossator.skills.skill import Skill
from glossator.skills.specification import MAX_DESCRIPTION

BUDGET_TOKENS = 2_000
SHORT_CHARACTERS = 240
NAMES_TOKENS = 1_000
_MAX_KEYWORDS = 8


@dataclass(frozen=True, slots=True)
class Catalogue:
    """The skills that are meant for models.

    `text` lists some of them with what they are about; `left_out` did not fit. `offered` are those
    that a model may activate: of very many not even the names fit.
    """

    listed: tuple[Skill, ...] = ()
    left_out: tuple[Skill, ...] = ()
    offered: tuple[Skill, ...] = ()
    text: str = ""


def make_catalogue(
    skills: Iterable[Skill],
    wording: Wording | None = None,
    path: str | None = None,
    *,
    root: str = "",
    budget_tokens: int = BUDGET_TOKENS,
) -> Catalogue:
    """List the skills that are meant for models, in the order of their names.

    When not all fit, descriptions are shortened first. When that is not enough, those are listed
    that fit the question and the file best, and how many more there are is said.
    """
    # Of a file without either, nobody could tell when it is meant: a README beside the skills.
    counting = [
        skill
        for skill in settle_names(skills)[0]
        if skill.for_model and (skill.description or skill.keywords)
    ]
    in_order = sorted(counting, key=_order)
    if not in_order:
        return Catalogue()
    for n_characters in (MAX_DESCRIPTION, SHORT_CHARACTERS):
        lines = [_write_line(skill, n_characters) for skill in in_order]
        if sum(map(_size, lines)) <= budget_tokens:
            return Catalogue(tuple(in_order), (), tuple(in_order), "\n".join(lines))
    best_first = _sort_by_fit(in_order, wording, path, root)
    listed = _take(best_first, budget_tokens - _size(_note_rest(1000, 1000)), _size_of_line)
    offered = _take(best_first, max(budget_tokens, NAMES_TOKENS), _size_of_name) | listed
    lines = [_write_line(skill, SHORT_CHARACTERS) for skill in in_order if skill in listed]
    note = _note_rest(len(in_order) - len(listed), len(in_order) - len(offered))
    return Catalogue(
        tuple(skill for skill in in_order if skill in listed),
        tuple(skill for skill in in_order if skill not in listed),
        tuple(skill for skill in in_order if skill in offered),
        "\n".join([*lines, note]),
    )


def _order(skill: Skill) -> tuple[str, str]:
    return skill.name, skill.path


def _sort_by_fit(
    skills: Sequence[Skill], wording: Wording | None, path: str | None, root: str
) -> list[Skill]:
    if wording is None:
        return list(skills)
    return sorted(skills, key=lambda skill: -rate_skill(skill, wording, path, root)[0])


def _take(
    skills: Iterable[Skill], budget_tokens: int, measure: Callable[[Skill], int]
) -> frozenset[Skill]:
    """Take skills in the order given, as long as they fit; the first in any case."""
    taken: set[Skill] = set()
    left = budget_tokens
    for skill in skills:
        left -= measure(skill)
        if left < 0 and taken:
            break
        taken.add(skill)
    return frozenset(taken)


def _note_rest(n_more: int, n_nameless: int) -> str:
    noun = "skill is" if n_more == 1 else "skills are"
    note = f"({n_more} more {noun} not listed here"
    if n_nameless < n_more:
        note += "; the tool `skill` knows their names"
        note += f", except {n_nameless} of them" if n_nameless else ""
    return f"{note}. The user can activate any of them by putting `/name` before a question.)"


def _size_of_line(skill: Skill) -> int:
    return _size(_write_line(skill, SHORT_CHARACTERS))


def _size_of_name(skill: Skill) -> int:
    return estimate_tokens(skill.name) + 2


def _write_line(skill: Skill, n_characters: int) -> str:
    description = skill.description or f"On {', '.join(skill.keywords[:_MAX_KEYWORDS])}"
    if len(description) > n_characters:
        description = description[: n_characters - 1].rstrip() + "…"
    return f"- {skill.name}: {' '.join(description.split())}"


def _size(line: str) -> int:
    return estimate_tokens(line) + 1
