"""Several skills of one name: which of them counts.

A workspace's skill comes before a personal one, and that before a bundled one. In a workspace our
own folder comes first, then `.agents`, `.claude` and `.github`; then the order they are given in.
"""

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass

from glossator.skills.skill import Skill

_ORIGINS = ("workspace", "personal", "bundled")
_FOLDERS = (".agents", ".claude", ".github")


@dataclass(frozen=True, slots=True)
class Collision:
    """Two skills of one name; `hidden` is not used, because `first` comes before it."""

    first: Skill
    hidden: Skill


def settle_names(skills: Iterable[Skill]) -> tuple[tuple[Skill, ...], tuple[Collision, ...]]:
    """Return the skills that count, one for each name and in their order, and the others."""
    by_name: dict[str, Skill] = {}
    collisions = []
    for skill in sorted(skills, key=_rank):
        first = by_name.setdefault(fold_name(skill.name), skill)
        if first is not skill:
            collisions.append(Collision(first, skill))
    return tuple(by_name.values()), tuple(collisions)


def fold_name(name: str) -> str:
    """Return a name as it is compared: people and models write it in any case and width."""
    return unicodedata.normalize("NFKC", name).casefold().strip()


def _rank(skill: Skill) -> tuple[int, int, str]:
    folders = skill.path.replace("\\", "/").split("/")[:-1]
    folder = next((n for n, name in enumerate(_FOLDERS, 1) if name in folders), 0)
    return _ORIGINS.index(skill.origin), folder, skill.path
