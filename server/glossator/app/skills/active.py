"""Which skills are active in a turn, and what the model is given of each.

A skill stays active for its session, up to a number of them. Its text is taken from the library
of each turn, so that an edit counts.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from glossator.agent.pinning import Pinned
from glossator.agent.shortening import shorten_lines
from glossator.app.prose import prose_of_text
from glossator.core.events import ActivatedBy, Emit, SkillActivated
from glossator.core.locations import Span
from glossator.core.tokens import estimate_tokens
from glossator.skills.skill import Skill
from glossator.tools.escaping import escape_invisible, quote_name
from glossator.tools.skill_resources import ResourceList, render_list

MAX_ACTIVE = 5
MAX_BODY_TOKENS = 10_000
"""Twice what the specification advises; beyond it a model is told how to read on."""

ListFiles = Callable[[Skill], ResourceList]


@dataclass(frozen=True, slots=True)
class SkillText:
    """What a model is given of a skill: its numbered text, and what is to be known beside it."""

    label: str
    body: str
    remarks: str

    @property
    def whole(self) -> str:
        """The text and the remarks below it."""
        return "\n\n".join(filter(None, (self.body, self.remarks)))


class ActiveSkills:
    """The skills of one turn, by how recently they were called for.

    Those that always apply come on top of the limit: every turn calls for them again.
    """

    def __init__(
        self,
        earlier: Iterable[Skill],
        emit: Emit,
        list_files: ListFiles,
        *,
        limit: int = MAX_ACTIVE,
    ) -> None:
        """Begin with those that are active from `earlier` turns, the latest last."""
        self.ended: list[Skill] = []
        self._limit = limit
        self._emit = emit
        self._list_files = list_files
        self._active: dict[str, Skill] = {skill.name: skill for skill in earlier}
        self._texts: dict[str, SkillText] = {}
        self._called_for: dict[str, None] = {}
        self._by_model: set[str] = set()

    def __contains__(self, skill: Skill) -> bool:
        return skill.name in self._active

    @property
    def skills(self) -> tuple[Skill, ...]:
        """The active skills, the latest last."""
        return tuple(self._active.values())

    @property
    def called_for(self) -> tuple[str, ...]:
        """The names that this turn called for and a session remembers, the latest last."""
        return tuple(name for name in self._called_for if name in self._active)

    def activate(self, skill: Skill, by: ActivatedBy) -> Skill | None:
        """Make a skill active, or the latest of those that are; return one that this ends."""
        is_new = self._active.pop(skill.name, None) is None
        self._active[skill.name] = skill
        if not skill.always:
            self._called_for.pop(skill.name, None)
            self._called_for[skill.name] = None
        if by == "model":
            self._by_model.add(skill.name)
        if is_new:
            n_tokens = estimate_tokens(self.text_of(skill).whole)
            self._emit(SkillActivated(skill.name, by, n_tokens))
        counted = [each for each in self._active.values() if not each.always]
        if len(counted) <= self._limit:
            return None
        ended = self._active.pop(counted[0].name)
        self.ended.append(ended)
        return ended

    def tell_place(self, skill: Skill) -> str:
        """Say where a model finds the text of an active skill."""
        if skill.name in self._by_model:
            return "its text is in the result of an earlier call in this turn"
        if skill.name in self._called_for or skill.always:
            return "its text is in the material that came with the question, or with an earlier one"
        return "its text was given in an earlier turn, or stands in front of the question"

    def load(self, skills: Iterable[Skill]) -> None:
        """Make the texts of skills ready, and list their files: call it in a worker thread."""
        for skill in skills:
            self.text_of(skill)

    def text_of(self, skill: Skill) -> SkillText:
        """Return what a model is given of a skill; its files are listed once in a turn."""
        if skill.name not in self._texts:
            self._texts[skill.name] = render_skill(skill, self._list_files(skill))
        return self._texts[skill.name]

    def pin(self) -> tuple[Pinned, ...]:
        """Return the texts of the active skills, which stay in what is sent."""
        return tuple(
            Pinned(text.label, text.body, tell_rest(skill))
            for skill in self._active.values()
            for text in [self.text_of(skill)]
        )


def render_skill(skill: Skill, listed: ResourceList) -> SkillText:
    """Write a skill for a model: its prose with the lines of its file, and what stands beside."""
    lines = prose_of_text(skill.body, skill.first_line)
    last_line = lines[-1][0] if lines else skill.first_line
    place = Span(skill.path, skill.first_line, last_line)
    remarks = [render_list(listed)]
    if skill.compatibility:
        remarks.append(f"It says of what it needs: {escape_invisible(skill.compatibility)}")
    if skill.allowed_tools:
        names = ", ".join(quote_name(name) for name in skill.allowed_tools)
        remarks.append(f"It names tools for use elsewhere, which allows nothing here: {names}")
    return SkillText(
        f"kind=skill name={skill.name} place={place}",
        shorten_lines(number_lines(lines), MAX_BODY_TOKENS, tell_rest(skill)),
        "\n".join(filter(None, remarks)),
    )


def measure_skill(body: str, first_line: int) -> int:
    """Return how many tokens the text of a skill takes as a model is given it."""
    lines = prose_of_text(body, first_line)
    return estimate_tokens(shorten_lines(number_lines(lines), MAX_BODY_TOKENS, ""))


def number_lines(lines: Sequence[tuple[int, str]]) -> str:
    """Write lines with their numbers; a text that is written twice is the same to the letter."""
    return "\n".join(f"{number:>5}| {line}" for number, line in lines)


def tell_rest(skill: Skill) -> str:
    """Say how a model sees what was cut of a skill."""
    return f"`skill` with `name` {quote_name(skill.name)} and `first_line` reads on"
