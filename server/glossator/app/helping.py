"""What one turn works with beside the tools of the workspace: a plan, and helpers."""

import asyncio
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from glossator.agent.budget import Limits
from glossator.agent.prompt import frame_material
from glossator.app.analysis.package_map import read_files
from glossator.app.analysis.package_text import fit_outlines
from glossator.app.results import Citation
from glossator.core.events import Emit
from glossator.model.port import ChatModel

if TYPE_CHECKING:  # They load pydantic, which only a model needs.
    from glossator.agent.helpers import Helpers, Provision, Report
    from glossator.agent.plans import Plan
    from glossator.app.context import Context
    from glossator.app.skills.desk import SkillDesk
    from glossator.tools.toolbox import Toolbox

_MATERIAL_TOKENS = 6_000


@dataclass(frozen=True, slots=True)
class Equipment:
    """The tools that the model of a turn is offered, its plan, its helpers and its skills.

    `preface` is what the system message says beside what it always says.
    """

    toolbox: "Toolbox"
    plan: "Plan"
    helpers: "Helpers"
    desk: "SkillDesk"
    preface: str

    def without_tools(self) -> "Equipment":
        """Return the same with nothing to call: for an answer from what is given alone."""
        return replace(self, toolbox=type(self.toolbox)(()), preface="")


async def equip(context: "Context", model: ChatModel, desk: "SkillDesk | None" = None) -> Equipment:
    """Make the equipment of one turn; `desk` holds its skills, if they were looked at already."""
    # Imported when a model is used: these load pydantic, which takes a while.
    from glossator.agent.helpers import Helpers, make_delegate_tool
    from glossator.agent.plans import Plan, make_plan_tool
    from glossator.app.skills.desk import open_desk

    settings = context.parts.settings.agent
    reading = await asyncio.to_thread(context.parts.make_toolbox)
    plan = Plan(context.emit)
    limits = Limits(
        settings.helper_rounds,
        settings.calls_per_round,
        context_tokens=context.parts.settings.model.context_tokens,
    )
    helpers = Helpers(
        model,
        reading,
        limits,
        context.emit,
        n_at_once=max(settings.helpers, 1),
        budget=context.budget,
        tools_model=context.parts.tools_model,
        provide=lambda emit: _provide(context, model, reading, emit),
    )
    tools = [make_plan_tool(plan)]
    if settings.helpers:
        tools.append(
            make_delegate_tool(
                helpers,
                gather=lambda paths: _gather(context, paths),
                check=lambda report: _check(context, report),
            )
        )
    desk = desk or await open_desk(context, model, context.emit, path=_path_of(context))
    toolbox, preface = _add_skills(desk, reading.with_tools(tools), context, model)
    return Equipment(toolbox, plan, helpers, desk, preface)


async def _provide(
    context: "Context", model: ChatModel, reading: "Toolbox", emit: Emit
) -> "Provision":
    """Return what a helper works with: it chooses its skills itself."""
    from glossator.agent.helpers import Provision
    from glossator.app.skills.desk import open_desk

    desk = await open_desk(context, model, emit, path=_path_of(context))
    toolbox, preface = _add_skills(desk, reading, context, model)
    return Provision(toolbox, preface, desk.active.pin)


def _add_skills(
    desk: "SkillDesk", toolbox: "Toolbox", context: "Context", model: ChatModel
) -> tuple["Toolbox", str]:
    """Return the toolbox with the one for skills, if it fits, and what is said of them."""
    tools_model = context.parts.tools_model
    larger = desk.add_tool(toolbox, [each for each in (model, tools_model) if each is not None])
    return larger, desk.write_preface(has_tool=larger is not toolbox)


def _path_of(context: "Context") -> str | None:
    return context.looked_at.scope if context.looked_at is not None else None


async def _check(context: "Context", report: "Report") -> str:
    citations = await context.read_again(report.text, report.shown)
    return correct_places(report.text, citations)


def correct_places(text: str, citations: Sequence[Citation]) -> str:
    """Return a report in which no place stands that does not hold.

    Whoever asked for the report takes its places for evidence: what it names and has not read, or
    what does not exist, must not be handed on.
    """
    for citation in citations:
        if citation.verdict == "exact":
            continue
        instead = str(citation.place)
        if citation.verdict == "missing":
            reason = f": {citation.reason}" if citation.reason else ""
            instead = f"`{citation.place.path}` (place not verified{reason})"
        pattern = rf"(?<![\w./\\-]){re.escape(citation.text)}(?![\w-])"
        text = re.sub(pattern, instead.replace("\\", r"\\"), text)
    return text


def _gather(context: "Context", paths: Sequence[str]) -> str:
    """Return the outlines of files and folders, framed; reads files: not on the loop."""
    parts = []
    for path in paths:
        files, _ = read_files(path, context.parts, context.library, context.say)
        text = fit_outlines(files, _MATERIAL_TOKENS // len(paths))
        parts.append((f"kind=outline of={path}", text))
    return frame_material(parts)
