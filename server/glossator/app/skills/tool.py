"""The tool with which a model activates a skill, or reads a file that belongs to one."""

import asyncio
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal

from glossator.agent.prompt import frame_material
from glossator.app.prose import prose_of_text
from glossator.app.skills.active import MAX_ACTIVE, ActiveSkills
from glossator.core.errors import InvalidArguments
from glossator.core.text import SourceText
from glossator.skills.precedence import fold_name
from glossator.skills.skill import Skill
from glossator.tools.escaping import quote_name
from glossator.tools.skill_resources import SkillFolder, render_part
from glossator.tools.workspace import Part

if TYPE_CHECKING:  # It loads pydantic, which only a model needs.
    from glossator.tools.toolbox import ToolFunction

OpenFolder = Callable[[Skill], SkillFolder | None]


def make_skill_tool(
    skills: Sequence[Skill],
    active: ActiveSkills,
    open_folder: OpenFolder,
    note: Callable[[SourceText], None],
) -> "ToolFunction":
    """Return the tool for these skills; `note` hears of each text that was read of a file."""
    from pydantic import BeforeValidator

    by_name = {skill.name: skill for skill in skills}
    by_spelling = {fold_name(name): name for name in by_name}

    def spell(name: Any) -> Any:
        return by_spelling.get(fold_name(name), name) if isinstance(name, str) else name

    async def skill(
        name: str,
        resource: Annotated[
            str, "A file of the skill, such as `references/forms.md`; empty for the skill itself."
        ] = "",
        first_line: Annotated[int, "Line to begin with, to read on in a long text."] = 1,
    ) -> str:
        """Activate a skill: its instructions are returned and stay with you from then on.

        With `resource`, one of its files is read instead. Scripts are read, never run.
        """
        chosen = by_name[name]
        is_itself = resource.strip().removeprefix("./") in ("", ".", chosen.path.split("/")[-1])
        if not is_itself:
            part = await asyncio.to_thread(_read, chosen, resource, open_folder)
            note(part.source)
            return render_part(part, first_line)
        if first_line > chosen.first_line:
            return await asyncio.to_thread(_read_on, chosen, first_line)
        await asyncio.to_thread(active.load, [chosen])
        return _activate(chosen, active)

    # What can be chosen is known only now; a model sees it as the values that there are.
    choices: Any = Literal.__getitem__(tuple(by_name))
    skill.__annotations__["name"] = Annotated[
        choices, "The skill, by its name in the catalogue.", BeforeValidator(spell)
    ]
    return skill


def _activate(chosen: Skill, active: ActiveSkills) -> str:
    text = active.text_of(chosen)
    if chosen in active:
        place = active.tell_place(chosen)
        return f"The skill {quote_name(chosen.name)} is active already: {place}. Go by it."
    ended = active.activate(chosen, "model")
    note = ""
    if ended is not None:
        note = f"{quote_name(ended.name)} is not active any more: {MAX_ACTIVE} are at most. "
    head = f"{note}The skill {quote_name(chosen.name)} is active for the rest of this conversation."
    return f"{head}\n\n{frame_material([(text.label, text.whole)])}"


def _read(chosen: Skill, resource: str, open_folder: OpenFolder) -> Part:
    folder = open_folder(chosen)
    if folder is None:
        raise InvalidArguments(
            f"The skill {quote_name(chosen.name)} is a single file; there are no others to read. "
            "Leave `resource` out."
        )
    return folder.read(resource)


def _read_on(chosen: Skill, first_line: int) -> str:
    """Return a skill's prose from a line of its file on."""
    lines = prose_of_text(chosen.body, chosen.first_line)
    blank = [""] * (chosen.first_line - 1)
    last_line = lines[-1][0] if lines else 0
    by_number = dict(lines)
    whole = [*blank, *(by_number.get(n, "") for n in range(chosen.first_line, last_line + 1))]
    return render_part(Part(SourceText(chosen.path, "\n".join(whole)), "utf-8", 0), first_line)
