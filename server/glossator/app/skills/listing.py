"""Every skill that was found: where it comes from, what activates it, and what is wrong with it."""

from dataclasses import dataclass
from typing import Literal

from glossator.app.library import Library
from glossator.app.results import Problem
from glossator.app.skills.active import measure_skill
from glossator.app.skills.files import make_skill
from glossator.knowledge.documents import Origin
from glossator.skills.precedence import fold_name

State = Literal["active", "shadowed", "skipped", "untrusted"]


@dataclass(frozen=True, slots=True)
class ListedSkill:
    """A skill as it is listed. `detail` names what shadows it; a model is given `n_tokens` of it.

    `for_model`: the model and questions may activate it; `for_user`: `/name` does.
    """

    name: str
    description: str
    path: str
    origin: Origin
    state: State
    detail: str
    n_tokens: int
    keywords: tuple[str, ...]
    globs: tuple[str, ...]
    always: bool
    for_model: bool
    for_user: bool
    license: str
    compatibility: str
    metadata: dict[str, str]
    allowed_tools: tuple[str, ...]
    problems: tuple[Problem, ...]


def list_skills(library: Library) -> tuple[ListedSkill, ...]:
    """List the skills by name; those that do not count stand behind the one that does."""
    states: dict[str, State] = {
        "used": "active", "shadowed": "shadowed", "no-skill": "skipped", "untrusted": "untrusted",
    }  # fmt: skip
    problems: dict[str, list[Problem]] = {}
    for problem in library.problems:
        problems.setdefault(problem.path, []).append(problem)
    listed = []
    for found in library.list_found():
        if found.kind != "skill":
            continue
        document = found.document
        skill = make_skill(document)
        listed.append(
            ListedSkill(
                name=document.name,
                description=document.description,
                path=document.path,
                origin=document.origin,
                state=states[found.standing] if skill is not None else "skipped",
                detail=found.shadowed_by,
                n_tokens=measure_skill(document.body, document.body_first_line),
                keywords=document.keywords,
                globs=document.globs,
                always=document.always,
                for_model=skill is not None and skill.for_model,
                for_user=skill is not None and skill.for_user,
                license=skill.license if skill else "",
                compatibility=skill.compatibility if skill else "",
                metadata=dict(skill.metadata) if skill else {},
                allowed_tools=skill.allowed_tools if skill else (),
                problems=tuple(sorted(problems.get(document.path, ()), key=lambda each: each.line)),
            )
        )
    return tuple(
        sorted(listed, key=lambda each: (fold_name(each.name), each.state != "active", each.path))
    )
