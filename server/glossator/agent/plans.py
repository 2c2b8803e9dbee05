"""The plan of a turn: steps that the model writes down and ticks off, for the user to see."""

from collections.abc import Sequence
from typing import Annotated

from glossator.core.errors import InvalidArguments
from glossator.core.events import Emit, PlanChanged, PlanStep
from glossator.tools.escaping import escape_invisible
from glossator.tools.toolbox import ToolFunction

MAX_STEPS = 20
MAX_STEP_CHARACTERS = 160
_MARKS = {"pending": "[ ]", "active": "[>]", "done": "[x]", "dropped": "[-]"}


class Plan:
    """The plan of one turn as the model last wrote it; `steps` is empty while there is none."""

    def __init__(self, emit: Emit) -> None:
        self.steps: tuple[PlanStep, ...] = ()
        self._emit = emit
        self._is_news = False

    @property
    def is_open(self) -> bool:
        """Whether a step is still to be done."""
        return any(step.state in {"pending", "active"} for step in self.steps)

    def change(self, steps: Sequence[PlanStep]) -> None:
        """Put other steps in the place of those before.

        Raises:
            InvalidArguments: there are too many, several are active, or one is empty or too long.
        """
        changed = tuple(PlanStep(_on_one_line(step.text), step.state) for step in steps)
        _require_sense(changed)
        if changed != self.steps:
            self.steps = changed
            self._is_news = True
            self._emit(PlanChanged(changed))

    def remind(self) -> str:
        """Write the plan for the model, if it changed since the last time or a step is open."""
        if not (self._is_news or self.is_open):
            return ""
        self._is_news = False
        steps = " ".join(f"{_MARKS[step.state]} {step.text};" for step in self.steps)
        advice = "Update it with `plan` when a step is done." if self.is_open else "All is done."
        return f"(Your plan: {steps} {advice})"


def make_plan_tool(current: Plan) -> ToolFunction:
    """Return the tool with which a model writes its plan."""

    async def plan(
        steps: Annotated[list[PlanStep], "All steps in their order, 1 to 20, at most one active."],
    ) -> str:
        """Show the user your steps and how far you are; each call replaces the whole list.

        For tasks of several steps only. Call it together with other tools: alone it costs a round.
        """
        current.change(steps)
        n_over = sum(step.state in {"done", "dropped"} for step in current.steps)
        return f"The user sees the plan: {n_over} of {len(current.steps)} steps are over."

    return plan


def _require_sense(steps: Sequence[PlanStep]) -> None:
    if not 1 <= len(steps) <= MAX_STEPS:
        raise InvalidArguments(
            f"A plan has 1 to {MAX_STEPS} steps, not {len(steps)}. Send the whole list again, "
            "small steps joined."
        )
    n_active = sum(step.state == "active" for step in steps)
    if n_active > 1:
        raise InvalidArguments(
            f"{n_active} steps are active; at most one can be. Mark the others pending."
        )
    for number, step in enumerate(steps, 1):
        if not step.text:
            raise InvalidArguments(f"Step {number} has no text. Say in a few words what is done.")
        if len(step.text) > MAX_STEP_CHARACTERS:
            raise InvalidArguments(
                f"Step {number} has {len(step.text)} characters; {MAX_STEP_CHARACTERS} are shown. "
                "Say it shorter."
            )


def _on_one_line(text: str) -> str:
    return escape_invisible(" ".join(text.split()))
