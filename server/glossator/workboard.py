"""What is under way in a turn, as lines: how far its plan is, and what each helper does."""

import time
from collections.abc import Iterator
from dataclasses import dataclass, field

from glossator.app.phrasing import Phrasing, count
from glossator.app.stop_reasons import name_stop
from glossator.core.events import (
    Event,
    HelperActed,
    HelperEnded,
    HelperStarted,
    PlanChanged,
    PlanStep,
    SkillActivated,
    TextArrived,
    ToolFinished,
    ToolStarted,
    WaitingForModel,
)

Work = PlanChanged | HelperStarted | HelperActed | HelperEnded

_STEP_MARKS = {"pending": "·", "active": "›", "done": "✓", "dropped": "–"}


@dataclass(slots=True)
class _Helper:
    """A helper at work, as its line tells."""

    task: str
    started: float
    n_calls: int = 0
    doing: str = ""


@dataclass(slots=True)
class WorkBoard:
    """What is under way: how far the plan is, and what each helper does, told by `say`."""

    say: Phrasing
    head: str = ""
    _steps: tuple[PlanStep, ...] = ()
    _helpers: dict[str, _Helper] = field(default_factory=dict)

    @property
    def is_idle(self) -> bool:
        """Whether there is nothing to list."""
        return not (self._steps or self._helpers)

    def hear(self, event: Work) -> Iterator[str]:
        """Take an event in, and tell it in lines of its own."""
        match event:
            case PlanChanged(steps):
                before = set(self._steps)
                self._steps = steps
                yield from (_tell_step(step) for step in steps if step not in before)
            case HelperStarted(helper_id, task):
                self._helpers[helper_id] = _Helper(task, time.monotonic())
                yield f"→ {helper_id} {task}"
            case HelperActed(helper_id, inner):
                yield from self._hear_inside(helper_id, inner)
            case HelperEnded(helper_id, stop_reason):
                helper = self._helpers.pop(helper_id, None)
                task = helper.task if helper else ""
                mark = "✗" if stop_reason == "failed" else "✓"
                stop = name_stop(stop_reason, self.say)
                yield self.say(
                    f"{mark} {helper_id} {task}: {stop} ({event.duration_s:.1f} s)",
                    f"{mark} {helper_id} {task}：{stop}（{event.duration_s:.1f} 秒）",
                )

    def _hear_inside(self, helper_id: str, event: Event) -> Iterator[str]:
        helper = self._helpers.get(helper_id)
        if helper is None:
            return
        match event:
            case ToolStarted():
                helper.n_calls += 1
                helper.doing = f"{event.name} {event.arguments}"
                yield f"  {helper_id} → {helper.doing}"
            case ToolFinished():
                mark = "✗" if event.is_error else "✓"
                yield f"  {helper_id} {mark} {event.name}: {event.summary}"
            case SkillActivated():
                yield self.say(
                    f"  {helper_id} · skill {event.name}", f"  {helper_id} · 技能 {event.name}"
                )
            case WaitingForModel():
                helper.doing = tell_wait(event, self.say)
                yield f"  {helper_id} · {helper.doing}"
            case TextArrived():
                helper.doing = self.say("writing its report", "正在撰写报告")

    def list_lines(self) -> list[str]:
        """Return everything as it is at this moment."""
        lines = [self.head] if self.head else []
        lines += [_tell_step(step) for step in self._steps]
        for helper_id, helper in self._helpers.items():
            elapsed_s = time.monotonic() - helper.started
            lines.append(f"{helper_id} {helper.task}")
            spent = self.say(
                f"{elapsed_s:.0f} s, {count(helper.n_calls, 'call')}",
                f"{elapsed_s:.0f} 秒，{helper.n_calls} 次调用",
            )
            lines.append(f"   {spent} {helper.doing}")
        return lines


def tell_wait(wait: WaitingForModel, say: Phrasing, hint: str = "") -> str:
    """Say for how long a server wants to be left alone, with a hint, and why."""
    reason, seconds = say.translate(wait.reason), max(1, round(wait.seconds))
    return say(f"waiting {seconds} s{hint}: {reason}", f"等待 {seconds} 秒{hint}：{reason}")


def _tell_step(step: PlanStep) -> str:
    return f"  {_STEP_MARKS[step.state]} {step.text}"
