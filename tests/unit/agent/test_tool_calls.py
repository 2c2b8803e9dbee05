import asyncio
import logging
from pathlib import Path

import pytest

from glossator.agent.budget import Budget, Limits
from glossator.agent.tool_calls import describe_error, refuse_cut_calls, run_calls
from glossator.core.errors import UnreadableFile
from glossator.core.events import Event, ToolFinished, ToolStarted, ignore_event
from glossator.core.messages import ToolCall
from glossator.tools.toolbox import Toolbox, ToolOutcome, make_toolbox


def call(name: str, call_id: str = "1", arguments: str = "{}") -> ToolCall:
    return ToolCall(call_id, name, arguments)


def make_tools(never: asyncio.Event | None = None) -> Toolbox:
    async def answer() -> str:
        """Answer."""
        return "fine"

    async def refuse() -> str:
        """Refuse."""
        raise UnreadableFile("`a.py` is a folder.")

    async def break_down() -> str:
        """Break."""
        raise FileNotFoundError(2, "No such file or directory", "/home/me/secret/a.py")

    async def delegate() -> str:
        """Take long."""
        assert never is not None
        await never.wait()
        return "done"

    async def hang() -> str:
        """Take for ever."""
        assert never is not None
        await never.wait()
        return "done"

    return make_toolbox([answer, refuse, break_down, delegate, hang])


async def run(
    *calls: ToolCall,
    never: asyncio.Event | None = None,
    limits: Limits = Limits(),  # noqa: B008 - a frozen value
    budget: Budget | None = None,
) -> list[ToolOutcome]:
    async with asyncio.timeout(10):
        return await run_calls(make_tools(never), calls, limits, budget or Budget(), ignore_event)


async def test_a_defect_of_one_tool_is_told_and_logged_and_the_others_go_on(
    caplog: pytest.LogCaptureFixture,
) -> None:
    broken, fine = await run(call("break_down"), call("answer", "2"))

    assert (fine.text, fine.is_error) == ("fine", False)
    assert broken.is_error
    assert broken.text == (
        "`break_down` failed: FileNotFoundError: No such file or directory. "
        "Go on without it, or call it differently."
    )
    [record] = [record for record in caplog.records if record.levelno == logging.ERROR]
    assert record.exc_info is not None
    assert "break_down" in record.getMessage()


async def test_what_a_tool_says_on_purpose_is_passed_on() -> None:
    [outcome] = await run(call("refuse"))

    assert (outcome.text, outcome.is_error) == ("`a.py` is a folder.", True)


async def test_a_tool_that_hangs_is_given_up_and_the_others_are_kept() -> None:
    limits = Limits(call_timeout_s=0.05)

    hung, fine = await run(call("hang"), call("answer", "2"), never=asyncio.Event(), limits=limits)

    assert hung.is_error
    assert "`hang` was given up after" in hung.text
    assert fine.text == "fine"
    assert asyncio.all_tasks() == {asyncio.current_task()}


async def test_a_helper_may_take_as_long_as_the_turn() -> None:
    may_end = asyncio.Event()
    limits = Limits(call_timeout_s=0.01)
    heard = asyncio.Event()

    def hear(event: Event) -> None:
        if isinstance(event, ToolFinished):
            heard.set()
            may_end.set()

    calls = [call("delegate"), call("hang", "2")]
    async with asyncio.timeout(10):
        outcomes = await run_calls(make_tools(may_end), calls, limits, Budget(), hear)

    assert heard.is_set()
    assert [outcome.is_error for outcome in outcomes] == [False, True]


async def test_no_tool_takes_the_time_that_the_answer_needs() -> None:
    class AlmostSpent(Budget):
        seconds_for_tools = 0.05

    [outcome] = await run(call("delegate"), never=asyncio.Event(), budget=AlmostSpent())

    assert "given up after" in outcome.text


async def test_calls_beyond_the_limit_are_answered_too() -> None:
    outcomes = await run(*[call("answer", str(n)) for n in range(3)], limits=Limits(8, 2))

    assert [outcome.is_error for outcome in outcomes] == [False, False, True]


async def test_cancelling_ends_every_call() -> None:
    never = asyncio.Event()
    n_started = 0
    all_run = asyncio.Event()

    def hear(event: Event) -> None:
        nonlocal n_started
        n_started += isinstance(event, ToolStarted)
        if n_started == 2:
            all_run.set()

    calls = [call("hang"), call("hang", "2")]
    task = asyncio.create_task(run_calls(make_tools(never), calls, Limits(), Budget(), hear))
    await all_run.wait()

    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task

    assert asyncio.all_tasks() == {asyncio.current_task()}


def test_calls_that_were_cut_are_answered_with_advice() -> None:
    outcomes = refuse_cut_calls([call("answer"), call("answer", "2")])

    assert len(outcomes) == 2
    assert "smaller steps" in outcomes[0].text


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (ValueError(""), "ValueError"),
        (KeyError("name"), "KeyError: 'name'"),
        (
            PermissionError(13, "Permission denied", "/etc/shadow"),
            "PermissionError: Permission denied",
        ),
        (ValueError("bad /home/me/.ssh/id_rsa, again"), "ValueError: bad …/id_rsa, again"),
        (ValueError("in '/home/me/My Project/a b.py'"), "ValueError: in …/a b.py"),
        (ValueError(r"in C:\Users\me\a.py now"), "ValueError: in …/a.py now"),
        (ValueError(r"at \\server\share\a.py"), "ValueError: at …/a.py"),
        (ValueError("~/notes/a.py is odd"), "ValueError: …/a.py is odd"),
        (ValueError("src/a.py:3 and 1/2"), "ValueError: src/a.py:3 and 1/2"),
        (ValueError("see https://a.b/c"), "ValueError: see https://a.b/c"),
        (ValueError("two\nlines"), "ValueError: two lines"),
        (ValueError("key sk-abcdefghijklmnopqrstuv"), "ValueError: key [redacted]"),
    ],
)
def test_an_error_is_described_without_places_of_this_machine(error: Exception, text: str) -> None:
    assert describe_error(error) == text


def test_a_long_error_is_cut() -> None:
    assert len(describe_error(ValueError("x" * 9_000))) < 220


def test_the_home_folder_stays_at_home() -> None:
    error = ValueError(f"cannot open {Path.home()}/project/a.py or {Path.home()}")

    assert str(Path.home()) not in describe_error(error)
