import json
import logging
import socket
import subprocess
import sys
import time
from collections.abc import Iterator

import pytest

from glossator import __version__
from glossator.core.events import (
    AnswerVerified,
    ContextTrimmed,
    Event,
    HelperActed,
    HelperEnded,
    HelperStarted,
    KnowledgeFound,
    PlanChanged,
    PlanStep,
    RoundEnded,
    RoundStarted,
    SkillActivated,
    TextArrived,
    ToolFinished,
    ToolStarted,
    TurnEnded,
    TurnStarted,
    WaitingForModel,
)
from glossator.core.locations import Span
from glossator.core.messages import Message, ToolCall, Usage
from glossator.telemetry.subject import Subject
from glossator.telemetry.telemetry import Telemetry

from .conftest import Collector

SPAN = Span("a.py", 1, 2)
CALL = ToolCall("c1", "read_file", '{"path": "a.py"}')
SUBJECT = Subject("big", "https://api.deepseek.com", secrets=("7c9f3b1e2a",))
WITH_CONTENT = Subject("big", keep_content=True, secrets=("7c9f3b1e2a",))


def a_turn() -> Iterator[Event]:
    yield TurnStarted("ask", "s1", "What is a? My key is 7c9f3b1e2a.")
    yield KnowledgeFound((("Errors", SPAN, 0.5),))
    yield RoundStarted(1, 7)
    yield WaitingForModel(1.5, "429")
    yield TextArrived("Let me")
    reply = Message("assistant", "Let me look.", (CALL,))
    yield RoundEnded(1, "tool_calls", 1, Usage(100, 20, 60), 1.5, 0.25, "big", reply)
    yield ToolStarted("c1", "read_file", '{"path": "a.py"}')
    yield ToolFinished("c1", "read_file", True, "no", "There is no a.py.", 0.1)
    yield PlanChanged((PlanStep("look", "done"), PlanStep("answer", "active")))
    yield SkillActivated("sql", "model", 120)
    yield ContextTrimmed(1, 0, False, 9000)
    yield RoundStarted(2, 6, "small")
    yield RoundEnded(2, "stop", 0, None, 1.0, None, "small", Message("assistant", "It is."))
    yield AnswerVerified((("a.py:1", SPAN, "exact"), ("b.py:1", SPAN, "missing")))
    yield TurnEnded("answered", Usage(100, 20, 60), 3.0)


def send(collector: Collector, *events: Event, subject: Subject = SUBJECT) -> None:
    telemetry = Telemetry(collector.url, subject)
    hear = telemetry.listen("t1")
    for event in events:
        hear(event)
    telemetry.close(10)


def test_a_turn_is_a_tree_of_agent_rounds_and_tool_calls(collector: Collector) -> None:
    send(collector, *a_turn())

    turn = collector.named("invoke_agent glossator")
    assert turn.parent_id == b""
    assert collector.children_of(turn) == ["chat big", "execute_tool read_file", "chat small"]
    assert len({span.trace_id for span in collector.spans}) == 1
    assert set(collector.paths) == {"/v1/traces"}
    assert collector.resource["service.name"] == "glossator"


def test_a_turn_says_whose_it_is_and_how_it_ended(collector: Collector) -> None:
    send(collector, *a_turn())

    turn = collector.named("invoke_agent glossator")
    assert turn.kind == "internal"
    assert not turn.is_error
    assert turn.attributes == {
        "gen_ai.operation.name": "invoke_agent",
        "gen_ai.provider.name": "deepseek",
        "gen_ai.agent.name": "glossator",
        "gen_ai.agent.version": __version__,
        "gen_ai.request.model": "big",
        "gen_ai.conversation.id": "s1",
        "gen_ai.usage.input_tokens": 100,
        "gen_ai.usage.output_tokens": 20,
        "gen_ai.usage.cache_read.input_tokens": 60,
        "server.address": "api.deepseek.com",
        "server.port": 443,
        "glossator.turn.id": "t1",
        "glossator.turn.kind": "ask",
        "glossator.turn.stop_reason": "answered",
        "glossator.knowledge.hits": 1,
        "glossator.citations.exact": 1,
        "glossator.citations.moved": 0,
        "glossator.citations.missing": 1,
    }
    assert turn.events == (
        ("glossator.plan_changed", {"done": 1, "active": 1}),
        ("glossator.skill_activated", {"name": "sql", "by": "model", "tokens": 120}),
        (
            "glossator.context_trimmed",
            {"results_shortened": 1, "turns_left_out": 0, "is_summarized": False},
        ),
    )


