"""Skills, and which of them a question calls for.

A skill is chosen by what the question mentions and by the file one is looking at. What was chosen
says why, and what was left out says why not.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, Protocol

from glossator.core.globs import matches_any

MAX_SKILLS = 3
SHARED_WORDS = 2
"""So many words of its description make a skill relevant that no keyword called for."""


@dataclass(frozen=True, slots=True)
class Skill:
    """How to do something here. `body` begins at the line `first_line` of its file."""

    name: str
    description: str
    keywords: tuple[str, ...]
    globs: tuple[str, ...]
    always: bool
    body: str
    path: str
    origin: Literal["workspace", "personal", "bundled"]
    first_line: int


@dataclass(frozen=True, slots=True)
class Reasoned:
    """A skill and why it was chosen or left out."""

    skill: Skill
    reason: str


@dataclass(frozen=True, slots=True)
class Choice:
    """The skills for a question, best first, and those that were called for but left out."""

    chosen: tuple[Reasoned, ...] = ()
    left_out: tuple[Reasoned, ...] = ()

    @property
    def skills(self) -> tuple[Skill, ...]:
        """The chosen skills, without the reasons."""
        return tuple(item.skill for item in self.chosen)


class Wording(Protocol):
    """What is asked of a question: does it mention a term, and how many words of a text."""

    def mentions(self, term: str) -> bool:
        """Say whether the question speaks of `term`."""
        ...

    def count_shared(self, text: str) -> int:
        """Count the telling words of `text` that the question mentions too."""
        ...


def choose_skills(
    skills: Iterable[Skill], wording: Wording, path: str | None = None, *, limit: int = MAX_SKILLS
) -> Choice:
    """Choose the skills that a question, asked while looking at the file `path`, calls for.

    Skills with `always` come on top of `limit`. A skill of the workspace takes the place of a
    bundled one of the same name.
    """
    shadowed: list[Reasoned] = []
    rated: list[tuple[float, Reasoned]] = []
    for skill in _drop_shadowed(skills, shadowed):
        rating, reason = _rate(skill, wording, path)
        if rating:
            rated.append((rating, Reasoned(skill, reason)))
    rated.sort(key=lambda item: (-item[0], item[1].skill.origin != "workspace", item[1].skill.path))
    by_need = [item for _, item in rated if not item.skill.always]
    chosen = {id(item) for item in by_need[:limit]}
    over = (
        Reasoned(item.skill, f"{item.reason}, but {limit} skills fit better")
        for item in by_need[limit:]
    )
    return Choice(
        tuple(item for _, item in rated if item.skill.always or id(item) in chosen),
        (*over, *shadowed),
    )


def _drop_shadowed(skills: Iterable[Skill], shadowed: list[Reasoned]) -> list[Skill]:
    """Return the skills that count, in the order given; the others go to `shadowed`."""
    by_name: dict[str, Skill] = {}
    for skill in sorted(skills, key=lambda skill: (skill.origin != "workspace", skill.path)):
        first = by_name.setdefault(skill.name, skill)
        if first is not skill:
            shadowed.append(Reasoned(skill, f"`{first.path}` has the same name and comes first"))
    return list(by_name.values())


def _rate(skill: Skill, wording: Wording, path: str | None) -> tuple[float, str]:
    """Return how well a skill fits (0: not at all) and the reasons in words."""
    rating, reasons = 0.0, list[str]()
    mentioned = [keyword for keyword in skill.keywords if wording.mentions(keyword)]
    if mentioned:
        # More keywords say little more: long lists hold one word in two languages.
        rating += 2.0 + min(len(mentioned) - 1, 3) * 0.25
        reasons.append(f"the question mentions {', '.join(f'`{word}`' for word in mentioned)}")
    if wording.mentions(skill.name):
        rating += 3.0
        reasons.append("the question mentions its name")
    if path and matches_any(skill.globs, path):
        rating += 1.0
        reasons.append(f"its globs match `{path}`")
    shared = wording.count_shared(f"{skill.name} {skill.description}")
    if shared >= SHARED_WORDS and not mentioned:
        reasons.append(f"the question shares {shared} words with its description")
        rating += 1.0
    if rating or skill.always:
        rating += 0.1 * shared + 0.01
    if skill.always:
        reasons.append("it always applies")
    return rating, ", ".join(reasons)
