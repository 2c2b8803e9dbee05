"""Spans of real turns, from an application to a collector."""

import asyncio
from importlib import import_module
from pathlib import Path

from glossator.core.events import Event, TextArrived
from glossator.core.messages import ToolCall
from glossator.model.scripted import ScriptedModel
from workbench import make_bench

from .conftest import Collector

QUESTION = "What does `main` in main.py do?"
READ = ToolCall("c1", "read_file", '{"path": "main.py"}')


async def test_a_turn_arrives_when_the_application_is_closed(
    tmp_path: Path, collector: Collector
) -> None:
    model = ScriptedModel([READ, "See main.py:4."])
    settings = {"telemetry": {"endpoint": collector.url}}
    bench = make_bench(tmp_path / "workspace", model=model, settings=settings)

    # The first import may take longer than closing waits for what is still to be sent.
    await asyncio.to_thread(import_module, "glossator.telemetry.exporting")
    answer = await bench.application.ask(QUESTION)
    await bench.application.close()
    assert await asyncio.to_thread(collector.heard.wait, 10)

    turn = collector.named("invoke_agent glossator")
    assert collector.children_of(turn) == [
        "chat scripted", "execute_tool read_file", "chat scripted",
    ]  # fmt: skip
    assert turn.attributes["gen_ai.conversation.id"] == answer.session_id
    assert turn.attributes["glossator.citations.exact"] == 1


async def test_a_turn_that_runs_while_settings_change_is_sent_whole(
    tmp_path: Path, collector: Collector
) -> None:
    has_begun, may_go_on = asyncio.Event(), asyncio.Event()

    def hear(event: Event) -> None:
        if isinstance(event, TextArrived):
            has_begun.set()

    model = ScriptedModel([["See ", may_go_on, "main.py:4."]])
    settings = {"telemetry": {"endpoint": collector.url}}
    application = make_bench(tmp_path / "workspace", model=model, settings=settings).application
    async with asyncio.timeout(30):
        asking = asyncio.create_task(application.ask(QUESTION, emit=hear))
        await has_begun.wait()
        await application.change_settings({"audit.enabled": False})
        may_go_on.set()
        await asking
        await application.close()
        assert await asyncio.to_thread(collector.heard.wait, 10)

    turn = collector.named("invoke_agent glossator")
    assert collector.children_of(turn) == ["chat scripted"]
    assert not turn.is_error