def test_a_round_is_a_request_to_the_model(collector: Collector) -> None:
    send(collector, *a_turn())

    first, second = collector.named("chat big"), collector.named("chat small")
    assert first.kind == "client"
    assert first.start <= first.end
    assert first.attributes == {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": "deepseek",
        "gen_ai.request.model": "big",
        "gen_ai.request.stream": True,
        "gen_ai.conversation.id": "s1",
        "gen_ai.response.finish_reasons": ["tool_calls"],
        "gen_ai.response.time_to_first_chunk": 0.25,
        "gen_ai.usage.input_tokens": 100,
        "gen_ai.usage.output_tokens": 20,
        "gen_ai.usage.cache_read.input_tokens": 60,
        "server.address": "api.deepseek.com",
        "server.port": 443,
        "glossator.round": 1,
    }
    assert first.events == (("glossator.waiting_for_model", {"seconds": 1.5, "reason": "429"}),)
    assert second.attributes["gen_ai.conversation.compacted"] is True
    assert "gen_ai.usage.input_tokens" not in second.attributes


def test_a_tool_call_that_went_wrong_is_an_error(collector: Collector) -> None:
    send(collector, *a_turn())

    tool = collector.named("execute_tool read_file")
    assert tool.is_error
    assert tool.attributes == {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.provider.name": "deepseek",
        "gen_ai.tool.name": "read_file",
        "gen_ai.tool.type": "function",
        "gen_ai.tool.call.id": "c1",
        "gen_ai.conversation.id": "s1",
        "glossator.tool.result.characters": 17,
        "error.type": "tool_error",
        "server.address": "api.deepseek.com",
        "server.port": 443,
    }


def test_without_content_no_question_answer_argument_or_result_leaves_the_machine(
    collector: Collector,
) -> None:
    send(collector, *a_turn())

    sent = b"".join(collector.bodies)
    for content in (b"What is a?", b"Let me look.", b"a.py", b"There is no", b"7c9f3b1e2a"):
        assert content not in sent


def test_with_content_texts_are_sent_in_the_form_of_the_conventions_without_secrets(
    collector: Collector,
) -> None:
    send(collector, *a_turn(), subject=WITH_CONTENT)

    question = collector.named("invoke_agent glossator").attributes["gen_ai.input.messages"]
    answer = collector.named("chat big").attributes["gen_ai.output.messages"]
    tool = collector.named("execute_tool read_file").attributes
    [asked], [said] = json.loads(question), json.loads(answer)
    assert asked == {
        "role": "user",
        "parts": [{"type": "text", "content": "What is a? My key is [redacted]."}],
    }
    assert said["parts"][0] == {"type": "text", "content": "Let me look."}
    assert said["parts"][1]["name"] == "read_file"
    assert said["finish_reason"] == "tool_calls"
    assert tool["gen_ai.tool.call.arguments"] == '{"path": "a.py"}'
    assert tool["gen_ai.tool.call.result"] == "There is no a.py."
    assert b"7c9f3b1e2a" not in b"".join(collector.bodies)


def test_helpers_are_agents_below_the_turn_with_their_own_rounds_and_calls(
    collector: Collector,
) -> None:
    send(
        collector,
        TurnStarted("ask"),
        HelperStarted("h1", "Read it"),
        HelperStarted("h2", "Read that"),
        HelperActed("h1", RoundStarted(1, 4, "small")),
        HelperActed("h2", ToolStarted("c1", "outline", "{}")),
        HelperActed("h1", RoundEnded(1, "stop", 0, Usage(7, 3), 1.0, 0.1, "small")),
        HelperActed("h2", ToolFinished("c1", "outline", False, "", "", 0.1)),
        HelperEnded("h1", "answered", "Done", Usage(7, 3), 1.0),
        HelperEnded("h2", "time-limit", "Half", Usage(), 1.0),
        TurnEnded("answered", Usage(7, 3), 3.0),
    )

    turn = collector.named("invoke_agent glossator")
    first, second = [span for span in collector.spans if span.parent_id == turn.id]
    assert {span.name for span in (first, second)} == {"invoke_agent glossator helper"}
    assert first.attributes["gen_ai.agent.id"] == "h1"
    assert first.attributes["gen_ai.usage.input_tokens"] == 7
    assert collector.children_of(first) == ["chat small"]
    assert collector.children_of(second) == ["execute_tool outline"]
    assert second.attributes["glossator.turn.stop_reason"] == "time-limit"


