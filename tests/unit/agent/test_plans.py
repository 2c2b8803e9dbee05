import json
from typing import Any

import pytest

from glossator.agent.loop import Limits, run_turn
from glossator.agent.plans import Plan, make_plan_tool
from glossator.core.events import Event, PlanChanged, PlanStep, ignore_event
from glossator.core.messages import Message, ToolCall
from glossator.model.scripted import Reply, ScriptedModel
from glossator.tools.toolbox import Toolbox, ToolOutcome, make_toolbox


class Desk:
    """A plan, the tool that writes it, and what was heard of it."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.plan = Plan(self.events.append)
        self.toolbox: Toolbox = make_toolbox([make_plan_tool(self.plan)])

    async def write(self, *steps: Any) -> ToolOutcome:
        arguments = json.dumps({"steps": [as_step(step) for step in steps]})
        return await self.toolbox.run(ToolCall("1", "plan", arguments))


def as_step(step: Any) -> Any:
    return {"text": step[0], "state": step[1]} if isinstance(step, tuple) else step


async def test_each_call_replaces_the_whole_plan_and_is_heard_of() -> None:
    desk = Desk()

    await desk.write(("Read", "active"), ("Write", "pending"))
    outcome = await desk.write(("Read", "done"), ("Write", "active"), ("Check", "pending"))

    first, second = (event.steps for event in desk.events if isinstance(event, PlanChanged))
    assert first == (PlanStep("Read", "active"), PlanStep("Write", "pending"))
    assert [step.state for step in second] == ["done", "active", "pending"]
    assert outcome.text == "The user sees the plan: 1 of 3 steps are over."


async def test_a_plan_that_is_written_again_as_it_was_is_no_change() -> None:
    desk = Desk()

    await desk.write(("Read", "done"))
    await desk.write(("Read", "done"))

    assert len(desk.events) == 1


async def test_the_model_is_reminded_of_a_plan_that_changed_or_is_open_and_of_no_other() -> None:
    desk = Desk()
    reminders = [desk.plan.remind()]

    await desk.write(("Read", "active"), ("Write", "pending"))
    reminders += [desk.plan.remind(), desk.plan.remind()]
    await desk.write(("Read", "done"), ("Write", "dropped"))
    reminders += [desk.plan.remind(), desk.plan.remind()]

    opened = "(Your plan: [>] Read; [ ] Write; Update it with `plan` when a step is done.)"
    assert reminders == ["", opened, opened, "(Your plan: [x] Read; [-] Write; All is done.)", ""]


async def test_what_would_command_a_terminal_is_written_out_and_a_step_stays_on_one_line() -> None:
    desk = Desk()

    await desk.write(("Read\n the\tfile \x1b[2J\u202e now\ud800", "pending"))

    [step] = desk.plan.steps
    assert step.text == "Read the file \\u{1b}[2J\\u{202e} now\\u{d800}"


@pytest.mark.parametrize(
    ("steps", "advice"),
    [
        ([], "A plan has 1 to 20 steps, not 0."),
        ([("a", "pending")] * 21, "A plan has 1 to 20 steps, not 21."),
        ([("a", "active"), ("b", "active")], "2 steps are active; at most one can be."),
        ([("a", "done"), (" \n", "pending")], "Step 2 has no text."),
        ([("a" * 161, "pending")], "Step 1 has 161 characters; 160 are shown."),
        ([("a", "completed")], "`steps.0.state`: input should be 'pending', 'active', 'done' or"),
        (["Read"], "`steps.0`: input should be a dictionary"),
        ([{"text": "a"}], "`steps.0.state` is required"),
    ],
)
async def test_a_plan_that_makes_no_sense_comes_back_with_advice_and_changes_nothing(
    steps: list[Any], advice: str
) -> None:
    desk = Desk()
    await desk.write(("Read", "active"))

    outcome = await desk.write(*steps)

    assert outcome.is_error
    assert advice in outcome.text
    assert desk.plan.steps == (PlanStep("Read", "active"),)


async def test_steps_that_were_sent_as_their_json_text_are_understood() -> None:
    desk = Desk()
    steps = json.dumps([{"text": "Read", "state": "done"}])

    outcome = await desk.toolbox.run(ToolCall("1", "plan", json.dumps({"steps": steps})))

    assert not outcome.is_error
    assert desk.plan.steps == (PlanStep("Read", "done"),)


def test_the_schema_is_one_that_every_server_understands() -> None:
    [spec] = Desk().toolbox.specs

    items = spec.parameters["properties"]["steps"]["items"]
    assert items["properties"]["state"]["enum"] == ["pending", "active", "done", "dropped"]
    assert "$ref" not in json.dumps(spec.parameters)
    assert "several steps only" in spec.description


async def test_each_round_ends_with_the_plan_while_it_is_open_and_its_beginning_stays() -> None:
    plan = Plan(ignore_event)
    steps = [[("Read", "active"), ("Say", "pending")], [("Read", "done"), ("Say", "done")]]
    replies: list[Reply] = [
        [ToolCall(str(number), "plan", json.dumps({"steps": [as_step(each) for each in written]}))]
        for number, written in enumerate(steps)
    ]
    model = ScriptedModel([*replies, [ToolCall("2", "look", "{}")], "Done."])

    async def look() -> str:
        """Look."""
        return "nothing"

    await run_turn(
        model,
        [Message("system", "You help."), Message("user", "Do it.")],
        make_toolbox([make_plan_tool(plan), look]),
        Limits(8),
        ignore_event,
        remind=plan.remind,
    )

    assert [transcript[-1].text.count("(Your plan:") for transcript in model.transcripts] == [
        0, 1, 1, 0,
    ]  # fmt: skip
    assert "[>] Read; [ ] Say;" in model.transcripts[1][-1].text
    assert "[x] Read; [x] Say; All is done." in model.transcripts[2][-1].text
    assert {transcript[:2] for transcript in model.transcripts[1:]} == {
        (Message("system", "You help."), Message("user", "Do it."))
    }
