"""Which skills a question calls for.

A skill is chosen by what the question mentions and by the file one is looking at. What was chosen
says why, and what was left out says why not.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Protocol

from glossator.core.globs import matches_any
from glossator.skills.precedence import settle_names
from glossator.skills.reasons import Reason, render_reasons
from glossator.skills.skill import Skill

__all__ = ["Choice", "Reasoned", "Skill", "Wording", "choose_skills"]

MAX_SKILLS = 3
SHARED_WORDS = 2
"""So many words of its description make a skill relevant that no keyword called for."""


@dataclass(frozen=True, slots=True)
class Reasoned:
    """A skill and why it was chosen or left out, what tells most first."""

    skill: Skill
    reasons: tuple[Reason, ...]

    @property
    def reason(self) -> str:
        """The reasons in English."""
        return render_reasons(self.reasons)


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

    def find_synonym(self, term: str) -> str:
        """Return the word of the question that means `term`, empty where it says `term` itself."""
        ...

    def count_shared(self, text: str) -> int:
        """Count the telling words of `text` that the question mentions too."""
        ...


def choose_skills(
    skills: Iterable[Skill],
    wording: Wording,
    path: str | None = None,
    *,
    root: str = "",
    limit: int = MAX_SKILLS,
    invoked: Iterable[Skill] = (),
) -> Choice:
    """Choose the skills that a question, asked while looking at the file `path`, calls for.

    Skills that the user `invoked` come first, and with those that always apply on top of `limit`.
    `root` names the file's workspace folder where there are several: globs mean files of their own.
    Of several skills of one name the first in precedence counts. A skill that is not for models
    is left out unless it was invoked.
    """
    counting, collisions = settle_names(skills)
    by_user = tuple(dict.fromkeys(invoked))
    rated = [
        (rating, Reasoned(skill, reasons))
        for skill in counting
        if skill not in by_user
        for rating, reasons in [rate_skill(skill, wording, path, root)]
        if rating
    ]
    # Stable: of equal ones the first in precedence stays first.
    rated.sort(key=lambda item: (-item[0], item[1].skill.origin != "workspace"))
    called = [item for _, item in rated if item.skill.for_model]
    by_need = [item for item in called if not item.skill.always]
    over = {id(item) for item in by_need[limit:]}
    return Choice(
        (
            *(Reasoned(skill, (Reason("invoked"),)) for skill in by_user),
            *(item for item in called if id(item) not in over),
        ),
        (
            *(_add(item, Reason("over-limit", (str(limit),))) for item in by_need[limit:]),
            *(
                _add(item, Reason("user-only", (item.skill.name,)))
                for _, item in rated
                if not item.skill.for_model
            ),
            *(
                Reasoned(each.hidden, (Reason("shadowed", (each.first.path,)),))
                for each in collisions
            ),
        ),
    )


def _add(item: Reasoned, reason: Reason) -> Reasoned:
    return replace(item, reasons=(*item.reasons, reason))


def is_of_root(skill: Skill, root: str) -> bool:
    """Say whether the globs of a skill may mean files of a workspace folder."""
    return not root or skill.origin != "workspace" or skill.path.startswith(f"{root}/")


def rate_skill(
    skill: Skill, wording: Wording, path: str | None, root: str = ""
) -> tuple[float, tuple[Reason, ...]]:
    """Return how well a skill fits a question and a file (0: not at all), and the reasons."""
    rating, reasons = 0.0, list[Reason]()
    mentioned = [keyword for keyword in skill.keywords if wording.mentions(keyword)]
    if mentioned:
        # More keywords say little more: long lists hold one word in two languages.
        rating += 2.0 + min(len(mentioned) - 1, 3) * 0.25
        said = tuple(map(wording.find_synonym, mentioned))
        reasons.append(Reason("keyword", tuple(mentioned), said))
    if wording.mentions(skill.name):
        rating += 3.0
        reasons.append(Reason("name"))
    if path and is_of_root(skill, root) and matches_any(skill.globs, path):
        rating += 1.0
        reasons.append(Reason("glob", (path,)))
    shared = wording.count_shared(f"{skill.name} {skill.description}")
    if shared >= SHARED_WORDS and not mentioned:
        reasons.append(Reason("words", (str(shared),)))
        rating += 1.0
    if rating or skill.always:
        rating += 0.1 * shared + 0.01
    if skill.always:
        reasons.append(Reason("always"))
    return rating, tuple(reasons)