def test_what_is_open_when_a_turn_fails_is_closed_with_the_error(collector: Collector) -> None:
    send(
        collector,
        TurnStarted("ask"),
        RoundStarted(1, 7),
        TurnEnded("failed", Usage(), 3.0, "The model refused api_key=7c9f3b1e2a"),
    )

    turn, chat = collector.named("invoke_agent glossator"), collector.named("chat big")
    assert turn.is_error
    assert turn.attributes["error.type"] == "failed"
    assert turn.description == "The model refused [redacted]"
    assert chat.is_error
    assert chat.attributes["error.type"] == "unfinished"


def test_a_cancelled_turn_is_no_error(collector: Collector) -> None:
    send(
        collector,
        TurnStarted("ask"),
        RoundStarted(1, 7),
        HelperStarted("h1", "Read it"),
        TurnEnded("cancelled", Usage(), 3.0),
    )

    assert len(collector.spans) == 3
    assert not any(span.is_error for span in collector.spans)


def test_a_retired_telemetry_sends_what_a_running_turn_still_does(collector: Collector) -> None:
    telemetry = Telemetry(collector.url, SUBJECT)
    hear = telemetry.listen("t1")
    hear(TurnStarted("ask"))

    telemetry.retire()
    hear(RoundStarted(1, 7))
    hear(RoundEnded(1, "stop", 0, None, 1.0, 0.5))
    hear(TurnEnded("answered", Usage(), 1.0))
    telemetry.close(10)

    assert {span.name for span in collector.spans} == {"invoke_agent glossator", "chat big"}


def test_a_collector_that_cannot_be_reached_is_said_once_and_slows_nothing(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        telemetry = Telemetry(f"http://127.0.0.1:{taken.getsockname()[1]}", SUBJECT)
        started = time.monotonic()
        for number in range(3):
            hear = telemetry.listen(f"t{number}")
            for event in a_turn():
                hear(event)
        heard_s = time.monotonic() - started
        telemetry.close(10)

    assert heard_s < 0.5
    said = [record for record in caplog.records if record.levelno >= logging.WARNING]
    assert [record.name for record in said] == ["glossator.telemetry.exporting"]
    assert "12 spans could not be sent" in telemetry.problem


def test_a_collector_that_never_answers_does_not_hold_the_end_up() -> None:
    with socket.create_server(("127.0.0.1", 0)) as deaf:
        telemetry = Telemetry(f"http://127.0.0.1:{deaf.getsockname()[1]}", SUBJECT)
        hear = telemetry.listen("t1")
        for event in a_turn():
            hear(event)
        # Wait for the import on the other thread: it is not what is timed.
        assert telemetry._last is not None
        telemetry._last.result(60)
        started = time.monotonic()
        telemetry.close(0.2)
        waited_s = time.monotonic() - started

    assert waited_s < 1


def test_a_collector_that_refuses_is_a_problem_that_people_see(collector: Collector) -> None:
    collector.status = 401
    telemetry = Telemetry(collector.url, SUBJECT)
    hear = telemetry.listen("t1")
    for event in a_turn():
        hear(event)
    telemetry.close(10)

    assert telemetry.problem == f"4 spans could not be sent to `{collector.url}`."


def test_without_a_turn_nothing_is_imported_or_connected() -> None:
    code = (
        "import sys\n"
        "from glossator.telemetry.telemetry import Telemetry\n"
        "from glossator.telemetry.subject import Subject\n"
        "Telemetry('http://127.0.0.1:9', Subject()).close()\n"
        "print('opentelemetry' in sys.modules)"
    )

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)

    assert done.stdout.strip() == "False"


def test_a_package_that_cannot_be_loaded_is_said_once(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setitem(sys.modules, "glossator.telemetry.exporting", None)
    telemetry = Telemetry("http://127.0.0.1:9", SUBJECT)
    hear = telemetry.listen("t1")

    for event in a_turn():
        hear(event)
    telemetry.close(10)

    assert [record.levelname for record in caplog.records] == ["WARNING"]
    assert "cannot be loaded" in telemetry.problem
