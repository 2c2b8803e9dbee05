"""The skills of one agent: what there is to choose from, what is active, and the tool for both."""

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from glossator.agent.capacity import recall_capacity
from glossator.app.context import Context
from glossator.app.phrasing import Phrasing, count
from glossator.app.skills.active import MAX_ACTIVE, ActiveSkills, SkillText
from glossator.core.events import Emit
from glossator.core.messages import Message
from glossator.knowledge.wording import read_wording
from glossator.model.port import ChatModel
from glossator.skills.catalogue import BUDGET_TOKENS, Catalogue, make_catalogue
from glossator.skills.choosing import Choice
from glossator.skills.precedence import settle_names
from glossator.skills.skill import Skill
from glossator.tools.skill_resources import ResourceList, SkillFolder

if TYPE_CHECKING:  # They load pydantic, which only a model needs.
    from glossator.tools.toolbox import Toolbox

# The catalogue may take this much of what a model has room for.
_SHARE_OF_CATALOGUE = 1 / 8


@dataclass(frozen=True, slots=True)
class SkillDesk:
    """The skills of one agent."""

    catalogue: Catalogue
    active: ActiveSkills
    context: Context

    def add_tool(self, toolbox: "Toolbox", models: Sequence[ChatModel]) -> "Toolbox":
        """Return a toolbox with the tool for skills, if there are any and it fits the models.

        In a tight window the other tools come first: with more, none at all might fit.
        """
        # Imported when a model is used: these load pydantic, which takes a while.
        from glossator.agent.talk import have_tools_room
        from glossator.app.skills.tool import make_skill_tool

        # Of what the user activated, a model may read the files.
        skills = tuple(dict.fromkeys((*self.catalogue.offered, *self.active.skills)))
        if not skills:
            return toolbox
        tool = make_skill_tool(
            skills,
            self.active,
            partial(open_skill_folder, self.context),
            self.context.seen.add,
        )
        larger = toolbox.with_tools([tool])
        tokens = self.context.parts.settings.model.context_tokens
        fits = all(have_tools_room(larger.specs, model, tokens) for model in models)
        return larger if fits else toolbox

    def write_preface(self, *, has_tool: bool) -> str:
        """Return the catalogue for the system message; empty when there are no skills."""
        from glossator.agent.catalogue import render_catalogue

        return render_catalogue(self.catalogue.text, has_tool=has_tool)

    def write_material(self, choice: Choice, earlier: Sequence[Message]) -> tuple[SkillText, ...]:
        """Activate the chosen skills; return the texts of those that nobody has been given yet."""
        from glossator.agent.pinning import stands_in

        new = []
        # The best last: if they are too many, it is not the one that ends.
        for item in reversed(choice.chosen):
            by_user = any(reason.kind == "invoked" for reason in item.reasons)
            self.active.activate(item.skill, "user" if by_user else "trigger")
        for item in choice.chosen:
            text = self.active.text_of(item.skill)
            if item.skill in self.active and not stands_in(text.body, earlier):
                new.append(text)
        return tuple(new)

    def list_notices(self, say: Phrasing) -> list[str]:
        """Say which skills have ended because others came."""
        names = say.join(f"`{skill.name}`" for skill in self.active.ended)
        if not names:
            return []
        return [
            say(
                f"No longer active: {names}; {count(MAX_ACTIVE, 'skill')} stay active at most.",
                f"{names} 不再生效：最多 {MAX_ACTIVE} 个技能同时生效。",
            )
        ]


async def open_desk(
    context: Context,
    model: ChatModel,
    emit: Emit,
    *,
    subject: str = "",
    path: str | None = None,
    choice: Choice | None = None,
    earlier: Iterable[str] = (),
) -> SkillDesk:
    """Make the desk of an agent that works on `subject`, while somebody looks at the file `path`.

    `choice` are the skills that are called for, and `earlier` the names of those that are active
    in the session.
    """
    library = context.library
    tokens = context.parts.settings.model.context_tokens
    room = recall_capacity(model).find_room(tokens)

    def prepare() -> SkillDesk:
        by_name = {skill.name: skill for skill in settle_names(library.skills)[0]}
        known = [by_name[name] for name in earlier if name in by_name][-MAX_ACTIVE:]
        active = ActiveSkills(known, emit, partial(list_resources, context))
        active.load([*known, *(choice.skills if choice else ())])
        budget = min(BUDGET_TOKENS, int(room * _SHARE_OF_CATALOGUE))
        catalogue = make_catalogue(
            library.skills,
            read_wording(subject),
            path,
            root=context.looked_at.root if context.looked_at else "",
            budget_tokens=budget,
        )
        return SkillDesk(catalogue, active, context)

    return await asyncio.to_thread(prepare)


def list_resources(context: Context, skill: Skill) -> ResourceList:
    """List the files of a skill."""
    folder = open_skill_folder(context, skill)
    return ResourceList() if folder is None else folder.list_files()


def open_skill_folder(context: Context, skill: Skill) -> SkillFolder | None:
    """Return the folder of a skill for reading; None for a skill that is a single file.

    Of all folders outside the workspace, only those of personal and bundled skills can be read,
    and only so.
    """
    file: Path | None = context.library.files.get(skill.path)
    if file is None or not skill.has_folder:
        return None
    shown = skill.path.rpartition("/")[0]
    if skill.origin != "workspace":
        return SkillFolder(file.parent, shown)
    workspace = context.parts.workspace
    return SkillFolder(file.parent, shown, buffers=workspace.buffers, read=workspace.read_part)
